import { createHmac, createSecretKey, type KeyObject, timingSafeEqual } from 'node:crypto';
import { existsSync, mkdirSync, rmSync } from 'node:fs';
import { dirname, resolve } from 'node:path';
import { DatabaseSync, type StatementSync } from 'node:sqlite';
import { userSecret } from '../core/user-folder.ts';
import type { ModelReply } from '../models/api/model-reply.ts';
import { fileError } from './file-errors.ts';
import { holdsOnly, openKnownTable } from './open-database.ts';
import { createPrivate } from './private-file.ts';

/** The default path of the cache, beside the run files. */
export const CACHE_FILE = '.krisis/cache.db';

/** How long the cache waits for another process. Short: a run must not wait for its cache. */
const PATIENCE_MS = 100;

/** How many replies are written at once. A kill loses at most these from the cache, never from a run. */
const WRITE_AT_ONCE = 512;

/** Part of every code, and stored as the version of the file: a reply in another form is a miss. */
const FORMAT = 2;

/** Keys are random: only their index is written all over, replies come one after the other. */
const TABLE =
  'CREATE TABLE replies (key TEXT NOT NULL UNIQUE, value TEXT NOT NULL, created_at REAL NOT NULL, mac TEXT NOT NULL)';

/**
 * Replies by what was asked. The engine decides what goes in: no refusals, no errors, nothing of a protected suite. Each reply has an authentication code (HMAC) under a key of the user
 * that is kept outside the project: what another user or program put into the file is a miss. A cache that cannot be read or written is left out for the rest of the run, with one
 * warning: the run file has every reply.
 */
export class ResponseCache {
  readonly #db: DatabaseSync;
  readonly #find: StatementSync;
  readonly #insert: StatementSync;
  readonly #replace: StatementSync;
  readonly #secret: KeyObject | null;
  readonly #warn: (message: string) => void;
  readonly #path: string;
  #waiting: [key: string, value: string, storedAt: number][] = [];
  #isOff = false;

  private constructor(path: string, db: DatabaseSync, warn: (message: string) => void) {
    this.#path = path;
    this.#db = db;
    this.#warn = warn;
    this.#find = db.prepare('SELECT value, created_at AS storedAt, mac FROM replies WHERE key = ?');
    this.#insert = db.prepare('INSERT INTO replies VALUES (?, ?, ?, ?) ON CONFLICT DO NOTHING');
    this.#replace = db.prepare('REPLACE INTO replies VALUES (?, ?, ?, ?)');
    this.#secret = this.#unlessOff(() => createSecretKey(userSecret('cache.key')));
  }

  /** `warn` is called once if the cache has to be left out. Default: a warning of the process. */
  static open(
    path: string = CACHE_FILE,
    warn: (message: string) => void = (message) => process.emitWarning(message),
  ): ResponseCache {
    mkdirSync(dirname(resolve(path)), { recursive: true });
    try {
      const create = () => createPrivate(path);
      const db = openKnownTable(path, TABLE, { patienceMs: PATIENCE_MS, create });
      db.exec(`PRAGMA busy_timeout = ${PATIENCE_MS}; PRAGMA journal_mode = WAL; PRAGMA synchronous = NORMAL`);
      if (db.prepare('PRAGMA user_version').get()!.user_version !== FORMAT)
        db.exec(
          `BEGIN IMMEDIATE; DROP TABLE IF EXISTS replies; ${TABLE}; PRAGMA user_version = ${FORMAT}; COMMIT`,
        );
      return new ResponseCache(path, db, warn);
    } catch (error) {
      const what = `the cache cannot be opened: ${(error as Error).message}; remove it, or run without it`;
      throw fileError(path, what, 'ERR_CACHE_UNREADABLE', error);
    }
  }

  /** The reply as received, and when it was given, in seconds since 1970; null where there is none. */
  get(key: string) {
    return this.#unlessOff(() => this.#read(key));
  }

  #read(key: string) {
    const entry = this.#find.get(key);
    if (entry === undefined || typeof entry.value !== 'string') return null;
    const { value, mac } = entry;
    const storedAt = Number(entry.storedAt);
    if (!isEqual(String(mac), this.#codeFor(key, value, storedAt))) return null;
    return { reply: JSON.parse(value) as ModelReply, storedAt };
  }

  put(key: string, reply: ModelReply): void {
    this.#waiting.push([key, JSON.stringify(reply), Date.now() / 1000]);
    if (this.#waiting.length >= WRITE_AT_ONCE) this.#write();
  }

  #codeFor(key: string, value: string, storedAt: number): string {
    const content = JSON.stringify([FORMAT, key, storedAt, value]);
    return createHmac('sha256', this.#secret!).update(content).digest('base64url');
  }

  close(): void {
    this.#write();
    this.#db.close();
  }

  #write(): void {
    const waiting = this.#waiting;
    this.#waiting = [];
    if (waiting.length === 0) return;
    this.#unlessOff(() => {
      this.#db.exec('BEGIN IMMEDIATE');
      for (const [key, value, storedAt] of waiting) {
        const cells = [key, value, storedAt, this.#codeFor(key, value, storedAt)] as const;
        // The first reply stays, unless someone else wrote it.
        if (this.#insert.run(...cells).changes === 0 && this.#read(key) === null) this.#replace.run(...cells);
      }
      this.#db.exec('COMMIT');
      return null;
    });
  }

  #unlessOff<T>(work: () => T): T | null {
    if (this.#isOff) return null;
    try {
      return work();
    } catch (error) {
      this.#isOff = true;
      if (this.#db.isTransaction) this.#db.exec('ROLLBACK');
      this.#warn(
        `${this.#path}: the cache is left out for the rest of this run: ${(error as Error).message}`,
      );
      return null;
    }
  }
}

function isEqual(a: string, b: string): boolean {
  return a.length === b.length && timingSafeEqual(Buffer.from(a), Buffer.from(b));
}

/** Removes the cache, also a damaged one. Returns how many replies it held, or null if there was none. */
export function clearCache(path: string = CACHE_FILE): number | null {
  if (!existsSync(path)) return null;
  const n = countReplies(path);
  for (const suffix of ['', '-wal', '-shm']) rmSync(`${path}${suffix}`, { force: true });
  return n;
}

function countReplies(path: string): number {
  try {
    const db = new DatabaseSync(path, { readOnly: true });
    try {
      return holdsOnly(db, TABLE) ? Number(db.prepare('SELECT count(*) AS n FROM replies').get()!.n) : 0;
    } finally {
      db.close();
    }
  } catch {
    return 0;
  }
}
