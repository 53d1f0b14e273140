import { isObject } from '../collections.ts';
import { assignRoles, type ColumnRole, type RowColumns, type RowField } from './row-columns.ts';

/** Cells that say "no value" in any column, by the spelling of common tools. */
const MISSING = new Set(['', 'NA', 'N/A', '#N/A', '<NA>', 'NaN', 'nan', 'NULL', 'null']);
/** Also as spreadsheets write TRUE and FALSE in German and French. */
const YES = new Set(['true', 'yes', 'y', 't', '1', '1.0', 'wahr', 'ja', 'vrai', 'oui']);
const NO = new Set(['false', 'no', 'n', 'f', '0', '0.0', 'falsch', 'nein', 'faux', 'non']);
/** What a cell of such a column may hold. */
export const YES_OR_NO = 'yes or no (or true, false, 1, 0; empty: not known)';
const NUMBER = /^[+-]?(\d+\.?\d*|\.\d+)(e[+-]?\d+)?$/i;
const DECIMAL_COMMA = /^[+-]?\d*,\d+$/;
const WHOLE_AS_DECIMAL = /^(-?\d+)\.0+$/;
export const BOOLEAN_FIELDS: ReadonlySet<string> = new Set<string>([
  'abstained',
  'urgent',
  'should_abstain',
  'must_act',
  'near_line',
]);
const LIST_KEYS = new Set<string>(['should_abstain_reasons']);
/** What our export puts an apostrophe before, so that no spreadsheet takes the cell for a formula. */
const GUARDED = /^'('*[=+\-@\t\r\n＝＋－＠])/;

/** How the cells of a table are read. */
export interface CellDialect {
  /** Whether 0,9 is a number: in a file whose delimiter is not a comma. */
  readonly decimalComma: boolean;
  /** Whether the table is our own export: there only an empty cell has no value. */
  readonly isOurs: boolean;
  /** Whether text that looks like a formula has an apostrophe before it, as in a CSV of ours. */
  readonly isGuarded: boolean;
}

/** A table row with its fields in the file form; a cell that cannot be read stays as it is, and is reported with the row. */
export function rowOfCells(
  roles: readonly ColumnRole[],
  cells: readonly unknown[],
  dialect: CellDialect,
): Record<string, unknown> {
  const row: Record<string, unknown> = {};
  const metadata: Record<string, unknown> = {};
  for (const [i, role] of roles.entries()) {
    if (role === null) continue;
    const name = 'field' in role ? role.field : role.key;
    const value = readCell(name, cells[i], dialect, 'field' in role);
    if ('key' in role) {
      if (value !== null) metadata[name] = value;
    } else if (name === 'model') {
      row.model = value;
      if (value !== null) metadata.model = value;
    } else if (role.field === 'metadata') Object.assign(metadata, objectIn(value));
    else row[name] = value;
  }
  if (!roles.some((role) => isField(role, 'abstained') || isField(role, 'state'))) row.abstained = false;
  return { ...row, metadata };
}

function isField(role: ColumnRole, field: RowField): boolean {
  return role !== null && 'field' in role && role.field === field;
}

function readCell(name: string, cell: unknown, dialect: CellDialect, isField: boolean): unknown {
  if (typeof cell !== 'string') return typedCell(name, cell);
  const text = dialect.isGuarded ? cell.replace(GUARDED, '$1') : cell;
  if (text === '' || (!dialect.isOurs && MISSING.has(text))) return null;
  if (BOOLEAN_FIELDS.has(name)) return booleanIn(text);
  if (name === 'confidence' && isField) return numberIn(text, dialect);
  if ((name === 'score' || name === 'checked') && isField) return scoreIn(text, dialect);
  if (LIST_KEYS.has(name)) return text.split(';').map((part) => part.trim());
  if (isField && (name === 'prediction' || name === 'ground_truth')) return labelIn(text);
  return text;
}

/** A value of a file that has types. A number that is none, as data frames write a missing one, is no value. */
function typedCell(name: string, cell: unknown): unknown {
  if (cell === undefined || cell === null || Number.isNaN(cell)) return null;
  if (cell instanceof Date) return cell.toISOString();
  const value = typeof cell === 'bigint' ? wholeNumber(cell) : cell;
  return BOOLEAN_FIELDS.has(name) && (value === 0 || value === 1) ? value === 1 : value;
}

/** A 64-bit integer as a number, or as text where a number cannot hold it. */
function wholeNumber(value: bigint): number | string {
  return Number.isSafeInteger(Number(value)) ? Number(value) : String(value);
}

