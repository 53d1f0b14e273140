import { isOnlyRight, rightAnswers } from '../analyses/comparison/flips.ts';
import { shareRight } from '../analyses/comparison/item-flips.ts';
import { pairRecords } from '../analyses/comparison/pair-records.ts';
import type { JudgedAnswer } from '../analyses/judging/judged-answers.ts';
import type { ItemResult } from '../analyses/judging/score-metric-trait.ts';
import { textClass } from '../core/ledger.ts';
import type { RecordLine } from '../store/queries/record-line.ts';
import type {
  ComparedItem,
  ComparedRecord,
  ComparedRecordsPayload,
  ComparedShow,
  ComparedSide,
  RunLine,
} from './api.ts';
import { type ComparedRuns, openResult, tableReader, whyNotCompared } from './compare-payload.ts';
import type { OpenRun, OpenRuns } from './open-runs.ts';
import { readIndex } from './shown-lines.ts';

export const COMPARED_SHOWS: readonly ComparedShow[] = [
  'all',
  'differing',
  'only_baseline_right',
  'only_others_right',
  'all_wrong',
];
const DEFAULT_LIMIT = 100;

export interface ComparedRecordsParams extends ComparedRuns {
  readonly show: ComparedShow;
  /** A part of the id, an answer or a reason, ignoring case. */
  readonly text?: string | undefined;
  readonly offset: number;
  readonly limit?: number | undefined;
}

/** A record in a comparison, as little of it as filters need. */
interface Entry {
  readonly id: string;
  readonly differs: boolean;
  /** How often each run is right, from 0 to 1 over its repeats; null where it is not scored. With open questions per item. */
  readonly right: readonly (readonly (number | null)[])[];
  /** What a search covers, in lower case. */
  readonly search: string;
}

interface Entries {
  readonly by: string;
  readonly entries: readonly Entry[];
  row(entry: Entry): ComparedRecord;
}

/** The answers of runs side by side, record by record. */
export function comparedRecords(
  runs: OpenRuns,
  { runs: ids, show, text = '', offset, limit = DEFAULT_LIMIT }: ComparedRecordsParams,
): ComparedRecordsPayload {
  const found = ids.map((id) => runs.find(id));
  const lines = found.map(({ line }) => line);
  const reason = whyNotCompared(lines);
  if (reason !== null) return { runs: lines, reason, by: null, counts: countShows([]), total: 0, rows: [] };
  const { by, entries, row } = ENTRIES[lines[0]!.kind](runs, found);
  const wanted = text.toLowerCase();
  const searched = wanted === '' ? entries : entries.filter(({ search }) => search.includes(wanted));
  const shown = searched.filter((entry) => isShown[show](entry));
  return {
    runs: lines,
    reason: null,
    by,
    counts: countShows(searched),
    total: shown.length,
    rows: shown.slice(offset, offset + limit).map(row),
  };
}

/** The records of runs of each kind. */
const ENTRIES: Readonly<Record<RunLine['kind'], (runs: OpenRuns, found: readonly OpenRun[]) => Entries>> = {
  labels: labelEntries,
  questions: (runs, found) => runs.cached('compared questions', found, () => questionEntries(runs, found)),
};

function countShows(entries: readonly Entry[]): Record<ComparedShow, number> {
  const counts = COMPARED_SHOWS.map((show) => [show, entries.filter(isShown[show]).length]);
  return Object.fromEntries(counts) as Record<ComparedShow, number>;
}

const isShown: Readonly<Record<ComparedShow, (entry: Entry) => boolean>> = {
  all: () => true,
  differing: ({ differs }) => differs,
  only_baseline_right: ({ right }) =>
    right.some(([ours, ...others]) => others.every((other) => isRightAlone(ours, other))),
  only_others_right: ({ right }) =>
    right.some(([ours, ...others]) => others.some((other) => isRightAlone(other, ours))),
  all_wrong: ({ right }) => right.some((sides) => sides.every((side) => isRight(side) === false)),
};

function isRightAlone(first: number | null | undefined, second: number | null | undefined): boolean {
  return first != null && second != null && isOnlyRight(first, second);
}

/** Whether one run is right, with repeats in more than half of them; null where it is not scored. */
function isRight(share: number | null): boolean | null {
  return share === null ? null : share > 0.5;
}

function labelEntries(runs: OpenRuns, found: readonly OpenRun[]): Entries {
  const { by, entries } = runs.cached('compared cases', found, () => readLabelEntries(runs, found));
  const row = ({ id, differs, right }: Entry): ComparedRecord => {
    const lines = found.map((run) => {
      const index = readIndex(runs, run);
      return index.findPlaces(id).map((place): RecordLine => JSON.parse(index.lines[place]!));
    });
    const [first] = lines[0]!;
    return {
      id,
      label: first?.label ?? null,
      case_kind: first?.case_kind ?? null,
      question: null,
      differs,
      sides: lines.map((repeats, side) => ({
        right: isRight(right[0]![side]!),
        answers: repeats.map(({ repeat, outcome, decision_class, prediction, confidence }) => ({
          repeat,
          outcome,
          decision_class,
          prediction,
          confidence,
          text: null,
        })),
      })),
      items: [],
    };
  };
  return { by, entries, row };
}

