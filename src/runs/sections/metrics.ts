import { SCORE_FAMILIES } from '../../core/browser.ts';
import type { Interval } from '../../core/score.ts';
import { counted } from '../../core/wording.ts';
import type { MetricScore } from '../../metrics/metric.ts';
import { restsOn } from '../../reports/charts/number-text.ts';
import { numbers, paragraph, section, table, texts } from '../../reports/document/blocks.ts';
import type { Section, Table } from '../../reports/document/document.ts';
import { DASH, joined, levelText, number, range, why, yardsticks } from '../../reports/words.ts';

/** The metrics of the bundle, by family. Metrics without a value are not listed: a line says what they lack. */
export function metrics(computed: readonly MetricScore[], level: number): Section {
  const scores = computed.filter(({ facts }) => facts?.readBy === undefined);
  const nUnlisted = computed.length - scores.length;
  const hasNumber = ({ value, bounds }: MetricScore) => value !== null || bounds !== null;
  const missing = missingText(scores.filter((score) => !hasNumber(score)));
  return section({ id: 'metrics', title: 'All metrics' }, [
    scoreTable(
      'All metrics',
      level,
      Object.entries(SCORE_FAMILIES).map(([family, title]) => ({
        title,
        scores: scores.filter((score) => score.family === family && hasNumber(score)),
      })),
    ),
    missing !== null && paragraph(missing),
    nUnlisted > 0 &&
      paragraph(
        `JSON also has ${counted(nUnlisted, 'metric')} that headlines, warnings and comparisons read. The extended bundle lists them all.`,
      ),
  ]);
}

/** The columns of a table, or the fields of a suite, that metrics need, by the reason that a metric gives where they are missing. */
const COLUMNS: Readonly<Record<string, string>> = {
  no_must_act_rows: 'must_act',
  no_rows_known_not_must_act: 'must_act',
  no_labelled_must_act_rows: 'must_act',
  urgency_not_asked: 'urgent',
  no_deferral_labels: 'should_abstain',
  no_known_decisions: 'should_abstain',
  no_must_defer_rows: 'should_abstain',
  no_safe_rows: 'should_abstain',
  no_answerable_rows: 'should_abstain',
  no_clear_rows: 'should_abstain',
  no_usable_confidence: 'confidence',
  positive_label_not_given: 'a positive label',
};

function missingText(scores: readonly MetricScore[]): string | null {
  if (scores.length === 0) return null;
  const columns = new Set(scores.flatMap(({ reason }) => COLUMNS[reason ?? ''] ?? []));
  const others = scores.filter(({ reason }) => COLUMNS[reason ?? ''] === undefined);
  const n = `${scores.length} ${scores.length === 1 ? 'metric has' : 'metrics have'} no value`;
  return `${n}: ${joined([
    columns.size > 0 && `they need ${[...columns].join(', ')}`,
    ...[...Map.groupBy(others, ({ reason }) => why(reason))].map(
      ([reason, own]) => `${own.map(({ label }) => label).join(', ')} (${reason})`,
    ),
  ])}.`;
}

/** Scores with interval, n and what they mean. */
export function scoreTable(
  caption: string,
  level: number,
  groups: readonly { readonly title: string | null; readonly scores: readonly MetricScore[] }[],
): Table {
  const isBounded = groups.some(({ scores }) => scores.some(({ bounds }) => bounds !== null));
  return table(
    caption,
    [
      'metric',
      ...numbers('value', `${levelText(level)} interval`, ...(isBounded ? ['bounds'] : []), 'n'),
      ...texts('meaning'),
      { title: 'interval method', except: ['text'] },
    ],
    groups
      .filter(({ scores }) => scores.length > 0)
      .map(({ title, scores }) => ({
        title,
        rows: scores.map((score) => [
          score.label,
          number(score.value),
          range(score.interval),
          ...(isBounded ? [range(score.bounds)] : []),
          restsOn(score.nSuccesses, score.nEvaluated),
          writeNote(score),
          intervalMethod(score),
        ]),
      })),
    { layout: 'wide' },
  );
}

/** Reasons that need no word on every line: the metric has no interval by nature, or the report says once that there is none at all. */
const SAID_ELSEWHERE = new Set<string | null>([
  'no_interval_for_this_metric',
  'no_valid_interval',
  'imported_without_rows',
  'not_valid_after_early_stop',
]);

/** What a number says, or why there is none. */
function writeNote(score: MetricScore): string {
  if (score.value === null) return `no value: ${why(score.reason)}`;
  const isUnexplained = score.interval === null && !SAID_ELSEWHERE.has(score.intervalReason);
  const yards = yardsticks(score).map((yardstick) => `(${yardstick})`);
  const noInterval = isUnexplained && `(no interval: ${why(score.intervalReason)})`;
  const lost = score.ungateable && `(${score.ungateable})`;
  return joined([score.reads, ...yards, lost, noInterval], ' ') ?? '';
}

const METHODS: Record<Interval['method'], string> = {
  wilson: 'Wilson',
  wilson_effective_t: 'Wilson on effective cases',
  wilson_clusters: 'Wilson over clusters',
  bca: 'bootstrap, BCa',
  review: 'labels of people',
  percentile: 'bootstrap, percentile',
  anytime_valid: 'anytime-valid',
};

function intervalMethod({ value, interval, intervalReason }: MetricScore): string {
  if (interval !== null) return METHODS[interval.method] ?? interval.method;
  return value === null ? DASH : `none: ${why(intervalReason)}`;
}
