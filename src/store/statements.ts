import { statSync } from 'node:fs';
import type { DatabaseSync, StatementSync } from 'node:sqlite';
import { namesOf } from './file-names.ts';
import { damaged, isDamage } from './open-database.ts';

/** In bytes; none of our rows is shorter. */
const MIN_ROW = 4;

type Value = string | number | null;

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

  run(sql: string, ...values: Value[]) {
    return this.reading(() => this.#prepare(sql).run(...values));
  }

  get(sql: string, ...values: Value[]) {
    return this.reading(() => this.#prepare(sql).get(...values));
  }

  all(sql: string, ...values: Value[]) {
    return this.isOurs
      ? this.reading(() => this.#prepare(sql).all(...values))
      : [...this.iterate(sql, ...values)];
  }

  *iterate(sql: string, ...values: Value[]) {
    // A fresh statement: two walks over the same query must not disturb each other.
    const found = this.reading(() => this.#db.prepare(sql).iterate(...values));
    const most = this.mostRows();
    for (let n = 0; ; n++) {
      const { done, value } = this.reading(() => found.next());
      if (done) return;
      if (n === most) throw damaged(this.#path, new Error('it has more rows than it has room for'));
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
  mostRows(): number {
    if (this.isOurs) return -1;
    const parts = [this.#path, ...namesOf(this.#path).all.map((name) => `${name}-wal`)];
    const sizes = parts.map((path) => statSync(path, { throwIfNoEntry: false })?.size ?? 0);
    return Math.ceil(sizes.reduce((sum, size) => sum + size) / MIN_ROW);
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
