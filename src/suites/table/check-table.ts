import { type Label, type LabelKey, labelKey, sameLabel } from '../../core/label.ts';
import type { PatientRecord } from '../../core/patient-record.ts';
import { quoted } from '../../core/plain-text.ts';
import { type FileProblem, fileProblem } from '../file-problem.ts';
import type { CheckedDefinition } from './definition.ts';
import type { Roles } from './roles.ts';
import { hashSet } from './row-ids.ts';
import { strays, withOtherMark } from './survey-column.ts';
import { labelList } from './survey-labels.ts';
import type { TableSurvey } from './survey-table.ts';
import { problemList, type Table } from './table.ts';
import { tableRecords } from './table-records.ts';

/**
 * Reads every row of a table and checks it; `onRecord` gets each record. `problems` are the first ones, in the order of lines; with any of them the table cannot be
 * used. `warnings` may end up in reports, so they name columns and lines, never the content of a cell.
 */
export function checkTable(
  table: Table,
  survey: TableSurvey,
  definition: CheckedDefinition,
  onRecord: (record: PatientRecord, position: number) => void = () => {},
) {
  if (!survey.isReadable) return { problems: survey.problems, nProblems: survey.nProblems, warnings: [] };
  const problems = problemList();
  const watches = survey.roles.shown.map(({ feature }) => ({ feature, watch: leakWatch() }));
  const shown = hashSet();
  const found = new Set<LabelKey>();
  let isDeferralLabelled = false;
  let knowsEmergencies = false;
  let nContradictions = 0;
  let position = 0;
  const onContradiction = () => {
    nContradictions += 1;
  };
  for (const record of tableRecords(table, survey, definition, problems.add, onContradiction)) {
    const { features, label, metadata } = record;
    for (const { feature, watch } of watches)
      watch.add((features[feature] ?? null) as string | number | null, label);
    // All features have the same names in the same order.
    shown.add(JSON.stringify(features));
    if (label !== null) found.add(labelKey(label));
    isDeferralLabelled ||= metadata.should_abstain !== null;
    knowsEmergencies ||= metadata.must_act !== null;
    onRecord(record, position++);
  }
  const leaks = survey.roles.shown.filter((_, i) => watches[i]!.watch.isTheLabel()).map(leaked);
  return {
    problems: [...survey.problems, ...problems.kept, ...leaks],
    nProblems: survey.nProblems + problems.n + leaks.length,
    warnings: listWarnings(survey, {
      recoded: watches.map(({ watch }) => watch.isARecoding()),
      nCopies: survey.nRows - shown.size,
      hasLabel: (key) => found.has(key),
      nContradictions,
      isDeferralLabelled: isDeferralLabelled || nContradictions > 0,
      knowsEmergencies,
    }),
  };
}

function leaked({ name }: { readonly name: string }): FileProblem {
  const expected =
    'columns that a clinician would have beforehand: list those in columns, or this one in metadata';
  const found = 'it equals the label, so the model would see the answer';
  return fileProblem(expected, { column: name, found });
}

function listWarnings(
  { roles, shown, labels, numerals: { mark } }: TableSurvey,
  counted: {
    readonly recoded: readonly boolean[];
    readonly nCopies: number;
    readonly nContradictions: number;
    readonly hasLabel: (key: LabelKey) => boolean;
    readonly isDeferralLabelled: boolean;
    readonly knowsEmergencies: boolean;
  },
): string[] {
  const otherMark = withOtherMark(shown, mark);
  const mixed = shown.flatMap((column) => {
    const found = otherMark.includes(column) ? null : strays(column, mark);
    if (found === null) return [];
    const more = found.n > found.lines.length ? ` and ${found.n - found.lines.length} more` : '';
    return [
      `column ${quoted(column.name)} is shown as text, though most of its cells are numbers: line ${found.lines.join(', ')}${more} ` +
        'is not; if that means "not measured", add it to missing',
    ];
  });
  const commas = otherMark.map(
    ({ name }) =>
      `column ${quoted(name)} is shown as text: its cells have decimal commas, and other columns have decimal points`,
  );
  const recoded = roles.shown
    .filter((_, i) => counted.recoded[i])
    .map(
      ({ name }) =>
        `column ${quoted(name)} gives the label away: each of its values goes with one label only`,
    );
  const absent = (labels ?? [])
    .filter((label) => !counted.hasLabel(labelKey(label)))
    .map((label) => `no row has the label ${labelList([label])}`);
  const { nCopies, nContradictions } = counted;
  const copies = `${nCopies} ${nCopies === 1 ? 'row shows' : 'rows show'} the same as an earlier row`;
  const contradictions = `${nContradictions} ${nContradictions === 1 ? 'row is' : 'rows are'} marked both as an emergency and to be deferred: the deferral label is ignored there`;
  const empty = [
    ...(counted.isDeferralLabelled ? [] : [{ column: roles.shouldAbstain, what: 'deferral' }]),
    ...(counted.knowsEmergencies ? [] : [{ column: roles.mustAct, what: 'missed emergencies' }]),
  ].flatMap(({ column, what }) =>
    column === null ? [] : [`column ${quoted(column.name)} is empty in every row: ${what} cannot be scored`],
  );
  return [
    ...revealingNames(roles.shown),
    ...mixed,
    ...commas,
    ...recoded,
    ...absent,
    ...(nContradictions === 0 ? [] : [contradictions]),
    ...(nCopies === 0 ? [] : [copies]),
    ...empty,
  ];
}

