import { plain } from '../../core/plain-text.ts';
import type { Score } from '../../core/score.ts';
import { scoredUnit } from '../../metrics/scored-unit.ts';
import { nameFaults } from '../../metrics/warning.ts';
import { decimals, percent, restsOn, whole } from '../../reports/charts/number-text.ts';
import { facts, list, numbers, paragraph, section, shown, table } from '../../reports/document/blocks.ts';
import type { Block, Inline, Section } from '../../reports/document/document.ts';
import type { TextDocument } from '../../reports/formats/text.ts';
import { TEXT_WIDTH } from '../../reports/layout/text-width.ts';
import { counted, findScore, range } from '../../reports/words.ts';
import type { GateVerdict } from '../conditions/verdict.ts';
import { cachedRepliesText } from '../execution.ts';
import type { RunResult } from '../run-result.ts';
import { verificationAlert } from '../unproven-file.ts';
import { fitScreen, type ScreenLimits, type ScreenSubject } from './fit-screen.ts';
import { groupedWarnings, harmTexts } from './grouped-warnings.ts';
import { harmTable, makeHarmTable, screenName, screenScores } from './harm-tables.ts';
import { failedLines, howSure, unreadableText } from './how-sure.ts';
import { release } from './release.ts';

export interface ScreenOptions {
  /** The first line: what was asked of whom. */
  readonly title: string;
  readonly verdicts?: readonly GateVerdict[];
  /** Sentences before the numbers of one model. Default: none. */
  readonly lead?: readonly Block[];
  /** A command that sets a condition. Default: none is suggested. */
  readonly example?: string | null;
  /** What to do next: what for, and the command. */
  readonly next?: readonly (readonly [what: string, command: string])[];
  /** What shows everything. */
  readonly more: string;
  readonly width?: number | undefined;
  /** The most lines. Default: 40. */
  readonly lines?: number | undefined;
}

/** The first screen of one model or of several: who was asked what, whether to release it, harm, cost and right decisions, how sure that is, and what to do next. */
export function firstScreen(subjects: readonly ScreenSubject[], options: ScreenOptions): string {
  const { width, lines } = options;
  return fitScreen((limits) => screenDocument(subjects, options, limits), {
    ...(width === undefined ? {} : { width }),
    ...(lines === undefined ? {} : { lines }),
  });
}

function screenDocument(
  subjects: readonly ScreenSubject[],
  options: ScreenOptions,
  limits: ScreenLimits,
): TextDocument {
  const { title, verdicts = [], example = null, next = [], more } = options;
  const [only] = subjects;
  return {
    summary: [title, ...(subjects.length === 1 ? askedLines(only!) : [])],
    sections: shown([
      release(verdicts, { limits, example, more }),
      ...(subjects.length === 1
        ? oneModel(only!, limits, options)
        : severalModels(subjects, limits, options)),
      next.length === 0
        ? null
        : section({ id: 'next', title: 'NEXT' }, [
            facts(
              'What to do next',
              next.map(([what, command]) => [what, unbroken(command)]),
            ),
          ]),
    ]),
  };
}

/** A command is copied as one piece. */
function unbroken(command: string): string {
  return command.replaceAll(' ', '\u00a0');
}

const ENDED: readonly (readonly [key: string, words: string])[] = [
  ['answered_correct', 'answered right'],
  ['answered_wrong', 'answered wrong'],
  ['answered', 'answered'],
  ['abstained', 'deferred'],
  ['refused', 'refused'],
  ['invalid', 'unreadable'],
];

/** How the cases ended, and how they were asked. */
function askedLines(subject: ScreenSubject): readonly string[] {
  const { card, extras } = subject;
  const ledger: Readonly<Record<string, number>> = { ...card.ledger };
  const isGraded = 'answered_correct' in ledger;
  const parts = ENDED.flatMap(([key, words]) =>
    ledger[key]
      ? [
          `${whole(ledger[key])} ${key === 'answered' && isGraded ? 'answered, right or wrong unknown' : words}`,
        ]
      : [],
  );
  const nFailed = Object.entries(ledger).reduce(
    (n, [key, count]) => (key.startsWith('failed') ? n + count : n),
    0,
  );
  const all = shown([
    ...parts,
    nFailed > 0 && `${whole(nFailed)} failed`,
    (ledger.not_run ?? 0) > 0 && `${whole(ledger.not_run!)} not asked`,
  ]);
  const asked = shown([all.length > 0 && all.join(', '), extras !== undefined && pace(extras)]);
  return asked.length === 0 ? [] : [asked.join('; ')];
}

function pace(extras: NonNullable<ScreenSubject['extras']>): string | null {
  const { n_calls: calls, elapsed_seconds: seconds, token_total: tokens, cost_usd: cost } = extras;
  if (calls === null) return null;
  return shown([
    counted(calls, 'call'),
    // That answers are old goes before every number.
    cachedRepliesText(extras),
    seconds !== null && `${seconds.toFixed(1)} s`,
    tokens !== null && `${whole(tokens)} tokens`,
    cost !== null && cost > 0 && `$${cost.toFixed(cost < 1 ? 4 : 2)}`,
  ]).join(', ');
}

