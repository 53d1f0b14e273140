import { CASE_KINDS, CASE_WORDS, DECISION_CLASSES, DECISION_WORDS } from '../../core/browser.ts';
import { casesText, whole } from '../../reports/charts/number-text.ts';
import { figure, numbers, paragraph, section, shown, table } from '../../reports/document/blocks.ts';
import type { Section, Table } from '../../reports/document/document.ts';
import { inWords, shortName } from '../../reports/words.ts';
import type { RunResult } from '../../runs/run-result.ts';
import type { Flow, Outcomes } from './flow.ts';

type Ended = Exclude<keyof Outcomes, 'n'>;

/** From the worst outcome to the best. */
const ENDED: readonly Ended[] = [...DECISION_CLASSES, 'not_run'];
/** Reasons come from data. */
const MAX_REASONS = 8;

/** How the records of the suite became the rows of the run, and how those ended: a flow diagram, and the same as a table. */
export function flow({ flow: found }: Pick<RunResult, 'flow'>): Section {
  const head = { id: 'flow', title: 'From the suite to the answers' };
  if (found === null || found.rows.n === 0)
    return section(head, [paragraph('This run came without its cases, so there is nothing to draw here.')]);
  return section(head, [
    figure(
      { chart: 'flow', data: { ...diagram(found), description: inOneText(found) } },
      shown([
        'The steps under a step add up to it.',
        found.reasons.some(({ name }) => name === 'several reasons') &&
          'A case with several reasons to defer is counted once, under "several reasons".',
        found.kinds.either.n > 0 &&
          found.hasDeferralLabels &&
          'Where either is defensible, neither answering nor deferring is called for, so these cases have no part in decision accuracy.',
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
}

/** Below each kind of case its reasons to defer, where it has any, and how the decisions turned out: two ways of adding up to it. */
function listSteps(found: Flow): readonly Step[] {
  const { records, asked, repeats, rows } = found;
  const step = (depth: number, name: string, n: number): Step => ({ name, depth, n });
  const depth = records === null ? 0 : 2;
  return shown([
    records && step(0, `cases ${records.origin}`, records.n),
    records && records.training > 0 && step(1, 'to learn from', records.training),
    ...(records?.excluded ?? []).map(({ name, n }) => step(1, `left out: ${inWords(name)}`, n)),
    records && step(1, 'to evaluate', records.evaluation),
    records && records.notAsked > 0 && step(2, 'not in the run', records.notAsked),
    repeats > 1 && step(depth, `in the run, asked ${repeats} times each`, asked),
    step(depth, repeats > 1 ? 'replies' : 'in the run', rows.n),
    ...listGroups(found).flatMap(({ name, ended, reasons }) => [
      step(depth + 1, name, ended.n),
      ...reasons.map((reason) => step(depth + 2, `reason: ${shortName(inWords(reason.name))}`, reason.n)),
      ...endedIn(ended).map((state) => step(depth + 2, endedWords(state), ended[state])),
    ]),
  ]);
}

function listGroups({ kinds, hasDeferralLabels, reasons }: Flow) {
  return CASE_KINDS.map((kind) => ({
    name: kind === 'either' && !hasDeferralLabels ? 'no deferral label' : CASE_WORDS[kind],
    ended: kinds[kind],
    reasons: kind === 'should_defer' ? reasons : [],
  })).filter(({ ended }) => ended.n > 0);
}

/** An outcome that no row has is left out. */
function endedIn(rows: Outcomes): readonly Ended[] {
  return ENDED.filter((ended) => rows[ended] > 0);
}

function endedWords(ended: Ended): string {
  return ended === 'not_run' ? 'not run' : DECISION_WORDS[ended];
}

function flowTable(found: Flow): Table {
  return table(
    'Flow of cases',
    ['step', ...numbers('n')],
    listSteps(found).map(({ name, depth, n }) => [`${'· '.repeat(depth)}${name}`, whole(n)]),
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
      records && { main: [counted(records.n, `cases ${records.origin}`)], aside: left },
      records && {
        main: [counted(records.evaluation, 'to evaluate')],
        aside: records.notAsked === 0 ? [] : [counted(records.notAsked, 'not in the run')],
      },
      {
        main:
          repeats > 1
            ? [counted(asked, `in the run, asked ${repeats} times each`), casesText(rows.n)]
            : [counted(asked, 'in the run')],
        aside: [],
      },
    ]),
    branches: listGroups(found).map(({ name, ended, reasons }) => ({
      head: [`${name}: ${whole(ended.n)}`, ...reasonLines(reasons)],
      ends: endedIn(ended).map((state) => `${endedWords(state)}: ${whole(ended[state])}`),
    })),
  };
}

function reasonLines(reasons: Flow['reasons']): readonly string[] {
  // A single other reason takes no more room than the words that would stand for it.
  const most = reasons.length === MAX_REASONS + 1 ? reasons.length : MAX_REASONS;
  const [first, rest] = [reasons.slice(0, most), reasons.slice(most)];
  const others = rest.reduce((sum, { n }) => sum + n, 0);
  return shown([
    ...first.map(({ name, n }) => `· ${whole(n)} ${inWords(name)}`),
    rest.length > 0 && `· ${whole(others)} for ${rest.length} other reasons`,
  ]);
}

function inOneText(found: Flow): string {
  return `${listSteps(found)
    .map(({ name, n }) => `${name}: ${whole(n)}`)
    .join('; ')}.`;
}
