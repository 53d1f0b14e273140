import type { DecimalMark } from '../../core/delimited/decimal.ts';
import type { Delimiter } from '../../core/delimited/rows.ts';
import type { Label } from '../../core/label.ts';
import { type FileProblem, fileProblem } from '../file-problem.ts';
import { missingMarkers, type Numerals } from './cell.ts';
import type { CheckedDefinition } from './definition.ts';
import { findRoles, type Roles } from './roles.ts';
import { idSurvey } from './row-ids.ts';
import {
  type ColumnSurvey,
  columnSurvey,
  detectDecimalMark,
  possibleNumerals,
  surveyCell,
} from './survey-column.ts';
import { labelSurvey } from './survey-labels.ts';
import { problemList, type Table } from './table.ts';

/** What must be known of a whole table before the first of its rows can be made a record. */
export interface TableSurvey {
  readonly roles: Roles;
  readonly nRows: number;
  readonly isMissing: (cell: string) => boolean;
  readonly numerals: Numerals;
  /** By their place among the columns that are shown, and among the metadata. */
  readonly shown: readonly ColumnSurvey[];
  readonly metadata: readonly ColumnSurvey[];
  /** The label space; null where there is none. */
  readonly labels: readonly Label[] | null;
  /** Equal numbers, equal labels: one for each row, where the table is split. */
  readonly strata: Int32Array;
  /** Hashes of ids that may occur twice. */
  readonly repeatedIds: ReadonlySet<number>;
  /** Problems of the file, its header and its labels; of cells, there may be more. */
  readonly problems: readonly FileProblem[];
  readonly nProblems: number;
  /** Whether its rows can be looked at. */
  readonly isReadable: boolean;
}

const EMPTY = fileProblem('a line of column names and at least one row (in JSONL: at least one object)', {
  found: 'no row of data',
});

/** Reads a table once. `delimiter` is null where numbers have a form of their own, as in JSON. */
export function surveyTable(
  table: Table,
  definition: CheckedDefinition,
  delimiter: Delimiter | null = ',',
): TableSurvey {
  const roles = findRoles(table.header, definition);
  const isMissing = missingMarkers(definition.missing);
  const stated = definition.decimal ?? (delimiter === null ? '.' : undefined);
  const possible = possibleNumerals(definition.decimal);
  const shown = roles.shown.map(({ name, type }) => columnSurvey(name, type));
  const metadata = roles.metadata.map(({ name }) => columnSurvey(name));
  const surveyed = [
    ...roles.shown.map(({ index }, i) => ({ index, column: shown[i]! })),
    ...roles.metadata.map(({ index }, i) => ({ index, column: metadata[i]! })),
  ];
  const labels = labelSurvey(isMissing, definition.labels, definition.testSize !== undefined);
  const ids = idSurvey();
  const isFound = roles.problems.length === 0;
  const problems = problemList();
  let nRows = 0;
  for (const { line, cells } of table.rows(problems.add)) {
    nRows += 1;
    if (!isFound) continue;
    for (const { index, column } of surveyed) {
      const cell = cells[index]!;
      if (!isMissing(cell)) surveyCell(column, cell, line, possible);
    }
    labels.add(cells[roles.label.index]!);
    if (roles.id !== null) ids.add(cells[roles.id.index]!);
  }
  const isReadable = nRows > 0 && isFound;
  const labelProblem = isReadable ? labels.problem(roles.label.name) : null;
  const others = [
    ...(table.header.length === 0 ? [] : roles.problems),
    ...(labelProblem === null ? [] : [labelProblem]),
  ];
  if (nRows === 0 && problems.n + others.length === 0) others.push(EMPTY);
  const mark: DecimalMark =
    stated ?? (isReadable ? detectDecimalMark([...shown, ...metadata], definition.file) : '.');
  return {
    roles,
    nRows,
    isMissing,
    numerals: possible[mark],
    shown,
    metadata,
    labels: isReadable && labelProblem === null ? labels.labels() : null,
    strata: labels.strata(),
    repeatedIds: ids.repeated,
    problems: [...problems.kept.toSorted((a, b) => (a.line ?? 0) - (b.line ?? 0)), ...others],
    nProblems: problems.n + others.length,
    isReadable,
  };
}
