import type { Progress } from '../engine/index.ts';

const REFRESH_MS = 100;
const HEARTBEAT_MS = 10_000;
const LONG_WAIT_MS = 10_000;

/** Shows how far a run is: one line that changes, on a terminal; a line now and then, elsewhere. Always on standard error. */
export class LiveLine {
  readonly #name: string;
  readonly #terminal: boolean;
  readonly #started = Date.now();
  #shown = 0;
  #first: number | null = null;
  #announced = 0;

  constructor(name: string) {
    this.#name = name;
    this.#terminal = process.stderr.isTTY === true;
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
    const text = this.#text(progress, now);
    process.stderr.write(
      this.#terminal ? `\r\u001b[2K${text.slice(0, (process.stderr.columns ?? 100) - 1)}` : `${text}\n`,
    );
  }

  /** Says once that there is a long wait, and until when: an hour of silence looks like a fault. */
  #announce(until: number | null, now: number): void {
    if (until === null || until - now < LONG_WAIT_MS || until - this.#announced < LONG_WAIT_MS) return;
    this.#announced = until;
    this.clear();
    const seconds = Math.round((until - now) / 1000);
    process.stderr.write(
      `${this.#name}: the provider asks to wait ${seconds} s, until ${new Date(until).toLocaleTimeString('en-GB')}; Ctrl-C stops, and the same command continues later\n`,
    );
  }

  /** Takes the line away. */
  clear(): void {
    if (this.#terminal && this.#shown > 0) process.stderr.write('\r\u001b[2K');
  }

  #text(
    { total, done, answered, abstained, invalid, failed, inFlight, rateLimits, costUsd }: Progress,
    now: number,
  ): string {
    const fresh = done - (this.#first ?? 0);
    const left = fresh > 0 ? Math.round(((now - this.#started) / 1000 / fresh) * (total - done)) : null;
    return [
      `${this.#name} ${done}/${total}`,
      `answered ${answered}, abstained ${abstained}, invalid ${invalid}, failed ${failed}`,
      `in flight ${inFlight}`,
      ...(rateLimits > 0 ? [`429s ${rateLimits}`] : []),
      ...(costUsd === null ? [] : [`$${costUsd.toFixed(4)}`]),
      ...(left === null ? [] : [`${left} s left`]),
    ].join(' · ');
  }
}
