import { existsSync, mkdirSync } from 'node:fs';
import { dirname, resolve } from 'node:path';
import type { DatabaseSync, StatementSync } from 'node:sqlite';
import { fileError } from './file-errors.ts';
import { openKnownTable } from './open-database.ts';
import type { Statements } from './statements.ts';

export const WAITS_FILE = '.krisis/waits.db';
/** A wait that another process was asked for is known here after this time at the latest; one of this process at once. */
const READ_AGAIN_MS = 100;
/** How long a look at the file waits for another process. Short: it happens between calls. */
const PATIENCE_MS = 500;

const TABLE =
  'CREATE TABLE provider_waits (host TEXT PRIMARY KEY, moment REAL NOT NULL, asked_at REAL NOT NULL) WITHOUT ROWID';

/** A wait that takes as long as was asked for, whatever the clock does meanwhile. */
class MonotonicWait {
  #until = Number.NEGATIVE_INFINITY;

  get left(): number {
    return Math.max(0, this.#until - performance.now());
  }

  extend(milliseconds: number): void {
    this.#until = Math.max(this.#until, performance.now() + milliseconds);
  }

  end(): void {
    this.#until = Number.NEGATIVE_INFINITY;
  }
}

/** The wait that a provider asked a run for. It is stored, so a process that continues the run waits as well. */
export class RunWait {
  readonly #sql: Statements;
  /** Read from the file once: no other process writes. */
  #wait: MonotonicWait | null = null;

  /** @internal */
  constructor(sql: Statements) {
    this.#sql = sql;
  }

  /** Milliseconds for which no call may be made. */
  left(): number {
    return this.#read().left;
  }

  /** Waits at least this many milliseconds from now. */
  extend(milliseconds: number): void {
    this.#read().extend(milliseconds);
    this.#sql.run(
      'INSERT INTO pacing VALUES (1, ?) ON CONFLICT (id) DO UPDATE SET moment = max(moment, excluded.moment)',
      Date.now() + milliseconds,
    );
  }

  /** Ends the wait. */
  clear(): void {
    this.#read().end();
    this.#sql.run('DELETE FROM pacing');
  }

  #read(): MonotonicWait {
    if (this.#wait !== null) return this.#wait;
    this.#wait = new MonotonicWait();
    const moment = Number(this.#sql.get('SELECT moment FROM pacing')?.moment ?? 0);
    // A clock that shows an earlier time than the last call was set back: then no more is left than was asked for.
    const query = 'SELECT max(coalesce(finished_at, started_at)) * 1000 AS moment FROM all_calls';
    if (moment > Date.now())
      this.#wait.extend(moment - Math.max(Date.now(), Number(this.#sql.get(query)?.moment ?? 0)));
    return this.#wait;
  }
}

/** How long providers want no calls, shared by everything that calls them from this folder: models, runs, processes. */
export class ProviderWaits {
  readonly #db: DatabaseSync | null;
  readonly #find: StatementSync | undefined;
  readonly #set: StatementSync | undefined;
  readonly #hosts = new Map<string, { readonly wait: MonotonicWait; moment: number; readAt: number }>();

  /** Without a database, waits are known to this object only. @internal */
  constructor(db: DatabaseSync | null) {
    this.#db = db;
    this.#find = db?.prepare('SELECT moment, asked_at FROM provider_waits WHERE host = ?');
    // A wait that was asked for in the future is from before the clock was set back: the newer one counts.
    this.#set = db?.prepare(
      `INSERT INTO provider_waits VALUES (?, ?, ?) ON CONFLICT (host) DO UPDATE SET moment = excluded.moment, asked_at = excluded.asked_at
      WHERE excluded.moment > moment OR excluded.asked_at < asked_at`,
    );
  }

  /** Milliseconds until the host takes calls again; 0 or less when it does. */
  left(host: string): number {
    const entry = this.#entry(host);
    if (this.#find !== undefined && performance.now() - entry.readAt >= READ_AGAIN_MS) {
      entry.readAt = performance.now();
      // What another process wrote. A file that is locked for a moment is read the next time.
      const stored = tryOrNull(() => this.#find!.get(host));
      if (stored === undefined) entry.wait.end();
      else if (stored !== null && stored.moment !== entry.moment) entry.wait.extend(millisecondsLeft(stored));
      if (stored !== null) entry.moment = Number(stored?.moment ?? 0);
    }
    return entry.wait.left;
  }

  /** Notes that the host wants no calls for so many milliseconds. */
  wait(host: string, milliseconds: number): void {
    const entry = this.#entry(host);
    entry.wait.extend(milliseconds);
    const now = Date.now();
    entry.moment = now + milliseconds;
    tryOrNull(() => this.#set?.run(host, now + milliseconds, now));
  }

  /** Forgets the wait for a host, or all. Returns how many there were. */
  clear(host?: string): number {
    const hosts = host === undefined ? [...this.#hosts.keys()] : [host];
    const inProcess = hosts.filter((name) => (this.#hosts.get(name)?.wait.left ?? 0) > 0).length;
    for (const name of hosts) this.#hosts.delete(name);
    if (this.#db === null) return inProcess;
    const [where, values] = host === undefined ? ['', []] : ['WHERE host = ?', [host]];
    return Number(this.#db.prepare(`DELETE FROM provider_waits ${where}`).run(...values).changes);
  }

  /** Waits that are not over. */
  list(): { readonly host: string; readonly until: Date }[] {
    const rows = this.#db?.prepare('SELECT * FROM provider_waits ORDER BY host').all() ?? [];
    return rows.flatMap((row) => {
      const left = millisecondsLeft(row);
      return left > 0 ? [{ host: String(row.host), until: new Date(Date.now() + left) }] : [];
    });
  }

  close(): void {
    this.#db?.close();
  }

  #entry(host: string) {
    const entry = this.#hosts.get(host) ?? {
      wait: new MonotonicWait(),
      moment: 0,
      readAt: Number.NEGATIVE_INFINITY,
    };
    this.#hosts.set(host, entry);
    return entry;
  }
}

/** For the library, which writes no files: shared within the process. */
export const PROCESS_WAITS = new ProviderWaits(null);

/** Shared through a small file. */
export function openProviderWaits(path: string = WAITS_FILE): ProviderWaits {
  try {
    mkdirSync(dirname(resolve(path)), { recursive: true });
    const db = openKnownTable(path, TABLE, { patienceMs: PATIENCE_MS });
    db.exec(
      `PRAGMA busy_timeout = ${PATIENCE_MS}; PRAGMA journal_mode = WAL; ${TABLE.replace('TABLE', 'TABLE IF NOT EXISTS')}`,
    );
    return new ProviderWaits(db);
  } catch (error) {
    const what = `waits of providers cannot be kept: ${(error as Error).message}`;
    throw fileError(path, what, 'ERR_WAITS_FILE', error);
  }
}

/** The waits in this folder, without making a file for them. */
export function existingWaits(path: string = WAITS_FILE): ProviderWaits {
  return existsSync(path) ? openProviderWaits(path) : new ProviderWaits(null);
}

/**
 * From when a wait was asked for to when it ends, as stored in milliseconds of the clock. A clock that shows an earlier time than when the
 * wait was asked for was set back: then the whole wait is left, and no more.
 */
function millisecondsLeft({ moment, asked_at }: Readonly<Record<string, unknown>>): number {
  return Number(moment) - Math.max(Date.now(), Number(asked_at));
}

function tryOrNull<T>(work: () => T): T | null {
  try {
    return work();
  } catch {
    return null;
  }
}
