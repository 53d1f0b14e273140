import { ABSTAINED } from '../columns.ts';
import { type TableSpec, tableMetric } from '../define-metric.ts';
import type { Sample } from '../sample.ts';

/** A rate over rows whose truth is `worsening`. */
function progressionMetric({
  called,
  ...spec
}: Pick<TableSpec<object>, 'name' | 'label' | 'reads' | 'formula' | 'misleads' | 'better'> & {
  /** Answers that count. */
  readonly called: readonly string[];
}) {
  return ({
    denominator = 'all',
  }: {
    /** The denominator: all worsening patients (an abstention counts against the model), or those not abstained on. Default: `all`. */
    readonly denominator?: 'all' | 'answered';
  } = {}) => {
    const answered = denominator === 'answered';
    return tableMetric((sample) => worsening(sample, called, answered), {
      ...spec,
      name: answered ? `${spec.name}_answered` : spec.name,
      label: answered ? `${spec.label} (answered only)` : spec.label,
      family: 'progression',
      restsOn: 'counts',
      answeredOnly: answered,
      emptyReason: 'no_worsening_rows',
      proportion: (counted) => counted,
      nAbstained: ({ abstained }) => abstained,
      details: () => ({ denominator }),
    });
  };
}

function worsening({ cells, counts, columns }: Sample, called: readonly string[], answeredOnly: boolean) {
  const truth = columns.labels.findCode('worsening');
  const wanted = new Set(called.map((label) => columns.labels.findCode(label)));
  let n = 0;
  let successes = 0;
  let abstained = 0;
  for (let c = 0; c < cells.size; c++) {
    if (cells.truth[c] !== truth) continue;
    const deferred = cells.state[c] === ABSTAINED;
    if (deferred) abstained += counts[c]!;
    if (!deferred || !answeredOnly) n += counts[c]!;
    if (wanted.has(cells.prediction[c]!)) successes += counts[c]!;
  }
  return { successes, n, abstained };
}

/**
 * Of patients who are getting worse, the share called worsening. No such patients: null.
 *
 * @example
 * ```ts
 * worseningRecall().compute([
 *   evaluationResult({ prediction: 'worsening', groundTruth: 'worsening' }),
 *   evaluationResult({ prediction: 'stable', groundTruth: 'worsening' }),
 *   evaluationResult({ prediction: 'stable', groundTruth: 'stable' }),
 * ]).value // => 0.5
 * ```
 */
export const worseningRecall = progressionMetric({
  name: 'worsening_recall',
  label: 'Worsening Recall',
  reads: 'called so, of those worsening',
  formula: 'called worsening / worsening patients',
  misleads: 'Calling every case worsening gives 1.',
  better: 'higher',
  called: ['worsening'],
});

/**
 * Of patients who are getting worse, the share called improving: the gravest mistake of the task. No such patients: null.
 *
 * @example
 * ```ts
 * unsafeImprovementRate().compute([
 *   evaluationResult({ prediction: 'worsening', groundTruth: 'worsening' }),
 *   evaluationResult({ prediction: 'stable', groundTruth: 'worsening' }),
 *   evaluationResult({ prediction: 'stable', groundTruth: 'stable' }),
 * ]).value // => 0
 * ```
 */
export const unsafeImprovementRate = progressionMetric({
  name: 'unsafe_improvement_rate',
  label: 'Unsafe Improvement Rate',
  reads: 'called improving, of those worsening',
  formula: 'called improving / worsening patients',
  misleads: 'Rare: 0 of 50 still allows 7 %, the upper end of its interval.',
  better: 'lower',
  called: ['improving'],
});

/**
 * Of patients who are getting worse, the share called stable or improving. No such patients: null.
 *
 * @example
 * ```ts
 * falseReassuranceRate().compute([
 *   evaluationResult({ prediction: 'worsening', groundTruth: 'worsening' }),
 *   evaluationResult({ prediction: 'stable', groundTruth: 'worsening' }),
 *   evaluationResult({ prediction: 'stable', groundTruth: 'stable' }),
 * ]).value // => 0.5
 * ```
 */
export const falseReassuranceRate = progressionMetric({
  name: 'false_reassurance_rate',
  label: 'False Reassurance Rate',
  reads: 'called stable or improving, of those',
  formula: 'called stable or improving / worsening patients',
  misleads: 'Deferring makes it small: read it with `worsening_recall`.',
  better: 'lower',
  called: ['stable', 'improving'],
});
