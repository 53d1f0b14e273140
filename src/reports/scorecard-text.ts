import pc from 'picocolors';
import type { Label, Ledger } from '../core/index.ts';
import {
  METRIC_FAMILIES,
  type MetricFamily,
  type MetricScore,
  type Scorecard,
  type SubgroupGap,
  type Warning,
  warningsFor,
} from '../metrics/index.ts';
import { borderlessTable, right } from './borderless-table.ts';
import { plain } from './plain-text.ts';

interface TextOptions {
  /** Where the rows came from. */
  readonly source: string;
  readonly positiveLabel?: Label | undefined;
  /** In place of the warnings of the scores alone. */
  readonly warnings?: readonly Warning[];
  /** In place of the sentence on how intervals were made. */
  readonly method?: string;
}

const FAMILY_TITLES: Record<MetricFamily, string> = {
  correctness: 'Right, and how often it answers',
  deferral: 'Knows when not to answer',
  calibration: 'How sure to be',
  selective: 'Answering only when sure',
  detection: 'Detection',
  staging: 'Staging',
  progression: 'Progression',
  utility: 'What its decisions are worth',
  behaviour: 'Repeated runs',
  custom: 'Your own metrics',
};

/** A scorecard for people: what happened, what it means, every number with its interval and n, and what to beware of. */
export function scorecardText(card: Scorecard, options: TextOptions): string {
  const positive =
    options.positiveLabel === undefined ? '' : ` (positive: ${plain(String(options.positiveLabel))})`;
  const task = card.task === null ? '' : `, task ${card.task}${positive}`;
  const bounded = card.scores.some((score) => score.bounds !== null);
  const families = METRIC_FAMILIES.map((family) => card.scores.filter((score) => score.family === family));
  return [
    pc.bold(`${plain(options.source)}: ${count(card.n, 'row')}${task}`),
    ledgerLine(card.ledger),
    '',
    ...inWords(card),
    '',
    ...families
      .filter((scores) => scores.length > 0)
      .map((scores) => familyTable(scores, card.method.level, bounded)),
    ...card.subgroups.map(subgroupTable),
    ...warningLines(options.warnings ?? warningsFor(card)),
    options.method === undefined ? methodLine(card) : pc.dim(plain(options.method)),
    '',
  ].join('\n');
}

function ledgerLine(ledger: Ledger): string {
  return Object.entries(ledger)
    .filter(([name, n]) => name !== 'n' && n > 0)
    .map(([name, n]) => `${plain(name).replaceAll('_', ' ')} ${n}`)
    .join(' · ');
}

/** The three numbers that belong together, as sentences. */
function inWords(card: Scorecard): string[] {
  const score = (name: string) => card.scores.find((found) => found.name === name);
  const answered = score('answer_rate');
  const selective = score('selective_accuracy');
  const decision = score('decision_accuracy');
  const lines: string[] = [];
  if (answered?.value != null) {
    const n = Number(answered.details.n_answered);
    lines.push(
      `It answered ${n} of ${card.nScored} (${percent(answered.value)})${selective?.value == null ? '.' : `; of those, ${selective.details.n_correct} were right (${percent(selective.value)}${within(selective)}).`}`,
    );
  }
  if (decision?.value != null) {
    lines.push(
      `On ${count(decision.nEvaluated, 'row')} with a deferral label it did the right thing, answering rightly or deferring, ${percent(decision.value)} of the time${within(decision)}.`,
    );
  }
  return lines;
}

function within(score: MetricScore): string {
  return score.interval === null
    ? ''
    : `, ${percent(score.interval.lower)} to ${percent(score.interval.upper)}`;
}

function familyTable(scores: readonly MetricScore[], level: number, bounded: boolean): string {
  const head = [
    right('value'),
    right(`${number(level * 100)} % interval`),
    ...(bounded ? [right('bounds')] : []),
    right('n'),
    'reads as',
  ];
  const rows = scores.map((score) => [
    `  ${plain(score.label)}`,
    right(score.value === null ? '-' : decimals(score.value)),
    right(range(score.interval)),
    ...(bounded ? [right(range(score.bounds))] : []),
    right(String(score.nEvaluated)),
    note(score),
  ]);
  return `${borderlessTable(FAMILY_TITLES[scores[0]!.family], head, rows)}\n`;
}

