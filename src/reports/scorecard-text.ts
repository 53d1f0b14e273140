import { stripVTControlCharacters } from 'node:util';
import Table from 'cli-table3';
import pc from 'picocolors';
import type { SubgroupGap } from '../metrics/behaviour/subgroups.ts';
import { METRIC_FAMILIES, type MetricFamily, type MetricScore } from '../metrics/metric.ts';
import type { Scorecard } from '../metrics/score.ts';
import { warningsFor } from '../metrics/warnings.ts';
import type { Label } from '../records/label.ts';
import type { Ledger } from '../records/ledger.ts';

interface TextOptions {
  /** Where the rows came from. */
  readonly source: string;
  readonly positiveLabel?: Label | undefined;
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
    ...warningLines(card),
    methodLine(card),
    '',
  ]
    .join('\n')
    .replace(/ +$/gm, '');
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
    FAMILY_TITLES[scores[0]!.family],
    'value',
    `${number(level * 100)} % interval`,
    ...(bounded ? ['bounds'] : []),
    'n',
    'reads as',
  ];
  const table = plainTable(head);
  for (const score of scores) {
    table.push([
      `  ${plain(score.label)}`,
      right(score.value === null ? '-' : decimals(score.value)),
      right(
        score.interval === null
          ? '-'
          : `${decimals(score.interval.lower)} to ${decimals(score.interval.upper)}`,
      ),
      ...(bounded
        ? [
            right(
              score.bounds === null
                ? '-'
                : `${decimals(score.bounds.lower)} to ${decimals(score.bounds.upper)}`,
            ),
          ]
        : []),
      right(String(score.nEvaluated)),
      note(score),
    ]);
  }
  return `${table.toString()}\n`;
}

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
  if (score.interval === null && score.intervalReason !== 'no_interval_for_this_metric')
    extras.push(`no interval: ${words(score.intervalReason)}`);
  return [plain(score.reads), ...extras.map((extra) => `(${extra})`)].filter((part) => part !== '').join(' ');
}

function subgroupTable(gap: SubgroupGap): string {
  const table = plainTable([
    `${gap.metric} by ${plain(gap.by)}`,
    'value',
    'interval',
    'n',
    'against the rest',
  ]);
  for (const group of gap.groups) {
    const difference = group.difference_from_rest;
    table.push([
      `  ${plain(group.group)}`,
      right(group.value === null ? '-' : decimals(group.value)),
      right(
        group.interval === null
          ? '-'
          : `${decimals(group.interval.lower)} to ${decimals(group.interval.upper)}`,
      ),
      right(String(group.n)),
      difference === null
        ? pc.dim(group.ranked ? '' : `fewer than ${gap.min_n} rows: not ranked`)
        : `${signed(difference.value)} (${signed(difference.lower)} to ${signed(difference.upper)})${difference.p_holm === null ? '' : `, p ${pValue(difference.p_holm)} (Holm)`}`,
    ]);
  }
  const missing = gap.n_without_key === 0 ? '' : `; ${count(gap.n_without_key, 'row')} without the key`;
  const summary =
    gap.gap === null
      ? '  no gap: fewer than two groups large enough'
      : `  gap ${decimals(gap.gap)}, worst: ${plain(gap.worst_group!)}`;
  return `${table.toString()}\n${summary}${missing}\n`;
}

function warningLines(card: Scorecard): string[] {
  const warnings = warningsFor(card);
  return warnings.length === 0 ? [] : [...warnings.map(({ message }) => `${pc.yellow('!')} ${message}`), ''];
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

function plainTable(head: readonly string[]) {
  const none = {
    top: '',
    'top-mid': '',
    'top-left': '',
    'top-right': '',
    bottom: '',
    'bottom-mid': '',
    'bottom-left': '',
    'bottom-right': '',
    left: '',
    'left-mid': '',
    mid: '',
    'mid-mid': '',
    right: '',
    'right-mid': '',
    middle: '  ',
  };
  const [title, ...columns] = head;
  const last = columns.pop()!;
  const table = new Table({
    chars: none,
    style: { head: [], border: [], 'padding-left': 0, 'padding-right': 0, compact: true },
  });
  table.push([pc.bold(title!), ...columns.map((text) => right(pc.dim(text))), pc.dim(last)]);
  return table;
}

function right(content: string) {
  return { content, hAlign: 'right' as const };
}

/** Text from a file, made safe for a terminal. */
function plain(text: string): string {
  // biome-ignore lint/suspicious/noControlCharactersInRegex: control characters are what must go
  return stripVTControlCharacters(text).replace(/[\u0000-\u001f\u007f-\u009f]/g, '?');
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
