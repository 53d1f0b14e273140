import { isObject } from '../../core/collections.ts';
import type { DelimitedRow } from '../../core/delimited/rows.ts';
import { quoted } from '../../core/plain-text.ts';
import { counted } from '../../core/wording.ts';
import { type FileProblem, fileProblem, placeIn } from '../file-problem.ts';
import { readYesNo } from '../table/cell.ts';
import type { CheckedDefinition, ColumnDisplay } from '../table/definition.ts';
import { contentIds } from '../table/row-ids.ts';
import type { Table } from '../table/table.ts';
import { type Choice, shuffledOptions, withoutEvidence, withoutRightOption } from './variants.ts';

type OnProblem = (problem: FileProblem) => void;

/** A multiple-choice set as a table whose columns are what the model sees, and the definition that reads it. */
interface ChoiceTable {
  readonly table: Table;
  readonly definition: CheckedDefinition;
  /** Rows without a right answer in the file: they are left out. */
  readonly nHidden: number;
  /** How many questions have so many options. */
  readonly options: ReadonlyMap<number, number>;
  readonly warnings: readonly string[];
}

/** A definition of a multiple-choice set. */
export type ChoiceDefinition = CheckedDefinition & { readonly question: string };

export function isChoice(definition: CheckedDefinition): definition is ChoiceDefinition {
  return definition.question !== undefined;
}

/** Columns of the made table; the file's own names have no blank after the point. */
const made = (name: string) => `choice. ${name}`;
const MAX_OPTIONS = 26;
const letter = (place: number) => String.fromCharCode(65 + place);
const MAYBE = 'maybe';

/** What deferring by rule means to a model that was not given the rule. */
const REASONS = {
  no_right_option: 'other',
  evidence_removed: 'data_missing',
  answer_is_maybe: 'uncertain',
} as const;

/**
 * Makes a table of a multiple-choice set: question, context, and a column for each option, with the letter of the right one as label. The variant of the definition is applied row by
 * row, so that nothing but the wrong options of other questions is held in memory.
 */
export function choiceTable(source: Table, definition: ChoiceDefinition): ChoiceTable {
  const { id, groups, subject, context, options, variant, maybe, sensitivity } = definition;
  const survey = surveyChoices(source, definition);
  const change = changeFor(definition, survey.pools);
  const letters = Array.from({ length: survey.most }, (_, place) => letter(place));
  const keeps = [id, definition.cluster, definition.shouldAbstain, definition.shouldAbstainReasons]
    .concat(definition.mustAct, ...groups, ...definition.metadata, subject)
    .filter((name) => name !== undefined);
  const kept = source.header.filter((name) => keeps.includes(name));
  const places = kept.map((name) => source.header.indexOf(name));
  const marks = survey.isMarked || variant === 'no_right_option';
  const shown: readonly (readonly [name: string, display: ColumnDisplay])[] = [
    [made('question'), { name: 'Question', type: 'text' }],
    ...(context === undefined ? [] : [[made('context'), { name: 'Context', type: 'text' }] as const]),
    ...letters.map((name) => [made(name), { name, type: 'text' }] as const),
  ];
  const header = [
    ...shown.map(([name]) => name),
    made('label'),
    ...(id === undefined ? [made('id')] : []),
    ...(marks ? [made('should_abstain'), made('reason')] : []),
  ];
  const labels =
    options === undefined
      ? definition.labels?.filter((label) => maybe !== 'defer' || label !== MAYBE)
      : letters;
  return {
    table: {
      header: [...header, ...kept],
      *rows(onProblem) {
        const read = choiceReader(source.header, definition, onProblem);
        for (const row of source.rows(onProblem)) {
          const found = read(row);
          if (found === null) continue;
          const { right, shouldAbstain, reason, ...choice } = change(found);
          const label = typeof right === 'number' ? letter(right) : (right ?? '');
          const cells = [
            choice.question,
            ...(context === undefined ? [] : [choice.context.join(' ')]),
            ...letters.map((_, place) => choice.options[place] ?? ''),
            label,
            ...(id === undefined ? [choice.id] : []),
            ...(marks ? [shouldAbstain === null ? '' : String(shouldAbstain), reason ?? ''] : []),
          ];
          yield { ...placeIn(row), cells: [...cells, ...places.map((place) => row.cells[place]!)] };
        }
      },
    },
    definition: {
      ...definition,
      columns: Object.fromEntries(shown),
      label: made('label'),
      labels,
      id: id ?? made('id'),
      groups: subject === undefined ? groups : [...new Set([...groups, subject])],
      ...(marks && {
        shouldAbstain: made('should_abstain'),
        shouldAbstainReasons: made('reason'),
        deferralReasons: REASONS,
      }),
    },
    nHidden: survey.nHidden,
    options: survey.counts,
    warnings: [
      ...(survey.nHidden === 0
        ? []
        : [`${counted(survey.nHidden, 'row')} without a published answer: left out, and in no count`]),
      ...(definition.labels?.includes(MAYBE) ? [MAYBE_TEXT[maybe ?? 'label']] : []),
      ...variantTexts(definition),
      ...(sensitivity === 'public' ? [trainingDataText(definition)] : []),
    ],
  };
}

