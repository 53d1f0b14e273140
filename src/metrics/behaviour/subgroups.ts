import { z } from 'zod';
import { count, type Shape } from '../../core/codec.ts';
import { pick } from '../../core/collections.ts';
import { KrisisError } from '../../core/errors.ts';
import { scoreSchema } from '../../core/score.ts';
import { type GroupedTests, holmGroups } from '../../statistics/holm.ts';
import { newcombeDifference } from '../../statistics/proportions.ts';
import { DEFAULT_LEVEL, type ScoreOptions } from '../../statistics/score-options.ts';
import { normalCdf } from '../../statistics/special-functions.ts';
import { pickRows } from '../columns.ts';
import { NO_LABEL } from '../label-table.ts';
import type { Metric, Proportion } from '../metric.ts';
import { estimateMetric } from '../metric.ts';
import { Sample } from '../sample.ts';
import { findDenominator, scoreMetrics } from '../score-metrics.ts';

/** How groups are compared. */
export interface SubgroupOptions extends ScoreOptions {
  /** A group is listed but not ranked when the metric rests on fewer of its rows. Default: 30. */
  readonly minN?: number;
  /** A group has no value when the metric rests on fewer of its rows. Default: 10. */
  readonly minShown?: number;
}

const differenceSchema = z.object({
  value: z.number(),
  lower: z.number(),
  upper: z.number(),
  p: z.number().nullable(),
  p_holm: z.number().nullable(),
});

const subgroupScoreSchema = scoreSchema.pick({ value: true, reason: true, interval: true }).extend({
  group: z.string(),
  /** The rows that the value rests on: the denominator of a share. */
  n: count,
  /** The numerator of a share; null where the metric is not a share or the value is withheld. */
  n_successes: count.nullable(),
  /** Whether the group is large enough for a claim. */
  ranked: z.boolean(),
  /** This group against all other rows together; for shares only (Newcombe's interval, score test, Holm over the distinct tests of all groups and keys). */
  difference_from_rest: differenceSchema.nullable(),
});
/** One metric in one group. */
export type SubgroupScore = Shape<typeof subgroupScoreSchema>;

export const subgroupGapSchema = z.object({
  by: z.string(),
  metric: z.string(),
  groups: z.array(subgroupScoreSchema),
  /** Largest less smallest value of the ranked groups; null with fewer than two. */
  gap: z.number().nullable(),
  worst_group: z.string().nullable(),
  min_n: count,
  n_without_key: count,
});
/** One metric in the groups of one metadata key, and the gap between them. */
export type SubgroupGap = Shape<typeof subgroupGapSchema>;

/**
 * One metric in each group of a metadata key, and the gap between groups. A group in which the metric rests on fewer than `minN` (30) rows is
 * listed but not ranked; under `minShown` (10) its value is withheld. `age` is grouped into bands (18-44, 45-64, 65-74, 75+). Rows without the key are counted.
 * Sources: Newcombe 1998, Holm 1979.
 *
 * @example
 * ```ts
 * const rows = ['f', 'f', 'm', 'm'].map((sex, i) =>
 *   evaluationResult({ prediction: i === 0 ? 0 : 1, groundTruth: 1, metadata: { sex } }),
 * );
 * subgroupGap(Sample.of(rows, { keep: ['sex'] }), accuracy(), 'sex', { minN: 2, minShown: 0 }).gap // => 0.5
 * ```
 */
export function subgroupGap(
  sample: Sample,
  metric: Metric,
  by: string,
  options: SubgroupOptions = {},
): SubgroupGap {
  return adjustedGaps([rawGap(sample, metric, by, options)])[0]!;
}

/** The same for several metrics and keys, in the order of the keys. The tests of one metric over all keys are adjusted together. */
export function subgroupGaps(
  sample: Sample,
  metrics: readonly Metric[],
  keys: readonly string[],
  options: SubgroupOptions = {},
): SubgroupGap[] {
  return adjustedGaps(keys.flatMap((by) => metrics.map((metric) => rawGap(sample, metric, by, options))));
}

/** Holm's adjustment over the groups of all keys, for each metric by itself. */
function adjustedGaps(gaps: readonly SubgroupGap[]): SubgroupGap[] {
  const adjusted = new Map<SubgroupGap, GroupedTests>();
  for (const ofMetric of Map.groupBy(gaps, ({ metric }) => metric).values()) {
    const tests = ofMetric.map(({ by, groups }) => ({
      name: by,
      groups: groups.map(({ group, difference_from_rest: rest }) => ({ group, p: rest?.p ?? null })),
    }));
    for (const [g, variable] of holmGroups(tests).adjusted.entries()) adjusted.set(ofMetric[g]!, variable);
  }
  return gaps.map((gap) => {
    const { groups } = adjusted.get(gap)!;
    return {
      ...gap,
      groups: gap.groups.map((group, g) => {
        const rest = group.difference_from_rest;
        // Of two groups neither is tested unless both are.
        const p_holm = groups[g]!.p;
        return {
          ...group,
          difference_from_rest: rest && { ...rest, p: p_holm === null ? null : rest.p, p_holm },
        };
      }),
    };
  });
}

