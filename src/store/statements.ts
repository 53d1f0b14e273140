import type { DatabaseSync, StatementSync } from 'node:sqlite';
import { damaged, isDamage } from './file-errors.ts';
import { fileSize } from './file-names.ts';
import type { Cell } from './table.ts';

/** In bytes; none of our rows is shorter. */
const MIN_ROW = 4;

/** The queries of one run file. A file can be damaged where opening it did not look: then each of them throws a `KrisisError`. */
export class Statements {
  /** Whether this process writes the run. */
  readonly isOurs: boolean;
  readonly #path: string;
  readonly #db: DatabaseSync;
  readonly #prepared = new Map<string, StatementSync>();

  constructor(path: string, db: DatabaseSync, isOurs: boolean) {
    this.#path = path;
    this.#db = db;
    this.isOurs = isOurs;
  }

  run(sql: string, ...values: Cell[]) {
    return this.reading(() => this.#prepare(sql).run(...values));
  }

  get(sql: string, ...values: Cell[]) {
    return this.reading(() => this.#prepare(sql).get(...values));
  }

  all(sql: string, ...values: Cell[]) {
    return this.isOurs
      ? this.reading(() => this.#prepare(sql).all(...values))
      : [...this.iterate(sql, ...values)];
  }

  *iterate(sql: string, ...values: Cell[]) {
    // A fresh statement: two walks over the same query must not disturb each other.
    const rows = this.reading(() => this.#db.prepare(sql).iterate(...values));
    const maxRows = this.maxRows();
    for (let n = 0; ; n++) {
      const { done, value } = this.reading(() => rows.next());
      if (done) return;
      if (n === maxRows) throw damaged(this.#path, new Error('it has more rows than it has room for'));
      yield value;
    }
  }

  /** Reads from the file, or reads what came from it; an error that damage explains is thrown as such. */
  reading<T>(work: () => T): T {
    try {
      return work();
    } catch (error) {
      throw isDamage(error, !this.isOurs) ? damaged(this.#path, error) : error;
    }
  }

  /** More rows than a file has room for come from pages that are counted again and again, which could go on without end; -1 for no limit. */
  maxRows(): number {
    if (this.isOurs) return -1;
    return Math.ceil(fileSize(this.#path) / MIN_ROW);
  }

  #prepare(sql: string): StatementSync {
    let statement = this.#prepared.get(sql);
    if (statement === undefined) {
      statement = this.#db.prepare(sql);
      this.#prepared.set(sql, statement);
    }
    return statement;
  }
}
