import { z } from 'zod';
import { KrisisError } from '../../core/errors.ts';
import type { Label } from '../../core/label.ts';
import { plainLine } from '../../core/plain-text.ts';
import type { Source } from './source.ts';

/** One answer, as another tool recorded it. */
export interface SourceRow {
  /** Where it is, for messages: `sample 3`. */
  readonly where: string;
  /** Which run of the file it belongs to: a model, or a model and a prompt. */
  readonly run: string;
  readonly id: string;
  /** A hash of what the model was asked about: rows of one id must have the same. */
  readonly inputHash: string | null;
  readonly answer: Label | null;
  /** The right answers; the first is the label of the record. */
  readonly targets: readonly Label[];
  /** The labels to choose from, where the tool states them. */
  readonly choices?: readonly string[] | undefined;
  /** How right the tool found the answer, 0 to 1; null where it did not score it. */
  readonly score: number | null;
  readonly abstained?: boolean | undefined;
  readonly confidence?: number | null | undefined;
  /** Why there is no answer that says anything about the model. */
  readonly failed?: string | undefined;
  readonly metadata?: Readonly<Record<string, unknown>> | undefined;
  /** Fields of a row that the file states by our names: `urgent`, `must_act`, `state`, ... Default: none. */
  readonly fields?: Readonly<Record<string, unknown>> | undefined;
  /** The record of the file, in which `--columns` finds other fields. */
  readonly record: unknown;
}

/** How the files of other tools are read. */
export interface FormatOptions {
  /** Which of several scorers, filters or metrics counts. */
  readonly scorer?: string | undefined;
}

/** What a reader found, for people. */
export interface FormatAccount {
  /** What the file is: `Inspect log, task pubmedqa`. */
  readonly what: string;
  /** The model, where all rows are of one run. */
  readonly model?: string | undefined;
  /** Which field became what. */
  readonly mapped: Readonly<Record<string, string>>;
  /** What the file does not say, and what was left out. */
  readonly notes: readonly string[];
}

/** A reader of the files of another tool. */
export interface ResultFormat {
  /** Reads all rows. What it returns is said before the scores. */
  read(source: Source, options: FormatOptions, onRow: (row: SourceRow) => void): Promise<FormatAccount>;
}

/** The error for a file of a known format that cannot be read. `place` is the file, and where in it. */
export function formatError(place: string, problem: string): KrisisError {
  return new KrisisError(`${place}: ${problem}`, { code: 'ERR_ROW_FILE', value: place });
}

/** A value in the form that its schema states; an error names the key, and what was expected. */
export function checked<T>(schema: z.ZodType<T>, value: unknown, place: string): T {
  const found = schema.safeParse(value);
  if (found.success) return found.data;
  const [{ path, message }] = found.error.issues as [z.core.$ZodIssue];
  const key = path.map((part) => (typeof part === 'number' ? `[${part}]` : `.${String(part)}`)).join('');
  const problem = message
    .replace(/^Invalid input: expected (.*), received undefined$/, 'is missing; expected $1')
    .replace(/^Invalid input: expected (.*), received (.*)$/, 'is $2; expected $1')
    .replace(/^Invalid input$/, 'is of another kind than expected');
  throw formatError(place, `${key === '' ? 'the value' : key.replace(/^\./, '')} ${problem}`);
}

/** A label, or null. */
export const labelField = z.union([z.string(), z.number(), z.boolean()]).nullish();

/** The one of several scorers that counts. */
export function chooseScorer(
  names: readonly string[],
  wanted: string | undefined,
  place: string,
): string | null {
  const listed = names.map((name) => plainLine(name, 60)).join(', ');
  if (wanted !== undefined) {
    if (names.includes(wanted)) return wanted;
    throw formatError(
      place,
      `no scorer "${wanted}"; ${names.length === 0 ? 'it has none' : `its scorers are: ${listed}`}`,
    );
  }
  if (names.length > 1) throw formatError(place, `several scorers: ${listed}; choose one with --scorer NAME`);
  return names[0] ?? null;
}

/** The letters of a multiple choice. */
export function letters(n: number): string[] {
  return Array.from({ length: Math.min(n, 26) }, (_, i) => String.fromCharCode(65 + i));
}

/** The values of a tool's metadata that rows may be grouped by. */
export function plainValues(metadata: unknown): Record<string, unknown> {
  if (typeof metadata !== 'object' || metadata === null) return {};
  return Object.fromEntries(
    Object.entries(metadata).filter(([, value]) => value !== null && typeof value !== 'object'),
  );
}