function range(interval: { readonly lower: number; readonly upper: number } | null): string {
  return interval === null ? '-' : `${decimals(interval.lower)} to ${decimals(interval.upper)}`;
}

/** Reasons that need no word on every line: the metric has none by nature, or the report says once that it has none at all. */
const SAID_ELSEWHERE = new Set<string | null>(['no_interval_for_this_metric', 'imported_without_rows']);

/** What the number says; or why there is none. */
function note(score: MetricScore): string {
  if (score.value === null) return pc.dim(`none: ${words(score.reason)}`);
  const extras: string[] = [];
  const band = score.details.null_band as { ece_null_mean: number; ece_null_p95: number } | null | undefined;
  if (band) extras.push(`by chance ${decimals(band.ece_null_mean)}, up to ${decimals(band.ece_null_p95)}`);
  const trivial = score.details.trivial_policies as { never_defer: number; always_defer: number } | undefined;
  if (trivial)
    extras.push(`never deferring ${decimals(trivial.never_defer)}, always ${decimals(trivial.always_defer)}`);
  const missed = score.details.cost_missed_deferral;
  if (missed !== undefined) extras.push(`missed ${missed}, needless ${score.details.cost_needless_deferral}`);
  if (score.interval === null && !SAID_ELSEWHERE.has(score.intervalReason))
    extras.push(`no interval: ${words(score.intervalReason)}`);
  return [plain(score.reads), ...extras.map((extra) => `(${extra})`)].filter((part) => part !== '').join(' ');
}

function subgroupTable(gap: SubgroupGap): string {
  const rows = gap.groups.map((group) => [
    `  ${plain(group.group)}`,
    right(group.value === null ? '-' : decimals(group.value)),
    right(range(group.interval)),
    right(String(group.n)),
    againstTheRest(group, gap.min_n),
  ]);
  const head = [right('value'), right('interval'), right('n'), 'against the rest'];
  const missing = gap.n_without_key === 0 ? '' : `; ${count(gap.n_without_key, 'row')} without the key`;
  const summary =
    gap.gap === null
      ? '  no gap: fewer than two groups large enough'
      : `  gap ${decimals(gap.gap)}, ${gap.metric === 'abstention_rate' ? 'most often' : 'worst'}: ${plain(gap.worst_group!)}`;
  return `${borderlessTable(`${gap.metric} by ${plain(gap.by)}`, head, rows)}\n${summary}${missing}\n`;
}

function againstTheRest(
  { difference_from_rest: difference, ranked }: SubgroupGap['groups'][number],
  minN: number,
): string {
  if (difference === null) return pc.dim(ranked ? '' : `fewer than ${minN} rows: not ranked`);
  const p = difference.p_holm === null ? '' : `, p ${pValue(difference.p_holm)} (Holm)`;
  return `${signed(difference.value)} (${signed(difference.lower)} to ${signed(difference.upper)})${p}`;
}

function warningLines(warnings: readonly Warning[]): string[] {
  return warnings.length === 0
    ? []
    : [...warnings.map(({ message }) => `${pc.yellow('!')} ${plain(message)}`), ''];
}

function methodLine({ method }: Scorecard): string {
  const unit = method.cluster === null ? 'rows' : `clusters (${plain(method.cluster)})`;
  const shares = method.cluster === null && !method.stratified ? 'Shares: Wilson. Others: ' : '';
  const how =
    method.resamples === 0
      ? 'no bootstrap'
      : `bootstrap over ${unit}, ${method.resamples} resamples, seed ${method.seed} (${method.generator})`;
  return pc.dim(`${shares}${how}. Each interval's method is in the JSON (--json).`);
}

function words(reason: string | null): string {
  return (reason ?? 'unknown').replaceAll('_', ' ');
}

function decimals(value: number): string {
  return value.toFixed(3);
}

function signed(value: number): string {
  return `${value < 0 ? '' : '+'}${decimals(value)}`;
}

function percent(share: number): string {
  return `${(share * 100).toFixed(1)} %`;
}

function pValue(p: number): string {
  return p < 0.001 ? '< 0.001' : `= ${p.toFixed(3)}`;
}

function number(value: number): string {
  return String(Math.round(value * 100) / 100);
}

function count(n: number, noun: string): string {
  return `${n} ${noun}${n === 1 ? '' : 's'}`;
}
