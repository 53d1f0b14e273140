import type { CallFailure } from '../store/index.ts';

/** So many calls that fail with the same cause, before any call succeeds, stop a run. A run of fewer rows is not stopped: it fails, and says why. */
export const FIRST_CALLS = 20;

/** A call that failed for good, and what is said of it. */
type Failure = CallFailure & { readonly message: string };

/** How a call ended: well, with a failure, or (null) in a way that says nothing about the next. */
type Leave = (ended: 'answered' | Failure | null) => void;

/**
 * Watches the first calls of a sitting. Until one succeeds, no more calls are in flight than are needed to learn that none can: a thousand records are not sent to a login page because many
 * calls may be made at the same time. One success ends the watch.
 */
export class FirstCalls {
  readonly #most: number;
  readonly #causes = new Map<string, { readonly failure: Failure; n: number }>();
  #hasSucceeded = false;
  #inFlight = 0;
  #waiting: (() => void)[] = [];

  constructor(most = FIRST_CALLS) {
    this.#most = most;
  }

  /** Waits until a call may be made; what it returns is called when the call has ended. Or returns the failure that all calls so far have in common, when no other call should be made. */
  async enter(signal?: AbortSignal): Promise<Leave | Failure> {
    for (;;) {
      signal?.throwIfAborted();
      if (this.#hasSucceeded) return () => {};
      const { n, failure } = this.#mostFrequent();
      if (n >= this.#most) return failure!;
      if (n + this.#inFlight < this.#most) break;
      await this.#change(signal);
    }
    this.#inFlight += 1;
    return (ended) => this.#leave(ended);
  }

  #leave(ended: Parameters<Leave>[0]): void {
    this.#inFlight -= 1;
    if (ended === 'answered') this.#hasSucceeded = true;
    else if (ended !== null) {
      const key = `${ended.problem} ${ended.status}`;
      const { n, failure } = this.#causes.get(key) ?? { n: 0, failure: ended };
      this.#causes.set(key, { n: n + 1, failure });
    }
    for (const resume of this.#waiting.splice(0)) resume();
  }

  #mostFrequent(): { readonly n: number; readonly failure: Failure | null } {
    let most: { readonly n: number; readonly failure: Failure | null } = { n: 0, failure: null };
    for (const cause of this.#causes.values()) if (cause.n > most.n) most = cause;
    return most;
  }

  #change(signal: AbortSignal | undefined): Promise<void> {
    return new Promise((resolve) => {
      const resume = () => {
        signal?.removeEventListener('abort', resume);
        resolve();
      };
      this.#waiting.push(resume);
      signal?.addEventListener('abort', resume, { once: true });
    });
  }
}
