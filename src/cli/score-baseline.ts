import { closeSync, existsSync, openSync, readSync } from 'node:fs';
import { type ScoredRun, ScoredRunBuilder } from '../benchmark/compare/scored-run.ts';
import { rowsOfRun } from '../benchmark/gates/gate-plan.ts';
import type { TableOptions } from '../metrics/columns.ts';
import { readRows } from '../records/row-file.ts';
import { findRun } from '../runs/find-run.ts';

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
