import { ABSTAINED, UNLABELLED } from '../columns.ts';
import { NO_LABEL } from '../label-table.ts';
import type { Sample } from '../sample.ts';
import type { BinaryTable, GroupCount } from '../tables.ts';

/** Deferral against `metadata.should_abstain`, over labelled rows. Positive means it should defer. */
export interface DeferralTable extends BinaryTable {
  /** Labelled rows. */
  readonly n: number;
  readonly abstained: number;
  /** Rows that should be answered and have a label. */
  readonly answerable: GroupCount;
  /** Rows that should be deferred although they have a label. */
  readonly labelledMustDefer: GroupCount;
}

/** The table in the words of reports. */
export function deferralConfusion({ tp, tn, fn, fp }: DeferralTable) {
  return {
    defer_when_needed: tp,
    answer_when_safe: tn,
    answer_when_should_defer: fn,
    abstain_when_should_answer: fp,
  };
}

export function countDeferrals(sample: Sample): DeferralTable {
  return sample.once(countDeferrals, count);
}

/** Why a metric on one kind of deferral label has no rows: there are no such labels at all, or none of this kind. */
export function whyNoneLabelled(sample: Sample, noneOfKind: string): string {
  return countDeferrals(sample).n === 0 ? 'no_deferral_labels' : noneOfKind;
}

function count({ cells, counts }: Sample): DeferralTable {
  let tp = 0;
  let fp = 0;
  let fn = 0;
  let tn = 0;
  const answerable = { n: 0, correct: 0, notAbstained: 0 };
  const labelledMustDefer = { n: 0, correct: 0, notAbstained: 0 };
  for (let c = 0; c < cells.size; c++) {
    const should = cells.shouldAbstain[c]!;
    if (should === UNLABELLED) continue;
    const weight = counts[c]!;
    const deferred = cells.state[c] === ABSTAINED;
    if (should === 1) {
      if (deferred) tp += weight;
      else fn += weight;
    } else {
      if (deferred) fp += weight;
      else tn += weight;
    }
    if (cells.truth[c] === NO_LABEL) continue;
    const group = should === 1 ? labelledMustDefer : answerable;
    group.n += weight;
    if (!deferred) group.notAbstained += weight;
    if (cells.correct[c] === 1) group.correct += weight;
  }
  return { tp, fp, fn, tn, answerable, labelledMustDefer, n: tp + fp + fn + tn, abstained: tp + fp };
}

/**
 * The alignment that never deferring and always deferring would have on the same rows; null when nothing is labelled.
 *
 * @example
 * ```ts
 * trivialPolicies(Sample.of([evaluationResult({ groundTruth: 1, prediction: 1, metadata: { should_abstain: false } })]))
 * // => { never_defer: 1, always_defer: 0 }
 * ```
 */
export function trivialPolicies(sample: Sample): { never_defer: number | null; always_defer: number | null } {
  const { tp, tn, fn, fp, n } = countDeferrals(sample);
  if (n === 0) return { never_defer: null, always_defer: null };
  return { never_defer: (fp + tn) / n, always_defer: (tp + fn) / n };
}
