import type { LookedGate } from '../analyses/early-stop/early-stop.ts';
import type { CallMode } from '../store/call.ts';
import type { NewRow } from '../store/rows.ts';

/** How far a run is. */
export interface Progress {
  readonly total: number;
  readonly done: number;
  readonly answered: number;
  readonly abstained: number;
  readonly invalid: number;
  readonly failed: number;
  /** Records asked and not yet answered. */
  readonly inFlight: number;
  /** How often the provider asked us to wait. */
  readonly rateLimits: number;
  readonly waitedSeconds: number;
  /** Until when the provider wants no call, in milliseconds of the clock; null when there is no wait. */
  readonly waitingUntil: number | null;
  /** What calls of this process cost; null while no price is known. */
  readonly costUsd: number | null;
  /** Answers and judgements that an earlier process received and lost when it was stopped: their texts are not stored, because the records are protected. */
  readonly askedAgain: { readonly answers: number; readonly judgements: number };
  /** What the gates of a run that stops early show now. Default: the run asks all records. */
  readonly looks?: () => readonly LookedGate[];
}

/** Counts rows and waits, and reports every change. */
export class ProgressCounter {
  readonly #onProgress: ((progress: Progress) => void) | undefined;
  #progress: Progress;

  constructor(total: number, done: number, onProgress?: (progress: Progress) => void) {
    this.#onProgress = onProgress;
    this.#progress = {
      total,
      done,
      answered: 0,
      abstained: 0,
      invalid: 0,
      failed: 0,
      inFlight: 0,
      rateLimits: 0,
      waitedSeconds: 0,
      waitingUntil: null,
      costUsd: null,
      askedAgain: { answers: 0, judgements: 0 },
    };
  }

  get current(): Progress {
    return this.#progress;
  }

  row({ state }: Pick<NewRow, 'state'>): void {
    const kind = state === 'refused' ? 'invalid' : state === 'not_run' ? 'failed' : state;
    this.#set({ done: this.#progress.done + 1, [kind]: this.#progress[kind] + 1 });
  }

  /** Shows the looks of a run that stops early. They are computed when they are read: their bounds take time. */
  watch(looks: NonNullable<Progress['looks']>): void {
    this.#set({ looks });
  }

  flight(change: number): void {
    this.#set({ inFlight: this.#progress.inFlight + change });
  }

  cost(costUsd: number): void {
    this.#set({ costUsd: (this.#progress.costUsd ?? 0) + costUsd });
  }

  askedAgain(mode: CallMode): void {
    const { answers, judgements } = this.#progress.askedAgain;
    const isJudge = mode === 'judge';
    this.#set({
      askedAgain: { answers: answers + (isJudge ? 0 : 1), judgements: judgements + (isJudge ? 1 : 0) },
    });
  }

  wait(seconds: number, reason: string): void {
    const { rateLimits, waitedSeconds, waitingUntil } = this.#progress;
    if (reason === 'turn') {
      // Calls that share a provider wait for the same moment: that is one wait.
      const now = Date.now();
      const until = now + seconds * 1000;
      const more = Math.max(0, until - Math.max(now, waitingUntil ?? 0)) / 1000;
      this.#set({ waitedSeconds: waitedSeconds + more, waitingUntil: Math.max(until, waitingUntil ?? 0) });
      return;
    }
    this.#set({
      rateLimits: rateLimits + (reason === 'rate_limit' ? 1 : 0),
      waitedSeconds: waitedSeconds + seconds,
    });
  }

  #set(change: Partial<Progress>): void {
    this.#progress = { ...this.#progress, ...change };
    this.#onProgress?.(this.#progress);
  }
}
