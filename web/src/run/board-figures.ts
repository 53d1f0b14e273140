import {
  type BoardClass,
  type BoardRows,
  type BoardSegment,
  type Card,
  type CaseKind,
  decimals,
  percent,
  type RecordFilter,
  ratesAt,
  type Section,
  whole,
  wilsonWithZ,
} from '../../../src/viewer/browser.ts';
import type { RunPayload } from '../api.ts';
import { leadingYardsticks } from '../parts/score-cards.tsx';
import { levelText } from '../parts/words.ts';

/** What the board of a run is drawn from; null for a run without one. */
export interface BoardData {
  /** The verdict. */
  readonly title: string;
  readonly rows: BoardRows;
  readonly chartTitle: string;
  readonly description: string;
  readonly caption: string;
}

export function boardIn(sections: readonly Section[]): BoardData | null {
  const section = sections.find(({ id }) => id === 'board');
  const figure = section?.blocks.find((block) => block.kind === 'figure');
  if (section === undefined || figure?.chart.chart !== 'board') return null;
  const { title: chartTitle, rows, description } = figure.chart.data;
  return { title: section.title, rows, chartTitle, description, caption: figure.caption };
}

/** The thresholds to choose from, from the least strict; null accepts every answer. */
export function listThresholds(
  { groups }: BoardRows,
  steps: RunPayload['confidence_steps'],
): readonly (number | null)[] {
  const rising = steps.map(({ threshold }) => threshold).reverse();
  // The lowest accepts every answer, too, unless some have no confidence.
  const hasUnsure = groups.some(
    ({ facts, steps: own }) =>
      facts.state === 'answered' && own.some(({ confidence }) => confidence === null),
  );
  return [null, ...(hasUnsure ? rising : rising.slice(1))];
}

/** The place of a threshold in the address: a number between two steps selects the stricter. */
export function findPlace(thresholds: readonly (number | null)[], wanted: string | null): number {
  const value = Number(wanted);
  if (wanted === null || wanted === '' || !Number.isFinite(value)) return 0;
  const place = thresholds.findIndex((threshold) => threshold !== null && threshold >= value);
  if (place < 0) return thresholds.length - 1;
  // Below the lowest step nothing is deferred.
  return place === 1 && value < thresholds[1]! && thresholds.length > 1 ? 0 : place;
}

type Rates = ReturnType<typeof ratesAt>;

/** Rates of harm and cost in the order of reports, by the metrics that lead. */
const RATES: Readonly<Record<string, (rates: Rates) => Rates['emergencies']>> = {
  missed_emergency_rate: ({ emergencies }) => emergencies,
  must_act_silence_rate: ({ labelledEmergencies }) => labelledEmergencies,
  false_alarm_rate: ({ noEmergencies }) => noEmergencies,
  answered_should_defer_rate: ({ answeredShouldDefer }) => answeredShouldDefer,
  wrong_answer_rate: ({ wrongAnswer, unsafeAnswers }) => (wrongAnswer.n > 0 ? wrongAnswer : unsafeAnswers),
  deferred_without_need_rate: ({ deferredWithoutNeed }) => deferredWithoutNeed,
};
const HARMFUL = [
  'missed_emergency_rate',
  'must_act_silence_rate',
  'answered_should_defer_rate',
  'wrong_answer_rate',
];
const TITLES: Readonly<Record<string, string>> = {
  missed_emergency_rate: 'Missed emergencies',
  must_act_silence_rate: 'Emergencies without an answer',
  false_alarm_rate: 'False alarms',
  answered_should_defer_rate: 'Answered, should have deferred',
  wrong_answer_rate: 'Wrong answers',
  deferred_without_need_rate: 'Deferred without need',
};

/** Whether the board says what a card of the first screen says, or the line above the cards does. */
export function isOnBoard({ metric }: Pick<Card, 'metric'>): boolean {
  return Object.hasOwn(RATES, metric) || metric === 'usable_answer_rate';
}

export interface BoardRate {
  readonly metric: string;
  readonly title: string;
  readonly count: number;
  readonly n: number;
  /** The count without a threshold. */
  readonly before: number;
  readonly isHarm: boolean;
  /** The interval, and the same rate of others. */
  readonly lines: readonly string[];
}

