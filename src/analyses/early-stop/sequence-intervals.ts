import type { EvaluationResult } from '../../core/evaluation-result.ts';
import type { Label } from '../../core/label.ts';
import type { Interval } from '../../core/score.ts';
import { isScored } from '../../core/states.ts';
import type { Metric } from '../../metrics/metric.ts';
import { extendedMetrics } from '../../metrics/registry.ts';
import { Sample } from '../../metrics/sample.ts';
import type { Scorecard, ScoringOptions } from '../../metrics/score.ts';
import { tableOptionsFor } from '../../runs/scoring-for.ts';
import { meanSequence, proportionSequence } from '../../statistics/methods/e-values.ts';
import type { StopEarly } from '../../store/run.ts';
import { askingOrder } from '../../suites/split/asking-order.ts';
import { isShareByRow, rowValues } from './gated-rows.ts';

/** Why a score of a run that stopped early has no interval: one for a fixed number of rows would not hold. */
const NOT_VALID = 'not_valid_after_early_stop';

/**
 * The scores of a run that stopped early: shares get bounds that hold at every look, over the finished prefix of the order of asking; every other interval is taken away.
 */
export function withSequences(
  card: Scorecard,
  rows: readonly EvaluationResult[],
  {
    stopEarly,
    repeats,
    cluster,
    batchSize,
    labels,
    scoring,
  }: {
    readonly stopEarly: StopEarly;
    readonly repeats: number;
    readonly cluster: string | null;
    readonly batchSize: number;
    readonly labels: readonly Label[];
    readonly scoring: ScoringOptions;
  },
): Scorecard {
  const units = finishedUnits(rows, { stopEarly, repeats, cluster, batchSize });
  const metrics = new Map(extendedMetrics(scoring).map((metric) => [metric.name, metric]));
  const { level } = card.method;
  return {
    ...card,
    scores: card.scores.map((score) => {
      const metric = metrics.get(score.name);
      const bounds =
        metric && isShareByRow(metric) ? computeBounds(metric, units, { labels, level, scoring }) : null;
      if (score.value === null) return score;
      const interval: Interval | null = bounds && {
        lower: bounds[0],
        upper: bounds[1],
        level,
        method: 'anytime_valid',
        resamples: null,
        unit: units.some((unit) => unit.length > 1) ? 'cluster' : 'row',
      };
      const { null_band: band, ...details } = score.details;
      return {
        ...score,
        interval,
        intervalReason: interval === null ? NOT_VALID : null,
        // What chance would show is simulated for a fixed number of rows.
        details: band === undefined ? score.details : { ...details, null_band: null },
      };
    }),
    subgroups: card.subgroups.map((gap) => ({
      ...gap,
      groups: gap.groups.map((group) => ({ ...group, interval: null, difference_from_rest: null })),
    })),
  };
}

/** The rows of each unit up to the first that is not finished, in the order of asking. */
function finishedUnits(
  rows: readonly EvaluationResult[],
  options: {
    readonly stopEarly: StopEarly;
    readonly repeats: number;
    readonly cluster: string | null;
    readonly batchSize: number;
  },
): readonly (readonly EvaluationResult[])[] {
  const byRecord = new Map<string, EvaluationResult[]>();
  for (const row of rows) if (row.id !== null) byRecord.set(row.id, [...(byRecord.get(row.id) ?? []), row]);
  const { unit, seed } = options.stopEarly;
  const clusterIn = ({ metadata }: EvaluationResult) => {
    const value = options.cluster === null ? null : metadata[options.cluster];
    return value == null ? null : String(value);
  };
  const records = [...byRecord].map(([id, own]) => ({ id, cluster: clusterIn(own[0]!), own }));
  const ordered = askingOrder(records, seed).map((position) => records[position]!);
  const units: EvaluationResult[][] = [];
  for (const [index, { own, cluster }] of ordered.entries()) {
    const isSame =
      (unit === 'patient' && index > 0 && cluster !== null && cluster === ordered[index - 1]!.cluster) ||
      (unit === 'batch' && index % options.batchSize !== 0);
    if (isSame) units.at(-1)!.push(...own);
    else units.push([...own]);
  }
  const open = units.findIndex((own) => own.some(({ state }) => state === 'not_run'));
  return open === -1 ? units : units.slice(0, open);
}

function computeBounds(
  metric: Metric,
  units: readonly (readonly EvaluationResult[])[],
  { labels, level, scoring }: { labels: readonly Label[]; level: number; scoring: ScoringOptions },
): readonly [number, number] | null {
  const alphaSide = (1 - level) / 2;
  const table = { ...tableOptionsFor(scoring), keep: metric.metadataKeys ?? [] };
  const valueOfFailed = rowValues(metric, { ...table, labels });
  if (units.every((unit) => unit.length === 1)) {
    const rows = units.flat();
    const { successes, n } = metric.proportion!(
      Sample.of(
        rows.filter(({ state }) => isScored(state)),
        table,
      ),
    );
    const failed = rows.filter(({ state }) => !isScored(state)).map(valueOfFailed);
    const [low, high] = (['low', 'high'] as const).map((end) => failed.flatMap((value) => value[end] ?? []));
    const sum = (values: readonly number[]) => values.reduce((total, value) => total + value, 0);
    const lower = proportionSequence(successes + sum(low!), n + low!.length, alphaSide);
    const upper = proportionSequence(successes + sum(high!), n + high!.length, alphaSide);
    return lower && upper && [lower[0], upper[1]];
  }
  const ends = (['low', 'high'] as const).map((end) => {
    const means = units.flatMap((unit) => {
      const { successes, n } = metric.proportion!(
        Sample.of(
          unit.filter(({ state }) => isScored(state)),
          table,
        ),
      );
      const failed = unit.flatMap((row) => (isScored(row.state) ? [] : (valueOfFailed(row)[end] ?? [])));
      const total = n + failed.length;
      return total === 0 ? [] : [failed.reduce((sum, value) => sum + value, successes) / total];
    });
    return meanSequence(means, alphaSide);
  });
  return ends[0] && ends[1] ? [ends[0][0], ends[1][1]] : null;
}
