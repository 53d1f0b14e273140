import { closeSync, existsSync, openSync, readSync } from 'node:fs';
import { readRows } from '../core/index.ts';
import type { TableOptions } from '../metrics/index.ts';
import { rowsOfRun, type ScoredRun, ScoredRunBuilder } from '../results/index.ts';
import { findRun } from '../store/index.ts';

const SQLITE = 'SQLite format 3\0';

/** What rows are measured against: a file of rows, or a run. */
export function findBaseline(typed: string): string {
  return existsSync(typed) ? typed : findRun(typed);
}

export async function readBaseline(path: string, options: TableOptions): Promise<ScoredRun> {
  if (beginsWith(path, SQLITE)) return rowsOfRun(path, options.keep ?? []);
  const builder = new ScoredRunBuilder(options);
  await readRows(path, (row) => builder.add(row));
  return builder.finish();
}

function beginsWith(path: string, magic: string): boolean {
  const file = openSync(path, 'r');
  try {
    const head = Buffer.alloc(magic.length);
    readSync(file, head);
    return head.toString('latin1') === magic;
  } finally {
    closeSync(file);
  }
}
