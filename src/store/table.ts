import { canonicalJson } from '../core/canonical-json.ts';
import { snakeCase } from '../core/codec.ts';
import type { Label } from '../core/label.ts';
import { jsonCell, labelCell, MAX_CELL_BYTES, objectCell, UnexpectedCell } from './stored-cells.ts';

/** A value of a column. */
export type Cell = string | number | null;

/** One column of a table: how SQLite declares it, and how its values are written and read. */
export interface Column<T> {
  readonly type: 'TEXT' | 'INTEGER' | 'REAL';
  readonly isNullable: boolean;
  /** Stands for a value that is not stated. Default: the value must be stated. */
  readonly fallback?: T;
  /** How people call it, where a record is shown with everything known about its row. */
  readonly label?: string;
  encode(value: T): Cell;
  /** @throws UnexpectedCell for anything that `encode` does not return. */
  decode(cell: unknown, what: string): T;
}

/** The columns of a table by the names that code uses. */
// biome-ignore lint/suspicious/noExplicitAny: the value type of a column is found by inference.
export type Columns = Readonly<Record<string, Column<any>>>;

/** The values of a row, by the names that code uses. */
export type Values<C> = { readonly [K in keyof C]: C[K] extends Column<infer T> ? T : never };
type WithFallback<C> = {
  [K in keyof C]: C[K] extends { readonly fallback: unknown } ? K : never;
}[keyof C];
/** The same for writing: what has a fallback may be left out. */
export type NewValues<C> = {
  readonly [K in Exclude<keyof C, WithFallback<C>>]: Values<C>[K];
} & { readonly [K in WithFallback<C>]?: Values<C>[K] | undefined };

const isString = (cell: unknown): cell is string => typeof cell === 'string';

/** SQLite stores UTF-8, which has no lone surrogates. */
const wellFormed = (text: string) => (text.isWellFormed() ? text : text.toWellFormed());

const checked =
  <T>(is: (cell: unknown) => cell is T, expected: string) =>
  (cell: unknown, what: string): T => {
    if (!is(cell)) throw new UnexpectedCell(`${what} is not ${expected}`);
    return cell;
  };
const number = checked((cell) => typeof cell === 'number', 'a number');
/** JSON has no other numbers, and the digest covers JSON. */
const numberCell = (value: number) => (Number.isFinite(value) ? value : null);

export const text: Column<string> = {
  type: 'TEXT',
  isNullable: false,
  encode: wellFormed,
  decode: checked(isString, 'text'),
};
export const integer: Column<number> = {
  type: 'INTEGER',
  isNullable: false,
  encode: numberCell,
  decode: number,
};
export const real: Column<number> = { ...integer, type: 'REAL' };
/** A boolean, stored as 0 or 1. */
export const flag: Column<boolean> = {
  type: 'INTEGER',
  isNullable: false,
  encode: Number,
  decode: (cell) => cell === 1,
};
const jsonColumn = <T>(
  decode: Column<T>['decode'],
  stringify = JSON.stringify as (value: T) => string,
): Column<T> => ({
  type: 'TEXT',
  isNullable: false,
  encode: (value) => wellFormed(stringify(value)),
  decode,
});
/** Any value, as JSON. */
export const json = jsonColumn<unknown>(jsonCell);
export const label = jsonColumn<Label | null>(labelCell);
export const object = jsonColumn<Readonly<Record<string, unknown>>>(objectCell);
/** Equal objects are equal texts. */
export const canonicalObject = jsonColumn(objectCell, canonicalJson);
/** A list of texts. */
export const texts = jsonColumn<readonly string[]>((cell, what) => {
  const list = jsonCell(cell, what);
  if (!Array.isArray(list)) throw new UnexpectedCell(`${what} is not a list`);
  return list.map(String);
});

/** A text that is one of these. */
export function oneOf<const T extends string>(values: readonly T[]): Column<T> {
  const known: ReadonlySet<unknown> = new Set(values);
  return {
    type: 'TEXT',
    isNullable: false,
    encode: (value) => value,
    decode: checked((cell): cell is T => known.has(cell), 'a known value'),
  };
}

/** The same column with null for what is not stated. */
export function nullable<T>(column: Column<T>): Column<T | null> & { readonly fallback: null } {
  return {
    ...column,
    isNullable: true,
    fallback: null,
    encode: (value) => (value === null ? null : column.encode(value)),
    decode: (cell, what) => (cell === null ? null : column.decode(cell, what)),
  };
}

export function withFallback<T>(column: Column<T>, fallback: T): Column<T> & { readonly fallback: T } {
  return { ...column, fallback };
}

