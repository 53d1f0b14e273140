import { KrisisError } from '../core/index.ts';

/** The error for a value that no patient can have, or for inputs that do not fit together. */
export function clinicalError(message: string, value: unknown): KrisisError {
  return new KrisisError(message, { code: 'ERR_CLINICAL_VALUE', value });
}
