import { type Label, type PatientRecord, quoted } from '../../core/index.ts';
import { type FileProblem, fileProblem } from '../file-problem.ts';
import { missingMarkers } from './cell.ts';
import type { CheckedDefinition } from './definition-schema.ts';
import { isTheLabel } from './leaks.ts';
import {
  type ColumnValues,
  idsFromContent,
  idsInColumn,
  type LabelColumn,
  labelList,
  readColumn,
  readDeferral,
  readLabels,
} from './read-columns.ts';
import { type Column, findRoles, type Roles } from './roles.ts';
import type { Table, TableRow } from './table.ts';
import { tableWarnings } from './table-warnings.ts';

export interface TableRecords {
  readonly records: readonly PatientRecord[];
  readonly labels: readonly Label[];
  readonly warnings: readonly string[];
  /** With any of these, do not use the rest. */
  readonly problems: readonly FileProblem[];
}

/** The records of a table. Features are built from the shown columns alone: nothing of another column can be among them. */
export function tableRecords(table: Table, definition: CheckedDefinition): TableRecords {
  const { header, rows } = table;
  const roles = findRoles(header, definition);
  const unusable = [...table.problems, ...(header.length === 0 ? [] : roles.problems)];
  if (rows.length === 0 && unusable.length === 0) unusable.push(EMPTY);
  if (rows.length === 0 || roles.problems.length > 0)
    return { records: [], labels: [], warnings: [], problems: unusable };

  const isMissing = missingMarkers(definition.missing);
  const shown = roles.shown.map((column) => ({
    ...column,
    ...readColumn(rows, column, isMissing, column.type),
  }));
  const metadata = roles.metadata.map(({ name, index }) => ({
    feature: name,
    ...readColumn(rows, { name, index }, isMissing),
  }));
  const deferral = readDeferral(rows, roles, isMissing);
  const labels = readLabels(rows, roles.label, isMissing, definition.labels);
  const features = rows.map((_, i) => rowOf(shown, i));
  const { ids, problems: idProblems } =
    roles.id === null
      ? { ids: idsWithoutColumn(features, definition), problems: [] }
      : idsInColumn(rows, roles.id);

  const records = rows.map((_, i) => ({
    id: ids[i]!,
    features: features[i]!,
    label: labels.values[i] ?? null,
    metadata: { ...rowOf(metadata, i), ...deferral.metadata[i] },
  }));
  const problems = [
    ...shown.flatMap((column) => column.problems),
    ...deferral.problems,
    ...labels.problems,
    ...unlabelled(rows, records, roles, labels),
    ...idProblems,
  ].sort((a, b) => (a.line ?? 0) - (b.line ?? 0));
  return {
    records,
    labels: labels.labels,
    warnings: tableWarnings(shown, roles.shouldAbstain, records, labels),
    problems: [...unusable, ...problems, ...leaked(shown, labels)],
  };
}

const EMPTY = fileProblem('a line of column names and at least one row (in JSONL: at least one object)', {
  found: 'no row of data',
});

/** A hash of a protected case could be recomputed by anyone who guesses its values: its place in the file reveals nothing. */
function idsWithoutColumn(
  features: readonly PatientRecord['features'][],
  { sensitivity }: CheckedDefinition,
): string[] {
  return sensitivity === 'protected' ? features.map((_, i) => `record-${i + 1}`) : idsFromContent(features);
}

function rowOf(columns: readonly (ColumnValues & { readonly feature: string })[], i: number) {
  return Object.fromEntries(columns.map(({ feature, values }) => [feature, values[i] ?? null]));
}

/** A row may lack a label only where deferring is right. */
function unlabelled(
  rows: readonly TableRow[],
  records: readonly PatientRecord[],
  { label, shouldAbstain }: Roles,
  { labels, values, problems }: LabelColumn,
): FileProblem[] {
  const refused = new Set(problems.map(({ line }) => line));
  const unless =
    shouldAbstain === null ? '' : ` (nothing only where column ${quoted(shouldAbstain.name)} is true)`;
  return rows
    .filter(({ line }, i) => {
      const none = values.length > 0 && records[i]!.label === null && !refused.has(line);
      return none && records[i]!.metadata.should_abstain !== true;
    })
    .map(({ line, cells }) =>
      fileProblem(`one of ${labelList(labels)}${unless}`, {
        line,
        column: label.name,
        value: cells[label.index] || null,
      }),
    );
}

function leaked(shown: readonly (ColumnValues & Column)[], labels: LabelColumn): FileProblem[] {
  const expected =
    'columns that a clinician would have beforehand: list those in columns, or this one in metadata';
  const found = 'it equals the label, so the model would see the answer';
  return shown
    .filter(({ values }) => isTheLabel(values, labels.values))
    .map(({ name }) => fileProblem(expected, { column: name, found }));
}
