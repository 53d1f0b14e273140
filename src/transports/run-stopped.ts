import type { BackendError } from '../models/backend-error.ts';

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
