import {
  CASE_WORDS,
  DECISION_CLASSES,
  DECISION_WORDS,
  emergencyReasons,
  HARMS,
} from '../core/decision-class.ts';
import { decisiveFeatures } from '../domains/decisive-features.ts';
import { decimals, whole } from '../reports/charts/number-text.ts';
import { BREAK, facts, link, muted, paragraph, section, strong, table } from '../reports/document/blocks.ts';
import type { Block, Inline, Row, Section, Table } from '../reports/document/document.ts';
import { DASH, dateText, inWords } from '../reports/words.ts';
import type { RecordLine } from '../store/queries/record-line.ts';
import type { QuestionsPayload, RunLine } from './api.ts';
import { buildAddress } from './build-address.ts';
import { itemsRight } from './items-right.ts';

/** What a run file says of a case apart from answers. */
export interface CaseFacts {
  /** Null where the file does not have them, or they may not be shown. */
  readonly features: Readonly<Record<string, unknown>> | null;
  readonly metadata: Readonly<Record<string, unknown>>;
  /** Equal for equal features; null where the file has none. */
  readonly key: string | null;
}

/** A case in one run. */
export interface CaseRun {
  readonly run: RunLine;
  /** A line for each repeat; empty for open questions. */
  readonly lines: readonly RecordLine[];
  /** An answer for each repeat; empty for labels. */
  readonly answers: QuestionsPayload['evaluation_results'];
  readonly facts: CaseFacts;
}

/** The page of a case: what it is, and what each run did with it. Runs are listed newest first. */
export function caseSections(record: string, asked: readonly CaseRun[], nRuns: number): Section[] {
  const newest = asked.find(({ facts: { key } }) => key !== null) ?? asked[0]!;
  const versions = Map.groupBy(asked, (one) => versionText(one, newest));
  const without = nRuns - asked.length;
  return [
    section({ id: 'models', title: 'What each model did' }, [
      paragraph(countText(asked), { tone: 'lead' }),
      versions.size > 1 &&
        paragraph(
          strong(
            'Some of these runs have another version of the case: compare answers only within one version.',
          ),
        ),
      modelsTable([...versions]),
      without > 0 &&
        paragraph(
          `${without === 1 ? 'One more run' : `${whole(without)} more runs`} of this suite ${without === 1 ? 'does' : 'do'} not have the case ${record}.`,
          { tone: 'small' },
        ),
    ]),
    section({ id: 'case', title: 'The case' }, caseBlocks(newest)),
  ];
}

/** The same cases have the same hash of the suite. Otherwise features and truth tell. */
function versionText(one: CaseRun, newest: CaseRun): string {
  const isSame = one.run.suite_hash !== null && one.run.suite_hash === newest.run.suite_hash;
  const [a, b] = [one.facts.key, newest.facts.key];
  if (one === newest || isSame || (a !== null && a === b && truth(one) === truth(newest))) return SAME;
  if (a === null || b === null)
    return 'Another version of the suite; the file does not say whether the case is the same';
  return a === b ? 'Another version: the same patient, another truth' : 'Another version: other features';
}

const SAME = 'The same case';

function truth({ lines: [line] }: CaseRun): string {
  return JSON.stringify([line?.label, line?.case_kind]);
}

/** `Missed emergency in 2 of 7 answers, right answer in 5.` */
function countText(asked: readonly CaseRun[]): string {
  const lines = asked.flatMap((one) => one.lines);
  const nModels = new Set(asked.map(({ run }) => run.model)).size;
  const from = `${asked.length === 1 ? 'One run' : `${asked.length} runs`} of ${nModels === 1 ? 'one model' : `${nModels} models`}`;
  const answered = lines.filter(({ decision_class: name }) => name !== null);
  if (answered.length === 0) return `${from}.`;
  const counts = countClasses(answered).map(({ name, n }) => `${DECISION_WORDS[name]} ${whole(n)}`);
  return `${from}, ${answered.length === 1 ? 'one answer' : `${whole(answered.length)} answers`}: ${counts.join(', ')}.`;
}

/** The classes of answers with their numbers, the worst first. */
function countClasses(lines: readonly RecordLine[]) {
  return DECISION_CLASSES.map((name) => ({
    name,
    n: lines.filter((line) => line.decision_class === name).length,
  })).filter(({ n }) => n > 0);
}