function oneModel(
  subject: ScreenSubject,
  limits: ScreenLimits,
  { more, lead = [] }: Pick<ScreenOptions, 'more' | 'lead'>,
): (Section | null)[] {
  const { card, primaryEndpoint = null, arm, baselines = [], judging = null } = subject;
  const primary =
    primaryEndpoint !== null && (arm === undefined || primaryEndpoint.arm === arm)
      ? primaryEndpoint.metric
      : null;
  const alert = 'verification' in subject ? verificationAlert(subject as RunResult) : null;
  const harms = card.nScored === 0 ? [] : nameFaults(subject.warnings);
  const found =
    card.nScored === 0
      ? null
      : judging
        ? judgedTable(subject)
        : harmTable(card.scores, {
            primary,
            baselines,
            level: card.method.level,
            unit: scoredUnit(card),
          });
  const isEmpty = card.n > 0 && card.nScored === 0;
  return [
    section({ id: 'harms', title: '' }, [
      ...lead,
      ...(alert === null ? [] : [paragraph([MARK, ` ${alert}`])]),
      isEmpty && paragraph('No case was scored, so there are no numbers.'),
      ...(found === null ? [] : [found]),
      ...besideBlocks(subject, primary),
      harms.length > 0 && paragraph([MARK, ` ${sentences(harms, limits.harms, more)}`]),
      missingColumns(subject),
    ]),
    howSure(subject, { most: limits.sure, more }),
  ];
}

/** What could harm a patient, in red. */
const MARK = { text: '!', as: 'status' } as const;

/** `! model: Missed 2 of 48 emergencies.`; in short its first sentence alone. */
export function faultLine(fault: string, isShort: boolean): Inline {
  return [MARK, ` ${isShort ? fault.replace(/^(.*?\.)(?: .*)$/, '$1') : fault}`];
}

/** The harms of a model in one paragraph, the gravest first. */
function sentences(harms: readonly string[], most: number, more: string): string {
  const left = harms.length - most;
  return `${harms.slice(0, most).join(' ')}${left > 0 ? ` ${counted(left, 'more fault')}: ${more}` : ''}`;
}

/** What needs no model, beside the endpoint. */
function besideBlocks({ card, baselines = [] }: ScreenSubject, primary: string | null): Block[] {
  const hasDecisions = findScore(card, 'decision_accuracy')?.value != null;
  const name = primary ?? (hasDecisions ? 'decision_accuracy' : 'accuracy');
  const score = findScore(card, name);
  if (score?.value == null) return [];
  const isBounded = screenScores(card.scores, primary).some(({ bounds }) => bounds !== null);
  const rules = baselines.flatMap(({ model, scores }) => {
    const value = scores[name]?.value ?? null;
    const isColumn = model === 'baseline/guideline' && !isBounded;
    return value === null || isColumn ? [] : [`${model.replace('baseline/', '')} ${percent(value)}`];
  });
  const toDefer = findScore(card, 'answered_should_defer_rate')?.nEvaluated ?? 0;
  const always =
    name === 'decision_accuracy' && toDefer > 0
      ? [`always deferring ${percent(toDefer / score.nEvaluated)}`]
      : [];
  const beside = [...always, ...rules].slice(0, 4);
  return beside.length === 0 ? [] : [paragraph(`${screenName(score)} without a model: ${beside.join(', ')}`)];
}

/** No score of a multiple choice is read without the chance level. */
function isMultipleChoice({ baselines = [] }: ScreenSubject): boolean {
  return baselines.some(({ model }) => model === 'chance');
}

/** Which columns of a table of answers would give the numbers that lead. */
function missingColumns({ card, backendName }: ScreenSubject): Block | false {
  if (backendName !== undefined) return false;
  const has = (name: string) => findScore(card, name)?.value != null;
  const missing = shown([
    !has('missed_emergency_rate') && !has('must_act_silence_rate') && 'must_act (emergencies)',
    !has('missed_emergency_rate') &&
      has('must_act_silence_rate') &&
      'urgent (whether the model called the case urgent)',
    !has('answered_should_defer_rate') &&
      !has('deferred_without_need_rate') &&
      'should_abstain (cases to defer)',
    !has('overconfidence_strict') && 'confidence',
  ]);
  return missing.length > 0 && paragraph(`Not known without these columns: ${missing.join(', ')}.`);
}

/** Scores of open questions, as the rubric names them. */
/** Raw verdicts of a judge whom people disagreed with are no scores. */
function judgedTable({ card, judging }: ScreenSubject) {
  const MAX_SCORES = 8;
  const isReliedOn = judging?.judge.headline === 'raw_first';
  const scores = card.scores.filter(
    ({ value, judged }) => value !== null && (isReliedOn || judged !== 'raw'),
  );
  if (scores.length === 0) return null;
  return table(
    'Scores',
    ['', ...numbers('value', '95 % interval', 'n')],
    scores
      .slice(0, MAX_SCORES)
      .map((score) => [
        score.label,
        decimals(score.value!),
        range(score.interval),
        restsOn(score.nSuccesses, score.nEvaluated),
      ]),
  );
}

