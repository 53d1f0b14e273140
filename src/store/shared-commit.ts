import type { DatabaseSync } from 'node:sqlite';

/** At most one commit a millisecond: with many calls under way others use the time. */
const COMMIT_EVERY_MS = 1;
/** Many replies that come at once are read in one turn: the first ones' next calls must not wait for the last. */
const COMMIT_AFTER_MS = 2;
/** With little to do there is nothing to wait for. */
const QUIET_MS = 3;

/**
 * Entries made in the same turn of the event loop share one commit: the cost of journaling is then spread over all calls under way. What fails takes the others of its turn with it, and
 * those who wait are told: no call is made whose intent was not kept.
 */
export class SharedCommit {
  readonly #db: DatabaseSync;
  readonly #onRollBack: () => void;
  /** Who waits for the commit of what was entered since the last. */
  #waiting: Pick<PromiseWithResolvers<void>, 'resolve' | 'reject'>[] = [];
  #isOpen = false;
  #openedAt = 0;
  #lastCommit = 0;

  /** `onRollBack` is told when entries were lost, so that nothing remembers them. */
  constructor(db: DatabaseSync, onRollBack: () => void) {
    this.#db = db;
    this.#onRollBack = onRollBack;
  }

  /** Does some writing, to be committed soon. */
  enter<T>(work: () => T): T {
    if (!this.#isOpen) {
      this.#db.exec('BEGIN IMMEDIATE');
      this.#isOpen = true;
      this.#openedAt = performance.now();
      if (this.#openedAt - this.#lastCommit > COMMIT_EVERY_MS) setImmediate(() => this.commit());
      else setTimeout(() => this.commit(), COMMIT_EVERY_MS);
    }
    let result: T;
    try {
      result = work();
    } catch (error) {
      this.#rollBack(error);
      throw error;
    }
    if (performance.now() - this.#openedAt > COMMIT_AFTER_MS) this.commit();
    return result;
  }

  /** The same, over when it is committed. */
  async keep<T>(work: () => T): Promise<T> {
    const committed = Promise.withResolvers<void>();
    const result = this.enter(() => {
      const done = work();
      this.#waiting.push(committed);
      return done;
    });
    if (this.#openedAt - this.#lastCommit > QUIET_MS) this.commit();
    await committed.promise;
    return result;
  }

  commit(): void {
    if (!this.#isOpen) return;
    try {
      this.#db.exec('COMMIT');
    } catch (error) {
      this.#rollBack(error);
      return;
    }
    this.#isOpen = false;
    this.#lastCommit = performance.now();
    for (const { resolve } of this.#waiting.splice(0)) resolve();
  }

  /** Work that is a commit of its own. */
  alone(work: () => void): void {
    this.commit();
    this.#db.exec('BEGIN IMMEDIATE');
    try {
      work();
      this.#db.exec('COMMIT');
    } catch (error) {
      this.#db.exec('ROLLBACK');
      this.#onRollBack();
      throw error;
    }
  }

  #rollBack(error: unknown): void {
    this.#isOpen = false;
    this.#onRollBack();
    if (this.#db.isTransaction) this.#db.exec('ROLLBACK');
    for (const { reject } of this.#waiting.splice(0)) reject(error);
  }
}