function readLabelEntries(runs: OpenRuns, found: readonly OpenRun[]): Pick<Entries, 'by' | 'entries'> {
  const read = tableReader(runs, found);
  const results = found.map((run) => openResult(runs, run, 0));
  const primary = results[0]!.primaryEndpoint?.metric ?? null;
  const [ours, ...others] = results.map((result) => read(result));
  const rights = results.map(() => new Map<string, number | null>());
  let by: string | null = null;
  for (const [i, theirs] of others.entries()) {
    const pairing = pairRecords(ours!, theirs);
    const judged = rightAnswers(pairing, by ?? primary);
    by ??= judged.by;
    for (const [r, id] of pairing.ids.entries()) {
      rights[0]!.set(id, scored(judged.scores.baseline[r]!));
      rights[i + 1]!.set(id, scored(judged.scores.model[r]!));
    }
  }
  const answers = found.map((run) => answersById(runs, run));
  const entries = [...answers[0]!].map(([id, ours]): Entry => {
    const sides = [ours, ...answers.slice(1).map((others) => others.get(id))];
    return {
      id,
      differs: sides.some((side) => side?.answer !== ours.answer),
      right: [rights.map((right) => right.get(id) ?? null)],
      search: sides.map((side) => side?.search ?? '').join('\n'),
    };
  });
  return { by: by!, entries };
}

function scored(score: number): number | null {
  return Number.isNaN(score) ? null : score;
}

/** What a run answered to each record, in all repeats together. */
function answersById(runs: OpenRuns, run: OpenRun): Map<string, { answer: string; search: string }> {
  const found = new Map<string, { answer: string; search: string }>();
  const rows = readIndex(runs, run).db.prepare(
    'SELECT id, outcome, prediction, search FROM lines ORDER BY n',
  );
  for (const { id, outcome, prediction, search } of rows.iterate()) {
    const before = found.get(String(id));
    found.set(String(id), {
      answer: `${before?.answer ?? ''}${JSON.stringify([outcome, prediction])}`,
      search: before === undefined ? String(search) : `${before.search}\n${search}`,
    });
  }
  return found;
}

function questionEntries(runs: OpenRuns, found: readonly OpenRun[]): Entries {
  const withholds = found.some(runs.withholds);
  const answers = found.map((run) =>
    Map.groupBy(openResult(runs, run, 0).judging?.answers ?? [], ({ id }) => id),
  );
  const rows = new Map(
    [...answers[0]!.keys()].map((id) => [
      id,
      comparedQuestion(
        id,
        answers.map((of) => of.get(id) ?? []),
      ),
    ]),
  );
  const entries = [...rows.values()].map(
    ({ row: { id, differs, question, sides }, right }): Entry => ({
      id,
      differs,
      right,
      // What is left out cannot be searched for either.
      search: (withholds
        ? [id]
        : [id, question, ...sides.flatMap((side) => side.answers.map(({ text }) => text))]
      )
        .join('\n')
        .toLowerCase(),
    }),
  );
  return { by: 'items', entries, row: ({ id }) => rows.get(id)!.row };
}

function comparedQuestion(
  id: string,
  sides: readonly (readonly JudgedAnswer[])[],
): { readonly row: ComparedRecord } & Pick<Entry, 'right'> {
  const compared = comparedItems(sides);
  const items = compared.map(({ item }) => item);
  const first = sides[0]![0]!;
  const row = {
    id,
    label: null,
    case_kind: null,
    question: first.question,
    differs: items.some(({ differs }) => differs) || differ(sides.map(outcomes)),
    sides: sides.map((answers, side) => comparedSide(answers, items, side)),
    items,
  };
  return { row, right: compared.map(({ shares }) => shares) };
}

const outcomes = (answers: readonly JudgedAnswer[]) => answers.map((answer) => textClass(answer)).join();

function comparedSide(
  answers: readonly JudgedAnswer[],
  items: readonly ComparedItem[],
  side: number,
): ComparedSide {
  const scored = items.flatMap(({ sides }) => sides[side]!.right ?? []);
  return {
    right: scored.length === 0 ? null : scored.every((right) => right),
    answers: answers.map((answer) => ({
      repeat: answer.repeat,
      outcome: textClass(answer),
      decision_class: null,
      prediction: null,
      confidence: null,
      text: answer.answer,
    })),
  };
}

/** The items of a question, and how often each run has each of them right. */
function comparedItems(
  sides: readonly (readonly JudgedAnswer[])[],
): { readonly item: ComparedItem; readonly shares: readonly (number | null)[] }[] {
  const bySide = sides.map((answers) =>
    Map.groupBy(
      answers.flatMap(({ metricTraits }) => metricTraits.flatMap(({ items }) => items)),
      ({ id }) => id,
    ),
  );
  const first = new Map<string, ItemResult>();
  for (const items of bySide) for (const [id, [item]] of items) if (!first.has(id)) first.set(id, item!);
  return [...first].map(([id, { traitName, kind, instruction }]) => {
    const verdicts = bySide.map((items) => items.get(id) ?? []);
    const shares = verdicts.map(shareRight);
    const item = {
      id,
      trait: traitName,
      kind,
      instruction,
      sides: verdicts.map((repeats, side) => ({
        verdicts: repeats.map((item) => item.class),
        right: isRight(shares[side]!),
      })),
      differs: shares.some((ours) => shares.some((theirs) => isRightAlone(ours, theirs))),
    };
    return { item, shares };
  });
}

function differ(values: readonly string[]): boolean {
  return new Set(values).size > 1;
}
