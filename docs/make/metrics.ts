import { MEASURES } from '../../src/analyses/judging/item-scores/measures.ts';
import { SCORE_FAMILIES } from '../../src/core/score-families.ts';
import type { DefinedMetric } from '../../src/metrics/define-metric.ts';
import { builtInMetrics, defaultBenchmarkMetrics } from '../../src/metrics/registry.ts';
import { code, NOTE, table } from './markdown.ts';

/** Every built-in metric, from its own definition. */
export async function metricsPage(): Promise<string> {
  const bundled = bundles();
  return [
    '# Metrics',
    '',
    NOTE,
    '',
    'Every metric with its formula, its range and when it misleads. Read harm before accuracy: missed emergencies and false alarms, then unsafe decisions, then `decision_accuracy`. [How to read the metrics](intervals.md) explains why.',
    '',
    'In formulas n is the number of scored cases, z is 1 where an answer is right, and c is its stated confidence. For deferral, TP counts needed deferrals, FP needless ones, FN cases answered that should be deferred, and TN cases rightly answered. A score without a value is null, with a `reason`.',
    '',
    '**Bundle.** `default` metrics are listed in every report, and a companion is listed with the metric that it explains. Some are always computed, and appear only where they are read. The rest need `--bundle extended`. A condition may name any metric. The [glossary](glossary.md) explains the terms.',
    ...Object.entries(SCORE_FAMILIES).flatMap(([family, title]) => {
      const own = builtInMetrics().filter((metric) => metric.family === family);
      return own.length === 0 ? [] : ['', `## ${title}`, '', ...NOTES(family), ...familyTable(own, bundled)];
    }),
    '',
    '## Open questions',
    '',
    'Scores of [rubrics](rubrics.md) over the items of all answers. Traits add `precision`, `recall`, `f1`, `specificity` and `accuracy` under their own names.',
    '',
    ...table(
      ['score', 'what it says', 'better'],
      MEASURES.map(({ name, reads, better }) => [code(name), reads, better]),
    ),
    '',
  ].join('\n');
}

const FAMILY_NOTES: Readonly<Record<string, string>> = {
  safety:
    'An emergency is a case with `must_act: true`. A refused or unusable reply says nothing, so it misses the emergency.',
  calibration:
    'On usable cases: answered, with a confidence, and known to be right or wrong. `_strict` counts every answer to a case that should be deferred as wrong. `_answerable` leaves out cases without a right answer.',
  selective: 'On usable cases, ordered by stated confidence.',
  detection: 'On answered cases. With `_itd` (intention to diagnose) a deferral counts against the model.',
  staging: 'On answered cases whose answer is on the scale. Distance is by position.',
  progression: 'Over patients who are getting worse. With `_answered`, over those not deferred.',
};

const NOTES = (family: string) => (family in FAMILY_NOTES ? [FAMILY_NOTES[family]!, ''] : []);

/** Metrics that differ in an option only have one line. */
function familyTable(metrics: readonly DefinedMetric[], bundled: ReadonlyMap<string, string>): string[] {
  const lines = Map.groupBy(metrics, ({ formula, misleads }) => `${formula}|${misleads}`);
  return table(
    ['metric', 'formula', 'range, better', 'bundle', 'when it misleads'],
    [...lines.values()].map((alike) => {
      const { formula = '', range = '0 to 1', better, misleads = '', reads, proportion } = alike[0]!;
      const isSaid = proportion !== undefined || alike.some((other) => other.reads !== reads);
      const bundles = new Set(alike.map(({ name }) => bundled.get(name) ?? 'extended'));
      return [
        alike.map(({ name }) => code(name)).join(', '),
        isSaid ? formula : `${formula} (${reads})`,
        better ? `${range}, ${better}` : range,
        [...bundles].join('; '),
        misleads,
      ];
    }),
  );
}

/** Where each metric is listed, by name. */
function bundles(): ReadonlyMap<string, string> {
  const metrics = (['detection', 'staging', 'progression'] as const).flatMap((task) =>
    defaultBenchmarkMetrics({ task, positiveLabel: 1, targetPrevalence: 0.5 }),
  );
  const named = metrics.map(({ name, companionOf, readBy }): [string, string] => [
    name,
    companionOf ? `with ${code(companionOf)}` : readBy ? `in ${readBy}` : 'default',
  ]);
  return new Map([
    ...named,
    ['mean_score', 'rows with scores'],
    ['corrected_score', 'checked scores'],
    ['selective_utility', 'library only'],
  ]);
}