/**
 * Watches whether a column gives the label away, row by row. Most columns are cleared after a few rows; from then on they cost nothing.
 *
 * @example
 * ```ts
 * const watch = leakWatch();
 * for (const [value, label] of [[1, 'ill'], [0, 'well'], [1, 'ill'], [0, 'well']]) watch.add(value, label);
 * [watch.isTheLabel(), watch.isARecoding()] // => [false, true]
 * ```
 */
export function leakWatch() {
  let nLabelled = 0;
  let nPairs = 0;
  let isEqual = true;
  let isOneToOne = true;
  const labelFor = new Map<string | number, Label>();
  const valueFor = new Map<Label, string | number>();
  return {
    add(value: string | number | null, label: Label | null): void {
      if (label === null || !(isEqual || isOneToOne)) return;
      nLabelled += 1;
      if (value === null) {
        isOneToOne = false;
        return;
      }
      nPairs += 1;
      if (isEqual && !sameLabel(value, label)) isEqual = false;
      if (!isOneToOne) return;
      if ((labelFor.get(value) ?? label) !== label || (valueFor.get(label) ?? value) !== value) {
        isOneToOne = false;
        labelFor.clear();
        valueFor.clear();
        return;
      }
      labelFor.set(value, label);
      valueFor.set(label, value);
    },
    /** Whether the column is the label itself: wherever both are filled in they are equal, and it is filled in at least half of the labelled rows. */
    isTheLabel: () => isEqual && nPairs > 1 && nPairs * 2 >= nLabelled,
    /** Whether the column is the label in other words: as many values as labels, each going with one label only. Fewer than two rows a label could be chance. */
    isARecoding: () => isOneToOne && labelFor.size > 1 && nPairs >= 2 * labelFor.size,
  };
}

const words = (text: string) => text.split(' ');

/** What a column of one of these names usually holds, the keys that keep it from the model, and the names in small letters without signs between them. */
const REVEALING = [
  {
    what: 'a mark of emergencies',
    keys: 'must_act',
    names: words('mustact emergency emergencies isemergency emergent urgent isurgent urgency trueurgency'),
  },
  {
    what: 'the right answer',
    keys: 'label, or under metadata',
    names: words(
      'label labels truelabel goldlabel groundtruth truth gold goldstandard ytrue target class outcome answer rightanswer correctanswer expectedanswer solution diagnosis diagnoses finaldiagnosis truediagnosis dischargediagnosis dx icd icdcode icd10 icd10code',
    ),
  },
  {
    what: 'a mark of cases to defer',
    keys: 'should_abstain',
    names: words('shouldabstain shoulddefer mustdefer mustabstain abstain defer unanswerable'),
  },
  {
    what: 'reasons to defer',
    keys: 'should_abstain_reasons',
    names: words('shouldabstainreasons shouldabstainreason shoulddeferreasons whyabstain whydefer'),
  },
  {
    what: 'an identifier',
    keys: 'id, or under metadata',
    names: words(
      'id identifier uid uuid mrn ssn nhsnumber name patientname fullname firstname lastname surname birthdate dateofbirth dob',
    ),
    pattern:
      /^(?:case|patient|person|participant|subject|record|row|study|sample|encounter|visit|admission|stay|hadm|hospital)(?:id|identifier)$|^(?:case|patient|participant|subject|record|row|study|hospital|medicalrecord)(?:no|nr|num|number)$/,
  },
] as const;

/**
 * Warns of columns that the model sees and whose names are those of an answer key or an identifier, and says what to do about each.
 *
 * @example
 * ```ts
 * revealingNames([{ name: 'Case No', feature: 'Case No' }, { name: 'age', feature: 'Age (years)' }])
 * // => ['column "Case No" is shown to the model, and by its name it is an identifier: name it under id, or under metadata']
 * ```
 */
export function revealingNames(shown: readonly Pick<Roles['shown'][number], 'name' | 'feature'>[]): string[] {
  return shown.flatMap(({ name, feature }) => {
    const found = revealing(name) ?? revealing(feature);
    if (found === undefined) return [];
    const { what, keys } = found;
    return [
      `column ${quoted(name)} is shown to the model, and by its name it is ${what}: name it under ${keys}`,
    ];
  });
}

/** The key of a suite that a column has by its name: `id`, `must_act`, ...; null where its name says nothing. */
export function keyByName(name: string): string | null {
  return revealing(name)?.keys.split(',')[0] ?? null;
}

function revealing(name: string) {
  const letters = name.toLowerCase().replace(/[^\p{L}\p{N}]/gu, '');
  return REVEALING.find(
    (kind) => kind.names.includes(letters) || ('pattern' in kind && kind.pattern.test(letters)),
  );
}
