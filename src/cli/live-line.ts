import { durationText, pace } from '../core/index.ts';
import type { Progress } from '../engine/index.ts';
import { printMessage } from './print.ts';
import { progressBar, progressText } from './progress-bar.ts';
import { messageWidth } from './terminal-width.ts';

const REFRESH_MS = 100;
const HEARTBEAT_MS = 10_000;
const LONG_WAIT_MS = 10_000;
/** Also the width of a terminal that does not say its own. */
const MOST_COLUMNS = 120;

/** Shows how far a run is: a bar on a terminal; elsewhere a line now and then. Always on standard error. */
export class LiveLine {
  readonly #name: string;
  readonly #terminal: boolean;
  readonly #started = Date.now();
  #shown = 0;
  #first: number | null = null;
  #announced = 0;

  constructor(name: string) {
    this.#name = name;
    this.#terminal = process.stderr.isTTY === true && process.env.TERM !== 'dumb';
  }

  update(progress: Progress): void {
    this.#first ??= progress.done;
    const now = Date.now();
    this.#announce(progress.waitingUntil, now);
    if (
      now - Math.max(this.#shown, this.#terminal ? 0 : this.#started) <
      (this.#terminal ? REFRESH_MS : HEARTBEAT_MS)
    )
      return;
    this.#shown = now;
    const shown = this.#shownOf(progress, now);
    // The last column stays free: some terminals wrap as soon as it is written.
    process.stderr.write(
      this.#terminal
        ? `\r\u001b[2K${progressBar(shown, Math.min(messageWidth(), MOST_COLUMNS) - 1)}`
        : `${progressText(shown)}\n`,
    );
  }

  /** Says once that there is a long wait, and until when: an hour of silence looks like a fault. */
  #announce(until: number | null, now: number): void {
    if (until === null || until - now < LONG_WAIT_MS || until - this.#announced < LONG_WAIT_MS) return;
    this.#announced = until;
    this.clear();
    printMessage(
      `${this.#name}: the provider asks to wait ${durationText((until - now) / 1000)}, until ${new Date(until).toLocaleTimeString('en-GB')}; Ctrl-C stops, and the same command continues later\n`,
    );
  }

  /** Takes the line away. */
  clear(): void {
    if (this.#terminal && this.#shown > 0) process.stderr.write('\r\u001b[2K');
  }

  #shownOf(progress: Progress, now: number) {
    const done = progress.done - (this.#first ?? 0);
    const seconds = (now - this.#started) / 1000;
    return {
      name: this.#name,
      progress,
      pace: pace({ left: progress.total - progress.done, done, seconds }),
    };
  }
}
