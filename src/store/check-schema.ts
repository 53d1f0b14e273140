import type { DatabaseSync } from 'node:sqlite';
import { BULK_ITEMS, BULK_JOBS, TABLES } from './tables.ts';

/** Tables that SQLite makes for its query planner. */
const STATISTICS = /^sqlite_stat\d$/;
/** An index that is made on demand. */
const KEY_INDEX = 'CREATE INDEX calls_by_key ON calls (key)';
/** Only some runs have these. */
const OPTIONAL: ReadonlySet<unknown> = new Set([KEY_INDEX, BULK_JOBS.ddl, BULK_ITEMS.ddl]);

/**
 * Why the schema of a file is not that of a run file; null where it is. Tables must be exactly as we make them. A foreign file could
 * otherwise run queries of its own: through a view or a virtual table under the name of one of our tables, a trigger, or a generated
 * column.
 */
export function schemaProblem(db: DatabaseSync): string | null {
  const missing = new Map(TABLES.map((sql) => [sql, /^CREATE TABLE (\w+)/.exec(sql)![1]!]));
  const objects = db.prepare('SELECT type, name, sql FROM main.sqlite_schema LIMIT 100').all();
  for (const { type, name, sql } of objects) {
    const isAutomatic = type === 'index' && sql === null;
    if (isAutomatic || missing.delete(sql as string) || OPTIONAL.has(sql) || isStatistics(type, name, sql))
      continue;
    const shown = JSON.stringify(String(name).slice(0, 40));
    if ([...missing.values()].includes(String(name))) return `other columns in the table ${shown}`;
    if (type === 'index') return `an index ${shown} that is not ours`;
    const isVirtual = type === 'table' && !/^CREATE TABLE\b/i.test(String(sql));
    return type === 'table' && !isVirtual
      ? `a table ${shown} that is not ours`
      : `a ${isVirtual ? 'virtual table' : type} ${shown}`;
  }
  const [first] = missing.values();
  return first === undefined ? null : `no table "${first}"`;
}

function isStatistics(type: unknown, name: unknown, sql: unknown): boolean {
  return type === 'table' && STATISTICS.test(String(name)) && /^CREATE TABLE\b/i.test(String(sql));
}
