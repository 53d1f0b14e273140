import { closeSync, existsSync, openSync, readSync } from 'node:fs';
import { type ScoredRun, ScoredRunBuilder } from '../analyses/comparison/scored-run.ts';
import { checkRegularFile, KrisisError, type RowColumns, readRows } from '../core/index.ts';
import type { TableOptions } from '../metrics/index.ts';
import { rowsOfRun } from '../runs/gates/check-gates.ts';
import { findRun } from '../store/index.ts';
import { withPath } from './system-error.ts';

const SQLITE = 'SQLite format 3\0';

/** What rows are measured against: a file of rows, or a run. */
export function findBaseline(typed: string): string {
  return existsSync(typed) ? typed : findRun(typed);
}

/** Reads the baseline. A file whose columns are not those that were stated is read by the names of its own. */
export async function readBaseline(
  path: string,
  options: TableOptions,
  columns?: RowColumns,
): Promise<ScoredRun> {
  const { actLabels } = options;
  if (isRunFile(path)) return rowsOfRun(path, options.keep ?? [], actLabels);
  const read = async (stated?: RowColumns) => {
    const builder = new ScoredRunBuilder(options);
    await readRows(path, (row) => builder.add(row), { columns: stated, actLabels });
    return builder.finish();
  };
  if (columns === undefined) return read();
  return read(columns).catch((error: unknown) => {
    if (error instanceof KrisisError && error.code === 'ERR_ROW_COLUMNS') return read();
    throw error;
  });
}

/** Whether a file is a run file, by its first bytes. */
export function isRunFile(path: string): boolean {
  return beginsWith(path, SQLITE);
}

function beginsWith(path: string, magic: string): boolean {
  checkRegularFile(path);
  const file = openSync(path, 'r');
  try {
    const head = Buffer.alloc(magic.length);
    readSync(file, head);
    return head.toString('latin1') === magic;
  } catch (error) {
    throw withPath(error, path);
  } finally {
    closeSync(file);
  }
}