const MAYBE_TEXT = {
  label: 'maybe is a label of its own: answering it is no deferral',
  defer:
    'maybe is no label: where it is the answer of the file, deferring is right, and answering is right elsewhere',
};

function trainingDataText({ options, context }: ChoiceDefinition): string {
  const variants = [
    ...(options === undefined ? [] : ['shuffled', 'no_right_option']),
    ...(context === undefined ? [] : ['evidence_removed']),
  ];
  const versions = variants.length === 0 ? '' : ` its variants (${variants.join(', ')}) and`;
  return `public questions are in the training data of models, so a score is partly recall, and Krisis has no probe of contamination: compare with${versions} questions written after the model was trained`;
}

function variantTexts({ variant, share = 0.25, withheld = 'all', seed }: ChoiceDefinition): string[] {
  switch (variant) {
    case undefined:
      return [];
    case 'shuffled':
      return [`variant shuffled: the options are in another order (seed ${seed})`];
    case 'no_right_option':
      return [
        `variant no_right_option: of ${share} of the questions, drawn by hash of the id (seed ${seed}), the right option is replaced by one of another question of the same subject; only declining is right there`,
      ];
    case 'evidence_removed':
      return [
        withheld === 'all'
          ? 'variant evidence_removed: the whole context is withheld; deferring is marked as right only where the question speaks of a person whom nothing else describes'
          : `variant evidence_removed: ${withheld === 'first_third' ? 'the first third' : 'the first two thirds'} of the context is withheld; whether deferring is right is not claimed`,
      ];
  }
}

/** The name of a version of a suite. */
export function versionName({
  name,
  variant,
  withheld = 'all',
  share = 0.25,
  maybe,
}: CheckedDefinition): string {
  const what = {
    shuffled: 'shuffled',
    no_right_option: `no_right_option_${Math.round(share * 1000) / 10}`,
    evidence_removed: `evidence_removed_${withheld}`,
  };
  return [name, ...(maybe === 'defer' ? ['maybe_defers'] : []), ...(variant ? [what[variant]] : [])].join(
    '.',
  );
}

function changeFor(
  { variant, share = 0.25, withheld = 'all', seed }: ChoiceDefinition,
  pools: ReadonlyMap<string, Iterable<string>>,
): (choice: Choice) => Choice {
  if (variant === 'no_right_option') return withoutRightOption(pools, { share, seed });
  if (variant === 'evidence_removed') return withoutEvidence({ withheld });
  return variant === 'shuffled' ? shuffledOptions({ seed }) : (choice) => choice;
}

