import { type FailureProblem, isFailureProblem } from '../core/index.ts';
import type { CallSettings } from './journal.ts';

/** A row is known by its record and repeat. */
export interface RowPlace {
  readonly recordId: string;
  readonly repeat: number;
}

/** A row whose last attempt failed. */
export interface FailedRow extends RowPlace {
  readonly attempt: number;
  /** What went wrong; null where the file does not say. */
  readonly problem: FailureProblem | null;
  /** The settings of the call that failed; null where they were not recorded. */
  readonly settings: CallSettings | null;
}

/** The name of a row within a run. */
export function placeKey({ recordId, repeat }: RowPlace): string {
  return `${repeat}:${recordId}`;
}

/** Earlier versions stored only the fault, as the reason of the row. */
export function problemIn(problem: unknown, reason: unknown): FailureProblem | null {
  return [problem, reason].find(isFailureProblem) ?? null;
}

/** Settings as they are stored; a file of someone else may hold anything. */
export function settingsIn(cell: Readonly<Record<string, unknown>> | null): CallSettings | null {
  if (cell === null) return null;
  const known = Object.entries(cell).filter(
    ([key, value]) => SETTINGS.includes(key) && typeof value === 'number',
  );
  return Object.fromEntries(known);
}

const SETTINGS: readonly string[] = [
  'max_output_tokens',
  'timeout_seconds',
  'max_retries',
] satisfies (keyof CallSettings)[];
