import type { TextReply, TokenUsage } from '../core/text-request.ts';
import type { Exchange } from '../models/api/bulk/wire.ts';
import type { Backend, CallRef } from '../models/backend.ts';
import type { BackendError } from '../models/backend-error.ts';

/** The part of a call that a transport needs to know. */
interface TransportedCall {
  readonly key: string;
  readonly most: TokenUsage | null;
  ask(call: CallRef): Promise<unknown>;
}

/** How the calls to one model get their replies. */
export interface ModelTransport {
  /** Whether a trial call of its own goes out before many are in flight. */
  readonly hasTrial: boolean;
  /** Replies whose text the run does not store, for calls that are made again in a later pass. */
  readonly held: Map<string, TextReply> | null;
  /**
   * A reply that takes the place of an HTTP request. Undefined for an attempt that is to be sent now.
   *
   * @throws Deferred when the reply is not here yet.
   */
  exchangeFor(call: TransportedCall, attempt: number, cost: Backend['cost']): Promise<Exchange | undefined>;
  /** What a reply costs that `exchangeFor` gave. */
  exchangeCost(cost: Backend['cost']): Backend['cost'];
  /** Called when a call that was sent has ended without stopping the run. */
  callEnded(): void;
  /** The error of a reply that `exchangeFor` gave, as the fault of the single call where it is one. */
  toItemError(error: BackendError, ref: CallRef): BackendError;
}

/** How the calls of a session reach their models: directly, through a queue, or in bulk jobs. */
export interface Transport {
  /** Opened once for each model, before the first pass. */
  forModel(backend: Backend): ModelTransport;
  /** Makes passes over the work for as long as replies have to be waited for. `waiting` where some are still with a provider. */
  runPasses(pass: () => Promise<void>): Promise<'done' | 'waiting'>;
  /** Removes what is left with the providers of these models, where no pass is needed. */
  removeLeft(backends: Iterable<Backend>): Promise<void>;
}

/** Money that is set aside for requests which are answered much later. */
export interface HeldBudget {
  mostFor(model: string, mostUsd: number): number;
  hold(mostUsd: number): boolean;
  releaseHeld(heldUsd: number): void;
}

/** Thrown in place of a call whose reply is not here yet: the pass goes on with the next. */
export class Deferred extends Error {
  override readonly name = 'Deferred';
}

/** Does all the work although some of it must wait; then says so. */
export async function settleAll<T>(items: Iterable<T>, work: (item: T) => Promise<void>): Promise<void> {
  let deferred: Deferred | null = null;
  for (const item of items)
    try {
      await work(item);
    } catch (error) {
      if (!(error instanceof Deferred)) throw error;
      deferred = error;
    }
  if (deferred !== null) throw deferred;
}

/** Thrown when no call can succeed until the user does something; what is finished is kept. */
export class RunStopped extends Error {
  override readonly name = 'RunStopped';
  readonly fault: string;
  /** Whether it follows from the first calls of the session, which all failed alike. */
  readonly isFirstCalls: boolean;
  /** The result so far, from `Benchmark.run`: rows that were not asked are `not_run`. Null for a run file, which keeps everything. */
  result: unknown = null;

  constructor(
    error: Pick<BackendError, 'fault' | 'message'> & {
      readonly cause?: unknown;
      readonly isFirstCalls?: boolean;
    },
  ) {
    super(error.message, error.cause === undefined ? undefined : { cause: error.cause });
    this.fault = error.fault;
    this.isFirstCalls = error.isFirstCalls ?? false;
  }
}

/** Thrown in place of a call after the signal to stop. */
export class Interrupted extends Error {
  override readonly name = 'Interrupted';
}
