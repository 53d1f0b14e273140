import type { ErrorCode } from './error-codes.ts';

/**
 * An error a user can act on: the message names the problem, where it is, what was expected and what to do.
 *
 * @example
 * ```ts
 * const error = new KrisisError('answers.jsonl:3: confidence is "high"; expected a number or null', { value: 'high' });
 * error.code // => 'ERR_BAD_INPUT'
 * ```
 */
export class KrisisError extends Error {
  override readonly name = 'KrisisError';
  /** The kind of error; `docs/errors.md` lists the codes. Default: `ERR_BAD_INPUT`. */
  readonly code: ErrorCode;
  /** The offending value, for programs that need more than the message. Default: undefined. */
  readonly value: unknown;

  constructor(message: string, options: { code?: ErrorCode; value?: unknown; cause?: unknown } = {}) {
    super(message, options.cause === undefined ? undefined : { cause: options.cause });
    this.code = options.code ?? 'ERR_BAD_INPUT';
    this.value = options.value;
  }
}

/** The error of a function that got an argument it cannot work with. */
export function argumentError(message: string, value: unknown): KrisisError {
  return new KrisisError(message, { code: 'ERR_ARGUMENT', value });
}
