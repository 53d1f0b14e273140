import { DatabaseSync } from 'node:sqlite';
import { BULK_TABLES } from './bulk-tables.ts';
import { TABLES } from './schema.ts';

/** Tables that SQLite makes for its query planner. */
const STATISTICS = /^sqlite_stat\d$/;
/** An index that is made on demand. */
const OWN_INDEX = 'CREATE INDEX calls_by_key ON calls (key)';

type Columns = readonly string[];

/**
 * What a run file cannot have in its schema; null where all is well. A foreign file could otherwise run queries of its own: through a view or a virtual table under the name
 * of one of our tables, a trigger, or a generated column.
 */
export function schemaProblem(db: DatabaseSync): string | null {
  expected ??= expectedColumns();
  const tables = new Set<string>();
  const objects = db.prepare('SELECT type, name, sql FROM main.sqlite_schema LIMIT 100').all();
  for (const { type, name, sql } of objects) {
    const shown = JSON.stringify(String(name).slice(0, 40));
    if (type === 'index') {
      if (sql !== null && sql !== OWN_INDEX) return `an index ${shown} that is not ours`;
    } else if (type !== 'table' || !/^CREATE TABLE\b/i.test(String(sql))) {
      return `a ${type === 'table' ? 'virtual table' : type} ${shown}`;
    } else if (!STATISTICS.test(String(name))) {
      if (isBulkTable(sql)) continue;
      if (!expected.has(String(name))) return `a table ${shown} that is not ours`;
      tables.add(String(name));
    }
  }
  for (const [table, columns] of expected) {
    if (!tables.has(table)) return `no table "${table}"`;
    const there = columnsOf(db, table);
    if (there.join() !== columns.join()) return `other columns in the table "${table}"`;
  }
  return null;
}

/** Tables that only some runs have, exactly as they were made. */
function isBulkTable(sql: unknown): boolean {
  return BULK_TABLES.some((table) => table === sql);
}

let expected: ReadonlyMap<string, Columns> | null = null;

/** The tables of a run file and their columns. */
function expectedColumns(): ReadonlyMap<string, Columns> {
  const db = new DatabaseSync(':memory:');
  db.exec(TABLES);
  const tables = db.prepare("SELECT name FROM sqlite_schema WHERE type = 'table'").all();
  const columns = new Map(tables.map(({ name }) => [String(name), columnsOf(db, String(name))]));
  db.close();
  return columns;
}

/** Hidden columns too: a generated column is one. */
function columnsOf(db: DatabaseSync, table: string): Columns {
  const columns = db.prepare('SELECT name, type, pk, hidden FROM pragma_table_xinfo(?)').all(table);
  return columns.map(({ name, type, pk, hidden }) => [name, type, pk, hidden].join(' '));
}
