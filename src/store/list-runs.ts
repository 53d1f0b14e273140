import { existsSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { type ReadLine, readListLine } from './list-line.ts';
import { isReviewPath } from './review/review-file.ts';
import { notesPath, type RunNotes, tryNotes } from './run-notes.ts';

/** A run in a list: its file, what lists show of it, and notes of people. */
export type ListedRun = ReadLine & RunNotes & { readonly path: string };

/** A file that could not be read as a run, and why. */
export interface UnreadableRun {
  readonly path: string;
  readonly error: string;
}

/** The runs of a folder, newest first, and the files there that are not runs. */
export function listRuns(folder: string): { runs: ListedRun[]; unreadable: UnreadableRun[] } {
  const runs: ListedRun[] = [];
  const unreadable: UnreadableRun[] = [];
  if (!existsSync(folder)) return { runs, unreadable };
  for (const name of readdirSync(folder).filter((file) => file.endsWith('.db') && !isReviewPath(file))) {
    const path = join(folder, name);
    try {
      const { notes, problem } = tryNotes(path);
      runs.push({ ...readListLine(path), ...notes, path });
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
