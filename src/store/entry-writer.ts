import type { DatabaseSync, StatementSync } from 'node:sqlite';
import type { RunningDigest } from './digest.ts';
import type { Statements } from './statements.ts';
import type { Columns, NewValues, Table } from './table.ts';

/** Appends entries to a run file, each under the next number. */
export class EntryWriter {
  readonly #db: DatabaseSync;
  readonly #sql: Statements;
  /** Null for a run in memory, which proves nothing. */
  readonly #digest: RunningDigest | null;
  readonly #inserts = new Map<string, StatementSync>();
  #nInMemory = 0;
  /** Writes an entry that must come before all others of this process. */
  #first: { readonly write: () => void; readonly after: number; isWritten: boolean } | null = null;

  constructor(db: DatabaseSync, sql: Statements, digest: RunningDigest | null) {
    this.#db = db;
    this.#sql = sql;
    this.#digest = digest;
  }

  /** Has `write` add an entry before the next one, if there ever is one. */
  beginWith(write: () => void): void {
    this.#first = { write, after: this.#digest?.entries ?? 0, isWritten: false };
  }

  /** Drops what is remembered of entries that were rolled back. */
  forget(): void {
    if (this.#first !== null && this.#digest?.entries === this.#first.after) this.#first.isWritten = false;
  }

  /** Appends an entry and returns its number; null where the row was there before. */
  insert<C extends Columns, U extends Columns>(table: Table<C, U>, values: NewValues<C & U>): number | null {
    if (this.#first?.isWritten === false) {
      this.#first.isWritten = true;
      this.#first.write();
    }
    const seq = (this.#digest?.entries ?? this.#nInMemory) + 1;
    const cells = table.encode(values);
    const statement = this.#statementFor(table.name, table.insert);
    const { changes } = this.#sql.reading(() => statement.run(seq, ...cells));
    if (Number(changes) === 0) return null;
    if (this.#digest === null) this.#nInMemory = seq;
    else this.#digest.add(table.covered(seq, cells));
    return seq;
  }

  #statementFor(table: string, insert: string): StatementSync {
    let statement = this.#inserts.get(table);
    if (statement === undefined) {
      statement = this.#db.prepare(insert);
      this.#inserts.set(table, statement);
    }
    return statement;
  }
}
