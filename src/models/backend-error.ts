import { KrisisError } from '../core/index.ts';
import type { BackendResponse } from './backend.ts';

/** The reply came, and cannot be used as it is: the batch is split, a single row is asked once more. */
export const REPLY_FAULTS = [
  'malformed',
  'truncated',
  'empty',
  'short',
  'refused',
  'too_long',
  'not_recorded',
] as const;
/** The call failed and may succeed later. */
export const PASSING_FAULTS = ['rate_limit', 'timeout', 'server', 'overloaded', 'network'] as const;
/** No call can succeed until the user does something: the run stops, and nothing is lost. */
export const FINAL_FAULTS = [
  'auth',
  'quota',
  'unknown_model',
  'bad_request',
  'budget',
  'unreachable',
] as const;

export type ReplyFault = (typeof REPLY_FAULTS)[number];
type PassingFault = (typeof PASSING_FAULTS)[number];
export type FinalFault = (typeof FINAL_FAULTS)[number];
export type Fault = ReplyFault | PassingFault | FinalFault;

interface ErrorOptions {
  /** Rows of the reply that were fine, in the order asked; null for the others. */
  readonly partial?: readonly (BackendResponse | null)[];
  readonly usage?: { readonly inputTokens: number | null; readonly outputTokens: number | null };
  /** How long the server asks to wait. */
  readonly retryAfterSeconds?: number;
  readonly rawResponse?: string | null;
  readonly cause?: unknown;
}

/**
 * How a backend says that a call went wrong, and in what way.
 *
 * @example
 * ```ts
 * new BackendError('rate_limit', 'slow down', { retryAfterSeconds: 12 }).retryAfterSeconds // => 12
 * ```
 */
export class BackendError extends Error {
  override readonly name = 'BackendError';
  readonly fault: Fault;
  readonly partial: readonly (BackendResponse | null)[];
  readonly usage: { readonly inputTokens: number | null; readonly outputTokens: number | null };
  readonly retryAfterSeconds: number | null;
  readonly rawResponse: string | null;

  constructor(fault: Fault, message: string, options: ErrorOptions = {}) {
    super(message, options.cause === undefined ? undefined : { cause: options.cause });
    this.fault = fault;
    this.partial = options.partial ?? [];
    this.usage = options.usage ?? { inputTokens: null, outputTokens: null };
    // Read from a header it may be anything; what is no time to wait is no wish.
    const wait = options.retryAfterSeconds;
    this.retryAfterSeconds = wait !== undefined && Number.isFinite(wait) && wait >= 0 ? wait : null;
    this.rawResponse = options.rawResponse ?? null;
  }
}

/** Any error as a backend error; one that tells the user what to do stops the run, and one that a backend did not explain is taken for a passing one. */
export function asBackendError(error: unknown): BackendError {
  if (error instanceof BackendError) return error;
  const message = error instanceof Error ? error.message : String(error);
  return new BackendError(error instanceof KrisisError ? 'bad_request' : 'network', message, {
    cause: error,
  });
}

export function isReplyFault(fault: Fault): fault is ReplyFault {
  return (REPLY_FAULTS as readonly string[]).includes(fault);
}

export function isFinalFault(fault: Fault): fault is FinalFault {
  return (FINAL_FAULTS as readonly string[]).includes(fault);
}

/** Whether smaller questions may fare better: not when the provider cannot be reached or takes no more, and not when the user must act. */
export function isWorthSplitting(fault: Fault): boolean {
  return isReplyFault(fault) || fault === 'timeout' || fault === 'server';
}