function modelsTable(versions: readonly (readonly [string, readonly CaseRun[]])[]): Table {
  const hasLabels = versions.some(([, runs]) => runs.some(({ lines }) => lines.length > 0));
  const hasUrgency = versions.some(([, runs]) => runs.some((run) => run.lines.some(isStated)));
  const columns = hasLabels
    ? ['model', 'decision', 'answer', 'confidence', ...(hasUrgency ? ['called urgent'] : []), 'started']
    : ['model', 'reply', 'items right', 'started'];
  const groups = versions.map(([title, runs]) => ({
    title: versions.length > 1 ? title : null,
    rows: runs
      .toSorted((a, b) => worst(a) - worst(b))
      .map((run) => (hasLabels ? labelRow(run, hasUrgency) : answerRow(run))),
  }));
  return table('What each model did with this case', columns, groups, { layout: 'wide named' });
}

const isStated = ({ urgent }: RecordLine) => urgent !== null;

/** Harms come first. */
function worst({ lines }: CaseRun): number {
  return Math.min(
    ...lines.map(({ decision_class: name }) =>
      name === null ? DECISION_CLASSES.length : DECISION_CLASSES.indexOf(name),
    ),
  );
}

function labelRow({ run, lines }: CaseRun, hasUrgency: boolean): Row {
  const confidences = lines.flatMap(({ confidence }) => confidence ?? []);
  const [low, high] = [Math.min(...confidences), Math.max(...confidences)];
  return [
    modelCell(run, buildAddress('runs/:id/records', { id: run.id, record: lines[0]!.id })),
    tally(
      lines,
      ({ decision_class: name }) => (name === null ? 'not asked' : DECISION_WORDS[name]),
      ({ decision_class: name }) => HARMS.some((harm) => harm === name),
    ),
    tally(lines, ({ prediction, outcome }) => prediction ?? inWords(outcome)),
    confidences.length === 0 ? DASH : low === high ? decimals(low) : `${decimals(low)} to ${decimals(high)}`,
    ...(hasUrgency
      ? [tally(lines, ({ urgent }) => (urgent === null ? 'not stated' : urgent ? 'yes' : 'no'))]
      : []),
    dateText(run.created_at),
  ];
}

function answerRow({ run, answers }: CaseRun): Row {
  return [
    modelCell(run, buildAddress('runs/:id/questions', { id: run.id, answer: answers[0]!.id })),
    tally(answers, ({ ledger_class: name }) => inWords(name)),
    tally(answers, (answer) => {
      const { right, scored } = itemsRight(answer);
      return scored === 0 ? 'not scored' : `${right} of ${scored}`;
    }),
    dateText(run.created_at),
  ];
}

function modelCell(run: RunLine, address: string): Inline {
  const marks = [run.arm !== null && `arm ${run.arm}`, run.simulated && 'simulated', run.id.slice(-8)];
  const texts = marks.filter((mark) => mark !== false).join(', ');
  return [link(run.model, `/${address}`), BREAK, muted(texts)];
}

/** What was the same in all repeats, or each with its number: `A 2 of 3, B 1 of 3`. */
function tally<T>(
  parts: readonly T[],
  readText: (part: T) => string,
  isGrave: (part: T) => boolean = () => false,
): Inline {
  const counts = [...Map.groupBy(parts, readText)].toSorted(([, a], [, b]) => b.length - a.length);
  return counts.flatMap(([text, same], i) => [
    ...(i === 0 ? [] : [BREAK]),
    isGrave(same[0]!) ? strong(text) : text,
    ...(parts.length === 1 ? [] : [muted(` ${same.length} of ${parts.length}`)]),
  ]);
}

function caseBlocks({ lines: [line], facts: { features, metadata }, answers: [answer] }: CaseRun): Block[] {
  if (line === undefined) return [paragraph(answer?.question ?? 'The question is not stored, or not shown.')];
  const toAct = emergencyReasons(metadata);
  const decisive = features === null ? [] : decisiveFeatures([...toAct, ...line.reasons], features);
  const because = line.case_kind === 'must_act' ? toAct : line.should_abstain ? line.reasons : [];
  const first = decisive.map(({ feature }) => feature);
  const names = [...first, ...Object.keys(features ?? {}).filter((name) => !first.includes(name))];
  const rows = names.map((name): Row => {
    const rests = decisive.find(({ feature }) => feature === name);
    const value = featureText(features![name]);
    return rests
      ? [strong(name), strong(value), `decides: ${rests.reasons.map(inWords).join(', ')}`]
      : [name, value, ''];
  });
  return [
    facts('What was right', [
      ['truth', line.label ?? 'no derivable answer'],
      ['case', [CASE_WORDS[line.case_kind], ...because.map(inWords)].join(': ')],
    ]),
    features === null
      ? paragraph(
          'The features are not shown: run files have none of protected suites and of imported answers.',
          { tone: 'small' },
        )
      : table('What the models saw', ['feature', 'value', ''], rows),
  ];
}

function featureText(value: unknown): string {
  if (value === null || value === undefined || value === '') return 'not measured';
  return typeof value === 'object' ? JSON.stringify(value) : String(value);
}
