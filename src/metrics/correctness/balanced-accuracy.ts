import { countMetric } from '../built-in.ts';
import { classesOf } from '../classes.ts';

/**
 * The mean over true classes of the share answered right, so that a common class cannot outweigh a rare one.
 *
 * Formula: mean over k of #correct_k / n_k, where n_k counts all rows of class k, or with `denominator: 'answered'` those not
 * abstained on (a class without answers then leaves the mean, and is counted). Fewer than two classes: null.
 * Recall is counted directly: an abstention is never replaced by some label. Source: Brodersen 2010.
 *
 * @example
 * ```ts
 * balancedAccuracy().compute([
 *   evaluationResult({ prediction: 1, groundTruth: 1 }),
 *   evaluationResult({ prediction: 1, groundTruth: 1 }),
 *   evaluationResult({ prediction: 1, groundTruth: 0 }),
 * ]).value // => 0.5
 * ```
 */
export function balancedAccuracy({ denominator = 'all' }: { denominator?: 'all' | 'answered' } = {}) {
  return countMetric({
    name: denominator === 'all' ? 'balanced_accuracy' : 'balanced_accuracy_answered',
    label: denominator === 'all' ? 'Balanced Accuracy' : 'Balanced Accuracy (answered only)',
    family: 'correctness',
    reads: 'mean of the accuracy in each class',
    better: 'higher',
    bounded: denominator === 'all',
    estimate: (sample) => {
      const classes = classesOf(sample);
      if (classes.size === 0) return 'no_rows';
      if (classes.size === 1) return 'one_class';
      let sum = 0;
      let counted = 0;
      for (const entry of classes.values()) {
        const n = denominator === 'all' ? entry.n : entry.notAbstained;
        if (n === 0) continue;
        sum += entry.correct / n;
        counted += 1;
      }
      return counted === 0 ? 'nothing_answered' : sum / counted;
    },
    details: (sample) => {
      const { display } = sample.columns.labels;
      const classes = [...classesOf(sample)];
      const denominatorOf = (entry: { n: number; notAbstained: number }) =>
        denominator === 'all' ? entry.n : entry.notAbstained;
      return {
        denominator,
        n_classes: classes.length,
        n_classes_without_answers: classes.filter(([, entry]) => entry.notAbstained === 0).length,
        recall: Object.fromEntries(
          classes.map(([code, entry]) => [
            String(display[code]),
            denominatorOf(entry) === 0 ? null : entry.correct / denominatorOf(entry),
          ]),
        ),
      };
    },
  });
}
