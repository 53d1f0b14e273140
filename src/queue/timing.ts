/** How often things are looked at, in milliseconds. Tests are less patient. */
export interface QueueTiming {
  /** Between two signs of life of workers and runs, and two looks at calls without a result. */
  readonly beatMs: number;
  /** A call without a result for so long is looked up: the message that it ended may be lost. */
  readonly lookAfterMs: number;
  /** A worker that is not heard of for so long has lost its job to another. */
  readonly lockMs: number;
  /** Between two looks for such jobs. */
  readonly stalledMs: number;
  /** How long a worker may begin a call. The run renews calls that wait longer. */
  readonly lifetimeMs: number;
}

export const TIMING: QueueTiming = {
  beatMs: 5000,
  lookAfterMs: 10_000,
  lockMs: 15_000,
  stalledMs: 5000,
  lifetimeMs: 3_600_000,
};
/** Results that no run takes stay for so long. */
export const KEEP_SECONDS = 24 * 3600;
