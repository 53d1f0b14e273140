import { type DecimalMark, decimalMarkIn } from '../../core/delimited/decimal.ts';
import { KrisisError } from '../../core/errors.ts';
import { quoted } from '../../core/plain-text.ts';
import { type Numerals, numerals } from './cell.ts';
import type { ColumnDisplay } from './definition.ts';

/** How many lines a warning names. */
const MAX_LINES = 5;

/** Cells of a column that are no numbers, by a way of writing numbers. */
interface Others {
  n: number;
  /** Where the first of them are. */
  readonly lines: number[];
}

/** What the cells of a column look like, before it is known how numbers are written. */
export interface ColumnSurvey {
  readonly name: string;
  readonly type: ColumnDisplay['type'];
  nMeasured: number;
  /** Cells with a decimal point, with a decimal comma, and those that are either: `1,234`. */
  readonly marks: Record<DecimalMark | 'either', number>;
  /** Where the first cell is that is either. */
  eitherLine: number | null;
  readonly others: Readonly<Record<DecimalMark, Others>>;
}

/** How numbers may be written: as stated, then also in groups of three; or with either mark. */
export function possibleNumerals(stated: DecimalMark | undefined): Readonly<Record<DecimalMark, Numerals>> {
  // Without a statement, `1,234` in a file of decimal points stays text, as it always was.
  return { '.': numerals('.', stated === '.'), ',': numerals(',', true) };
}

/** A survey of a column without any cell yet. */
export function columnSurvey(name: string, type?: ColumnDisplay['type']): ColumnSurvey {
  return {
    name,
    type,
    nMeasured: 0,
    marks: { '.': 0, ',': 0, either: 0 },
    eitherLine: null,
    others: { '.': { n: 0, lines: [] }, ',': { n: 0, lines: [] } },
  };
}

/** Adds a cell that was measured. */
export function surveyCell(
  survey: ColumnSurvey,
  cell: string,
  line: number,
  possible: Readonly<Record<DecimalMark, Numerals>>,
): void {
  survey.nMeasured += 1;
  const mark = decimalMarkIn(cell);
  if (mark !== null) {
    survey.marks[mark] += 1;
    if (mark === 'either') survey.eitherLine ??= line;
  }
  for (const one of ['.', ','] as const) {
    if (possible[one].isPlain(cell)) continue;
    const others = survey.others[one];
    others.n += 1;
    if (others.lines.length < MAX_LINES) others.lines.push(line);
  }
}

/** Whether the values of a column are numbers: as declared, or when every measured cell is one. */
export function isNumeric({ type, others }: ColumnSurvey, mark: DecimalMark): boolean {
  return type === 'number' || (type === undefined && others[mark].n === 0);
}

/** Cells that made text of a column in which most cells are numbers; null where there are none. */
export function strays(
  { type, others, nMeasured }: ColumnSurvey,
  mark: DecimalMark,
): Readonly<Others> | null {
  const { n } = others[mark];
  return type === undefined && n > 0 && n * 2 <= nMeasured ? others[mark] : null;
}

/**
 * The decimal mark of a table: a comma where columns of numbers have commas and none has a point.
 *
 * @throws KrisisError `ERR_FILE_AMBIGUOUS` where the only sign is a cell such as `1,234`.
 */
export function detectDecimalMark(columns: readonly ColumnSurvey[], file: string): DecimalMark {
  const numbers = columns.filter(({ type }) => type !== 'text');
  if (numbers.some((column) => column.marks['.'] > 0 && isMostlyNumbers(column, '.'))) return '.';
  const withCommas = numbers.filter(
    (column) => column.marks[','] + column.marks.either > 0 && isMostlyNumbers(column, ','),
  );
  if (withCommas.length === 0) return '.';
  if (withCommas.some(({ marks }) => marks[','] > 0)) return ',';
  const { name, eitherLine } = withCommas[0]!;
  throw new KrisisError(
    `${quoted(file)}: line ${eitherLine}, column ${quoted(name)}: a number such as 1,234 can mean 1.234 or 1234; state decimal: "," or decimal: "." (or the type of the column: text)`,
    { code: 'ERR_FILE_AMBIGUOUS', value: name },
  );
}

/** Columns of numbers with decimal commas in a table of decimal points: they are text, which is hardly meant. */
export function withOtherMark(columns: readonly ColumnSurvey[], mark: DecimalMark): ColumnSurvey[] {
  if (mark === ',') return [];
  return columns.filter(
    (column) =>
      column.type === undefined &&
      !isNumeric(column, mark) &&
      column.marks[','] > 0 &&
      isMostlyNumbers(column, ','),
  );
}

function isMostlyNumbers({ type, others, nMeasured }: ColumnSurvey, mark: DecimalMark): boolean {
  return type === 'number' || others[mark].n * 2 <= nMeasured;
}
