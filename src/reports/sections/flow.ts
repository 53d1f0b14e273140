import type { Flow, Outcomes, RunResult } from '../../results/index.ts';
import { rowsOf, whole } from '../charts/number-text.ts';
import { figure, numbers, paragraph, section, shown, table } from '../document/blocks.ts';
import type { Section, Table } from '../document/document.ts';
import { DASH, inWords, shortName } from '../words.ts';

type State = Exclude<keyof Outcomes, 'n'>;

/** Always shown; the others where they occur. */
const USUAL: readonly State[] = ['answered', 'abstained', 'invalid', 'failed'];
const STATES: readonly State[] = ['answered', 'abstained', 'invalid', 'refused', 'failed', 'not_run'];
/** Reasons come from data. */
const MOST_REASONS = 8;

/** How the records of the suite became the rows of the run, and how those ended: a flow diagram, and the same as a table. */
export function flow({ flow: found }: Pick<RunResult, 'flow'>): Section {
  const head = { id: 'flow', title: 'From the suite to the answers' };
  if (found === null || found.rows.n === 0)
    return section(head, [paragraph('This run came without rows, so there is nothing to draw here.')]);
  return section(head, [
    figure(
      { chart: 'flow', data: { ...diagram(found), description: inOneText(found) } },
      shown([
        'Each step is the sum of the next.',
        found.reasons.some(({ name }) => name === 'several reasons') &&
          'A row with several reasons to defer is counted once, under "several reasons".',
        found.grey.n > 0 &&
          hasLabels(found) &&
          'Grey zone: neither answering nor deferring is called for, so these rows have no part in decision accuracy.',
      ]).join(' '),
      flowTable(found),
      true,
    ),
  ]);
}

interface Step {
  readonly name: string;
  readonly depth: number;
  readonly n: number;
  /** Null for records that were not asked. */
  readonly ended: Outcomes | null;
}

function stepsOf(found: Flow): readonly Step[] {
  const { records, asked, repeats, rows } = found;
  const step = (depth: number, name: string, n: number, ended: Outcomes | null = null): Step => ({
    name,
    depth,
    n,
    ended,
  });
  const depth = records === null ? 0 : 2;
  const groups = groupsOf(found);
  return shown([
    records && step(0, `records ${records.origin}`, records.n),
    records && records.training > 0 && step(1, 'to learn from', records.training),
    ...(records?.excluded ?? []).map(({ name, n }) => step(1, `left out: ${inWords(name)}`, n)),
    records && step(1, 'to evaluate', records.evaluation),
    records && records.notAsked > 0 && step(2, 'not in the run', records.notAsked),
    repeats > 1 && step(depth, `in the run, asked ${repeats} times each`, asked),
    step(depth, repeats > 1 ? 'rows' : 'in the run', rows.n, rows),
    ...groups.flatMap(({ name, ended, reasons }) => [
      groups.length > 1 && step(depth + 1, name, ended.n, ended),
      ...reasons.map((reason) => step(depth + 2, shortName(inWords(reason.name)), reason.n, reason)),
    ]),
  ]);
}

function groupsOf({ mustAnswer, grey, mustDefer, reasons }: Flow) {
  return [
    { name: 'must answer', ended: mustAnswer, reasons: [] },
    { name: mustAnswer.n + mustDefer.n === 0 ? 'no deferral label' : 'grey zone', ended: grey, reasons: [] },
    { name: 'must defer', ended: mustDefer, reasons },
  ].filter(({ ended }) => ended.n > 0);
}

function hasLabels({ mustAnswer, mustDefer }: Flow): boolean {
  return mustAnswer.n + mustDefer.n > 0;
}

/** A state that no row has is a column of zeros, left out unless a reader would look for it. */
function statesOf(rows: Outcomes): readonly State[] {
  return STATES.filter((state) => USUAL.includes(state) || rows[state] > 0);
}

function flowTable(found: Flow): Table {
  const states = statesOf(found.rows);
  return table(
    'Flow of records',
    ['step', ...numbers('n', ...states.map(inWords))],
    stepsOf(found).map(({ name, depth, n, ended }) => [
      `${'· '.repeat(depth)}${name}`,
      whole(n),
      ...states.map((state) => (ended === null ? DASH : whole(ended[state]))),
    ]),
  );
}

function diagram(found: Flow) {
  const { records, asked, repeats, rows } = found;
  const counted = (n: number, name: string) => `${whole(n)} ${name}`;
  const left = records
    ? shown([
        records.training > 0 && counted(records.training, 'to learn from'),
        ...records.excluded.map(({ name, n }) => counted(n, `left out: ${inWords(name)}`)),
      ])
    : [];
  return {
    steps: shown([
      records && { main: [counted(records.n, `records ${records.origin}`)], aside: left },
      records && {
        main: [counted(records.evaluation, 'to evaluate')],
        aside: records.notAsked === 0 ? [] : [counted(records.notAsked, 'not in the run')],
      },
      {
        main:
          repeats > 1
            ? [counted(asked, `in the run, asked ${repeats} times each`), rowsOf(rows.n)]
            : [counted(asked, 'in the run')],
        aside: [],
      },
    ]),
    branches: groupsOf(found).map(({ name, ended, reasons }) => ({
      head: [counted(ended.n, name), ...reasonLines(reasons)],
      ends: statesOf(rows).map((state) => counted(ended[state], inWords(state))),
    })),
  };
}

function reasonLines(reasons: Flow['reasons']): readonly string[] {
  // A single other reason takes no more room than the words that would stand for it.
  const most = reasons.length === MOST_REASONS + 1 ? reasons.length : MOST_REASONS;
  const [first, rest] = [reasons.slice(0, most), reasons.slice(most)];
  const others = rest.reduce((sum, { n }) => sum + n, 0);
  return shown([
    ...first.map(({ name, n }) => `· ${whole(n)} ${inWords(name)}`),
    rest.length > 0 && `· ${whole(others)} for ${rest.length} other reasons`,
  ]);
}

function inOneText(found: Flow): string {
  const states = statesOf(found.rows);
  return `${stepsOf(found)
    .map(({ name, n, ended }) => {
      const outcomes = ended && states.map((state) => `${inWords(state)} ${whole(ended[state])}`).join(', ');
      return `${name}: ${whole(n)}${outcomes === null ? '' : ` (${outcomes})`}`;
    })
    .join('; ')}.`;
}
