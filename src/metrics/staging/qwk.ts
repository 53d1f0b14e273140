import { weightedKappa } from '../../statistics/index.ts';
import { type OrdinalOptions, ordinalMetric } from './ordinal-metric.ts';

/**
 * Quadratic weighted kappa: agreement beyond chance, where two stages off weighs four times one stage off.
 *
 * Formula: 1 - sum w O / sum w E, w = (i - j)^2, E from the margins. All in one cell (0/0): null. Constant answers: 0. Source: Cohen 1968.
 *
 * @example
 * ```ts
 * qwk({ labels: [1, 2, 3, 4, 5] }).compute([
 *   evaluationResult({ prediction: 2, groundTruth: 2 }),
 *   evaluationResult({ prediction: 1, groundTruth: 3 }),
 *   evaluationResult({ prediction: 5, groundTruth: 4 }),
 *   evaluationResult({ prediction: 4, groundTruth: 4 }),
 * ]).value // => 0.6153846153846154
 * ```
 */
export function qwk(options: OrdinalOptions & { name?: string }) {
  return ordinalMetric({
    name: options.name ?? 'qwk',
    label: 'Quadratic Weighted Kappa',
    reads: 'agreement beyond chance',
    better: 'higher',
    estimate: (table) => weightedKappa(table.counts, 'quadratic') ?? 'no_expected_disagreement',
  })(options);
}
