import type { Label } from '../../core/label.ts';
import type { Bounds } from '../../core/score.ts';
import { ANSWERED, type Columns } from '../columns.ts';
import { brierParts, computeSkill, meanSquare } from '../confidence-summaries.ts';
import { calibrationMetric, tableMetric, type UnanswerableOption } from '../define-metric.ts';
import { NO_LABEL } from '../label-table.ts';
import type { Sample } from '../sample.ts';

/**
 * The Brier score of a binary task: mean (p1 - y)^2 with p1 = c if the prediction is positive, else 1 - c.
 *
 * That equals mean (c - z)^2, so it does not matter which label is called positive. Labels other than 0 and 1 need `positiveLabel`; with
 * more than two labels in the task, or among the usable rows, it is null; use the top-label form. It needs the probability of the true label, so answers given
 * where no answer exists stay out; the top-label form counts them. Source: Brier 1950.
 *
 * @example
 * ```ts
 * brierScore().compute([
 *   evaluationResult({ prediction: 1, groundTruth: 1, confidence: 0.9 }),
 *   evaluationResult({ prediction: 0, groundTruth: 1, confidence: 0.6 }),
 * ]).value // => 0.185
 * brierScore().compute([evaluationResult({ prediction: 3, groundTruth: 3, confidence: 0.9 })]).reason // => 'non_binary_labels_or_predictions'
 * ```
 */
export function brierScore({
  positiveLabel,
  taskLabels,
}: {
  positiveLabel?: Label | undefined;
  taskLabels?: readonly Label[] | undefined;
} = {}) {
  return tableMetric((sample) => sample.answerableConfidence, {
    name: 'brier_score',
    label: 'Brier Score',
    family: 'calibration',
    reads: 'squared error of probability (binary)',
    formula: 'mean (p - y)^2, p the probability of the positive label',
    range: '0 to 1',
    misleads: 'Undefined for more than two labels. Leaves out cases without a right answer.',
    movedBy: brierMovedBy,
    better: 'lower',
    restsOn: 'confidence',
    answeredOnly: true,
    emptyReason: 'no_usable_confidence',
    estimate: (blocks, sample) =>
      (taskLabels === undefined ? isBinary(sample, positiveLabel) : taskLabels.length === 2)
        ? sample.onceOn(blocks, 'mean square', meanSquare)
        : 'non_binary_labels_or_predictions',
  });
}

/** Every row adds between 0 and 1 to n times the score. */
function brierMovedBy(value: number, n: number, m: number): Bounds {
  return { lower: (n * value) / (n + m), upper: (n * value + m) / (n + m) };
}

/** Only labels of answered rows with a known truth matter; whether a confidence was stated does not change the task. */
function isBinary({ cells, columns }: Sample, positiveLabel: Label | undefined): boolean {
  const { keys } = columns.labels;
  const used = new Set<number>();
  for (let c = 0; c < cells.size; c++) {
    if (cells.state[c] !== ANSWERED || cells.truth[c] === NO_LABEL) continue;
    used.add(cells.truth[c]!);
    used.add(cells.prediction[c]!);
  }
  if (positiveLabel === undefined) return [...used].every((code) => keys[code] === 0 || keys[code] === 1);
  used.add(columns.labels.findCode(positiveLabel));
  return used.size <= 2;
}

/**
 * The mean squared distance between stated confidence and being right, for any number of classes.
 *
 * Formula: mean (c - z)^2. Nothing usable: null. A proper score: prefer it to ECE for ranking models.
 *
 * @example
 * ```ts
 * brierTopLabel().compute([
 *   evaluationResult({ prediction: 1, groundTruth: 1, confidence: 0.9 }),
 *   evaluationResult({ prediction: 0, groundTruth: 1, confidence: 0.6 }),
 * ]).value // => 0.185
 * ```
 */
export const brierTopLabel = calibrationMetric(({ strict }: UnanswerableOption) => ({
  name: 'brier_top_label',
  label: 'Brier Score (top label)',
  reads: 'squared error of confidence',
  formula: 'mean (c - z)^2',
  range: '0 to 1',
  misleads: 'Mixes accuracy and calibration.',
  ...(!strict && { endpoint: 17, rowScores: squaredErrors, movedBy: brierMovedBy }),
  estimate: (blocks, sample) => sample.onceOn(blocks, 'mean square', meanSquare),
}));

function squaredErrors(columns: Columns): Float64Array {
  const { state, truth, prediction, shouldAbstain } = columns;
  return columns.confidence.map((c, row) => {
    const isUsable = state[row] === ANSWERED && c >= 0 && c <= 1;
    // An answer where no answer exists is wrong.
    if (!isUsable || (truth[row] === NO_LABEL && shouldAbstain[row] !== 1)) return Number.NaN;
    return (c - Number(truth[row] !== NO_LABEL && truth[row] === prediction[row])) ** 2;
  });
}

/**
 * Murphy's decomposition of the top-label Brier score; the value is the skill.
 *
 * Formula, grouped by distinct confidence g: reliability = sum n_g (c_g - z_g)^2 / n; resolution = sum n_g (z_g - z)^2 / n;
 * uncertainty = z (1 - z); brier = reliability - resolution + uncertainty exactly; skill = 1 - brier / uncertainty (null at
 * uncertainty 0). It is never binned: that would leave a residual. Sources: Murphy 1973, Stephenson 2008.
 *
 * @example
 * ```ts
 * brierDecomposition().compute([
 *   evaluationResult({ prediction: 1, groundTruth: 1, confidence: 0.5 }),
 *   evaluationResult({ prediction: 0, groundTruth: 1, confidence: 0.5 }),
 * ]).details // => { brier: 0.25, reliability: 0, resolution: 0, uncertainty: 0.25, skill: 0 }
 * ```
 */
export const brierDecomposition = calibrationMetric(() => ({
  name: 'brier_decomposition',
  label: 'Brier Skill',
  reads: 'above 0: better than a constant',
  formula: '1 - Brier / (z (1 - z)), z the share right',
  range: 'up to 1',
  misleads: 'Undefined when all answers are right, or all wrong.',
  better: 'higher',
  estimate: (blocks, sample) =>
    computeSkill(blocks, sample.onceOn(blocks, 'mean square', meanSquare)) ?? 'no_uncertainty',
  details: (blocks) => (blocks.n === 0 ? {} : brierParts(blocks)),
}));
