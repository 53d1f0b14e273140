import { rmSync } from 'node:fs';
import { z } from 'zod';
import type { Shape } from '../core/codec.ts';
import { KrisisError } from '../core/errors.ts';
import { checkedBy, readSideFile, type SideFile, writeSideFile } from './side-file.ts';

const MAX_NAME = 200;
export const MAX_NOTE = 10_000;
const MAX_TAG = 60;
const MAX_TAGS = 50;
const MAX_CASE_NOTE = 1000;
/** Notes on more cases are a review, which has a file of its own. */
const MAX_CASE_NOTES = 200;
/** The longest notes with every character escaped fit. */
const MAX_FILE = 2 * 1024 * 1024;

const oneLine = (longest: number) =>
  z
    .string()
    .transform((text) => text.toWellFormed().replace(/\s+/g, ' ').trim())
    .pipe(z.string().max(longest));
const orNull = (text: z.ZodType<string, string>) =>
  text.transform((found) => (found === '' ? null : found)).nullable();

const noteSchema = (longest: number) =>
  orNull(
    z
      .string()
      .max(longest)
      .transform((text) => text.toWellFormed().trim()),
  );

const notesSchema = z.strictObject({
  /** How lists call the run; null for its file name. */
  name: orNull(oneLine(MAX_NAME)).exactOptional(),
  /** Free text; null for none. */
  note: noteSchema(MAX_NOTE).exactOptional(),
  tags: z
    .array(oneLine(MAX_TAG).pipe(z.string().regex(/^[^,]+$/, 'expected a text without commas')))
    .max(MAX_TAGS)
    .transform((tags) => [...new Set(tags)])
    .exactOptional(),
  /** Whether lists leave the run out unless asked. */
  hidden: z.boolean().exactOptional(),
});
const changeSchema = notesSchema.extend({
  /** Notes on single cases, by id; null removes one. The notes on other cases stay. */
  cases: z.record(z.string().min(1), noteSchema(MAX_CASE_NOTE)).exactOptional(),
});
const fileSchema = changeSchema.extend({ format: z.literal('krisis-notes-1') });
const NOTES = { schema: fileSchema, largest: MAX_FILE, code: 'ERR_RUN_NOTES' } satisfies SideFile<
  typeof fileSchema
>;

/** Fields to change; the others stay. */
export type NotesChange = Shape<typeof changeSchema>;

/** What people write about a run: kept in a file beside the run file, which itself never changes for it. */
export type RunNotes = Required<Omit<NotesChange, 'cases'>>;

export const NO_NOTES: RunNotes = { name: null, note: null, tags: [], hidden: false };

/** `RUN.notes.json` of `RUN.db`. */
export function notesPath(run: string): string {
  return `${run.replace(/\.db$/, '')}.notes.json`;
}

/**
 * The notes on a run; empty where there are none.
 *
 * @throws KrisisError with `ERR_RUN_NOTES` for a file that does not hold notes.
 */
export function readNotes(run: string): RunNotes {
  const { format: _, cases: _c, ...notes } = readSideFile(notesPath(run), NOTES) ?? {};
  return { ...NO_NOTES, ...notes };
}

/** The notes on single cases of a run, by id; empty where there are none, or where they cannot be read: the list of runs says why. */
export function readCaseNotes(run: string): ReadonlyMap<string, string> {
  try {
    const { cases = {} } = readSideFile(notesPath(run), NOTES) ?? {};
    return new Map(Object.entries(cases).flatMap(([id, note]) => (note === null ? [] : [[id, note]])));
  } catch {
    return new Map();
  }
}

/** The notes on a run for a list: notes that cannot be read do not hide the run. */
export function tryNotes(run: string): { readonly notes: RunNotes; readonly problem: string | null } {
  try {
    return { notes: readNotes(run), problem: null };
  } catch (error) {
    return { notes: NO_NOTES, problem: (error as Error).message };
  }
}

/**
 * Changes some of the notes on a run, and returns all of them. The file is replaced as a whole, so that a reader never sees half of it; without notes there is none.
 *
 * @throws KrisisError with `ERR_RUN_NOTES` for a text that is too long, or a change that has other fields.
 */
export function changeNotes(run: string, change: NotesChange): RunNotes {
  const path = notesPath(run);
  const { cases: changed = {}, ...more } = checkedBy(changeSchema, change, 'notes', NOTES);
  const notes: RunNotes = { ...readNotes(run), ...more };
  const merged = Object.entries({ ...Object.fromEntries(readCaseNotes(run)), ...changed });
  const cases = Object.fromEntries(merged.filter(([, note]) => note !== null));
  const nCases = Object.keys(cases).length;
  if (nCases > MAX_CASE_NOTES)
    throw new KrisisError(
      `notes on ${nCases} cases; expected at most ${MAX_CASE_NOTES}: let people label them with krisis review`,
      { code: NOTES.code, value: nCases },
    );
  const isEmpty = notes.name === null && notes.note === null && notes.tags.length === 0 && !notes.hidden;
  if (isEmpty && nCases === 0) {
    rmSync(path, { force: true });
    return notes;
  }
  writeSideFile(path, run, { format: 'krisis-notes-1', ...notes, ...(nCases > 0 && { cases }) });
  return notes;
}
