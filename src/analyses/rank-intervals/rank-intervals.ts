import { z } from 'zod';
import { count, type Shape } from '../../core/codec.ts';
import type { DrawOptions } from '../analysis.ts';
import { type AskedRates, resampledWeights, weightsFromDraws } from '../asked-rates.ts';

const rankSchema = z.object({
  name: z.string(),
  /** On the records that every model has scored. */
  value: z.number(),
  /** Rows behind the value. */
  n: count,
  /** 1 is best; models that are equal share the mean of their ranks. */
  rank: z.number(),
  /** Ends of the bootstrap interval of the rank; null with the reason in `reason`. */
  lower: z.number().nullable(),
  upper: z.number().nullable(),
  /** Share of resamples in which the model is best; models that are equally good share them. */
  best: z.number().nullable(),
  /** Rows that would count, and that failed or never ran. */
  nFailed: count,
  /** The value over all rows of the model, if every failed row had been a success, and if none had. */
  bounds: z.object({ lower: z.number(), upper: z.number() }),
  /** The best and the worst rank that failed rows leave possible. */
  rankBounds: z.object({ best: z.number(), worst: z.number() }),
});

const rankedSchema = z.object({
  metric: z.string(),
  label: z.string(),
  better: z.enum(['higher', 'lower']),
  /** Records that every model has scored. */
  nRecords: count,
  /** Clusters of them, which are drawn whole; equal to `nRecords` where each is alone. */
  nUnits: count,
  /** Records that some model did not score. */
  nLeftOut: count,
  nResamples: count,
  /** Why ranks have no interval: `resampling_off`, `too_few_units` (fewer than 10), `too_many_undefined`; null where they have one. */
  reason: z.string().nullable(),
  models: z.array(rankSchema),
});
/** How sure the ranks of models by one metric are. */
export type Ranked = Shape<typeof rankedSchema>;

export const rankIntervalsSchema = z.object({
  level: z.number(),
  seed: z.int(),
  ranked: z.array(rankedSchema),
});
export type RankIntervals = Shape<typeof rankIntervalsSchema>;

const MIN_UNITS = 10;
/** Above this share of undefined resamples, an interval would describe only the defined ones. */
const MAX_UNDEFINED = 0.05;
/** Quotients of counts that differ by less are equal. */
const EQUAL = 1e-12;

/**
 * Ranks with bootstrap intervals: whole records, or clusters of them, are drawn with the replies of all models, and models are ranked again on every resample. The interval runs from the
 * smallest rank that at most (1 - level)/2 of the resamples stay below, to the mirror image of it. Source: Goldstein and Spiegelhalter 1996.
 */
export function rankIntervals(rates: AskedRates, options: DrawOptions, draws?: readonly number[][]): Ranked {
  const { models, metric, nUnits, nLeftOut } = rates;
  const better = metric.better === 'lower' ? 'lower' : 'higher';
  const whole = new Float64Array(rates.unitOf.length).fill(1);
  const values = models.map(({ records }) => weightedRate(records, whole)!);
  const ranks = rankValues(values, better);
  const ranked: number[][] = [];
  let nResamples = 0;
  const drawn =
    options.resamples === 0 || nUnits < MIN_UNITS
      ? []
      : draws === undefined
        ? resampledWeights(rates, 'rankIntervals', options)
        : weightsFromDraws(rates, draws);
  for (const weights of drawn) {
    nResamples += 1;
    const rated = models.map(({ records }) => weightedRate(records, weights));
    if (rated.every((rate) => rate !== null)) ranked.push(rankValues(rated, better));
  }
  const reason = whyNone(nUnits, nResamples, ranked.length);
  const bounds = models.map(({ all, nFailed }) => ({
    lower: all.sum / (all.n + nFailed),
    upper: (all.sum + nFailed) / (all.n + nFailed),
  }));
  return {
    metric: metric.name,
    label: metric.label ?? metric.name,
    better,
    nRecords: whole.length,
    nUnits,
    nLeftOut,
    nResamples,
    reason,
    models: models.map(({ name, records, nFailed }, m) => ({
      name,
      value: values[m]!,
      n: records.reduce((sum, { n }) => sum + n, 0),
      rank: ranks[m]!,
      ...(reason === null ? summary(ranked, m, options.level) : { lower: null, upper: null, best: null }),
      nFailed,
      bounds: bounds[m]!,
      rankBounds: rankBounds(bounds, m, better),
    })),
  };
}

function whyNone(nUnits: number, nResamples: number, nDefined: number): string | null {
  if (nUnits < MIN_UNITS) return 'too_few_units';
  if (nResamples === 0) return 'resampling_off';
  return nDefined < (1 - MAX_UNDEFINED) * nResamples ? 'too_many_undefined' : null;
}

function weightedRate(
  records: AskedRates['models'][number]['records'],
  weights: Float64Array,
): number | null {
  let [sum, n] = [0, 0];
  for (let r = 0; r < weights.length; r++) {
    sum += weights[r]! * records[r]!.sum;
    n += weights[r]! * records[r]!.n;
  }
  return n === 0 ? null : sum / n;
}

function rankValues(values: readonly number[], better: 'higher' | 'lower'): number[] {
  return values.map((value) => {
    const isBetter = (other: number) => (better === 'lower' ? value - other : other - value) > EQUAL;
    const nBetter = values.filter(isBetter).length;
    const nEqual = values.filter((other) => Math.abs(other - value) <= EQUAL).length;
    return nBetter + (nEqual + 1) / 2;
  });
}

function summary(ranked: readonly number[][], model: number, level: number) {
  const own = ranked.map((ranks) => ranks[model]!).sort((a, b) => a - b);
  const tail = Math.floor(((1 - level) / 2) * own.length + 1e-9);
  const best = ranked.reduce((sum, ranks) => {
    const first = Math.min(...ranks);
    return ranks[model] === first ? sum + 1 / ranks.filter((rank) => rank === first).length : sum;
  }, 0);
  return { lower: own[tail]!, upper: own[own.length - 1 - tail]!, best: best / ranked.length };
}

function rankBounds(bounds: readonly Ranked['models'][number]['bounds'][], m: number, better: string) {
  const others = bounds.filter((_, other) => other !== m);
  const { lower, upper } = bounds[m]!;
  const below = others.filter((other) => other.upper < lower - EQUAL).length;
  const above = others.filter((other) => other.lower > upper + EQUAL).length;
  const nBetter = better === 'lower' ? below : above;
  const nWorse = better === 'lower' ? above : below;
  return { best: 1 + nBetter, worst: bounds.length - nWorse };
}
