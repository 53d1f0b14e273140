import { decisionFacts, isContradiction } from '../../core/decision-class.ts';
import type { DelimitedRow } from '../../core/delimited/rows.ts';
import { evaluationResult } from '../../core/evaluation-result.ts';
import type { PatientRecord } from '../../core/patient-record.ts';
import { quoted } from '../../core/plain-text.ts';
import { type FileProblem, fileProblem, placeIn } from '../file-problem.ts';
import { readYesNo } from './cell.ts';
import type { CheckedDefinition } from './definition.ts';
import type { Column } from './roles.ts';
import { contentIds, idReader } from './row-ids.ts';
import { isNumeric } from './survey-column.ts';
import { labelList, labelReader } from './survey-labels.ts';
import type { TableSurvey } from './survey-table.ts';
import type { Table } from './table.ts';

type OnProblem = (problem: FileProblem) => void;
type Entry = [string, unknown];

/**
 * The records of a table, one by one, in the order of its rows. Features are built from the shown columns alone: nothing of another column can be among them.
 * `onContradiction` is called for a row marked both to be acted upon and to be deferred: its deferral label is left out.
 */
export function* tableRecords(
  table: Table,
  survey: TableSurvey,
  definition: CheckedDefinition,
  onProblem: OnProblem = () => {},
  onContradiction = () => {},
): Generator<PatientRecord> {
  const { roles, isMissing, numerals } = survey;
  const mark = numerals.mark === '.' ? 'point' : 'comma';
  const expected = `a number with a ${mark} for decimals, or a marker of "not measured"`;
  const valueReader =
    ({ name, index }: Column, numeric: boolean) =>
    (row: DelimitedRow) => {
      const cell = row.cells[index]!;
      if (isMissing(cell)) return null;
      if (!numeric) return cell;
      const value = numerals.read(cell);
      if (value === null) onProblem({ ...placeIn(row), column: name, value: cell, expected });
      return value;
    };
  const shown = roles.shown.map((column, i) => ({
    name: column.feature,
    read: valueReader(column, isNumeric(survey.shown[i]!, numerals.mark)),
  }));
  const metadata = roles.metadata.map((column, i) => ({
    name: column.name,
    read: valueReader(column, isNumeric(survey.metadata[i]!, numerals.mark)),
  }));
  const groups = roles.shownGroups.map(({ name, feature }) => ({ name, feature }));
  const marks = markReader(survey, onProblem);
  const label = readLabel(survey, onProblem);
  const { mustAct, actLabels } = definition;
  const knowsEmergencies = mustAct !== undefined || actLabels !== undefined;
  const id = createIdReader(survey, definition, onProblem);
  let place = 0;
  for (const row of table.rows()) {
    place += 1;
    const values = shown.map(({ name, read }): [string, string | number | null] => [name, read(row)]);
    // A question with fewer options than others has no such option; it is not one that was not measured.
    const features = Object.fromEntries(
      definition.question === undefined ? values : values.filter(([, value]) => value !== null),
    );
    const kept = Object.fromEntries([
      ...metadata.map(({ name, read }): Entry => [name, read(row)]),
      ...groups.map(({ name, feature }): Entry => [name, features[feature]]),
      ...marks(row),
    ]);
    const found = label(row, kept.should_abstain === true || kept.must_act === true);
    const facts = decisionFacts(evaluationResult({ groundTruth: found, metadata: kept }), actLabels);
    if (isContradiction(facts.mustAct, kept.should_abstain)) {
      kept.should_abstain = null;
      onContradiction();
    }
    if (knowsEmergencies) kept.must_act = facts.mustAct;
    yield { id: id(row, place, features), features, label: found, metadata: kept };
  }
}

/** Whether deferring is right in a row, why, and whether it is an emergency, as metadata; null is unknown. Without such columns nothing is said of it. */
export function markReader(
  {
    roles: { shouldAbstain, reasons, mustAct },
    isMissing,
  }: { readonly roles: Pick<TableSurvey['roles'], 'shouldAbstain' | 'reasons' | 'mustAct'> } & Pick<
    TableSurvey,
    'isMissing'
  >,
  onProblem: OnProblem,
): (row: DelimitedRow) => Entry[] {
  const flagReader = (key: string, column: Column | null, unknown: string) => {
    if (column === null) return () => [];
    const expected = `true, false, yes, no, 1, 0, or nothing for ${unknown}`;
    return (row: DelimitedRow): Entry[] => {
      const cell = row.cells[column.index]!;
      const value = readYesNo(cell) ?? (isMissing(cell) ? null : undefined);
      if (value === undefined) onProblem({ ...placeIn(row), column: column.name, value: cell, expected });
      return [[key, value ?? null]];
    };
  };
  const deferral = flagReader('should_abstain', shouldAbstain, 'unlabelled');
  const emergency = flagReader('must_act', mustAct, 'unknown');
  const why = (row: DelimitedRow): Entry[] =>
    reasons === null ? [] : [['should_abstain_reasons', reasonList(row.cells[reasons.index]!, isMissing)]];
  return (row) => [...deferral(row), ...why(row), ...emergency(row)];
}

function reasonList(cell: string, isMissing: (cell: string) => boolean): string[] {
  if (isMissing(cell)) return [];
  return cell
    .split(';')
    .map((reason) => reason.trim())
    .filter((reason) => reason !== '');
}

/** The label of a row. A row may lack one only where deferring is right, or in an emergency. */
function readLabel({ roles, labels, isMissing }: TableSurvey, onProblem: OnProblem) {
  if (labels === null) return () => null;
  const { name, index } = roles.label;
  const read = labelReader(labels, isMissing);
  const expected = `one of ${labelList(labels)}`;
  const marks = [roles.shouldAbstain, roles.mustAct].flatMap((column) => (column ? quoted(column.name) : []));
  const unless =
    marks.length === 0 ? '' : ` (nothing only where column ${marks.join(' or column ')} is true)`;
  return (row: DelimitedRow, mayLack: boolean) => {
    const cell = row.cells[index]!;
    const label = read(cell);
    const at = { ...placeIn(row), column: name };
    if (label === undefined) onProblem(fileProblem(expected, { ...at, value: cell }));
    else if (label === null && !mayLack)
      onProblem(fileProblem(`${expected}${unless}`, { ...at, value: cell || null }));
    return label ?? null;
  };
}

/** Without a column of ids: a hash of a protected case could be recomputed by anyone who guesses its values, but its place in the file reveals nothing. */
function createIdReader(
  { roles, repeatedIds }: TableSurvey,
  { sensitivity }: CheckedDefinition,
  onProblem: OnProblem,
) {
  const { id } = roles;
  if (id === null) {
    if (sensitivity === 'protected') return (_: DelimitedRow, place: number) => `record-${place}`;
    const fromContent = contentIds();
    return (_row: DelimitedRow, _place: number, features: PatientRecord['features']) => fromContent(features);
  }
  const check = idReader(id.name, repeatedIds);
  return (row: DelimitedRow) => {
    const problem = check(row.cells[id.index]!, row.line, row.row);
    if (problem !== null) onProblem({ ...problem, ...placeIn(row) });
    return row.cells[id.index]!;
  };
}
