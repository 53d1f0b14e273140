import { confidenceMetric, NO_CONFIDENCE } from '../built-in.ts';
import type { ConfidenceBlocks } from '../confidence-blocks.ts';
import type { Sample } from '../sample.ts';

/**
 * The area under the risk-coverage curve.
 *
 * `mean` (default): (1/n) sum over k of the selective risk of the k most confident rows; inside a block of m rows with e errors, after k0 rows
 * with e0 errors, r = (e0 + e j / m) / (k0 + j), the expectation over tie orders. `trapezoid`: trapezoid over distinct thresholds, flat down
 * to coverage 0, for comparison with papers. All right: 0; all wrong: 1; nothing usable: null.
 * Sources: Geifman & El-Yaniv 2017, 2019; the tie rule is ours.
 *
 * @example
 * ```ts
 * aurc().compute([
 *   evaluationResult({ prediction: 1, groundTruth: 1, confidence: 0.9 }),
 *   evaluationResult({ prediction: 0, groundTruth: 1, confidence: 0.6 }),
 * ]).value // => 0.25
 * ```
 */
export function aurc({ method = 'mean' }: { method?: 'mean' | 'trapezoid' } = {}) {
  return confidenceMetric({
    name: method === 'mean' ? 'aurc' : 'aurc_trapezoid',
    label: method === 'mean' ? 'AURC' : 'AURC (trapezoid)',
    family: 'selective',
    reads: 'mean risk over all coverages',
    better: 'lower',
    estimate: (sample) => {
      if (sample.confidence.n === 0) return NO_CONFIDENCE;
      return method === 'mean' ? meanRisk(sample) : trapezoid(sample.confidence);
    },
    details: () => ({ method }),
  });
}

/**
 * AURC less the best possible with the same errors (all right answers ranked first): aurc - (1/n) sum over k of max(0, k - #right) / k.
 * Never below 0, unlike the usual asymptotic form. Nothing usable: null. Source: Geifman 2019.
 *
 * @example
 * ```ts
 * eAurc().compute([
 *   evaluationResult({ prediction: 1, groundTruth: 1, confidence: 0.9 }),
 *   evaluationResult({ prediction: 0, groundTruth: 1, confidence: 0.6 }),
 * ]).value // => 0
 * ```
 */
export function eAurc() {
  return confidenceMetric({
    name: 'e_aurc',
    label: 'Excess AURC',
    family: 'selective',
    reads: 'AURC above the best ranking',
    better: 'lower',
    estimate: (sample) => {
      const { n, nErrors } = sample.confidence;
      if (n === 0) return NO_CONFIDENCE;
      const nRight = n - nErrors;
      let best = 0;
      for (let k = nRight + 1; k <= n; k++) best += (k - nRight) / k;
      return Math.max(0, meanRisk(sample) - best / n);
    },
  });
}

function meanRisk(sample: Sample): number {
  return sample.once(meanRisk, ({ confidence }) => meanOverRanks(confidence));
}

function meanOverRanks({ size, count, errors, n }: ConfidenceBlocks): number {
  let rowsBefore = 0;
  let errorsBefore = 0;
  let sum = 0;
  for (let b = 0; b < size; b++) {
    const m = count[b]!;
    const perRow = errors[b]! / m;
    for (let j = 1; j <= m; j++) sum += (errorsBefore + perRow * j) / (rowsBefore + j);
    rowsBefore += m;
    errorsBefore += errors[b]!;
  }
  return sum / n;
}

function trapezoid({ size, count, errors, n }: ConfidenceBlocks): number {
  let rows = 0;
  let wrong = 0;
  let risk = -1;
  let area = 0;
  for (let b = 0; b < size; b++) {
    if (count[b] === 0) continue;
    rows += count[b]!;
    wrong += errors[b]!;
    const next = wrong / rows;
    area += (count[b]! / n) * (risk < 0 ? next : (risk + next) / 2);
    risk = next;
  }
  return area;
}
