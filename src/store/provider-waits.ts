import { existsSync, mkdirSync } from 'node:fs';
import { dirname, resolve } from 'node:path';
import type { DatabaseSync } from 'node:sqlite';
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

/** How long providers want no calls, shared by everything that calls them from this folder: models, runs, processes. */
export interface ProviderWaits {
  /** Milliseconds until the host takes calls again; 0 or less when it does. */
  left(host: string): number;
  /** Notes that the host wants no calls for so many milliseconds. */
  wait(host: string, milliseconds: number): void;
  /** Forgets the wait for a host, or all. Returns how many there were. */
  clear(host?: string): number;
  /** Waits that are not over. */
  list(): readonly { readonly host: string; readonly until: Date }[];
  close(): void;
}

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

/** For the library, which writes no files: shared within the process. */
export const PROCESS_WAITS: ProviderWaits = createWaits(null);

/** Shared through a small file. */
export function openProviderWaits(path: string = WAITS_FILE): ProviderWaits {
  try {
    mkdirSync(dirname(resolve(path)), { recursive: true });
    const db = openKnownTable(path, TABLE, { patienceMs: PATIENCE_MS });
    db.exec(
      `PRAGMA busy_timeout = ${PATIENCE_MS}; PRAGMA journal_mode = WAL; ${TABLE.replace('TABLE', 'TABLE IF NOT EXISTS')}`,
    );
    return createWaits(db);
  } catch (error) {
    const what = `waits of providers cannot be kept: ${(error as Error).message}`;
    throw fileError(path, what, 'ERR_WAITS_FILE', error);
  }
}

/** The waits in this folder, without making a file for them. */
export function existingWaits(path: string = WAITS_FILE): ProviderWaits {
  return existsSync(path) ? openProviderWaits(path) : createWaits(null);
}

interface StoredWait {
  /** When the wait ends and when it was asked for, in milliseconds of the clock. */
  readonly moment: number;
  readonly asked_at: number;
}

function createWaits(db: DatabaseSync | null): ProviderWaits {
  const known = new Map<string, { readonly wait: MonotonicWait; moment: number; readAt: number }>();
  const find = db?.prepare('SELECT moment, asked_at FROM provider_waits WHERE host = ?');
  // A wait that was asked for in the future is from before the clock was set back: the newer one counts.
  const set = db?.prepare(
    `INSERT INTO provider_waits VALUES (?, ?, ?) ON CONFLICT (host) DO UPDATE SET moment = excluded.moment, asked_at = excluded.asked_at
      WHERE excluded.moment > moment OR excluded.asked_at < asked_at`,
  );
  const of = (host: string) => {
    let found = known.get(host);
    if (found === undefined) {
      found = { wait: new MonotonicWait(), moment: 0, readAt: Number.NEGATIVE_INFINITY };
      known.set(host, found);
    }
    return found;
  };
  /** What another process wrote. A file that is locked for a moment is read the next time. */
  const read = (host: string, entry: ReturnType<typeof of>) => {
    if (find === undefined || performance.now() - entry.readAt < READ_AGAIN_MS) return;
    entry.readAt = performance.now();
    const stored = orNull(() => find.get(host)) as StoredWait | null | undefined;
    if (stored === null) return;
    if (stored === undefined) entry.wait.end();
    else if (stored.moment !== entry.moment) entry.wait.extend(millisecondsLeft(stored));
    entry.moment = stored?.moment ?? 0;
  };
  return {
    left: (host) => {
      const entry = of(host);
      read(host, entry);
      return entry.wait.left;
    },
    wait: (host, milliseconds) => {
      const entry = of(host);
      entry.wait.extend(milliseconds);
      const now = Date.now();
      entry.moment = now + milliseconds;
      orNull(() => set?.run(host, now + milliseconds, now));
    },
    clear: (host) => {
      const hosts = host === undefined ? [...known.keys()] : [host];
      const inProcess = hosts.filter((name) => (known.get(name)?.wait.left ?? 0) > 0).length;
      for (const name of hosts) known.delete(name);
      if (db === null) return inProcess;
      const [where, values] = host === undefined ? ['', []] : ['WHERE host = ?', [host]];
      return Number(db.prepare(`DELETE FROM provider_waits ${where}`).run(...values).changes);
    },
    list: () => {
      const stored = (db?.prepare('SELECT * FROM provider_waits ORDER BY host').all() ?? []) as unknown as ({
        readonly host: string;
      } & StoredWait)[];
      return stored.flatMap(({ host, ...wait }) => {
        const left = millisecondsLeft(wait);
        return left > 0 ? [{ host, until: new Date(Date.now() + left) }] : [];
      });
    },
    close: () => db?.close(),
  };
}

/** A clock that shows an earlier time than when the wait was asked for was set back: then the whole wait is left, and no more. */
function millisecondsLeft({ moment, asked_at }: StoredWait): number {
  return moment - Math.max(Date.now(), asked_at);
}

function orNull<T>(work: () => T): T | null {
  try {
    return work();
  } catch {
    return null;
  }
}
