import type { Backend } from '../models/backend.ts';
import type { CallContext } from './call-request.ts';
import type { ProgressCounter } from './progress.ts';
import type { Spending } from './spending.ts';

/** What the steps of a session share. */
export interface SessionContext {
  readonly counter: ProgressCounter;
  /** What the run may still cost; undefined without a budget. */
  readonly spending: Spending | undefined;
  /** How calls to a backend are made: each backend has its own pace. */
  contextFor(backend: Backend): CallContext;
}

/** One kind of work of a session: asking for labels, asking for text, or judging. */
export interface Step<Item> {
  /** How many calls the workers of a queue take at once. Default: there is no queue. */
  readonly places: (() => number) | undefined;
  /** Ends the step early, because what is left is not needed. Default: nothing does. */
  readonly ended?: AbortSignal | undefined;
  /** The items of which something is missing. Asked for again when some of them had to wait. */
  pending(): Iterable<Item>;
  /** Does one item. */
  perform(item: Item, signal: AbortSignal): Promise<void>;
  /** Whether nothing is missing any more. */
  isComplete(): boolean;
  /** Called when the step has ended, however it did. */
  readonly close?: (() => void) | undefined;
}