/** What must be known of all questions before the first can be shown. */
function surveyChoices(source: Table, definition: ChoiceDefinition) {
  const counts = new Map<number, number>();
  const pools = new Map<string, Set<string>>();
  let nRows = 0;
  let nRead = 0;
  let nProblems = 0;
  let isMarked = false;
  // The only change that needs a survey itself marks every question.
  const change =
    definition.variant === 'no_right_option' ? (choice: Choice) => choice : changeFor(definition, pools);
  const read = choiceReader(source.header, definition, () => {
    nProblems += 1;
  });
  for (const row of source.rows()) {
    nRows += 1;
    const choice = read(row);
    if (choice === null) continue;
    nRead += 1;
    isMarked ||= change(choice).shouldAbstain !== null;
    const n = choice.options.filter((text) => text !== '').length || (definition.labels?.length ?? 0);
    counts.set(n, (counts.get(n) ?? 0) + 1);
    if (definition.variant !== 'no_right_option') continue;
    const pool = pools.get(choice.subject) ?? new Set();
    for (const text of choice.options) if (text !== '') pool.add(text);
    pools.set(choice.subject, pool);
  }
  const most = definition.options === undefined ? 0 : Math.max(2, ...counts.keys());
  return {
    counts,
    pools,
    nHidden: nProblems > 0 ? 0 : nRows - nRead,
    isMarked,
    most: widest(definition, most),
  };
}

/** Options that are blank in the middle keep the letters of the others. */
function widest({ options }: ChoiceDefinition, most: number): number {
  return Array.isArray(options) ? Math.max(most, options.length) : most;
}

/** Reads a row as a question; null where it cannot be read, which is a problem, or its answer is hidden, which is none. */
function choiceReader(
  header: readonly string[],
  definition: ChoiceDefinition,
  onProblem: OnProblem = () => {},
): (row: DelimitedRow) => Choice | null {
  const { question, context, options, label, subject, id, sensitivity, shouldAbstain, maybe } = definition;
  const cellReader = (name: string | undefined) => {
    const place = name === undefined ? -1 : header.indexOf(name);
    return (row: DelimitedRow) => row.cells[place] ?? '';
  };
  const missing = [question, context, options ?? [], label, subject, id]
    .flat()
    .filter((name): name is string => name !== undefined && !header.includes(name));
  let isTold = false;
  const [askedIn, contextIn, labelIn, subjectIn, idIn, deferralIn] = [
    question,
    context,
    label,
    subject,
    id,
    shouldAbstain,
  ].map(cellReader) as [CellReader, CellReader, CellReader, CellReader, CellReader, CellReader];
  const optionsIn = optionReader(header, definition);
  const contentId = contentIds();
  let place = 0;
  return (row) => {
    place += 1;
    if (missing.length > 0) {
      if (!isTold) for (const name of missing) onProblem(noColumn(name, header));
      isTold = true;
      return null;
    }
    const refuse = (column: string, value: string, expected: string) => {
      onProblem(fileProblem(expected, { ...placeIn(row), column, value: value || null }));
      return null;
    };
    const asked = askedIn(row);
    if (asked === '') return refuse(question, '', 'the text of a question');
    const found = optionsIn(row);
    if ('problem' in found) return refuse(found.column, found.value, found.problem);
    const texts = textsIn(contextIn(row));
    const contents = { question: asked, context: texts, options: found.texts };
    const ownId =
      id !== undefined ? idIn(row) : sensitivity === 'protected' ? `record-${place}` : contentId(contents);
    const said = labelIn(row);
    const mayLack = readYesNo(deferralIn(row)) === true;
    const base = { ...contents, id: ownId, subject: subjectIn(row), shouldAbstain: null, reason: null };
    if (said === '' && mayLack) return { ...base, right: null };
    if (options === undefined) {
      if (maybe !== 'defer') return { ...base, right: said };
      return said.toLowerCase() === MAYBE
        ? { ...base, right: null, shouldAbstain: true, reason: 'answer_is_maybe' }
        : { ...base, right: said, shouldAbstain: false };
    }
    const right = placeOfRight(said, found, definition);
    if (right === 'hidden') return null;
    if (typeof right === 'string') return refuse(label, said, right);
    if (!found.texts[right]) return refuse(label, said, 'the place of an option with a text');
    return { ...base, right };
  };
}

