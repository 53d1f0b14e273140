/** What a trait other than a metric trait says of an answer: a value with its kind, or why there is none. */
export type TraitOutcome =
  | { readonly kind: 'boolean'; readonly value: boolean }
  | { readonly kind: 'score'; readonly value: number }
  /** `position` counts the classes from 0, the first as listed; null where no order is known. */
  | { readonly kind: 'literal'; readonly value: string; readonly position: number | null }
  | { readonly kind: 'unscored'; readonly reason: string };

export function unscored(reason: string): TraitOutcome {
  return { kind: 'unscored', reason };
}
