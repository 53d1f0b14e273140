import { existsSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import type { Manifest } from './manifest.ts';
import { isReviewPath } from './review/review-file.ts';
import { RunFile } from './run-file.ts';
import { notesPath, type RunNotes, tryNotes } from './run-notes.ts';

/** A run in a list, without its scores. */
type RunSummary = ReturnType<typeof summariseRun> & RunNotes;

/** A file that could not be read as a run, and why. */
export interface UnreadableRun {
  readonly path: string;
  readonly error: string;
}

/** The runs of a folder, newest first, and the files there that are not runs. */
export function listRuns(folder: string): { runs: RunSummary[]; unreadable: UnreadableRun[] } {
  const runs: RunSummary[] = [];
  const unreadable: UnreadableRun[] = [];
  if (!existsSync(folder)) return { runs, unreadable };
  for (const name of readdirSync(folder).filter((file) => file.endsWith('.db') && !isReviewPath(file))) {
    const path = join(folder, name);
    try {
      const { notes, problem } = tryNotes(path);
      runs.push({ ...summariseRun(path), ...notes });
      if (problem !== null) unreadable.push({ path: notesPath(path), error: problem });
    } catch (error) {
      unreadable.push({ path, error: (error as Error).message });
    }
  }
  return {
    runs: runs.sort(
      (a, b) => b.createdAt.localeCompare(a.createdAt, 'en') || b.path.localeCompare(a.path, 'en'),
    ),
    unreadable,
  };
}

function summariseRun(path: string) {
  return RunFile.use(path, (file) => {
    const manifest = file.manifest();
    const states = Object.fromEntries(file.rows.countStates());
    const nPublished = manifest.imported?.has_rows === false ? publishedRows(manifest) : null;
    return {
      path,
      suite: manifest.suite_name ?? 'unknown',
      suiteHash: manifest.identity.suite_hash,
      model: manifest.model ?? 'unknown',
      arm: manifest.arm ?? '',
      createdAt: manifest.created_at ?? '',
      status: file.status(),
      nRecords: nPublished ?? file.records.count() * manifest.identity.repeats,
      nDone: nPublished ?? Object.values(states).reduce((sum, n) => sum + n, 0),
      /** False for a result that was imported without rows: its counts are as published. */
      hasRows: nPublished === null,
      states,
      simulated: manifest.simulated === true,
    };
  });
}

/** How many rows a result that was imported without them rests on. */
function publishedRows({ ledger, scores_as_published: scores }: Manifest): number {
  const counts = [ledger, ...Object.values(scores ?? {})].flatMap((found) => {
    const { n, n_evaluated } = (found ?? {}) as { n?: unknown; n_evaluated?: unknown };
    const count = n ?? n_evaluated;
    return typeof count === 'number' ? [count] : [];
  });
  return Math.max(0, ...counts);
}
