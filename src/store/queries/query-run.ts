import type { DatabaseSync } from 'node:sqlite';
import { damaged, isDamage, type OpenOptions, openDatabase } from '../open-database.ts';

/** A run file opened for reading, as the query functions of this folder take it. */
export type RunDatabase = DatabaseSync;

/** Opens a run file, passes it to `read` and closes it. */
export function queryRun<T>(
  path: string,
  read: (run: RunDatabase) => T,
  options: Pick<OpenOptions, 'isForeign' | 'longestCell'> = {},
): T {
  const run = openDatabase(path, { ...options, forWriting: false, mayBeEmpty: false });
  try {
    return read(run);
  } catch (error) {
    throw isDamage(error) ? damaged(path, error) : error;
  } finally {
    run.close();
  }
}
