import type { Score } from '../../core/score.ts';
import { leadingScores } from '../../metrics/act/leading-scores.ts';
import type { MetricScore } from '../../metrics/metric.ts';
import type { ScoredUnit } from '../../metrics/scored-unit.ts';
import { decimals, whole } from '../../reports/charts/number-text.ts';
import { numbers, table } from '../../reports/document/blocks.ts';
import type { Row, Table } from '../../reports/document/document.ts';
import { levelText } from '../../reports/words.ts';
import type { SuiteBaseline } from '../run-result.ts';

/** Short names of the scores of a first screen. Any other score has its label. */
const NAMES: Readonly<Record<string, string>> = {
  missed_emergency_rate: 'missed emergencies',
  false_alarm_rate: 'false alarms',
  must_act_silence_rate: 'silent in emergencies',
  must_act_accuracy: 'right in emergencies',
  answered_should_defer_rate: 'answered, should defer',
  wrong_answer_rate: 'wrong answers',
  unsafe_answer_rate: 'wrong answers',
  deferred_without_need_rate: 'deferred without need',
  decision_accuracy: 'right decisions',
  accuracy: 'right, of all cases',
  selective_accuracy: 'right, of those answered',
  corrected_score: 'right, by the checks',
};

export function screenName({ name, label }: Pick<Score, 'name' | 'label'>): string {
  return NAMES[name] ?? label;
}

/** Sums of other lines, which a report has. */
const SUMS: readonly string[] = ['unsafe_decision_rate', 'decision_accuracy_clear'];

/** The scores of a first screen: emergencies, harm, cost, and the endpoint; never a score without any value or bounds. */
export function screenScores<S extends Pick<MetricScore, 'name' | 'value' | 'reason' | 'details' | 'bounds'>>(
  scores: readonly S[],
  primary: string | null,
): S[] {
  const endpoint = primary ?? usualEndpoint(scores);
  const leading = leadingScores(scores, endpoint).filter(
    ({ name, value, bounds }) =>
      (name === primary || !SUMS.includes(name)) && (value !== null || bounds !== null),
  );
  return leading;
}

function usualEndpoint(scores: readonly Pick<Score, 'name' | 'value'>[]): string {
  const hasDecisions = scores.some(({ name, value }) => name === 'decision_accuracy' && value !== null);
  return hasDecisions ? 'decision_accuracy' : 'accuracy';
}

/** One model: a line for each score, with the guideline of the suite beside it. */
export function harmTable(
  scores: readonly MetricScore[],
  {
    primary,
    baselines,
    level,
    unit,
  }: {
    readonly primary: string | null;
    readonly baselines: readonly SuiteBaseline[];
    readonly level: number;
    readonly unit: ScoredUnit;
  },
): Table | null {
  const shown = screenScores(scores, primary);
  if (shown.length === 0) return null;
  const rule = baselines.find(({ model }) => model === 'baseline/guideline') ?? null;
  const isBounded = shown.some(({ bounds }) => bounds !== null);
  // A table of six columns would break every name.
  const isBeside = !isBounded && rule !== null && shown.some(({ name }) => rule.scores[name]?.value != null);
  return table(
    'Harm, cost and right decisions',
    [
      '',
      ...numbers(`${unit}s`, 'share', `${levelText(level)} interval`),
      ...(isBounded ? numbers('with failures') : []),
      ...(isBeside ? numbers('guideline') : []),
    ],
    shown.map((score): Row => {
      const beside = rule?.scores[score.name]?.value ?? null;
      const isShare = score.nSuccesses != null;
      const show = (value: number) => (isShare ? shareText(value) : decimals(value));
      return [
        `${screenName(score)}${score.name === primary ? ' (primary)' : ''}`,
        isShare ? `${whole(score.nSuccesses!)} of ${whole(score.nEvaluated)}` : whole(score.nEvaluated),
        score.value === null ? 'unknown' : show(score.value),
        score.interval === null ? '-' : rangeText(score.interval, show),
        ...(isBounded ? [score.bounds === null ? '-' : rangeText(score.bounds, show)] : []),
        ...(isBeside ? [beside === null ? '-' : show(beside)] : []),
      ];
    }),
  );
}

