import { type LabelKey, labelKey, type PatientRecord, quoted } from '../../core/index.ts';
import { type FileProblem, fileProblem } from '../file-problem.ts';
import type { CheckedDefinition } from './definition-schema.ts';
import { hashSet } from './hash-set.ts';
import { type LeakWatch, leakWatch } from './leaks.ts';
import { problemList } from './problem-list.ts';
import { revealingNames } from './revealing-names.ts';
import { strays, withOtherMark } from './survey-column.ts';
import { labelList } from './survey-labels.ts';
import type { TableSurvey } from './survey-table.ts';
import type { Table } from './table.ts';
import { tableRecords } from './table-records.ts';

/** What is wrong with a table, and what is odd. */
export interface TableFindings {
  /** The first problems, in the order of lines; with any of them the table cannot be used. */
  readonly problems: readonly FileProblem[];
  readonly nProblems: number;
  /** What is allowed but worth checking. Warnings may end up in reports, so they name columns and lines, never the content of a cell. */
  readonly warnings: readonly string[];
}

/** Reads every row of a table and checks it; `onRecord` gets each record. */
export function checkTable(
  table: Table,
  survey: TableSurvey,
  definition: CheckedDefinition,
  onRecord: (record: PatientRecord, position: number) => void = () => {},
): TableFindings {
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
  for (const record of tableRecords(table, survey, definition, {
    onProblem: problems.add,
    onContradiction,
  })) {
    const { features, label, metadata } = record;
    for (const { feature, watch } of watches) watch.add(features[feature] as string | number | null, label);
    // All features have the same names in the same order.
    shown.add(JSON.stringify(features));
    if (label !== null) found.add(labelKey(label));
    isDeferralLabelled ||= metadata.should_abstain !== null;
    knowsEmergencies ||= metadata.must_act !== null;
    onRecord(record, position++);
  }
  const leaks = leaked(
    survey,
    watches.map(({ watch }) => watch),
  );
  return {
    problems: [...survey.problems, ...problems.kept, ...leaks],
    nProblems: survey.nProblems + problems.n + leaks.length,
    warnings: warningsOf(survey, {
      recoded: watches.map(({ watch }) => watch.isARecoding()),
      nCopies: survey.nRows - shown.size,
      hasLabel: (key) => found.has(key),
      nContradictions,
      isDeferralLabelled: isDeferralLabelled || nContradictions > 0,
      knowsEmergencies,
    }),
  };
}

function leaked({ roles }: TableSurvey, watches: readonly LeakWatch[]): FileProblem[] {
  const expected =
    'columns that a clinician would have beforehand: list those in columns, or this one in metadata';
  const found = 'it equals the label, so the model would see the answer';
  return roles.shown
    .filter((_, i) => watches[i]!.isTheLabel())
    .map(({ name }) => fileProblem(expected, { column: name, found }));
}

function warningsOf(
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
