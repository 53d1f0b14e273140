/** What kind of trouble it is; the command line maps `code` to an exit code and prints nothing but the message. */
export type ErrorCode = 'bad_input' | 'usage' | 'internal';

/**
 * An error a user can act on: its message says what is wrong, where, what was expected and what to do.
 *
 * @example
 * ```ts
 * const error = new KrisisError('answers.jsonl:3: confidence is "high"; expected a number or null', { value: 'high' });
 * error.code // => 'bad_input'
 * ```
 */
export class KrisisError extends Error {
  override readonly name = 'KrisisError';
  readonly code: ErrorCode;
  /** The offending value, for programs that want more than the message. */
  readonly value: unknown;

  constructor(message: string, options: { code?: ErrorCode; value?: unknown; cause?: unknown } = {}) {
    super(message, options.cause === undefined ? undefined : { cause: options.cause });
    this.code = options.code ?? 'bad_input';
    this.value = options.value;
  }
}
