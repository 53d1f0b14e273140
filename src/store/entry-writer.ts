import type { RunningDigest } from './digest.ts';
import type { Commits } from './shared-commit.ts';
import type { Statements } from './statements.ts';
import type { TextKey } from './stored-text.ts';
import type { Columns, NewValues, Table } from './table.ts';

/** What the parts of a run file share. */
export interface PartContext {
  readonly sql: Statements;
  readonly writer: EntryWriter;
  readonly commits: Commits;
  readonly textKey: TextKey;
}

/** Appends entries to a run file, each under the next number. */
export class EntryWriter {
  readonly #sql: Statements;
  /** Null for a run in memory, which proves nothing. */
  readonly #digest: RunningDigest | null;
  #nInMemory = 0;
  #mark: { readonly write: () => void; readonly after: number; isWritten: boolean } | null = null;

  constructor(sql: Statements, digest: RunningDigest | null) {
    this.#sql = sql;
    this.#digest = digest;
  }

  /** Has `write` add an entry together with the first one of this process, if there ever is one. */
  markWith(write: () => void): void {
    this.#mark = { write, after: this.#digest?.entries ?? 0, isWritten: false };
  }

  /** Adds it now, unless it is there. */
  addMark(): void {
    if (this.#mark?.isWritten !== false) return;
    this.#mark.isWritten = true;
    this.#mark.write();
  }

  /** Drops what is remembered of entries that were rolled back. */
  forget(): void {
    if (this.#mark !== null && this.#digest?.entries === this.#mark.after) this.#mark.isWritten = false;
  }

  /** Appends an entry and returns its number; null where the row was there before. */
  insert<C extends Columns, U extends Columns>(table: Table<C, U>, values: NewValues<C & U>): number | null {
    const seq = (this.#digest?.entries ?? this.#nInMemory) + 1;
    const cells = table.encode(values);
    const { changes } = this.#sql.run(table.insert, seq, ...cells);
    if (Number(changes) === 0) return null;
    if (this.#digest === null) this.#nInMemory = seq;
    else this.#digest.add(table.covered(seq, cells));
    this.addMark();
    return seq;
  }
}
