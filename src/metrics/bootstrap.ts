import { hashText } from '../core/dictionary.ts';
import { createRandom } from '../statistics/random.ts';
import {
  BCA_MAX_ROWS,
  checkResamples,
  DEFAULT_SEED,
  defaultResamples,
  FEW_RESAMPLES,
  GROUPED_JACKKNIFE_FROM,
  type ScoreOptions,
} from '../statistics/score-options.ts';
import { estimateMetric, type Metric } from './metric.ts';
import { type Condensed, condensed, type Plan, uncondensed } from './resample.ts';
import type { Sample } from './sample.ts';

const JACKKNIFE_GROUPS = 200;

/** The replicates of one metric. Undefined ones are left out and counted. */
export interface Replicates {
  readonly values: Float64Array;
  readonly nUndefined: number;
  /** Values without one unit, or without one group of them, and how many units each represents; null where a jackknife would be too expensive. */
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
      const estimate = estimateMetric(metrics[m]!, resample);
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

/** Rows that the jackknife leaves out together, and how many such sets of rows give the same values. */
interface LeftOut {
  readonly rows: Iterable<number>;
  readonly times: number;
}

function jackknife(
  { sample, place, times: nRows }: Condensed,
  metrics: readonly Metric[],
  plan: Plan,
): Map<Metric, { values: Float64Array; weights: Float64Array }> {
  const sets = setsToLeaveOut(plan, place);
  const weights = nRows.slice();
  const rest = sample.weighted(weights);
  const found = metrics.map(() => new Float64Array(sets.length).fill(Number.NaN));
  sets.forEach(({ rows }, s) => {
    for (const row of rows) weights[place[row]!]! -= 1;
    rest.refresh();
    for (let m = 0; m < metrics.length; m++) {
      const estimate = estimateMetric(metrics[m]!, rest);
      if (typeof estimate === 'number') found[m]![s] = estimate;
    }
    for (const row of rows) weights[place[row]!]! += 1;
  });
  const times = Float64Array.from(sets, ({ times }) => times);
  return new Map(
    metrics.map((metric, m) => {
      const defined = (_: number, s: number) => !Number.isNaN(found[m]![s]!);
      return [metric, { values: found[m]!.filter(defined), weights: times.filter(defined) }];
    }),
  );
}

/** Groups of many units, and otherwise one unit at a time. Equal rows are left out once, with their number as weight. */
function setsToLeaveOut(plan: Plan, place: Int32Array): LeftOut[] {
  if (plan.nUnits >= GROUPED_JACKKNIFE_FROM) return assignGroups(plan).map((rows) => ({ rows, times: 1 }));
  if (plan.unit === 'cluster')
    return Array.from({ length: plan.nUnits }, (_, unit) => ({ rows: plan.listRows(unit), times: 1 }));
  return [...Map.groupBy(place.keys(), (row) => place[row]!).values()].map((alike) => ({
    rows: [alike[0]!],
    times: alike.length,
  }));
}

/**
 * The rows of each group of a delete-group jackknife. Its values are skewed by 1/sqrt(m) of those of single units, m in a group, and
 * there are 1/m as many, so the acceleration has the same expectation. A unit's group follows from its id, not from its position.
 */
function assignGroups(plan: Plan): number[][] {
  const groups = Array.from({ length: JACKKNIFE_GROUPS }, (): number[] => []);
  for (let unit = 0; unit < plan.nUnits; unit++)
    groups[(hashText(plan.getId(unit)) >>> 0) % JACKKNIFE_GROUPS]!.push(...plan.listRows(unit));
  return groups.filter((rows) => rows.length > 0);
}
