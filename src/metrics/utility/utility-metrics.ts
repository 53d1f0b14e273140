import { type Label, type LabelKey, labelKey } from '../../core/label.ts';
import { ABSTAINED, ANSWERED } from '../columns.ts';
import { defineMetric, tableMetric } from '../define-metric.ts';
import { detectionTable, fourfold } from '../detection/detection-table.ts';
import { NO_LABEL } from '../label-table.ts';
import { type Estimate, numberOrNull } from '../metric.ts';
import type { Sample } from '../sample.ts';
import { countGradedOutcomes, countOutcomes } from '../tables.ts';

/**
 * Mean payoff when a right answer earns 1, an abstention 0 and a wrong or invalid answer costs c.
 *
 * With cost c, answering pays only above P(right) = c / (1 + c). No rows: null. Source: Whitehead 2022.
 *
 * @example
 * ```ts
 * effectiveReliability({ cost: 10 }).compute([
 *   evaluationResult({ prediction: 1, groundTruth: 1 }),
 *   evaluationResult({ prediction: 0, groundTruth: 1 }),
 *   evaluationResult({ groundTruth: 1, abstained: true }),
 * ]).value // => -3
 * ```
 */
export function effectiveReliability({ cost = 1 }: { cost?: number } = {}) {
  return tableMetric(countGradedOutcomes, {
    name: `effective_reliability_${cost}`,
    label: `Effective Reliability (cost ${cost})`,
    family: 'utility',
    reads: `right +1, deferred 0, wrong -${cost}`,
    formula: 'mean of right +1, deferred 0, wrong or unusable -c',
    range: '-c to 1',
    misleads: 'One cost for all mistakes. The better model may change with c.',
    better: 'higher',
    restsOn: 'counts',
    estimate: ({ n, correct, wrong, invalid }) => (correct - cost * (wrong + invalid)) / n,
    details: () => ({ cost, break_even_probability: cost / (1 + cost) }),
  });
}

/** What each decision is worth, by truth: a column per label, and the columns `abstain` and `invalid`. */
export type UtilityMatrix = Readonly<Record<string, Readonly<Record<string, number>>>>;

/**
 * Mean utility under a full matrix u[truth][decision], printed with the result. A pair that the matrix does not name makes it null; rows without a
 * derivable truth stay out and are counted.
 *
 * @example
 * ```ts
 * selectiveUtility({ utility: { sick: { sick: 1, well: -5, abstain: -1, invalid: -5 }, well: { sick: -1, well: 1, abstain: 0, invalid: -1 } } })
 *   .compute([evaluationResult({ prediction: 'well', groundTruth: 'sick' }), evaluationResult({ groundTruth: 'sick', abstained: true })])
 *   .value // => -3
 * ```
 */
export function selectiveUtility({ utility }: { utility: UtilityMatrix }) {
  const worth = new Map(
    Object.entries(utility).map(([truth, row]) => [
      labelKey(truth),
      new Map<LabelKey, number>(Object.entries(row).map(([decision, value]) => [labelKey(decision), value])),
    ]),
  );
  return tableMetric(countOutcomes, {
    name: 'selective_utility',
    label: 'Selective Utility',
    family: 'utility',
    reads: 'mean worth of its decisions',
    formula: 'mean of utility[truth][decision]',
    range: 'that of the matrix',
    misleads: 'The matrix is a choice.',
    better: 'higher',
    restsOn: 'counts',
    estimate: (_, { cells, counts, columns: { labels } }) => {
      let sum = 0;
      let n = 0;
      for (let c = 0; c < cells.size; c++) {
        if (counts[c] === 0 || cells.truth[c] === NO_LABEL) continue;
        const state = cells.state[c];
        const otherwise = state === ABSTAINED ? 'abstain' : 'invalid';
        const decision = state === ANSWERED ? labels.keys[cells.prediction[c]!]! : otherwise;
        const value = worth.get(labels.keys[cells.truth[c]!]!)?.get(decision);
        if (value === undefined) return 'pair_not_in_utility_matrix';
        sum += counts[c]! * value;
        n += counts[c]!;
      }
      return n === 0 ? 'no_rows' : sum / n;
    },
    details: (_, { cells, counts }) => ({
      utility,
      n_without_truth: counts.reduce((sum, count, c) => (cells.truth[c] === NO_LABEL ? sum + count : sum), 0),
    }),
  });
}

/** The options of net benefit. */
export interface NetBenefitOptions {
  readonly positiveLabel: Label | undefined;
  /** The probability above which one would treat, between 0 and 1. Choose it before looking at results. Default: 0.5. */
  readonly threshold?: number;
  /** What an abstention leads to: no action (default), treatment (refer = treat), or the row is left out. */
  readonly abstainAs?: 'negative' | 'positive' | 'exclude';
}

/** Thresholds of the curve in `details`. */
const THRESHOLDS = [0.05, 0.1, 0.15, 0.2, 0.25, 0.3, 0.35, 0.4, 0.45, 0.5];

/**
 * Net benefit at a threshold probability pt: TP / n - (FP / n) pt / (1 - pt), treating when p >= pt - 1e-9, p = c if the prediction is positive, else
 * 1 - c. An answer without a usable confidence acts as it says (p is 1 or 0); an invalid answer leads to no action. Rows without a derivable truth
 * stay out. `details.curve` draws it against treating all and treating none. Source: Vickers & Elkin 2006.
 *
 * @example
 * ```ts
 * netBenefit({ positiveLabel: 1, threshold: 0.2 }).compute([
 *   evaluationResult({ prediction: 1, groundTruth: 1, confidence: 0.9 }),
 *   evaluationResult({ prediction: 0, groundTruth: 0, confidence: 0.7 }),
 * ]).value // => 0.375
 * ```
 */
