import type { ConfidenceBlocks } from '../confidence-blocks.ts';
import { lowerThreshold, thin, traceCurve } from '../confidence-summaries.ts';
import {
  confidenceFamily,
  selectBlocks,
  selectiveMetric,
  type UnanswerableOption,
} from '../define-metric.ts';
import type { Sample } from '../sample.ts';
import { countGradedOutcomes } from '../tables.ts';

/** More points cannot be seen in a plot; the ends and every n-th point between them are kept. */
const MAX_POINTS = 1000;

/**
 * The risk-coverage curve as plot data in `details.points`: one point per distinct confidence, highest first, coverage relative to usable
 * rows. It is a curve, so `value` is null. Above 1,000 distinct confidences the points are thinned, and `details.n_distinct` says so.
 *
 * @example
 * ```ts
 * riskCoverageCurve().compute([
 *   evaluationResult({ prediction: 1, groundTruth: 1, confidence: 0.9 }),
 *   evaluationResult({ prediction: 0, groundTruth: 1, confidence: 0.6 }),
 * ]).details.points
 * // => [
 * //   { threshold: 0.9, coverage: 0.5, selective_risk: 0, generalized_risk: 0 },
 * //   { threshold: 0.6, coverage: 1, selective_risk: 0.5, generalized_risk: 0.5 },
 * // ]
 * ```
 */
export const riskCoverageCurve = selectiveMetric(() => ({
  name: 'risk_coverage_curve',
  label: 'Risk-Coverage Curve',
  reads: 'plot data, see details.points',
  formula: 'share wrong at every coverage, in `details.points`',
  range: 'a curve',
  misleads: 'Its left end rests on few answers.',
  better: null,
  resampling: 'none',
  emptyReason: 'a_curve_see_details',
  estimate: () => 'a_curve_see_details',
  details: (blocks) => {
    const points = traceCurve(blocks);
    return { n_distinct: points.length, points: thin(points, MAX_POINTS) };
  },
}));

/**
 * The area under the generalised risk-coverage curve: the mean risk of an undetected failure. The headline of selective prediction.
 *
 * Formula: trapezoid of (wrong answers accepted / n) over coverage, from (0, 0), one point per distinct confidence. A tied block is a straight
 * segment, which is the exact expectation. All right: 0; all wrong: 0.5; nothing usable: null. Source: Traub 2024.
 *
 * @example
 * ```ts
 * augrc().compute([
 *   evaluationResult({ prediction: 1, groundTruth: 1, confidence: 0.9 }),
 *   evaluationResult({ prediction: 0, groundTruth: 1, confidence: 0.6 }),
 * ]).value // => 0.125
 * ```
 */
export const augrc = selectiveMetric(({ strict }: UnanswerableOption) => ({
  name: 'augrc',
  label: 'AUGRC',
  reads: 'mean risk of an undetected failure',
  formula: 'area under (wrong answers accepted / n) over coverage',
  range: '0 to 0.5',
  misleads: 'Falls when hard cases are deferred: read it with `answer_rate`.',
  ...(strict ? { endpoint: 19 } : { compared: { table: 'confidence', place: 6, title: 'AUGRC' } as const }),
  // n^2 AUGRC counts pairs in which a wrong answer is accepted before another row: m rows add none when they are
  // right and surest, and at most m n + m^2 / 2 when they are wrong and surest.
  ...(!strict && {
    movedBy: (value: number, n: number, m: number) => ({
      lower: (n * n * value) / (n + m) ** 2,
      upper: (n * n * value + m * n + (m * m) / 2) / (n + m) ** 2,
    }),
  }),
  estimate: (blocks, sample) => sample.onceOn(blocks, 'generalised area', generalisedArea),
}));

/**
 * AUGRC less the best possible at the same error rate e: augrc - e^2 / 2, never below 0. Nothing usable: null. Source: Traub 2024.
 *
 * @example
 * ```ts
 * eAugrc().compute([evaluationResult({ prediction: 0, groundTruth: 1, confidence: 0.9 })]).value // => 0
 * ```
 */
export const eAugrc = selectiveMetric(() => ({
  name: 'e_augrc',
  label: 'Excess AUGRC',
  reads: 'AUGRC above the best ranking',
  formula: 'augrc - e^2 / 2, e the share wrong',
  range: '0 to 0.5',
  misleads: '0 also for a model that is always wrong.',
  estimate: (blocks) => {
    const errorRate = blocks.nErrors / blocks.n;
    return Math.max(0, generalisedArea(blocks) - (errorRate * errorRate) / 2);
  },
}));

function generalisedArea({ size, count, errors, n }: ConfidenceBlocks): number {
  let before = 0;
  let sum = 0;
  for (let b = 0; b < size; b++) {
    sum += count[b]! * (before + errors[b]! / 2);
    before += errors[b]!;
  }
  return sum / (n * n);
}

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
export const aurc = selectiveMetric(({ method = 'mean' }: { method?: 'mean' | 'trapezoid' }) => ({
  name: method === 'mean' ? 'aurc' : 'aurc_trapezoid',
  label: method === 'mean' ? 'AURC' : 'AURC (trapezoid)',
  reads: 'mean risk over all coverages',
  formula: 'mean share wrong over all coverages',
  range: '0 to 1',
  misleads:
    'Weighs errors at high confidence too much. The trapezoid form exists for comparison with papers, some of which print it times 1,000.',
  estimate: method === 'mean' ? meanRisk : trapezoid,
  details: () => ({ method }),
}));

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
export const eAurc = selectiveMetric(() => ({
  name: 'e_aurc',
  label: 'Excess AURC',
  reads: 'AURC above the best ranking',
  formula: 'aurc - the least possible with the same errors',
  range: '0 to 1',
  misleads: '0 also for a model that is always wrong.',
  estimate: (blocks, sample) => {
    const { n, nErrors } = blocks;
    const nRight = n - nErrors;
    let best = 0;
    for (let k = nRight + 1; k <= n; k++) best += (k - nRight) / k;
    return Math.max(0, meanRisk(blocks, sample) - best / n);
  },
}));

