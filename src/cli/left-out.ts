import { stripVTControlCharacters } from 'node:util';
import { type ErrorCode, KrisisError } from '../core/index.ts';
import { hintFor } from './hints.ts';
import { printMessage } from './print.ts';

/** A model that could not be used, and why. */
export interface LeftOut {
  readonly model: string;
  readonly code: ErrorCode;
  readonly message: string;
}

/** Errors that would end the other models as well. */
const NOT_THE_MODEL: ReadonlySet<ErrorCode> = new Set([
  'ERR_INTERNAL',
  'ERR_RUN_FILE_GONE',
  'ERR_RUN_FILE_WRITE',
]);

/**
 * Does something with one of several models. A model that cannot be used (no key, no training rows, not allowed) is reported and entered in `leftOut`, and the others go on; a model that is alone ends the command with
 * its error.
 */
export async function unlessUnusable<T>(
  model: string,
  { nModels, leftOut }: { readonly nModels: number; readonly leftOut: LeftOut[] },
  work: () => Promise<T>,
): Promise<T | null> {
  try {
    return await work();
  } catch (error) {
    if (nModels === 1 || !(error instanceof KrisisError) || NOT_THE_MODEL.has(error.code)) throw error;
    const { code, message } = error;
    leftOut.push({ model, code, message });
    const hint = hintFor(error);
    const text = `${model} is left out: ${message}${hint === null ? '' : `\n${hint}`}`;
    printMessage(`krisis: ${stripVTControlCharacters(text)}\n`);
    return null;
  }
}
