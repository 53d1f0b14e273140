import { isFinalFault } from '../../core/index.ts';
import { type Backend, type BackendError, type CallRef, ownError, summaryOf } from '../../models/index.ts';
import type { CallContext, CallRequest } from '../call-request.ts';
import type { BulkLane } from './bulk-lane.ts';

/** The reply of a bulk job in place of the network; undefined where the call goes out by itself. @throws Deferred when the reply is not here yet. */
export async function exchangeFor(
  { key, ask, most }: CallRequest,
  attempt: number,
  { later, backend }: CallContext,
): Promise<CallRef['exchange']> {
  if (later === undefined) return undefined;
  const mostUsd = most === null ? null : (backend.cost?.(most) ?? null);
  const found = await later.exchangeFor(
    { key, attempt },
    (exchange) => ask({ key, attempt, exchange }),
    mostUsd,
  );
  return found ?? undefined;
}

/** Providers charge half for requests of bulk jobs. */
export function halved(cost: Backend['cost']): Backend['cost'] {
  if (cost === undefined) return undefined;
  return (usage) => {
    const full = cost(usage);
    return full === null ? null : full / 2;
  };
}

/** A request that was refused while others of its job were accepted is at fault itself: its rows fail, and the run goes on. */
export function itemError(
  error: BackendError,
  ref: Pick<CallRef, 'key' | 'attempt'>,
  later: BulkLane,
): BackendError {
  if (!isFinalFault(error.fault) || later.isRefusedWhole(ref)) return error;
  const { message, usage, rawResponse, status, problem } = error;
  return ownError('rejected', message, {
    usage,
    rawResponse,
    status,
    problem: problem === error.fault ? 'rejected' : problem,
    unbilled: true,
    summary: summaryOf(error),
  });
}
