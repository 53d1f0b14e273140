import { closeSync, fdatasync, fdatasyncSync, openSync } from 'node:fs';
import type { DatabaseSync } from 'node:sqlite';
import type { RunningDigest } from './digest.ts';

/** No write waits longer for its commit, however many others come in meanwhile. */
const MAX_WAIT_MS = 5;
/** So many writes are committed at once: a kill loses no more replies, and no next call waits for more. */
const MAX_WRITES = 64;

/** When entries are committed. */
export interface Commits {
  /** Writes something that is committed soon. */
  enter(work: () => void): void;
  /** Writes the intent of a call, and resolves once it is committed, and on the disk where commits are flushed. */
  begin<T>(work: () => T): Promise<T>;
  /** Calls back once everything entered so far is committed, and on the disk where commits are flushed. */
  after(work: () => void): void;
  /** Commits what was entered so far. */
  commit(): void;
  /** From now on a commit counts once the log of the database, a file at this path, is flushed. */
  flush(logPath: string): void;
  /** Writes something in a transaction of its own. */
  alone<T>(work: () => T): T;
  /** Commits what was entered so far, and releases the log. */
  close(): void;
}

/** In memory every statement is a commit of its own: a crash loses all of it anyway. */
export const NO_TRANSACTIONS: Commits = {
  enter: (work) => work(),
  begin: async (work) => work(),
  after: (work) => work(),
  commit: () => {},
  flush: () => {},
  alone: (work) => work(),
  close: () => {},
};

/** What waits until a commit counts. */
interface Waiting {
  done(): void;
  fail(error: unknown): void;
}

/**
 * The log of a database on the disk. SQLite would flush it within every commit, and the process would stand still for longer than all of
 * its own work takes. Here it is flushed beside that work, once for all commits made meanwhile.
 */
class Log {
  readonly #file: number;
  readonly #flushed: () => void;
  #waiting: Waiting[] = [];
  #isFlushing = false;
  #isClosed = false;

  /** `flushed` is called after each flush that no other follows. */
  constructor(path: string, flushed: () => void) {
    this.#file = openSync(path, 'r+');
    this.#flushed = flushed;
  }

  get isFlushing(): boolean {
    return this.#isFlushing;
  }

