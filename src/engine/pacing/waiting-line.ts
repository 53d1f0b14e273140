/** An entry of a waiting line; it can be removed from the middle. */
export interface Waiting<T> {
  readonly value: T;
  previous: Waiting<T> | null;
  next: Waiting<T> | null;
}

/** First come, first served. Linked, so that joining, being served and giving up all cost the same however many wait. */
export class WaitingLine<T> {
  #first: Waiting<T> | null = null;
  #last: Waiting<T> | null = null;

  get first(): Waiting<T> | null {
    return this.#first;
  }

  join(value: T): Waiting<T> {
    const waiting: Waiting<T> = { value, previous: this.#last, next: null };
    if (this.#last === null) this.#first = waiting;
    else this.#last.next = waiting;
    this.#last = waiting;
    return waiting;
  }

  /** Each may leave once. */
  leave({ previous, next }: Waiting<T>): void {
    if (previous === null) this.#first = next;
    else previous.next = next;
    if (next === null) this.#last = previous;
    else next.previous = previous;
  }
}
