import type { default as ERROR_CODES } from './error-codes.json';

/**
 * The kind of an error: stable, for programs that handle some of them. `error-codes.json` has every code that a {@link KrisisError} can have, with its meaning, in alphabetical order;
 * `docs/errors.md` lists them.
 */
export type ErrorCode = keyof typeof ERROR_CODES;
