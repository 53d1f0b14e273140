import type { TraitIdentity } from './summarise-traits.ts';

/**
 * Names by which summaries can be told apart: the trait's, with its mode where questions use one name in both, and with the way of counting where even that is the same.
 *
 * @example
 * ```ts
 * const summary = (name, evaluationMode) => ({ name, evaluationMode, repeatedExtraction: true });
 * summaryNames([summary('a', 'tp_only'), summary('b', 'tp_only'), summary('b', 'full_matrix')])
 * // => ['a', 'b.tp_only', 'b.full_matrix']
 * ```
 */
export function summaryNames(summaries: readonly TraitIdentity[]): string[] {
  const named = summaries.map(({ name }) => name);
  const withMode = summaries.map(({ name, evaluationMode }, i) =>
    isShared(named, i) ? `${name}.${evaluationMode}` : name,
  );
  return withMode.map((name, i) =>
    isShared(withMode, i) ? `${name}.${summaries[i]!.repeatedExtraction ? 'once' : 'every'}` : name,
  );
}

function isShared(names: readonly string[], i: number): boolean {
  return names.indexOf(names[i]!) !== names.lastIndexOf(names[i]!);
}
