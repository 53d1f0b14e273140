import {
  BCA_MAX_ROWS,
  checkResamples,
  createRandom,
  DEFAULT_SEED,
  defaultResamples,
  FEW_RESAMPLES,
  type ScoreOptions,
} from '../statistics/index.ts';
import { estimateOf, type Metric } from './metric.ts';
import { type Condensed, condensed, type Plan, uncondensed } from './resample.ts';
import type { Sample } from './sample.ts';

/** The replicates of one metric. Undefined ones are left out and counted. */
export interface Replicates {
  readonly values: Float64Array;
  readonly nUndefined: number;
  /** Leave-one-out values and how many units each represents; null where a jackknife would be too expensive. */
  readonly jackknife: { readonly values: Float64Array; readonly weights: Float64Array } | null;
  readonly resamples: number;
  readonly unit: Plan['unit'];
}

/** Draws the resamples once and computes every metric on each. */
export function bootstrap(
  sample: Sample,
  metrics: readonly Metric[],
  plan: Plan,
  options: ScoreOptions,
): Map<Metric, Replicates> {
  const resamples = checkResamples(options.resamples ?? defaultResamples(sample.columns.n));
  if (metrics.length === 0 || resamples === 0 || plan.nUnits < 2) return new Map();
  const alike = metrics.every(({ restsOn }) => restsOn === 'counts' || restsOn === 'confidence');
  const rows = alike ? condensed(sample) : uncondensed(sample);
  const weights = new Uint32Array(rows.times.length);
  const resample = rows.sample.weighted(weights);
  const random = createRandom(options.seed ?? DEFAULT_SEED, 'bootstrap');
  const found = metrics.map(() => new Float64Array(resamples).fill(Number.NaN));
  for (let b = 0; b < resamples; b++) {
    plan.draw(weights, rows, random);
    resample.refresh();
    for (let m = 0; m < metrics.length; m++) {
      if (metrics[m]!.resampling === 'few' && b >= FEW_RESAMPLES) continue;
      const estimate = estimateOf(metrics[m]!, resample);
      if (typeof estimate === 'number') found[m]![b] = estimate;
    }
  }
  const withJackknife = metrics.filter((metric) => metric.resampling !== 'few');
  const jackknives = plan.nUnits > BCA_MAX_ROWS ? null : jackknife(rows, withJackknife, plan);
  return new Map(
    metrics.map((metric, m) => {
      const drawn = metric.resampling === 'few' ? Math.min(FEW_RESAMPLES, resamples) : resamples;
      const values = found[m]!.subarray(0, drawn).filter((value) => !Number.isNaN(value));
      return [
        metric,
        {
          values,
          nUndefined: drawn - values.length,
          jackknife: jackknives?.get(metric) ?? null,
          resamples: drawn,
          unit: plan.unit,
        },
      ];
    }),
  );
}

/** Leaves out one unit at a time. Equal rows are left out once, with their number as weight. */
function jackknife(
  { sample, place, times: nRows }: Condensed,
  metrics: readonly Metric[],
  plan: Plan,
): Map<Metric, { values: Float64Array; weights: Float64Array }> {
  // Of rows, one of each pattern, with how many rows have it.
  const units =
    plan.unit === 'row'
      ? [...Map.groupBy(place.keys(), (row) => place[row]!).values()].map((alike) => ({
          unit: alike[0]!,
          times: alike.length,
        }))
      : Array.from({ length: plan.nUnits }, (_, unit) => ({ unit, times: 1 }));
  const weights = nRows.slice();
  const rest = sample.weighted(weights);
  const found = metrics.map(() => new Float64Array(units.length).fill(Number.NaN));
  units.forEach(({ unit }, u) => {
    const rows = plan.rowsOf(unit);
    for (let i = 0; i < rows.length; i++) weights[place[rows[i]!]!]! -= 1;
    rest.refresh();
    for (let m = 0; m < metrics.length; m++) {
      const estimate = estimateOf(metrics[m]!, rest);
      if (typeof estimate === 'number') found[m]![u] = estimate;
    }
    for (let i = 0; i < rows.length; i++) weights[place[rows[i]!]!]! += 1;
  });
  const times = Float64Array.from(units, ({ times }) => times);
  return new Map(
    metrics.map((metric, m) => {
      const defined = (_: number, u: number) => !Number.isNaN(found[m]![u]!);
      return [metric, { values: found[m]!.filter(defined), weights: times.filter(defined) }];
    }),
  );
}
