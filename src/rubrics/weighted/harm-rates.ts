import { wilsonInterval } from '../../statistics/index.ts';
import { type ClusteredShare, wilsonClustered } from '../../statistics/review/index.ts';
import { isSettled } from './weighted-score.ts';

/** An item with the harm of getting it wrong, and what a judge said of it. */
export interface HarmItem {
  readonly required: boolean;
  /** Above 0. Default: 1. */
  readonly severity?: number;
  readonly verdict: string | null;
}

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
  const sums = { omitted: 0, required: 0, committed: 0, all: 0 };
  let [harmed, nQuestions] = [0, 0];
  for (const { items } of questions) {
    const settled = items.filter(({ verdict }) => isSettled(verdict));
    if (settled.length === 0) continue;
    nQuestions += 1;
    let worst = 0;
    for (const { required, severity = 1, verdict } of settled) {
      const isOmitted = required && verdict === 'absent';
      const isCommitted = required ? verdict === 'contradicted' : verdict === 'present';
      sums.all += severity;
      if (required) sums.required += severity;
      if (isOmitted) sums.omitted += severity;
      if (isCommitted) sums.committed += severity;
      if (isOmitted || isCommitted) worst = Math.max(worst, severity);
    }
    if (worst > 0 && worst >= threshold) harmed += 1;
  }
  return {
    omission: sums.required === 0 ? null : sums.omitted / sums.required,
    commission: sums.all === 0 ? null : sums.committed / sums.all,
    anyHarm: nQuestions === 0 ? null : harmed / nQuestions,
    anyHarmInterval: wilsonInterval(harmed, nQuestions, level),
    nQuestions,
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
      .filter(({ required, verdict }) => required && isSettled(verdict))
      .map(({ verdict }) => ({ value: Number(verdict === 'contradicted'), cluster: id ?? i })),
  );
  return wilsonClustered(
    scored.map(({ value }) => value),
    scored.map(({ cluster }) => cluster),
    level,
  );
}