/** Two metrics need it, and it visits every row. */
function meanRisk(blocks: ConfidenceBlocks, sample: Sample): number {
  return sample.onceOn(blocks, 'mean risk', averageRisk);
}

function averageRisk({ size, count, errors, n }: ConfidenceBlocks): number {
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

function trapezoid(blocks: ConfidenceBlocks): number {
  let risk: number | null = null;
  let area = 0;
  lowerThreshold(blocks, (rows, wrong, b) => {
    const next = wrong / rows;
    area += (blocks.count[b]! / blocks.n) * (risk === null ? next : (risk + next) / 2);
    risk = next;
  });
  return area;
}

/** All rows, of which the usable ones can be served. */
function selectServed(sample: Sample, options: UnanswerableOption) {
  return { n: countGradedOutcomes(sample).n, usable: selectBlocks(sample, options) };
}

const servedMetric = confidenceFamily(selectServed, {
  family: 'selective',
  restsOn: 'confidence',
  nEvaluated: ({ usable }) => usable.n,
});

/**
 * The largest share of all rows that can be served while the selective risk stays within a limit.
 *
 * Formula: max coverage (of all rows) over distinct thresholds with selective risk <= r; 0 if there is none. No rows: null.
 * The threshold is chosen on the same rows, so the risk on new rows will be higher. Source: Geifman & El-Yaniv 2017.
 *
 * @example
 * ```ts
 * coverageAtRisk({ maxRisk: 0.05 }).compute([
 *   evaluationResult({ prediction: 1, groundTruth: 1, confidence: 0.9 }),
 *   evaluationResult({ prediction: 0, groundTruth: 1, confidence: 0.6 }),
 * ]).value // => 0.5
 * ```
 */
export const coverageAtRisk = servedMetric(({ maxRisk }: { maxRisk: number }) => {
  const percent = Math.round(maxRisk * 100);
  return {
    name: `coverage_at_risk_${String(percent).padStart(2, '0')}`,
    label: `Coverage at ${percent} % Risk`,
    reads: `served with at most ${percent} % wrong`,
    formula: 'largest share of all cases that can be answered with at most 1 or 5 % wrong',
    range: '0 to 1',
    misleads: 'The threshold is chosen on the same cases, so new cases will show more risk.',
    better: 'higher',
    estimate: ({ n, usable }) => {
      let best = 0;
      lowerThreshold(usable, (rows, wrong) => {
        if (wrong / rows <= maxRisk) best = rows;
      });
      return best / n;
    },
    details: () => ({ max_risk: maxRisk }),
  };
});

/**
 * The share of wrong answers when only the most confident rows are served, as many as the wanted coverage takes.
 *
 * Formula: k = ceil(q n - 1e-9) most confident usable rows, a tied block at the cut counted pro rata; errors / k. When k exceeds the usable
 * rows it is null with `coverage_unreachable`: a model that abstains on a fifth cannot serve nine tenths.
 *
 * @example
 * ```ts
 * const rows = [
 *   evaluationResult({ prediction: 1, groundTruth: 1, confidence: 0.9 }),
 *   evaluationResult({ prediction: 0, groundTruth: 1, confidence: 0.6 }),
 * ];
 * selectiveRiskAtCoverage({ coverage: 0.5 }).compute(rows).value // => 0
 * selectiveRiskAtCoverage({ coverage: 0.8 }).compute(rows).value // => 0.5
 * ```
 */
export const selectiveRiskAtCoverage = servedMetric(
  ({ coverage, base = 'all' }: { readonly coverage: number; readonly base?: 'all' | 'answered' }) => {
    const percent = Math.round(coverage * 100);
    return {
      name: `selective_risk_at_coverage_${percent}`,
      label: `Selective Risk at ${percent} % Coverage`,
      reads: `wrong, serving the surest ${percent} %`,
      formula: 'wrong / the most confident 80, 90 or 95 % of all cases',
      range: '0 to 1',
      misleads: 'Undefined when the model defers on more than the rest.',
      better: 'lower',
      estimate: ({ n: nAll, usable: { size, count, errors, n } }) => {
        const rows = base === 'all' ? nAll : n;
        if (rows === 0) return 'no_rows';
        if (n === 0) return 'no_usable_confidence';
        const k = Math.ceil(coverage * rows - 1e-9);
        if (k > n) return 'coverage_unreachable';
        if (k === 0) return 'nothing_served';
        let served = 0;
        let wrong = 0;
        for (let b = 0; b < size && served < k; b++) {
          if (count[b] === 0) continue;
          const taken = Math.min(count[b]!, k - served);
          served += taken;
          wrong += (errors[b]! * taken) / count[b]!;
        }
        return wrong / k;
      },
      details: () => ({ coverage, base }),
    };
  },
);