interface TableOptions<C, U> {
  /** Columns that entries commit to. */
  readonly columns: C;
  /** Columns that no entry commits to: texts that a copy may lack, and what later entries derive. Default: none. */
  readonly uncovered?: U;
  /** Columns that are unique together. */
  readonly unique?: readonly (readonly (keyof C & string)[])[];
  /** A kept text, its salt, and the hashes of what is kept of it: the first that is not null. */
  readonly keptText?: {
    readonly text: keyof U & string;
    readonly salt: keyof U & string;
    readonly hashes: readonly (keyof C & string)[];
  };
  /** Names of columns in SQL. Default: snake_case of the name in code. */
  readonly names?: { readonly [K in keyof (C & U)]?: string };
}

/**
 * A table of a run file, from one definition of its columns: the type of its rows, its DDL, how a row is written, read and checked,
 * and what the digest of the run covers of it. Each row is an entry: `seq` is its place among all entries of the file.
 */
export class Table<C extends Columns = Columns, U extends Columns = Columns> {
  readonly name: string;
  readonly columns: C & U;
  readonly keptText: TableOptions<C, U>['keptText'];
  /** The names of the columns in SQL, covered ones first. */
  readonly sqlNames: readonly string[];
  readonly nCovered: number;
  readonly ddl: string;
  /** Takes `seq`, then the cells of all columns. A row that is there already stays as it is. */
  readonly insert: string;
  readonly #keys: readonly string[];
  readonly #encoders: readonly (readonly [key: string, column: Columns[string]])[];

  constructor(
    name: string,
    { columns, uncovered = {} as U, unique = [], keptText, names = {} }: TableOptions<C, U>,
  ) {
    this.name = name;
    this.columns = { ...columns, ...uncovered };
    this.keptText = keptText;
    this.#encoders = Object.entries(this.columns);
    this.#keys = this.#encoders.map(([key]) => key);
    this.nCovered = Object.keys(columns).length;
    const stated: Readonly<Record<string, string | undefined>> = names;
    this.sqlNames = this.#keys.map((key) => stated[key] ?? snakeCase(key));
    const declared = this.#encoders.map(
      ([, { type, isNullable }], i) => `${this.sqlNames[i]} ${type}${isNullable ? '' : ' NOT NULL'}`,
    );
    const constraints = unique.map((keys) => `UNIQUE (${keys.map((key) => this.sql(key)).join(', ')})`);
    this.ddl = `CREATE TABLE ${name} (${['seq INTEGER PRIMARY KEY', ...declared, ...constraints].join(', ')})`;
    const marks = this.sqlNames.map(() => '?').join(', ');
    this.insert = `INSERT INTO ${name} (seq, ${this.sqlNames.join(', ')}) VALUES (?, ${marks}) ON CONFLICT DO NOTHING`;
  }

  /** The name of a column in SQL. */
  sql(key: keyof (C & U) & string): string {
    return this.sqlNames[this.#keys.indexOf(key)]!;
  }

  /** The place of a column among the cells of a row. */
  place(key: string): number {
    return this.#keys.indexOf(key);
  }

  /** The cells of a row, in the order of `sqlNames`. */
  encode(values: NewValues<C & U>): Cell[] {
    const given = values as Readonly<Record<string, unknown>>;
    return this.#encoders.map(([key, column]) => {
      const value = given[key];
      return column.encode(value === undefined ? column.fallback : value);
    });
  }

  /** What the digest covers of a row. */
  covered(seq: number, cells: readonly Cell[]): string {
    return `${seq} ${this.name} ${JSON.stringify(cells.slice(0, this.nCovered))}\n`;
  }

  /** Columns for a SELECT, under the names that code uses. Texts longer than any that is written are null. */
  select<K extends keyof (C & U) & string>(alias: string, keys: readonly K[]): string {
    return keys
      .map((key) => {
        const cell = `${alias}.${this.sql(key)}`;
        return `${key === this.keptText?.text ? readableCell(cell) : cell} AS "${key}"`;
      })
      .join(', ');
  }

  /** Reads columns that {@link select} names. `isThere` is false for a row of an outer join without a partner: all columns have their fallbacks. */
  decode<K extends keyof (C & U) & string>(
    row: Readonly<Record<string, unknown>>,
    keys: readonly K[],
    isThere = true,
  ): Pick<Values<C & U>, K> {
    const values: Record<string, unknown> = {};
    for (const key of keys) {
      const column = this.columns[key]!;
      values[key] = isThere ? column.decode(row[key], `${key} in ${this.name}`) : column.fallback;
    }
    return values as Pick<Values<C & U>, K>;
  }
}

/** A text in SQL; null if it is longer than any that is written. One hostile reply must not make a whole run unreadable. */
export function readableCell(cell: string): string {
  return `CASE WHEN octet_length(${cell}) <= ${MAX_CELL_BYTES} THEN ${cell} END`;
}

export function defineTable<C extends Columns, U extends Columns = Record<never, never>>(
  name: string,
  options: TableOptions<C, U>,
): Table<C, U> {
  return new Table(name, options);
}
