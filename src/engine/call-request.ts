import type { PromptMessage, TokenUsage } from '../core/text-request.ts';
import type { Backend, BackendResponse, CallRef, VisibleRecord } from '../models/backend.ts';
import type { BackendError } from '../models/backend-error.ts';
import type { CallIntent } from '../store/call.ts';
import type { ProviderWaits } from '../store/provider-waits.ts';
import type { ResponseCache } from '../store/response-cache.ts';
import type { NewRow } from '../store/rows.ts';
import type { Journal } from '../store/run-file.ts';
import type { ModelTransport } from '../transports/transport.ts';
import type { FirstCalls } from './first-calls.ts';
import type { TextPolicy } from './kept-reply.ts';
import type { Pacer } from './pacing/pacer.ts';
import type { Spending } from './spending.ts';

/** What all calls to one backend share. */
export interface CallContext extends TextPolicy {
  readonly journal: Journal;
  readonly backend: Backend;
  /** The prompt that the backend declares for all records. Default: it declares none. */
  readonly promptTemplate?: readonly PromptMessage[] | null | undefined;
  /** The id of the run, part of the name of each call. Default: null. */
  readonly runId?: string | null | undefined;
  readonly signal?: AbortSignal | undefined;
  readonly pacer?: Pacer | undefined;
  readonly waits?: ProviderWaits | undefined;
  readonly cache?: ResponseCache | undefined;
  /** Whether replies may come from the cache. False: they are only stored there. Default: true. */
  readonly readsCache?: boolean | undefined;
  readonly spending?: Spending | undefined;
  /** The longest wait that a provider may ask for; a longer one stops the run. Default: 3600. */
  readonly maxRetryAfterSeconds?: number | undefined;
  /** How replies come. Default: every call is sent when it is made. */
  readonly transport?: ModelTransport | undefined;
  /** Stops the run when the first calls show that none can succeed. Default: it is not watched for. */
  readonly firstCalls?: FirstCalls | undefined;
  /** When a call last succeeded, in milliseconds of `performance.now`: distinguishes a provider that is down from a record that it cannot process. */
  readonly health?: { lastSuccess: number };
  /** Called for every wait, with its reason: a fault, or `turn` when the provider asked another call to wait. */
  readonly onWait?: (seconds: number, reason: string) => void;
  /** Called when records are sent (more in flight) and when they come back (fewer). */
  readonly onFlight?: (change: number) => void;
  readonly onCost?: (costUsd: number) => void;
  /** Called before a call that came back in an earlier process is made again, because its reply was not stored. */
  readonly onAskedAgain?: (mode: CallIntent['mode']) => void;
}

/** One call: what is asked, and what to make of the reply. */
export interface CallRequest extends Omit<CallIntent, 'attempt' | 'recordIds'> {
  readonly records: readonly VisibleRecord[];
  readonly ask: (call: CallRef) => Promise<readonly BackendResponse[]>;
  readonly toRows: (responses: readonly (BackendResponse | null)[]) => NewRow[];
  /** Folded words that are not blocked out in a text of the model. Default: none. */
  readonly keep?: ReadonlySet<string> | undefined;
  /** The key of its reply in the cache; null to bypass the cache. */
  readonly cacheKey: string | null;
  /** The tokens that the call is expected to take; asked for only where a limit of tokens is kept. */
  readonly estimate: () => TokenUsage;
  /** The most tokens that the call can take; null where that is not known. */
  readonly most: TokenUsage | null;
  /** True to store the reply with the call, because no row holds it. */
  readonly keepsReply?: boolean;
}

/** What came back: a response for each record (null where there is none), and the fault, if the call ended in one. */
export interface CallResult {
  readonly responses: readonly (BackendResponse | null)[];
  readonly error: BackendError | null;
}
