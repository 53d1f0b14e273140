import { type FailureProblem, type Fault, isFailureProblem, isFinalFault } from '../core/fault.ts';
import type { TokenUsage } from '../core/text-request.ts';
import type { BackendResponse } from './backend.ts';

type ErrorOptions = Partial<
  Pick<
    BackendError,
    'partial' | 'usage' | 'retryAfterSeconds' | 'rawResponse' | 'cause' | 'unbilled' | 'problem' | 'status'
  >
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
  /** Whether the provider did no work that it charges for. Default: true for the faults of a call that was turned away (rate limit, key, quota, unknown model, bad request). */
  readonly unbilled: boolean;
  /** What went wrong, where that is known more exactly than the fault. Default: the fault. */
  readonly problem: FailureProblem;
  /** The HTTP status that came back. Default: null. */
  readonly status: number | null;

  constructor(fault: Fault, message: string, options: ErrorOptions = {}) {
    super(message, options.cause === undefined ? undefined : { cause: options.cause });
    this.fault = fault;
    this.partial = options.partial ?? [];
    this.usage = options.usage ?? { inputTokens: null, outputTokens: null };
    // Ignore a Retry-After that is not a duration.
    const wait = options.retryAfterSeconds ?? Number.NaN;
    this.retryAfterSeconds = Number.isFinite(wait) && wait >= 0 ? wait : null;
    this.rawResponse = options.rawResponse ?? null;
    this.unbilled = options.unbilled ?? (fault === 'rate_limit' || isFinalFault(fault));
    // Both are stored of protected records, too, and no compiler checked a backend from a config.
    this.problem = isFailureProblem(options.problem) ? options.problem : fault;
    this.status = isStatus(options.status) ? options.status : null;
  }
}

/** Thrown by a transport that took a request back before it was sent, because the signal to stop came. */
export class Withdrawn extends Error {
  override readonly name = 'Withdrawn';
}

function isStatus(value: unknown): value is number {
  return Number.isInteger(value) && Number(value) >= 100 && Number(value) <= 599;
}

/** Apart from the errors themselves, so that a backend of the user's own cannot pass its text off as ours. */
const summaries = new WeakMap<BackendError, string>();

/** An error of Krisis's own. `summary` is its message without a word that a provider or a model wrote. Default: the whole message. */
export function ownError(
  fault: Fault,
  message: string,
  options: ErrorOptions & { readonly summary?: string } = {},
): BackendError {
  const error = new BackendError(fault, message, options);
  summaries.set(error, options.summary ?? message);
  return error;
}

/** All that is stored and shown of an error when the records are protected. */
export function summariseError(error: BackendError): string {
  return summaries.get(error) ?? 'the text of the error is withheld, because the cases are protected';
}
