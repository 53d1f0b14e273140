import texts from './failure-problems.json' with { type: 'json' };

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
/** The backend's code threw an error that does not say what failed: a batch is split, a single row fails, and nothing is waited for. */
export const BACKEND_FAULTS = ['backend'] as const;
/** The provider refused one request of a bulk job and accepted others: its rows fail. */
const ITEM_FAULTS = ['rejected'] as const;
/** No call can succeed until the user acts: the run stops and can be continued. */
export const FINAL_FAULTS = [
  'auth',
  'quota',
  'unknown_model',
  'bad_request',
  'budget',
  'unreachable',
  'programming_error',
] as const;

export type ReplyFault = (typeof REPLY_FAULTS)[number];

/** All of them. */
export const FAULTS = [
  ...REPLY_FAULTS,
  ...TEMPORARY_FAULTS,
  ...BACKEND_FAULTS,
  ...ITEM_FAULTS,
  ...FINAL_FAULTS,
] as const;
/** Why a call failed. The engine decides by it whether to wait, retry, split the batch, fail the row or stop the run. */
export type Fault = (typeof FAULTS)[number];

export function isFault(text: unknown): text is Fault {
  return FAULTS.some((fault) => fault === text);
}

export function isReplyFault(fault: Fault): boolean {
  return (REPLY_FAULTS as readonly string[]).includes(fault);
}

/** Whether a later attempt at the same call may succeed. */
export function isTemporaryFault(fault: Fault): boolean {
  return (TEMPORARY_FAULTS as readonly string[]).includes(fault);
}

export function isFinalFault(fault: Fault): boolean {
  return (FINAL_FAULTS as readonly string[]).includes(fault);
}

/** What comes back in place of a reply when the address is wrong: a smaller question gets the same. */
const WRONG_ADDRESS: readonly (string | null)[] = ['web_page', 'unexpected_field', 'not_json'];

/** Whether smaller batches may succeed: not when the provider is unreachable, limits the rate or is not what answers, and not when the user must act. */
export function isWorthSplitting(fault: Fault, problem: string | null = null): boolean {
  if (WRONG_ADDRESS.includes(problem)) return false;
  return isReplyFault(fault) || fault === 'backend' || fault === 'timeout' || fault === 'server';
}

/** What went wrong with a call: its fault, or more exactly. */
export type FailureProblem = Fault | keyof typeof texts;

/** Of failed calls about protected records only these codes and the status are stored. */
export function isFailureProblem(text: unknown): text is FailureProblem {
  return typeof text === 'string' && (isFault(text) || Object.hasOwn(texts, text));
}

/**
 * What a problem is called, and what to do about it. Flags of the command line are named as they are typed.
 *
 * @example
 * ```ts
 * failureWords('web_page').says // => 'a web page came back instead of JSON'
 * ```
 */
export function failureWords(problem: FailureProblem): {
  readonly says: string;
  readonly advice: string | null;
} {
  return (
    (texts as Partial<Record<FailureProblem, { says: string; advice: string | null }>>)[problem] ?? {
      says: problem,
      advice: null,
    }
  );
}