  /** Calls back when everything written so far is on the disk. */
  flush(waiting: Waiting): void {
    this.#waiting.push(waiting);
    if (!this.#isFlushing) this.#flushWaiting();
  }

  #flushWaiting(): void {
    const flushed = this.#waiting.splice(0);
    this.#isFlushing = true;
    fdatasync(this.#file, (error) => {
      this.#isFlushing = false;
      for (const { done, fail } of flushed) error === null ? done() : fail(error);
      if (this.#isClosed) closeSync(this.#file);
      else if (this.#waiting.length > 0) this.#flushWaiting();
      else this.#flushed();
    });
  }

  /** The same before it returns. */
  flushNow(): void {
    fdatasyncSync(this.#file);
    for (const { done } of this.#waiting.splice(0)) done();
  }

  close(): void {
    this.#isClosed = true;
    if (!this.#isFlushing) closeSync(this.#file);
  }
}

/**
 * Calls share commits: one is made as soon as nothing else has come in and no flush is under way, and at the latest when 64 writes wait or
 * 5 ms have passed. A kill loses what was written since the last commit, so that those calls are made again. When a commit fails, every
 * `begin` of it rejects: no call is made whose intent was not committed. Other writes are paid for, and are not dropped: they are written
 * again with the next one, or at the latest on `commit`, and the failure is thrown there if that fails, too. After a flush that failed
 * nobody knows what is on the disk: every later write throws.
 */
export class SharedCommit implements Commits {
  readonly #db: DatabaseSync;
  readonly #digest: RunningDigest | null;
  readonly #forget: () => void;
  readonly #explain: (error: unknown) => unknown;
  /** Callers of `begin` since the last commit. */
  #waiting: Pick<PromiseWithResolvers<void>, 'resolve' | 'reject'>[] = [];
  /** To be called after the next commit. */
  #after: (() => void)[] = [];
  /** Entries since the last commit, in order. */
  #entries: (() => void)[] = [];
  /** True when entries were rolled back, and have to be written again. */
  #hasFailed = false;
  #isOpen = false;
  #openedAt = 0;
  #nWrites = 0;
  #timer: NodeJS.Timeout | null = null;
  #endOfTurn: NodeJS.Immediate | null = null;
  /** Null where commits are not flushed. */
  #log: Log | null = null;
  #flushError: unknown = null;

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
    const error = this.#commitInTime();
    if (error !== null) throw error;
  }

  async begin<T>(work: () => T): Promise<T> {
    if (this.#flushError !== null) throw this.#flushError;
    const committed = Promise.withResolvers<void>();
    let result: T;
    try {
      result = this.#write(work);
    } catch (error) {
      this.#rollBack(error);
      throw this.#explain(error);
    }
    this.#waiting.push(committed);
    this.#commitInTime();
    await committed.promise;
    return result;
  }

  after(work: () => void): void {
    if (this.#isOpen || this.#hasFailed) this.#after.push(work);
    else this.#whenFlushed({ done: work, fail: () => {} });
  }

  commit(): void {
    try {
      if (this.#hasFailed) this.#write(() => {});
    } catch (error) {
      this.#rollBack(error);
      throw this.#explain(error);
    }
    const isEmpty = !this.#isOpen;
    const error = this.#tryCommit();
    if (error !== null) throw error;
    if (!isEmpty) this.#flushNow();
  }

  flush(logPath: string): void {
    this.commit();
    this.#log ??= new Log(logPath, () => this.#commitWhenIdle());
  }

  close(): void {
    try {
      this.commit();
    } finally {
      this.#log?.close();
    }
  }

  alone<T>(work: () => T): T {
    this.commit();
    try {
      this.#db.exec('BEGIN IMMEDIATE');
      const result = work();
      this.#digest?.write();
      this.#db.exec('COMMIT');
      this.#digest?.committed();
      this.#flushNow();
      return result;
    } catch (error) {
      if (this.#db.isTransaction) this.#db.exec('ROLLBACK');
      this.#forget();
      throw this.#explain(error);
    }
  }

  #whenFlushed(waiting: Waiting): void {
    if (this.#log === null) waiting.done();
    else this.#log.flush(waiting);
  }

  #flushNow(): void {
    try {
      this.#log?.flushNow();
    } catch (error) {
      this.#flushError ??= this.#explain(error);
    }
    if (this.#flushError !== null) throw this.#flushError;
  }

  #write<T>(work: () => T): T {
    if (!this.#isOpen) {
      this.#db.exec('BEGIN IMMEDIATE');
      this.#isOpen = true;
      this.#openedAt = performance.now();
      this.#nWrites = this.#entries.length;
      for (const entry of this.#entries) entry();
    }
    this.#nWrites += 1;
    return work();
  }

  /** Sees to it that what was just written is committed. Returns the error of a commit that failed; one that fails later is thrown by the next write. */
  #commitInTime(): unknown {
    if (this.#flushError !== null) return this.#flushError;
    // A timer cannot fire while many replies are read in one turn of the event loop.
    if (this.#nWrites >= MAX_WRITES || performance.now() - this.#openedAt > MAX_WAIT_MS)
      return this.#tryCommit();
    this.#commitWhenIdle();
    return null;
  }

  /** Commits after a turn of the event loop that brought nothing more: replies that came together share a commit, and none waits for others to come. */
  #commitWhenIdle(): void {
    const nBefore = this.#nWrites;
    this.#endOfTurn ??= setImmediate(() => {
      this.#endOfTurn = null;
      if (this.#nWrites > nBefore) this.#commitWhenIdle();
      else if (!this.#log?.isFlushing) this.#tryCommit();
      // The commit would only wait for the end of the flush, which calls this again.
      else this.#timer ??= setTimeout(() => this.#tryCommit(), MAX_WAIT_MS);
    });
  }

  /** Returns the error, if the commit failed. */
  #tryCommit(): unknown {
    if (this.#timer !== null) clearTimeout(this.#timer);
    if (this.#endOfTurn !== null) clearImmediate(this.#endOfTurn);
    this.#timer = null;
    this.#endOfTurn = null;
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
    const begun = this.#waiting.splice(0);
    const after = this.#after.splice(0);
    this.#whenFlushed({
      done: () => {
        for (const { resolve } of begun) resolve();
        for (const work of after) work();
      },
      fail: (error) => {
        this.#flushError ??= this.#explain(error);
        for (const { reject } of begun) reject(this.#flushError);
      },
    });
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
