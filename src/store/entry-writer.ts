import type { DatabaseSync, StatementSync } from 'node:sqlite';
import { type Cells, type Chain, coveredBy, type EntryKind } from './chain.ts';
import type { Statements } from './statements.ts';

/** Writes rows of a run file together with their entries in its chain. */
export interface EntryWriter {
  /** Inserts a row, and enters it into the chain. Returns its id, or null where it was there before. `key` is empty where the id is the key. */
  insert(kind: EntryKind, key: readonly (string | number)[], cells: Cells): number | null;
  /** Enters a change of a row into the chain. */
  append(kind: EntryKind, key: readonly (string | number)[], cells: Cells): void;
}

/** `chain` is null for a run in memory, which has none. */
export function entryWriter(db: DatabaseSync, sql: Statements, chain: Chain | null): EntryWriter {
  const inserts = new Map<EntryKind, StatementSync>();
  const prepared = (kind: EntryKind, cells: Cells) => {
    const known = inserts.get(kind);
    if (known !== undefined) return known;
    const columns = Object.keys(cells);
    const marks = columns.map(() => '?').join(', ');
    const statement = db.prepare(
      `INSERT INTO ${coveredBy(kind).table} (${columns.join(', ')}) VALUES (${marks}) ON CONFLICT DO NOTHING`,
    );
    inserts.set(kind, statement);
    return statement;
  };
  return {
    insert(kind, key, cells) {
      const statement = prepared(kind, cells);
      const { changes, lastInsertRowid } = sql.reading(() => statement.run(...Object.values(cells)));
      if (Number(changes) === 0) return null;
      const id = Number(lastInsertRowid);
      chain?.append(kind, key.length === 0 ? [id] : key, cells);
      return id;
    },
    append(kind, key, cells) {
      chain?.append(kind, key, cells);
    },
  };
}