/** The groups with their tests, not yet adjusted. */
function rawGap(sample: Sample, metric: Metric, by: string, options: SubgroupOptions): SubgroupGap {
  const { minN = 30, minShown = 10, ...scoring } = options;
  const { groups, nWithoutKey } = splitGroups(sample, by);
  const differences = differencesFromRest(sample, metric, groups, options.level ?? DEFAULT_LEVEL);
  const scores = groups.map(({ group, rows }, g): SubgroupScore => {
    const n = findDenominator(metric, rows);
    if (n < minShown) {
      const estimate = estimateMetric(metric, rows);
      // A metric without a single row of the group has a reason of its own.
      const reason = n === 0 && typeof estimate === 'string' ? estimate : 'group_too_small';
      const hidden = { n_successes: null, value: null, reason, interval: null };
      return { group, n, ...hidden, ranked: false, difference_from_rest: null };
    }
    const [scored] = scoreMetrics(rows, [metric], { ...scoring, breakdown: false, nullBand: false });
    const score = pick(scored!, ['value', 'reason', 'interval']);
    const large = n >= minN;
    const difference = large ? differences[g]! : null;
    const n_successes = scored!.nSuccesses ?? null;
    const ranked = large && score.value !== null;
    return { group, n, n_successes, ...score, ranked, difference_from_rest: difference };
  });
  const ranked = scores.filter((score) => score.ranked).sort((a, b) => a.value! - b.value!);
  const lowest = ranked[0];
  const highest = ranked.at(-1);
  const enough = ranked.length > 1;
  // Abstaining is neither good nor bad by itself, but the group deferred most often deserves attention.
  const highIsWorse = metric.better === 'lower' || metric.name === 'abstention_rate';
  return {
    by,
    metric: metric.name,
    groups: scores,
    gap: enough ? highest!.value! - lowest!.value! : null,
    worst_group: enough ? (highIsWorse ? highest! : lowest!).group : null,
    min_n: minN,
    n_without_key: nWithoutKey,
  };
}

interface Group {
  readonly group: string;
  readonly rows: Sample;
  readonly rest: Sample;
}

function splitGroups(sample: Sample, by: string): { groups: Group[]; nWithoutKey: number } {
  const column = sample.columns.metadata.get(by);
  if (column === undefined) {
    throw new KrisisError(`metadata.${by} was not kept, so cases cannot be grouped by it`, {
      code: 'ERR_METADATA_KEY_MISSING',
      value: by,
    });
  }
  const names = column.values.map((value) => (by === 'age' ? ageBand(value) : value));
  const distinct = [...new Set(names)].sort((a, b) => a.localeCompare(b, 'en', { numeric: true }));
  const { codes } = column;
  // As separate columns, so that they can be resampled.
  const pick = (wanted: (name: string | undefined) => boolean) => {
    const rows = Array.from(codes.keys()).filter((i) => wanted(names[codes[i]!]));
    return Sample.from(pickRows(sample.columns, rows));
  };
  return {
    groups: distinct.map((group) => ({
      group,
      rows: pick((name) => name === group),
      rest: pick((name) => name !== undefined && name !== group),
    })),
    nWithoutKey: codes.reduce((n, code) => n + Number(code === NO_LABEL), 0),
  };
}

function differencesFromRest(
  sample: Sample,
  metric: Metric,
  groups: readonly Group[],
  level: number,
): SubgroupScore['difference_from_rest'][] {
  const { proportion } = metric;
  if (proportion === undefined || groups.length < 2 || typeof estimateMetric(metric, sample) === 'string') {
    return groups.map(() => null);
  }
  const pairs = groups.map(({ rows, rest }) => [proportion(rows), proportion(rest)] as const);
  return pairs.map(([a, b]) => {
    const found = newcombeDifference(
      { successesA: a.successes, nA: a.n, successesB: b.successes, nB: b.n },
      level,
    );
    if (found === null) return null;
    const { difference: value, lower, upper } = found;
    return { value, lower, upper, p: scoreTest(a, b), p_holm: null };
  });
}

/** Two-sided score test of two proportions; null when it is undefined. */
function scoreTest(a: Proportion, b: Proportion): number | null {
  if (a.n === 0 || b.n === 0) return null;
  const pooled = (a.successes + b.successes) / (a.n + b.n);
  const error = Math.sqrt(pooled * (1 - pooled) * (1 / a.n + 1 / b.n));
  if (error === 0) return null;
  return 2 * normalCdf(-Math.abs(a.successes / a.n - b.successes / b.n) / error);
}

/**
 * The pre-specified age group of an age in years; text that is not a number is a group of its own.
 *
 * @example
 * ```ts
 * ageBand('64.5') // => '45-64'
 * ageBand('75') // => '75+'
 * ageBand('unknown') // => 'unknown'
 * ```
 */
export function ageBand(age: string): string {
  const years = Number(age);
  if (age.trim() === '' || Number.isNaN(years)) return age;
  if (years < 18) return '0-17';
  if (years < 45) return '18-44';
  if (years < 65) return '45-64';
  return years < 75 ? '65-74' : '75+';
}