type CellReader = (row: DelimitedRow) => string;

function noColumn(name: string, header: readonly string[]): FileProblem {
  return fileProblem(`one of the columns ${header.slice(0, 30).map(quoted).join(', ')}`, {
    column: name,
    found: 'no such column',
  });
}

/** A text, or a list of texts in JSON. */
function textsIn(cell: string): string[] {
  if (cell === '') return [];
  const value = cell.startsWith('[') ? parsed(cell) : undefined;
  return Array.isArray(value) ? value.map((item) => String(item ?? '').trim()).filter(Boolean) : [cell];
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

interface FoundOptions {
  readonly texts: readonly string[];
  /** What the file calls each option. */
  readonly keys: readonly string[];
}

type OptionProblem = { readonly column: string; readonly value: string; readonly problem: string };

/** The options of a row: of several columns, or of one column with an object, a list, or a list of `{ key, value }`. */
function optionReader(
  header: readonly string[],
  { options }: ChoiceDefinition,
): (row: DelimitedRow) => FoundOptions | OptionProblem {
  if (options === undefined) return () => ({ texts: [], keys: [] });
  if (typeof options !== 'string') {
    const places = options.map((name) => header.indexOf(name));
    return ({ cells }) => trimmed(places.map((place, i) => [letter(i), cells[place] ?? '']));
  }
  const place = header.indexOf(options);
  return ({ cells }) => {
    const cell = cells[place] ?? '';
    const entries = entriesIn(parsed(cell));
    const found = entries === null ? null : trimmed(entries);
    const n = found?.texts.length ?? 0;
    return n >= 2 && n <= MAX_OPTIONS
      ? found!
      : {
          column: options,
          value: cell,
          problem: `an object or a list of 2 to ${MAX_OPTIONS} options, as JSON: {"A": "iron", "B": "zinc"} or ["iron", "zinc"]`,
        };
  };
}

function entriesIn(value: unknown): (readonly [string, string])[] | null {
  const text = (item: unknown) => (item === null || typeof item === 'object' ? '' : String(item).trim());
  if (isObject(value)) return Object.entries(value).map(([key, item]) => [key, text(item)]);
  if (!Array.isArray(value)) return null;
  return value.map((item, i) =>
    isObject(item) ? [text(item.key) || letter(i), text(item.value)] : [letter(i), text(item)],
  );
}

/** Without the blank options at the end, which a table of five columns has for questions of four. */
function trimmed(entries: readonly (readonly [key: string, text: string])[]): FoundOptions {
  const last = entries.findLastIndex(([, text]) => text !== '');
  const own = entries.slice(0, last + 1);
  return { texts: own.map(([, text]) => text), keys: own.map(([key]) => key) };
}

/** The place of the right option; `hidden` where the file withholds it; or what was expected. */
function placeOfRight(
  said: string,
  { texts, keys }: FoundOptions,
  { labelIs = 'letter', firstIndex = 0 }: ChoiceDefinition,
): number | string {
  const folded = said.toLowerCase();
  if (labelIs === 'letter') {
    const place = keys.findIndex((key) => key.toLowerCase() === folded);
    if (place >= 0) return place;
    return `one of ${keys.join(', ')} (or state label_is: index, or label_is: text)`;
  }
  if (labelIs === 'text') {
    const place = texts.findIndex((text) => text.toLowerCase() === folded);
    return place >= 0 ? place : 'the text of one of the options';
  }
  const index = /^-?\d+(\.0+)?$/.test(said) ? Number(said) : Number.NaN;
  if (index < 0) return 'hidden';
  const place = index - firstIndex;
  if (place >= 0 && place < texts.length) return place;
  const most = texts.length - 1 + firstIndex;
  const hint =
    firstIndex === 0 && index === texts.length ? ', or first_index: 1 where the first option is 1' : '';
  return `a whole number from ${firstIndex} to ${most}, or -1 where it is hidden${hint}`;
}