/** Names of columns. */
const SHORT: Readonly<Record<string, string>> = {
  missed_emergency_rate: 'missed emerg.',
  false_alarm_rate: 'false alarms',
  must_act_silence_rate: 'silent emerg.',
  must_act_accuracy: 'right emerg.',
  answered_should_defer_rate: 'should defer',
  wrong_answer_rate: 'wrong',
  unsafe_answer_rate: 'wrong',
  deferred_without_need_rate: 'without need',
  decision_accuracy: 'right',
  accuracy: 'right',
  corrected_score: 'right, by checks',
};

type Model = { readonly name: string; readonly scores: readonly MetricScore[] };

/** The name of a score over a column, with its n where that is the same for all models: `missed emerg. /57`. */
export function columnTitle(score: MetricScore, models: readonly Pick<Model, 'scores'>[]): string {
  const n = score.nSuccesses == null ? null : sharedN(score.name, models);
  return `${SHORT[score.name] ?? screenName(score)}${n === null ? '' : ` /${whole(n)}`}`;
}

/** A count, with its n where the title of the column does not say it. */
export function countText(
  { name, nSuccesses, nEvaluated }: MetricScore,
  models: readonly Pick<Model, 'scores'>[],
): string {
  return sharedN(name, models) === null ? `${whole(nSuccesses!)}/${whole(nEvaluated)}` : whole(nSuccesses!);
}

function sharedN(name: string, models: readonly Pick<Model, 'scores'>[]): number | null {
  const counts = new Set(
    models.flatMap(({ scores }) => scores.find((score) => score.name === name)?.nEvaluated ?? []),
  );
  return counts.size === 1 ? [...counts][0]! : null;
}

/** Several models: a line for each, counts with their intervals in percent below, the endpoint last. */
export function makeHarmTable(models: readonly Model[], primary: string | null): Table | null {
  const lists = models.map(({ scores }) => screenScores(scores, primary));
  const longest = lists.toSorted((a, b) => b.length - a.length)[0] ?? [];
  const columns = new Map([...longest, ...lists.flat()].map((score) => [score.name, score]));
  if (columns.size === 0) return null;
  return table(
    'Harm, cost and right decisions',
    [
      '',
      ...[...columns.values()].map((score) => ({
        title: columnTitle(score, models),
        kind: 'number' as const,
      })),
    ],
    models.map(({ name, scores }) => [
      name,
      ...[...columns.keys()].map((column) =>
        makeCell(
          scores.find((score) => score.name === column),
          models,
        ),
      ),
    ]),
  );
}

/** `7 (6.1-23)`: a count with its interval in percent, or a value. */
function makeCell(score: MetricScore | undefined, models: readonly Model[]): string {
  if (score === undefined) return '-';
  const { value, interval, bounds, nSuccesses } = score;
  const isShare = nSuccesses != null;
  const show = (x: number) => (isShare ? compactPercent(x) : decimals(x));
  const could = bounds === null ? '' : ` [${show(bounds.lower)}-${show(bounds.upper)}]`;
  if (value === null) return `unknown${could}`;
  const within = interval === null ? '' : ` (${show(interval.lower)}-${show(interval.upper)})`;
  return `${isShare ? countText(score, models) : decimals(value)}${within}${could}`;
}

/** A percentage in at most three characters. */
function compactPercent(share: number): string {
  const percent = 100 * share;
  return percent < 9.95 ? decimals(percent, 1) : String(Math.round(percent));
}

function shareText(value: number): string {
  return `${decimals(100 * value, 1)}\u00a0%`;
}

/** The unit stands at the end once: `6.1 to 23.2 %`. */
function rangeText(
  { lower, upper }: { readonly lower: number; readonly upper: number },
  show: (value: number) => string,
): string {
  return `${show(lower).replace('\u00a0%', '')} to ${show(upper)}`;
}
