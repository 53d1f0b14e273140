import type { TokenUsage } from '../core/text-request.ts';
import type { ModelReply } from '../models/api/model-reply.ts';
import { asBackendError } from '../models/as-backend-error.ts';
import type { Backend, BackendResponse, CallMade, CallRef } from '../models/backend.ts';
import { BackendError, Withdrawn } from '../models/backend-error.ts';
import type { CallOutcome } from '../store/call.ts';
import { SENT_AT_ONCE } from '../transports/direct/direct-transport.ts';
import { Interrupted, RunStopped } from '../transports/transport.ts';
import { notSent } from './call-outcome.ts';
import type { CallContext, CallRequest } from './call-request.ts';
import { toCallSettings } from './retry-policy.ts';
import { type Reservation, settledCost } from './spending.ts';
import {
  addTokens,
  isReported,
  overrun,
  possibleUsage,
  readUsage,
  sumTokens,
  withUsage,
} from './token-sums.ts';
import { millisecondsToWait, undoOnThrow, waitForProvider, waitToStart } from './wait-for-provider.ts';

/** One try at a call: what came back, and what it cost. Its intent is in the journal, its outcome is not yet. */
interface Attempt {
  readonly callId: number;
  /** One for each record; of a call that failed, those it brought. */
  readonly responses: readonly (BackendResponse | null)[];
  readonly error: BackendError | null;
  /** When it was sent, in milliseconds of `performance.now`. */
  readonly started: number;
  /** Whether the reply came from a bulk job. */
  readonly isInJob: boolean;
  readonly usage: TokenUsage;
  readonly spent: Pick<
    CallOutcome,
    'inputTokens' | 'outputTokens' | 'latencySeconds' | 'costUsd' | 'costBasis' | 'via' | 'worker'
  >;
  /** Replies as they came, before they were read. */
  readonly received: readonly ModelReply[];
  /** How the call was made, where the backend says so. */
  readonly made: CallMade | null;
}

/** Tries a call once: sets aside its cost, waits for its turn, enters its intent, and asks. What was taken is given back when the call is not made. */
export async function tryCall(request: CallRequest, attempt: number, context: CallContext): Promise<Attempt> {
  const { journal, backend, signal, transport = SENT_AT_ONCE } = context;
  const { key, mode, repeat, records } = request;
  const exchange = await transport.exchangeFor(request, attempt, backend.cost);
  const cost = exchange === undefined ? backend.cost : transport.exchangeCost(backend.cost);
  const { reservedUsd, reservation } = await reserve(request, cost, context, exchange !== undefined);
  const free = (...paid: [costUsd: number | null, overrun?: number]) =>
    reservation && context.spending?.settle(reservation, ...paid);
  const permit = await undoOnThrow(
    () => free(null),
    async () => (exchange === undefined ? waitToStart(request, context) : undefined),
  );
  const giveBack = () => {
    permit?.done('other', 0);
    free(null);
  };
  const recordIds = records.map(({ id }) => id);
  const settings = toCallSettings(backend);
  const callId = await undoOnThrow(giveBack, () =>
    journal.calls.begin({ key, mode, repeat, recordIds, attempt, reservedUsd, settings }),
  );
  const enterNotSent = () => {
    giveBack();
    journal.calls.end(callId, notSent(request, context), []);
  };
  // While the intent was written, the provider may have asked another call to wait.
  await undoOnThrow(enterNotSent, async () => {
    if (exchange === undefined && millisecondsToWait(context) > 0) await waitForProvider(context);
    if (signal?.aborted) throw new Interrupted('stopped before the call');
  });
  context.onFlight?.(records.length);
  const started = performance.now();
  let made: CallMade | null = null;
  const received: ModelReply[] = [];
  const call = {
    key,
    attempt,
    run: context.runId,
    signal,
    exchange,
    made: (how: CallMade) => (made = how),
    received: (reply: ModelReply) => received.push(reply),
  };
  const { responses: replies, error: thrown } = await undoOnThrow(
    () => {
      context.onFlight?.(-records.length);
      enterNotSent();
    },
    () => ask(request, backend, call),
  );
  const error = thrown && exchange ? transport.toItemError(thrown, { key, attempt }) : thrown;
  const waited = (performance.now() - started) / 1000;
  context.onFlight?.(-records.length);
  const reported = error === null ? sumTokens(replies) : readUsage(error);
  const usage = possibleUsage(reported, request.most);
  const responses = withUsage(error === null ? replies : error.partial, usage);
  permit?.done(
    error === null ? 'ok' : error.fault === 'rate_limit' ? 'rate_limit' : 'other',
    isReported(usage) ? addTokens(usage) : null,
  );
  const settled = settledCost(
    {
      usage,
      hasText: error === null && replies.some((reply) => reply.rawResponse && !reply.refused),
      unbilled: error === null ? replies.every(({ unbilled }) => unbilled) : error.unbilled,
    },
    reservedUsd,
    cost,
  );
  free(settled.costBasis === 'nothing' ? null : (settled.costUsd ?? 0), overrun(reported, request.most));
  if (settled.costUsd !== null) context.onCost?.(settled.costUsd);
  const spent = { ...usage, ...howMade(made, waited), ...settled };
  return { callId, responses, error, started, isInJob: exchange !== undefined, usage, spent, received, made };
}

/** Sets aside the most that the call can cost: null where that is not known. */
async function reserve(
  { most }: CallRequest,
  cost: Backend['cost'],
  { spending, signal, backend: { name } }: CallContext,
  isPaid: boolean,
): Promise<{ readonly reservedUsd: number | null; readonly reservation?: Reservation }> {
  const mostUsd = most === null ? null : (cost?.(most) ?? null);
  if (spending === undefined) return { reservedUsd: mostUsd };
  try {
    const reservation = isPaid
      ? spending.reservePaid(name, mostUsd ?? 0)
      : await spending.reserve(name, mostUsd ?? 0, signal);
    return { reservedUsd: mostUsd === null ? null : reservation.usd, reservation };
  } catch (error) {
    if (error instanceof BackendError) throw new RunStopped(error);
    throw new Interrupted('stopped while waiting for the budget', { cause: error });
  }
}

/** Only what the backend throws is its fault: an error of Krisis itself, such as a full disk, must not be retried and paid for again. */
async function ask(
  { ask, mode, records }: CallRequest,
  { name, answersSingly }: Backend,
  call: CallRef,
): Promise<{ readonly responses: readonly BackendResponse[]; readonly error: BackendError | null }> {
  try {
    return { responses: await ask(call), error: null };
  } catch (thrown) {
    if (thrown instanceof Withdrawn) throw new Interrupted('stopped before the call', { cause: thrown });
    return {
      responses: [],
      error: asBackendError(thrown, {
        backend: name,
        recordIds: records.map(({ id }) => id),
        isBatch: mode === 'batch' && !answersSingly,
      }),
    };
  }
}

function howMade(made: CallMade | null, waited: number) {
  const { via = null, worker = null, seconds = waited } = made ?? {};
  return { via, worker, latencySeconds: seconds };
}