function booleanIn(text: string): unknown {
  const word = text.toLowerCase();
  return YES.has(word) ? true : NO.has(word) ? false : word === 'none' ? null : text;
}

function numberIn(text: string, { decimalComma }: CellDialect): unknown {
  const isNumber = NUMBER.test(text) || (decimalComma && DECIMAL_COMMA.test(text));
  const value = isNumber ? Number(text.replace(',', '.')) : Number.NaN;
  if (Number.isFinite(value)) return value;
  return text === 'None' ? null : text;
}

/** Labels are compared without regard to case; `true` is 1, and `2.0`, as data frames write it, is 2. */
function labelIn(text: string): unknown {
  if (/^(true|false)$/i.test(text)) return text.toLowerCase() === 'true';
  return text.replace(WHOLE_AS_DECIMAL, '$1');
}

/** A score is a number, or says right or wrong. */
function scoreIn(text: string, dialect: CellDialect): unknown {
  const score = numberIn(text, dialect);
  if (typeof score === 'number' || score === null) return score;
  const word = text.toLowerCase();
  return word === 'right' || word === 'correct'
    ? 1
    : word === 'wrong' || word === 'incorrect'
      ? 0
      : booleanIn(text);
}

function objectIn(value: unknown): object {
  if (typeof value !== 'string') return typeof value === 'object' && value !== null ? value : {};
  try {
    const parsed: unknown = JSON.parse(value);
    return typeof parsed === 'object' && parsed !== null ? parsed : { metadata: value };
  } catch {
    return { metadata: value };
  }
}

type Fields = Record<string, unknown>;

/**
 * Reads JSON objects as rows: fields under our names, in snake_case or camelCase, or under those that `columns` states. Other values that are text, a number or a boolean become metadata,
 * unless the metadata has the key; so do `should_abstain` and `must_act` beside it. Anything that is not an object is returned as it is.
 */
export function objectReader(columns: RowColumns = {}): (value: unknown) => unknown {
  const roles = new Map<string, ColumnRole>();
  const stated = Object.entries(columns);
  const findRole = (key: string): ColumnRole => {
    let role = roles.get(key);
    if (role === undefined) {
      const own = Object.fromEntries(stated.filter(([, name]) => name === key));
      role = assignRoles([key], own)[0]!;
      // A key with the name of a field that another key was stated to hold is an ordinary key.
      if (role !== null && 'field' in role && !own[role.field] && columns[role.field] !== undefined)
        role = { key };
      roles.set(key, role);
    }
    return role;
  };
  // An unknown field is an error before the first row.
  assignRoles(Object.values(columns), columns);
  return (value) => {
    if (!isObject(value)) return value;
    const row: Fields = {};
    const more: Fields = {};
    // What stands beside the metadata in our own exports says how the row came about.
    const isExport = 'decision_class' in value && 'metadata' in value;
    for (const key of Object.keys(value)) {
      const found = value[key];
      const role = findRole(key);
      if (role === null || (isExport && 'key' in role)) continue;
      if ('field' in role) row[role.field] = found;
      if ('field' in role && role.field === 'model' && found !== null) more[key] = found;
      else if ('field' in role) continue;
      else if (found !== null && (typeof found !== 'object' || key.startsWith('metadata.')))
        more[role.key] = found;
      else if (key === 'should_abstain_reasons') more[key] = found;
    }
    // As in a table without such a column: the file names its fields in its own way, and none says that the model declined.
    if (
      stated.length > 0 &&
      columns.abstained === undefined &&
      row.abstained === undefined &&
      row.state == null
    )
      row.abstained = false;
    return withMetadata(row, more);
  };
}

/** A row whose top-level `should_abstain`, `must_act` and other values are in its metadata. What the metadata says itself counts. */
export function withMetadata(fields: Fields, more: Fields = {}): Fields {
  if (fields.should_abstain == null && fields.must_act == null && Object.keys(more).length === 0)
    return fields;
  const { should_abstain, must_act, ...row } = fields;
  for (const [key, mark] of Object.entries({ should_abstain, must_act })) {
    if (mark !== undefined && mark !== null) more[key] = mark;
  }
  const { metadata } = row;
  if (metadata === undefined || metadata === null) return { ...row, metadata: more };
  if (typeof metadata !== 'object' || Array.isArray(metadata)) return row;
  const said = Object.entries(metadata).filter(([key, value]) => value !== null || !(key in more));
  return { ...row, metadata: { ...more, ...Object.fromEntries(said) } };
}
