import { z } from 'zod';
import { count, type Shape } from '../../core/codec.ts';
import { quantile } from '../../statistics/samples.ts';
import type { DrawOptions } from '../analysis.ts';
import { type AskedRates, type RecordSums, resampledWeights, weightsFromDraws } from '../asked-rates.ts';

const componentSchema = z.object({
  /** Null where it cannot be estimated, with the reason. */
  variance: z.number().nullable(),
  /** Of the sum of all components. */
  share: z.number().nullable(),
  lower: z.number().nullable(),
  upper: z.number().nullable(),
  /** Whether the estimate was negative, which is read as 0. */
  isTruncated: z.boolean(),
  /** `one_model`, `no_repeats`, `no_variation`, `resampling_off`, `too_few_units`; null where nothing is missing. */
  reason: z.string().nullable(),
});
/** A part of the variance of single replies. */
export type VarianceComponent = Shape<typeof componentSchema>;

const splitSchema = z.object({
  metric: z.string(),
  label: z.string(),
  nModels: count,
  /** Records that every model has scored. */
  nRecords: count,
  nUnits: count,
  nLeftOut: count,
  /** Scored replies to them. */
  n: count,
  nResamples: count,
  /** How hard records are for all models alike. */
  cases: componentSchema,
  /** How good models are over all records. */
  models: componentSchema,
  /** Which records are hard for which model; without repeats also what varies between them. */
  casesByModels: componentSchema,
  /** Replies of one model to one record. */
  repeats: componentSchema,
});
/** What single replies vary by. */
export type VarianceSplit = Shape<typeof splitSchema>;

export const varianceSplitsSchema = z.object({
  level: z.number(),
  seed: z.int(),
  splits: z.array(splitSchema),
});
export type VarianceSplits = Shape<typeof varianceSplitsSchema>;

const PARTS = ['cases', 'models', 'casesByModels', 'repeats'] as const;
type Part = (typeof PARTS)[number];
/** An estimate before negative ones become 0; a reason where there is none. */
type Estimates = Readonly<Record<Part, number | string>>;

const MIN_UNITS = 10;
/** Sums of squares leave this much rounding. */
const ROUNDING = 1e-12;

/**
 * Variance components of the crossed design record x model with repeats, by the method of moments: the mean squares of unweighted cell means are set equal to their expectations, and
 * negative estimates become 0. Intervals: percentiles over resamples of records (or clusters of them), the models as they are. Null with fewer than two records, or where neither
 * models nor repeats can be told apart. Source: Searle, Casella and McCulloch 1992, chapter 4; Brennan 2001.
 */
export function varianceSplit(
  rates: AskedRates,
  options: DrawOptions,
  draws?: readonly number[][],
): VarianceSplit | null {
  const { metric, models, nUnits, nLeftOut } = rates;
  const records = models.map((model) => model.records);
  const whole = new Float64Array(rates.unitOf.length).fill(1);
  const estimates = whole.length < 2 ? null : estimate(records, whole);
  if (estimates === null) return null;
  const shares: (Record<Part, number> | null)[] = [];
  const drawn =
    options.resamples === 0 || nUnits < MIN_UNITS
      ? []
      : draws === undefined
        ? resampledWeights(rates, 'varianceSplit', options)
        : weightsFromDraws(rates, draws);
  for (const weights of drawn) {
    const again = estimate(records, weights);
    shares.push(again && computeShares(again));
  }
  const whyNot = nUnits < MIN_UNITS ? 'too_few_units' : shares.length === 0 ? 'resampling_off' : null;
  const own = computeShares(estimates);
  const component = (part: Part): VarianceComponent => {
    const value = estimates[part];
    const none = { variance: null, share: null, lower: null, upper: null, isTruncated: false };
    if (typeof value === 'string') return { ...none, reason: value };
    const [lower, upper] = own === null ? [null, null] : percentiles(shares, part, options.level);
    return {
      variance: Math.max(0, value),
      share: own?.[part] ?? null,
      lower,
      upper,
      isTruncated: value < 0,
      reason: own === null ? 'no_variation' : whyNot,
    };
  };
  return {
    metric: metric.name,
    label: metric.label ?? metric.name,
    nModels: models.length,
    nRecords: whole.length,
    nUnits,
    nLeftOut,
    n: records.flat().reduce((sum, { n }) => sum + n, 0),
    nResamples: shares.length,
    cases: component('cases'),
    models: component('models'),
    casesByModels: component('casesByModels'),
    repeats: component('repeats'),
  };
}