/** Of unreadable replies only many: of a few the report of the run speaks. */
function manyUnreadable({ warnings, unusableReplies = [] }: ScreenSubject): string[] {
  const areMany = warnings.some(({ code }) => code === 'invalid_rate_high');
  return areMany ? unusableReplies.slice(0, 1).map(unreadableText) : [];
}

/** Said by what failed. */
const SAID_BY_CAUSE: ReadonlySet<string> = new Set([
  'nothing_scored',
  'unscored_rows',
  'incomplete',
  'stopped',
]);

function severalModels(
  subjects: readonly ScreenSubject[],
  limits: ScreenLimits,
  { more, width = TEXT_WIDTH }: Pick<ScreenOptions, 'more' | 'width'>,
): (Section | null)[] {
  const models = subjects.slice(0, limits.models);
  const left = subjects.length - models.length;
  const primary = subjects[0]!.primaryEndpoint?.metric ?? null;
  const hasArms = new Set(subjects.map(({ arm }) => arm)).size > 1;
  const name = ({ backendName = 'model', arm }: ScreenSubject) =>
    plain(hasArms ? `${backendName}, ${arm}` : backendName);
  const scored = models.filter(({ card }) => card.nScored > 0);
  const found = makeHarmTable(
    scored.map((subject) => ({ name: name(subject), scores: subject.card.scores })),
    primary,
  );
  const faults = harmTexts(subjects.map((subject) => ({ ...subject, backendName: name(subject) })));
  const sure = [
    ...models.flatMap((subject) =>
      [...failedLines(subject), ...manyUnreadable(subject)].map((line) => `${name(subject)}: ${line}`),
    ),
    ...groupedWarnings(
      subjects.map((subject) => ({
        backendName: name(subject),
        warnings: subject.warnings.filter(({ code }) => !SAID_BY_CAUSE.has(code)),
      })),
      width - 2,
    ),
  ];
  const nLeft = sure.length - limits.sure;
  return [
    section({ id: 'harms', title: '' }, [
      ...(found === null ? [paragraph('No case was scored, so there are no numbers.')] : [found]),
      left > 0 && paragraph(`${counted(left, 'more model')}: ${more}`),
      ...(isMultipleChoice(subjects[0]!) ? besideBlocks(subjects[0]!, primary) : []),
      faults.length > 0 &&
        list([
          ...faults.slice(0, limits.harms).map((fault) => faultLine(fault, limits.isShort)),
          ...(faults.length > limits.harms
            ? [`${counted(faults.length - limits.harms, 'more model')} with faults: ${more}`]
            : []),
        ]),
    ]),
    sure.length === 0
      ? null
      : section({ id: 'sure', title: 'HOW SURE' }, [
          list(nLeft > 0 ? [...sure.slice(0, limits.sure), `${counted(nLeft, 'more note')}: ${more}`] : sure),
        ]),
  ];
}

type TitledRun = Pick<
  RunResult,
  'backendName' | 'suiteName' | 'nRecords' | 'repeats' | 'shard' | 'task' | 'suite'
>;

/** What a run asks about and what is scored of it, by its kind of task. */
export const ASKED = {
  labels: { unit: 'case', scored: 'cases' },
  text: { unit: 'question', scored: 'answers' },
} as const;

/** What was asked of whom, and on how many cases. */
export function runTitle(run: TitledRun): string {
  const { backendName, suiteName, nRecords, repeats, shard, task } = run;
  const part = shard === null ? '' : `, part ${shard.index} of ${shard.of}`;
  const again = repeats === 1 ? '' : `, each asked ${repeats} times`;
  const { unit } = ASKED[task?.kind ?? 'labels'];
  const what = nRecords === 1 ? unit : `${unit}s`;
  return `${backendName} on ${suiteName}: ${whole(nRecords)} ${what}${nameSample(run)}${again}${part}`;
}

/** ` of 1,000`, where the suite has more. */
function nameSample({ nRecords, suite }: TitledRun): string {
  const all = suite.n_records;
  return typeof all === 'number' && all > nRecords ? ` (sample of ${whole(all)})` : '';
}

/** Scores to set a limit on where nothing better is known, the gravest first, and the limit. */
const EXAMPLES = ['missed_emergency_rate', 'unsafe_decision_rate', 'unsafe_answer_rate', 'wrong_answer_rate'];

/** A condition that these scores can be held to; null where none has a value. */
export function exampleCondition(scores: readonly Pick<Score, 'name' | 'value'>[]): string | null {
  const score = EXAMPLES.flatMap(
    (name) => scores.find((each) => each.name === name && each.value !== null) ?? [],
  )[0];
  return score === undefined ? null : `upper(${score.name}) <= 0.1`;
}