/** The rates above the board, with what needs no model beside them. */
export function boardRates(
  rows: BoardRows,
  threshold: number | null,
  { run, sections }: Pick<RunPayload, 'run' | 'sections'>,
): BoardRate[] {
  const headline = sections.find(({ id }) => id === 'headline')?.blocks ?? [];
  const cards = headline.flatMap((block) => (block.kind === 'cards' ? block.cards : []));
  const [accepted, now] = [ratesAt(rows, null), ratesAt(rows, threshold)];
  return run.leading.flatMap((score): BoardRate[] => {
    const read = RATES[score.name];
    if (read === undefined || score.value === null) return [];
    const [before, { n, count }] = [read(accepted), read(now)];
    if (n === 0) return [];
    const beside = cards.find(({ metric }) => metric === score.name)?.beside ?? [];
    return [
      {
        metric: score.name,
        title: TITLES[score.name]!,
        count,
        n,
        before: before.count,
        isHarm: HARMFUL.includes(score.name) && count > 0,
        lines: [
          ...intervalLine(score, threshold === null ? null : { n, count }),
          threshold === null ? yardsticks(beside) : `${whole(before.count)} if every answer is accepted`,
        ].filter((line) => line !== ''),
      },
    ];
  });
}

const Z95 = 1.959963984540054;

/** The run's own interval; at a threshold a new one, if it needs nothing but the count. */
function intervalLine(
  { interval }: RunPayload['run']['leading'][number],
  at: { readonly n: number; readonly count: number } | null,
): string[] {
  if (interval === null) return [];
  if (at === null) return [`${levelText(interval.level)} interval ${shares(interval.lower, interval.upper)}`];
  if (interval.method !== 'wilson' || interval.level !== 0.95) return [];
  const [lower, upper] = wilsonWithZ(at.count, at.n, Z95)!;
  return [`${levelText(interval.level)} interval ${shares(lower, upper)}`];
}

function shares(lower: number, upper: number): string {
  return `${decimals(lower * 100, 1)} to ${percent(upper)}`;
}

function yardsticks(beside: Card['beside']): string {
  return leadingYardsticks(beside)
    .map(({ name, value }) => `${name}\u00a0${decimals(value * 100, 0)}\u00a0%`)
    .join(' · ');
}

const SHOULD_ABSTAIN: Readonly<Record<string, string>> = {
  deferred_without_need: 'false',
  deferred_either: 'null',
  rightly_deferred: 'true',
};

/** The list of the records of a segment, in the order of its marks; null where no filter names them. */
export function segmentFilter(
  kind: CaseKind,
  name: string,
  segment: BoardSegment,
  threshold: number | null,
): RecordFilter | null {
  const own: RecordFilter = { case_kind: [kind], decision_class: [segment.from] };
  if (threshold === null) return own;
  if (segment.isMoved) {
    if (segment.nUnsure > 0) return null;
    const label = SHOULD_ABSTAIN[name];
    return { ...own, confidence_to: threshold, ...(label !== undefined && { should_abstain: [label] }) };
  }
  return ANSWERED.includes(segment.from) ? { ...own, confidence_from: threshold } : own;
}

/** Classes of answers alone: a threshold moves all of them. */
const ANSWERED = ['answered_should_defer', 'wrong_answer', 'answered_either', 'right_answer'];

/** What the line of a class leads to: its records, or those that the threshold adds to it. */
export function classFilter(
  kind: CaseKind,
  { name, segments }: BoardClass,
  threshold: number | null,
): { readonly filter: RecordFilter; readonly n: number; readonly isAdded: boolean } | null {
  const added = segments.filter(({ isMoved }) => isMoved);
  const listed = added.length > 0 ? added : segments;
  const filters = listed.map((segment) => segmentFilter(kind, name, segment, threshold));
  const [first] = filters;
  if (first === null || first === undefined || filters.includes(null)) return null;
  return {
    filter: { ...first, decision_class: listed.map(({ from }) => from) },
    n: listed.reduce((sum, { n }) => sum + n, 0),
    isAdded: added.length > 0,
  };
}
