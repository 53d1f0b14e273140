import { wilsonInterval } from '../../statistics/index.ts';
import { type ClusteredShare, wilsonClustered } from '../../statistics/methods/index.ts';
import {
  type AnswerShares,
  anyHarmShares,
  averageShares,
  commissionShares,
  contradictionShares,
  omissionShares,
} from './item-shares.ts';
import type { HarmItem } from './weighted-item.ts';

/** The items of one answer. */
export interface HarmQuestion {
  /** Answers to one question go together. Default: every answer is its own. */
  readonly id?: string;
  readonly items: readonly HarmItem[];
}

/** Harm done by what answers leave out, and by what they say. The weights are opinions. */
export interface HarmRates {
  /** Severity of required items left out, of all required and settled. */
  readonly omission: number | null;
  /** Severity of forbidden items said and required ones contradicted, of all settled. */
  readonly commission: number | null;
  /** Share of questions with a harm of the threshold or more. */
  readonly anyHarm: number | null;
  readonly anyHarmInterval: readonly [number, number] | null;
  /** Questions with a settled item. */
  readonly nQuestions: number;
}

/**
 * Harm of omission and of commission, weighted by severity, and the share of questions with a harm of at least the `threshold`.
 *
 * @example
 * ```ts
 * const items = [{ required: true, severity: 3, verdict: 'absent' }, { required: true, severity: 1, verdict: 'present' }];
 * harmRates([{ items }]).omission // => 0.75
 * ```
 */
export function harmRates(
  questions: readonly HarmQuestion[],
  { level = 0.95, threshold = 1 }: { readonly level?: number; readonly threshold?: number } = {},
): HarmRates {
  const items = questions.flatMap((question) => question.items);
  const harms = questions.flatMap((question) => anyHarmShares(question.items, threshold).settled ?? []);
  const harmed = harms.filter(({ part }) => part === 1).length;
  return {
    omission: toValue(omissionShares(items)),
    commission: toValue(commissionShares(items)),
    anyHarm: averageShares(harms, 'mean'),
    anyHarmInterval: wilsonInterval(harmed, harms.length, level),
    nQuestions: harms.length,
  };
}

/**
 * The share of required items that answers contradict, of those settled: denying a required statement is worse than leaving it out. Items of one question go together. Null without settled required items.
 *
 * @example
 * ```ts
 * const said = (verdict: string) => ({ items: [{ required: true, verdict }] });
 * contradictionRate([said('contradicted'), said('present')])!.value // => 0.5
 * ```
 */
export function contradictionRate(questions: readonly HarmQuestion[], level = 0.95): ClusteredShare | null {
  const scored = questions.flatMap(({ id, items }, i) =>
    items
      .flatMap((item) => contradictionShares([item]).settled ?? [])
      .map(({ part }) => ({ value: part, cluster: id ?? i })),
  );
  return wilsonClustered(
    scored.map(({ value }) => value),
    scored.map(({ cluster }) => cluster),
    level,
  );
}

function toValue({ settled }: AnswerShares): number | null {
  return settled && settled.part / settled.whole;
}
