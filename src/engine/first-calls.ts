import type { CallFailure } from '../store/call.ts';

/** So many calls that fail with the same cause, before any call succeeds, stop a run. A run of fewer rows is not stopped: it fails, and says why. */
export const FIRST_CALLS = 20;

/** A call that failed for good, and what is said of it. */
interface Failure extends CallFailure {
  readonly message: string;
  /** Whether the rows of the call have failed with it: a batch that is split may still succeed in parts. */
  readonly isLast: boolean;
}

/** Called when a call has ended: well, with a failure, or (null) in a way that says nothing about the next. */
type Leave = (ended: 'answered' | Failure | null) => void;

interface Waiting {
  readonly size: number;
  readonly resolve: (entered: Leave | Failure) => void;
}

/**
 * Watches the first calls of a session. Until one succeeds, no more calls are in flight than are needed to learn that none can: a thousand records are not sent to a login page because many
 * calls may be made at the same time. When enough batches have failed, one of them is split down to a record before the run is given up. One success ends the watch.
 */
export class FirstCalls {
  readonly #most: number;
  readonly #causes = new Map<string, { readonly first: Failure; n: number; hasLast: boolean }>();
  #waiting: Waiting[] = [];
  #hasSucceeded = false;
  #isScheduled = false;
  #inFlight = 0;

  constructor(most = FIRST_CALLS) {
    this.#most = most;
  }

  /**
   * Waits until a call about this many records may be made; what it returns is called when the call has ended. Or returns the failure that calls have in common, when no other call should be
   * made.
   */
  async enter(size: number, signal?: AbortSignal): Promise<Leave | Failure> {
    signal?.throwIfAborted();
    if (this.#hasSucceeded) return () => {};
    return new Promise((resolve, reject) => {
      const stop = () => {
        this.#waiting = this.#waiting.filter((other) => other !== waiting);
        reject(signal!.reason);
      };
      const waiting: Waiting = {
        size,
        resolve: (entered) => {
          signal?.removeEventListener('abort', stop);
          resolve(entered);
        },
      };
      signal?.addEventListener('abort', stop, { once: true });
      this.#waiting.push(waiting);
      this.#schedule();
    });
  }

  /** In a turn of its own, so that the halves of a batch that has just failed are there to choose from. */
  #schedule(): void {
    if (this.#isScheduled) return;
    this.#isScheduled = true;
    setImmediate(() => {
      this.#isScheduled = false;
      this.#admit();
    });
  }

  #admit(): void {
    const stop = this.#causes.values().find(({ n, hasLast }) => n >= this.#most && hasLast);
    if (this.#hasSucceeded || stop !== undefined) {
      for (const { resolve } of this.#waiting.splice(0)) resolve(stop?.first ?? (() => {}));
      return;
    }
    while (this.#waiting.length > 0 && this.#hasRoom()) {
      const smallest = this.#waiting.reduce((least, other) => (other.size < least.size ? other : least));
      this.#waiting = this.#waiting.filter((other) => other !== smallest);
      this.#inFlight += 1;
      smallest.resolve((ended) => this.#leave(ended));
    }
  }

  #hasRoom(): boolean {
    const n = Math.max(0, ...this.#causes.values().map((cause) => cause.n));
    return n < this.#most ? n + this.#inFlight < this.#most : this.#inFlight === 0;
  }

  #leave(ended: Parameters<Leave>[0]): void {
    this.#inFlight -= 1;
    if (ended === 'answered') this.#hasSucceeded = true;
    else if (ended !== null) {
      const key = `${ended.problem} ${ended.status}`;
      const cause = this.#causes.get(key) ?? { first: ended, n: 0, hasLast: false };
      cause.n += 1;
      cause.hasLast ||= ended.isLast;
      this.#causes.set(key, cause);
    }
    this.#schedule();
  }
}
