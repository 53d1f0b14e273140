import type { Label } from '../../core/index.ts';
import { confidenceMetric, NO_CONFIDENCE } from '../built-in.ts';
import { ANSWERED } from '../columns.ts';
import { NO_LABEL } from '../label-table.ts';
import type { Sample } from '../sample.ts';
import { meanSquare } from './brier-top-label.ts';

/**
 * The Brier score of a binary task: mean (p1 - y)^2 with p1 = c if the prediction is positive, else 1 - c.
 *
 * That equals mean (c - z)^2, so it does not matter which label is called positive. Labels other than 0 and 1 need `positiveLabel`; with
 * more than two labels among the usable rows it is null; use the top-label form. Source: Brier 1950.
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
export function brierScore({ positiveLabel }: { positiveLabel?: Label | undefined } = {}) {
  return confidenceMetric({
    name: 'brier_score',
    label: 'Brier Score',
    family: 'calibration',
    reads: 'squared error of probability (binary)',
    better: 'lower',
    estimate: (sample) => {
      if (sample.confidence.n === 0) return NO_CONFIDENCE;
      if (!isBinary(sample, positiveLabel)) return 'non_binary_labels_or_predictions';
      return meanSquare(sample);
    },
  });
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
  used.add(columns.labels.codeOf(positiveLabel));
  return used.size <= 2;
}