function percentiles(shares: readonly (Record<Part, number> | null)[], part: Part, level: number) {
  const own = shares.flatMap((share) => (share === null ? [] : [share[part]])).sort((a, b) => a - b);
  return [quantile(own, (1 - level) / 2), quantile(own, (1 + level) / 2)] as const;
}

/** Null where nothing varies. */
function computeShares(estimates: Estimates): Record<Part, number> | null {
  const values = PARTS.map((part) => {
    const value = estimates[part];
    return typeof value === 'string' ? 0 : Math.max(0, value);
  });
  const total = values.reduce((sum, value) => sum + value, 0);
  if (total === 0) return null;
  return Object.fromEntries(PARTS.map((part, p) => [part, values[p]! / total])) as Record<Part, number>;
}

/** Records with weights: one that was drawn twice counts as two. */
function estimate(models: readonly (readonly RecordSums[])[], weights: Float64Array): Estimates | null {
  const nRecords = weights.reduce((sum, weight) => sum + weight, 0);
  const nModels = models.length;
  let [squares, freedom, inverse] = [0, 0, 0];
  const means = models.map((records) =>
    records.map(({ n, sum, squares: own }, r) => {
      const weight = weights[r]!;
      squares += weight * (own - (sum * sum) / n);
      freedom += weight * (n - 1);
      inverse += weight / n;
      return sum / n;
    }),
  );
  if (nRecords < 2 || (nModels < 2 && freedom === 0)) return null;
  const repeats = freedom === 0 ? 'no_repeats' : rounded(squares / freedom);
  const noise = typeof repeats === 'string' ? 0 : (repeats * inverse) / (nRecords * nModels);
  const squared = meanSquares(means, weights, nRecords);
  if (nModels < 2) {
    return {
      cases: rounded(squared.cases - noise),
      models: 'one_model',
      casesByModels: 'one_model',
      repeats,
    };
  }
  return {
    cases: rounded((squared.cases - squared.both) / nModels),
    models: rounded((squared.models - squared.both) / nRecords),
    casesByModels: rounded(squared.both - noise),
    repeats,
  };
}

function rounded(value: number): number {
  return Math.abs(value) < ROUNDING ? 0 : value;
}

/** Mean squares of the two-way table of cell means: rows are models, columns are records with weights. */
function meanSquares(means: readonly (readonly number[])[], weights: Float64Array, nRecords: number) {
  const nModels = means.length;
  const ofModel = means.map((own) => own.reduce((sum, mean, r) => sum + weights[r]! * mean, 0) / nRecords);
  const grand = ofModel.reduce((sum, mean) => sum + mean, 0) / nModels;
  let [cases, both] = [0, 0];
  for (let r = 0; r < weights.length; r++) {
    if (weights[r] === 0) continue;
    const ofRecord = means.reduce((sum, own) => sum + own[r]!, 0) / nModels;
    cases += weights[r]! * (ofRecord - grand) ** 2;
    for (let m = 0; m < nModels; m++)
      both += weights[r]! * (means[m]![r]! - ofModel[m]! - ofRecord + grand) ** 2;
  }
  const models = ofModel.reduce((sum, mean) => sum + (mean - grand) ** 2, 0);
  return {
    cases: (nModels * cases) / (nRecords - 1),
    models: nModels < 2 ? 0 : (nRecords * models) / (nModels - 1),
    both: nModels < 2 ? 0 : both / ((nRecords - 1) * (nModels - 1)),
  };
}
