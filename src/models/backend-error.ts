import { KrisisError, type TokenUsage } from '../core/index.ts';
import type { BackendResponse } from './backend.ts';

/** A reply came but cannot be used: a batch is split, a single row is asked once more. */
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
export const TEMPORARY_FAULTS = ['rate_limit', 'timeout', 'server', 'overloaded', 'network'] as const;
/** No call can succeed until the user acts: the run stops and can be continued. */
export const FINAL_FAULTS = [
  'auth',
  'quota',
  'unknown_model',
  'bad_request',
  'budget',
  'unreachable',
] as const;

export type ReplyFault = (typeof REPLY_FAULTS)[number];
export type FinalFault = (typeof FINAL_FAULTS)[number];
/** Why a call failed. The engine decides by it whether to wait, retry, split the batch, fail the row or stop the run. */
export type Fault = ReplyFault | (typeof TEMPORARY_FAULTS)[number] | FinalFault;

type ErrorOptions = Partial<
  Pick<BackendError, 'partial' | 'usage' | 'retryAfterSeconds' | 'rawResponse' | 'cause'>
>;

/**
 * What a backend throws when a call fails. `fault` says how.
 *
 * @example
 * ```ts
 * new BackendError('rate_limit', 'slow down', { retryAfterSeconds: 12 }).retryAfterSeconds // => 12
 * ```
 */
export class BackendError extends Error {
  override readonly name = 'BackendError';
  readonly fault: Fault;
  /** Usable rows of the reply, in the order asked; null for the others. Default: []. */
  readonly partial: readonly (BackendResponse | null)[];
  /** Tokens the failed call used. Default: unknown. */
  readonly usage: TokenUsage;
  /** How long the server asks to wait. Default: null, it does not say. */
  readonly retryAfterSeconds: number | null;
  /** The reply as received. Default: null. */
  readonly rawResponse: string | null;

  constructor(fault: Fault, message: string, options: ErrorOptions = {}) {
    super(message, options.cause === undefined ? undefined : { cause: options.cause });
    this.fault = fault;
    this.partial = options.partial ?? [];
    this.usage = options.usage ?? { inputTokens: null, outputTokens: null };
    // Ignore a Retry-After that is not a duration.
    const wait = options.retryAfterSeconds ?? Number.NaN;
    this.retryAfterSeconds = Number.isFinite(wait) && wait >= 0 ? wait : null;
    this.rawResponse = options.rawResponse ?? null;
  }
}

/** Any error as a backend error. A KrisisError, which the user must act on, stops the run; an unknown error counts as temporary. */
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

/** Whether smaller batches may succeed: not when the provider is unreachable or limits the rate, and not when the user must act. */
export function isWorthSplitting(fault: Fault): boolean {
  return isReplyFault(fault) || fault === 'timeout' || fault === 'server';
}