export function netBenefit({ positiveLabel, threshold = 0.5, abstainAs = 'negative' }: NetBenefitOptions) {
  return defineMetric({
    name: 'net_benefit',
    label: `Net Benefit (threshold ${threshold})`,
    family: 'utility',
    restsOn: 'confidence',
    reads: 'hits less weighted false alarms',
    formula: 'TP / n - FP / n x pt / (1 - pt)',
    range: 'up to prevalence',
    misleads: 'Takes stated confidence as a probability. Choose pt before you look.',
    better: 'higher',
    estimate: (sample) =>
      positiveLabel === undefined
        ? 'positive_label_not_given'
        : computeBenefits(sample, positiveLabel, [threshold], abstainAs)[0]!,
    nEvaluated: (sample) =>
      countOutcomes(sample).n - (abstainAs === 'exclude' ? countOutcomes(sample).abstained : 0),
    details: (sample) => ({
      threshold,
      abstain_as: abstainAs,
      positive_label: positiveLabel ?? null,
      curve: positiveLabel === undefined ? [] : decisionCurve(sample, positiveLabel, THRESHOLDS, abstainAs),
    }),
  });
}

/**
 * The net benefit of treating all patients: prevalence - (1 - prevalence) pt / (1 - pt). No rows: null.
 *
 * @example
 * ```ts
 * netBenefitTreatAll({ positiveLabel: 1, threshold: 0.5 }).compute([
 *   evaluationResult({ prediction: 1, groundTruth: 1 }),
 *   evaluationResult({ prediction: 0, groundTruth: 0 }),
 * ]).value // => 0
 * ```
 */
export function netBenefitTreatAll({ positiveLabel, threshold = 0.5 }: Omit<NetBenefitOptions, 'abstainAs'>) {
  return defineMetric({
    name: 'net_benefit_treat_all',
    label: `Net Benefit of treating all (threshold ${threshold})`,
    family: 'utility',
    restsOn: 'confidence',
    reads: 'the policy to beat',
    formula: 'prevalence - (1 - prevalence) x pt / (1 - pt)',
    range: 'up to prevalence',
    misleads: 'Treating no patient has 0.',
    better: null,
    estimate: (sample) => treatAll(sample, positiveLabel, threshold),
    details: () => ({ threshold, positive_label: positiveLabel ?? null }),
  });
}

/** Net benefit at one threshold, beside the two policies that need no model; null where there are no rows. */
export interface DecisionCurvePoint {
  readonly threshold: number;
  readonly net_benefit: number | null;
  readonly treat_all: number | null;
  readonly treat_none: 0;
}

/** Net benefit over thresholds, given in ascending order. */
export function decisionCurve(
  sample: Sample,
  positiveLabel: Label,
  thresholds: readonly number[],
  abstainAs: NetBenefitOptions['abstainAs'] = 'negative',
): DecisionCurvePoint[] {
  const benefits = computeBenefits(sample, positiveLabel, thresholds, abstainAs);
  return thresholds.map((threshold, t) => ({
    threshold,
    net_benefit: numberOrNull(benefits[t]!),
    treat_all: numberOrNull(treatAll(sample, positiveLabel, threshold)),
    treat_none: 0,
  }));
}

/** In one pass: a row that is treated at one threshold is treated at every lower one. */
function computeBenefits(
  sample: Sample,
  positiveLabel: Label,
  thresholds: readonly number[],
  abstainAs: NetBenefitOptions['abstainAs'],
): Estimate[] {
  const { columns, weights } = sample;
  const positive = columns.labels.findCode(positiveLabel);
  // At index k: rows that are treated at the first k thresholds and at no other.
  const hits = new Float64Array(thresholds.length + 1);
  const alarms = new Float64Array(thresholds.length + 1);
  let n = 0;
  for (let i = 0; i < columns.n; i++) {
    const weight = weights === null ? 1 : weights[i]!;
    const state = columns.state[i]!;
    const truth = columns.truth[i]!;
    if (weight === 0 || truth === NO_LABEL || (state === ABSTAINED && abstainAs === 'exclude')) continue;
    n += weight;
    let treated = 0;
    if (state === ABSTAINED) treated = abstainAs === 'positive' ? thresholds.length : 0;
    else if (state === ANSWERED) {
      const p = probability(sample, i, positive);
      while (treated < thresholds.length && p >= thresholds[treated]! - 1e-9) treated += 1;
    }
    (truth === positive ? hits : alarms)[treated]! += weight;
  }
  let [nHits, nAlarms] = [0, 0];
  return thresholds
    .map((threshold, t): [number, number] => [threshold, t + 1])
    .reverse()
    .map(([threshold, k]): Estimate => {
      nHits += hits[k]!;
      nAlarms += alarms[k]!;
      return n === 0 ? 'no_rows' : nHits / n - ((nAlarms / n) * threshold) / (1 - threshold);
    })
    .reverse();
}

function probability({ columns }: Sample, i: number, positive: number): number {
  const stated = columns.confidence[i]!;
  const c = stated >= 0 && stated <= 1 ? stated : 1;
  return columns.state[i] === ANSWERED && columns.prediction[i] === positive ? c : 1 - c;
}

function treatAll(sample: Sample, positiveLabel: Label | undefined, threshold: number): Estimate {
  if (positiveLabel === undefined) return 'positive_label_not_given';
  const { tp, fn, n } = fourfold(detectionTable(sample, positiveLabel), 'itd');
  if (n === 0) return 'no_rows';
  const share = (tp + fn) / n;
  return share - ((1 - share) * threshold) / (1 - threshold);
}
