import { rmSync } from 'node:fs';
import { DatabaseSync } from 'node:sqlite';
import { SIDE_FILES } from './file-names.ts';

/**
 * Opens a small database that has one table, `table` as it was created. A file with anything else in it is replaced by an empty one: a trigger or a view would run as part of our own
 * statements, and need never end. `create` makes an empty file. Default: SQLite does.
 */
export function openKnownTable(
  path: string,
  table: string,
  { patienceMs, create = () => {} }: { readonly patienceMs: number; readonly create?: () => void },
): DatabaseSync {
  create();
  const db = new DatabaseSync(path, { timeout: patienceMs });
  if (holdsOnly(db, table)) return db;
  db.close();
  for (const end of ['', ...SIDE_FILES]) rmSync(`${path}${end}`, { force: true });
  create();
  return new DatabaseSync(path, { timeout: patienceMs });
}

/** Whether a database holds a table as it was created, or nothing. */
export function holdsOnly(db: DatabaseSync, table: string): boolean {
  const schema = db.prepare('SELECT sql FROM sqlite_schema LIMIT 2').all();
  return schema.length === 0 || (schema.length === 1 && schema[0]!.sql === table);
}
