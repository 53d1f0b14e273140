import { KrisisError } from '../../core/index.ts';

/** The error for rows, columns or numbers that a function of this domain cannot work with. */
export function argumentError(message: string, value?: unknown): KrisisError {
  return new KrisisError(message, { code: 'ERR_ARGUMENT', value });
}
