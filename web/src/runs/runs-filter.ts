import type { RunLine } from '../api.ts';

export interface RunsFilter {
  /** Words that must all occur in what is known of a run. */
  readonly text: string;
  /** Tags that a run must have, all of them. */
  readonly tags: readonly string[];
  /** Whether to list hidden runs, too. */
  readonly hidden: boolean;
}

export function filterRuns(runs: readonly RunLine[], { text, tags, hidden }: RunsFilter): RunLine[] {
  const words = text.toLowerCase().split(/\s+/);
  return runs.filter(
    (run) =>
      (hidden || !run.notes.hidden) &&
      tags.every((tag) => run.notes.tags.includes(tag)) &&
      words.every((word) => textOf(run).includes(word)),
  );
}

function textOf({ suite, task, model, status, arm, id, notes }: RunLine): string {
  return [suite, task, model, status, arm, id, notes.name, notes.note, ...notes.tags].join(' ').toLowerCase();
}

/** The tags of runs in alphabetical order. */
export function tagsOf(runs: readonly RunLine[]): string[] {
  return [...new Set(runs.flatMap(({ notes }) => notes.tags))].sort((a, b) => a.localeCompare(b, 'en'));
}
