import { KrisisError } from '../core/index.ts';

/** The error for options or arguments that do not go together. */
export function usageError(message: string, value?: unknown): KrisisError {
  return new KrisisError(message, { code: 'ERR_USAGE', value });
}
