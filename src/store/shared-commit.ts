import type { DatabaseSync } from 'node:sqlite';
import type { RunningDigest } from './digest.ts';

/** At most one commit a millisecond: with many calls in flight they share it. */
const COMMIT_EVERY_MS = 1;
/** Many replies that come at once are read in one turn: the first ones' next calls must not wait for the last. */
const COMMIT_AFTER_MS = 2;
/** With little to do there is nothing to wait for. */
const QUIET_MS = 3;

/** When entries are committed. */
export interface Commits {
  /** Writes something that is committed soon. */
  enter(work: () => void): void;
  /** Writes something, and resolves once it is committed. */
  keep<T>(work: () => T): Promise<T>;
  /** Calls back once everything entered so far is committed. */
  after(work: () => void): void;
  /** Commits what was entered so far. */
  commit(): void;
  /** Writes something in a transaction of its own. */
  alone<T>(work: () => T): T;
}

/** In memory every statement is a commit of its own: a crash loses all of it anyway. */
export const NO_TRANSACTIONS: Commits = {
  enter: (work) => work(),
  keep: async (work) => work(),
  after: (work) => work(),
  commit: () => {},
  alone: (work) => work(),
};

/**
 * Entries made in the same turn of the event loop share one commit: the cost of journaling is then spread over all calls in flight. When a commit fails, every `keep` of it rejects: no call is
 * made whose intent was not committed. What was given to `enter` is paid for, and is not dropped: it is written again with the next entry, or at the latest on `commit`, and the failure is thrown
 * there if that fails, too.
 */
export class SharedCommit implements Commits {
  readonly #db: DatabaseSync;
  readonly #digest: RunningDigest | null;
  readonly #forget: () => void;
  readonly #explain: (error: unknown) => unknown;
  /** Callers of `keep` since the last commit. */
  #waiting: Pick<PromiseWithResolvers<void>, 'resolve' | 'reject'>[] = [];
  /** To be called after the next commit. */
  #after: (() => void)[] = [];
  /** Entries since the last commit, in order. */
  #entries: (() => void)[] = [];
  /** True when entries were rolled back, and have to be written again. */
  #hasFailed = false;
  #isOpen = false;
  #openedAt = 0;
  #lastCommit = 0;

  /** Each commit stores `digest`. `forget` drops what is remembered of entries that were rolled back; `explain` turns errors of SQLite into those that callers see. */
  constructor(
    db: DatabaseSync,
    digest: RunningDigest | null,
    forget: () => void,
    explain: (error: unknown) => unknown,
  ) {
    this.#db = db;
    this.#digest = digest;
    this.#forget = forget;
    this.#explain = explain;
  }

  enter(work: () => void): void {
    try {
      this.#write(work);
    } catch (error) {
      // Its own error would come again; an error of the disk may not.
      if (error !== this.#explain(error)) this.#entries.push(work);
      this.#rollBack(error);
      throw this.#explain(error);
    }
    this.#entries.push(work);
    if (performance.now() - this.#openedAt > COMMIT_AFTER_MS) this.commit();
  }

  async keep<T>(work: () => T): Promise<T> {
    const committed = Promise.withResolvers<void>();
    let result: T;
    try {
      result = this.#write(work);
    } catch (error) {
      this.#rollBack(error);
      throw this.#explain(error);
    }
    this.#waiting.push(committed);
    if (this.#openedAt - this.#lastCommit > QUIET_MS) this.#tryCommit();
    await committed.promise;
    return result;
  }

  after(work: () => void): void {
    if (this.#isOpen || this.#hasFailed) this.#after.push(work);
    else work();
  }

  commit(): void {
    try {
      if (this.#hasFailed) this.#write(() => {});
    } catch (error) {
      this.#rollBack(error);
      throw this.#explain(error);
    }
    const error = this.#tryCommit();
    if (error !== null) throw error;
  }

  alone<T>(work: () => T): T {
    this.commit();
    try {
      this.#db.exec('BEGIN IMMEDIATE');
      const result = work();
      this.#digest?.write();
      this.#db.exec('COMMIT');
      this.#digest?.committed();
      return result;
    } catch (error) {
      if (this.#db.isTransaction) this.#db.exec('ROLLBACK');
      this.#forget();
      throw this.#explain(error);
    }
  }

  #write<T>(work: () => T): T {
    if (!this.#isOpen) {
      this.#db.exec('BEGIN IMMEDIATE');
      this.#isOpen = true;
      this.#openedAt = performance.now();
      // A failure is not lost: the entries stay, and the next write throws it.
      const soon = () => void this.#tryCommit();
      if (this.#openedAt - this.#lastCommit > COMMIT_EVERY_MS) setImmediate(soon);
      else setTimeout(soon, COMMIT_EVERY_MS);
      for (const entry of this.#entries) entry();
    }
    return work();
  }

  /** Returns the error, if the commit failed. */
  #tryCommit(): unknown {
    if (!this.#isOpen) return null;
    try {
      this.#digest?.write();
      this.#db.exec('COMMIT');
    } catch (error) {
      this.#rollBack(error);
      return this.#explain(error);
    }
    this.#digest?.committed();
    this.#isOpen = false;
    this.#hasFailed = false;
    this.#entries = [];
    this.#lastCommit = performance.now();
    for (const { resolve } of this.#waiting.splice(0)) resolve();
    for (const work of this.#after.splice(0)) work();
    return null;
  }

  #rollBack(error: unknown): void {
    this.#isOpen = false;
    this.#hasFailed = this.#entries.length > 0;
    this.#forget();
    if (this.#db.isTransaction) this.#db.exec('ROLLBACK');
    const explained = this.#explain(error);
    for (const { reject } of this.#waiting.splice(0)) reject(explained);
  }
}
