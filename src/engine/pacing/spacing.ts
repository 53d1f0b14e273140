/** A timer that comes late is made up for within this many milliseconds; idle time beyond it is lost, so that no burst can be saved up. */
export const SLACK = 10;

/** Even spacing: starts with an interval of i milliseconds are so far apart that any k + 1 of them span at least k * i - SLACK. */
export class Spacing {
  #due: number | null = null;

  /** Milliseconds until the next start is due. */
  wait(now: number): number {
    return this.#due === null ? 0 : this.#due - now;
  }

  /** A start, and how long the next has to wait for it. Returns whether the spacing had held it back. */
  start(now: number, interval: number): boolean {
    const wasHeld = this.#due !== null && this.#due >= now - SLACK;
    this.#due = (this.#due === null ? now : Math.max(this.#due, now - SLACK)) + interval;
    return wasHeld;
  }

  /** The next start is due at once, and nothing is made up for. */
  restart(): void {
    this.#due = null;
  }
}
