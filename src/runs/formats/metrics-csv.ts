import type { Comparison } from '../../analyses/comparison/comparison.ts';
import type { Score } from '../../core/score.ts';
import type { SubgroupGap } from '../../metrics/behaviour/subgroups.ts';
import type { Scorecard } from '../../metrics/score.ts';
import { csvLine } from '../../reports/formats/csv-cell.ts';
import type { RunResult } from '../run-result.ts';

const COLUMNS = [
  'model',
  'suite',
  'metric',
  'group_by',
  'group',
  'against',
  'value',
  'lower',
  'upper',
  'level',
  'method',
  'n',
  'n_successes',
  'reason',
] as const;

type Cells = Partial<Record<(typeof COLUMNS)[number], unknown>>;

/** A table with one line for each metric, and for each metric in each group: what R and pandas read as it is. */
export function metricsCsv(report: RunResult): string {
  const about = { model: report.backendName, suite: report.suiteName };
  return tableOf([...scoreLines(report.metricScores, about), ...groupLines(report.groups, about)]);
}

/** The same of rows that were scored without a run. */
export function scorecardCsv(
  card: Scorecard,
  about: { readonly model: string; readonly suite: string },
): string {
  return tableOf([...scoreLines(card.scores, about), ...groupLines(card.subgroups, about)]);
}

/** The scores of every model, and its paired differences; `against` names the model that a difference is against. */
export function comparisonCsv({ suiteName: suite, models, pairs }: Comparison): string {
  return tableOf([
    ...models.flatMap(({ name, scores }) => scoreLines(scores, { model: name, suite })),
    ...pairs.flatMap(({ model, baseline, endpoints }) =>
      endpoints.map(({ metric, trait, difference, reason, interval, n }) => ({
        model,
        suite,
        metric: trait === null ? metric : `${trait}.${metric}`,
        against: baseline,
        value: difference,
        ...interval,
        n,
        reason,
      })),
    ),
  ]);
}

function tableOf(lines: readonly Cells[]): string {
  return [csvLine(COLUMNS), ...lines.map((cells) => csvLine(COLUMNS.map((column) => cells[column])))].join(
    '',
  );
}

function scoreLines(scores: readonly Score[], about: Cells): Cells[] {
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

function groupLines(gaps: readonly SubgroupGap[], about: Cells): Cells[] {
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

function ends(interval: Score['interval']): Cells {
  if (interval === null) return {};
  const { lower, upper, level, method } = interval;
  return { lower, upper, level, method };
}
