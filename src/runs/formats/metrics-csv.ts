import type { Comparison } from '../../analyses/comparison/comparison.ts';
import type { Score } from '../../core/score.ts';
import type { SubgroupGap } from '../../metrics/behaviour/subgroups.ts';
import type { Scorecard } from '../../metrics/score.ts';
import { csvLine } from '../../reports/formats/csv-cell.ts';
import type { RunResult } from '../run-result.ts';

/** The columns of a table of metrics, and whether they hold text. */
export const METRIC_COLUMNS = {
  model: 'text',
  suite: 'text',
  metric: 'text',
  group_by: 'text',
  group: 'text',
  against: 'text',
  value: 'number',
  lower: 'number',
  upper: 'number',
  level: 'number',
  method: 'text',
  n: 'count',
  n_successes: 'count',
  p: 'number',
  p_holm: 'number',
  reason: 'text',
} as const;
const COLUMNS = Object.keys(METRIC_COLUMNS) as (keyof typeof METRIC_COLUMNS)[];

/** One metric, of one model or group. */
export type MetricLine = Partial<Record<keyof typeof METRIC_COLUMNS, unknown>>;

/** A table with one line for each metric, and for each metric in each group: what R and pandas read as it is. */
export function metricsCsv(report: RunResult): string {
  return writeTable(metricLines(report));
}

/** A line for each metric, and for each metric in each group. */
export function metricLines(report: RunResult): MetricLine[] {
  const about = { model: report.backendName, suite: report.suiteName };
  return [...scoreLines(report.metricScores, about), ...groupLines(report.groups, about)];
}

/** The same of rows that were scored without a run. */
export function scorecardCsv(
  card: Scorecard,
  about: { readonly model: string; readonly suite: string },
): string {
  return writeTable([...scoreLines(card.scores, about), ...groupLines(card.subgroups, about)]);
}

/** A comparison as a table of metrics. */
export function comparisonCsv(comparison: Comparison): string {
  return writeTable(comparisonLines(comparison));
}

/** The scores of every model, and its paired differences; `against` names the model that a difference is against. */
export function comparisonLines({ suiteName: suite, models, pairs }: Comparison): MetricLine[] {
  return [
    ...models.flatMap(({ name, scores }) => scoreLines(scores, { model: name, suite })),
    ...pairs.flatMap(({ model, baseline, endpoints }) =>
      endpoints.map(({ metric, trait, difference, reason, interval, n, p, pHolm }) => ({
        model,
        suite,
        metric: trait === null ? metric : `${trait}.${metric}`,
        against: baseline,
        value: difference,
        ...interval,
        n,
        p,
        p_holm: pHolm,
        reason,
      })),
    ),
  ];
}

function writeTable(lines: readonly MetricLine[]): string {
  return [csvLine(COLUMNS), ...lines.map((cells) => csvLine(COLUMNS.map((column) => cells[column])))].join(
    '',
  );
}

function scoreLines(scores: readonly Score[], about: MetricLine): MetricLine[] {
  return scores.map(({ name, value, reason, interval, nEvaluated, nSuccesses }) => ({
    ...about,
    metric: name,
    value,
    reason,
    ...ends(interval),
    n: nEvaluated,
    n_successes: nSuccesses,
  }));
}

function groupLines(gaps: readonly SubgroupGap[], about: MetricLine): MetricLine[] {
  return gaps.flatMap(({ by, metric, groups }) =>
    groups.map(({ group, value, reason, interval, n, n_successes }) => ({
      ...about,
      metric,
      group_by: by,
      group,
      value,
      reason,
      ...ends(interval),
      n,
      n_successes,
    })),
  );
}

function ends(interval: Score['interval']): MetricLine {
  if (interval === null) return {};
  const { lower, upper, level, method } = interval;
  return { lower, upper, level, method };
}
