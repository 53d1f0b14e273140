import type { DatabaseSync } from 'node:sqlite';

/** At most one commit a millisecond: with many calls in flight they share it. */
const COMMIT_EVERY_MS = 1;
/** Many replies that come at once are read in one turn: the first ones' next calls must not wait for the last. */
const COMMIT_AFTER_MS = 2;
/** With little to do there is nothing to wait for. */
const QUIET_MS = 3;

/** When entries are committed. */
export interface Commits {
  /** Writes something that is committed soon. */
  enter<T>(work: () => T): T;
  /** Writes something, and resolves once it is committed. */
  keep<T>(work: () => T): Promise<T>;
  /** Commits what was entered so far. */
  commit(): void;
  /** Writes something in a transaction of its own. */
  alone(work: () => void): void;
}

/** In memory every statement is a commit of its own: a crash loses all of it anyway. */
export const NO_TRANSACTIONS: Commits = {
  enter: (work) => work(),
  keep: async (work) => work(),
  commit: () => {},
  alone: (work) => work(),
};

/**
 * Entries made in the same turn of the event loop share one commit: the cost of journaling is then spread over all calls in flight. An entry that fails rolls back the others of its turn,
 * and every `keep` among them rejects: no call is made whose intent was not committed.
 */
export class SharedCommit implements Commits {
  readonly #db: DatabaseSync;
  readonly #onRollBack: () => void;
  /** Callers of `keep` since the last commit. */
  #waiting: Pick<PromiseWithResolvers<void>, 'resolve' | 'reject'>[] = [];
  #isOpen = false;
  #openedAt = 0;
  #lastCommit = 0;

  /** `onRollBack` is called when entries were lost, so that caches can forget them. */
  constructor(db: DatabaseSync, onRollBack: () => void) {
    this.#db = db;
    this.#onRollBack = onRollBack;
  }

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
