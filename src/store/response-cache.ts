import { existsSync, mkdirSync, rmSync } from 'node:fs';
import { dirname, resolve } from 'node:path';
import { DatabaseSync, type StatementSync } from 'node:sqlite';
import { KrisisError } from '../core/index.ts';
import type { BackendResponse } from '../models/index.ts';
import { createPrivate } from './private-file.ts';

/** The default path of the cache, beside the run files. */
export const CACHE_FILE = '.krisis/cache.db';

/** How long the cache waits for another process. Short: a run must not wait for its cache. */
const PATIENCE_MS = 100;

/** How many replies are written at once. A kill loses at most these from the cache, never from a run. */
const WRITE_AT_ONCE = 64;

/** A reply that was given before. */
export interface CachedReply {
  readonly responses: readonly BackendResponse[];
  /** When it was given, in seconds since 1970. */
  readonly storedAt: number;
}

/**
 * Replies by what was asked. The engine decides what goes in: no refusals, no errors, nothing of a protected suite. A cache that can no longer be read or written is left out for the rest
 * of the run, with one warning: the run file has every reply.
 */
export class ResponseCache {
  readonly #db: DatabaseSync;
  readonly #find: StatementSync;
  readonly #insert: StatementSync;
  readonly #warn: (message: string) => void;
  readonly #path: string;
  #waiting: [key: string, value: string, storedAt: number][] = [];
  #isOff = false;

  private constructor(path: string, db: DatabaseSync, warn: (message: string) => void) {
    this.#path = path;
    this.#db = db;
    this.#warn = warn;
    this.#find = db.prepare('SELECT value, created_at AS storedAt FROM replies WHERE key = ?');
    this.#insert = db.prepare('INSERT INTO replies VALUES (?, ?, ?) ON CONFLICT DO NOTHING');
  }

  /** `warn` is called once if the cache has to be left out. Default: a warning of the process. */
  static open(
    path: string = CACHE_FILE,
    warn: (message: string) => void = (message) => process.emitWarning(message),
  ): ResponseCache {
    mkdirSync(dirname(resolve(path)), { recursive: true });
    try {
      createPrivate(path);
      const db = new DatabaseSync(path);
      db.exec(
        `PRAGMA busy_timeout = ${PATIENCE_MS}; PRAGMA journal_mode = WAL; PRAGMA synchronous = NORMAL; CREATE TABLE IF NOT EXISTS replies (key TEXT PRIMARY KEY, value TEXT NOT NULL, created_at REAL NOT NULL) WITHOUT ROWID`,
      );
      return new ResponseCache(path, db, warn);
    } catch (error) {
      throw new KrisisError(
        `${path}: the cache cannot be opened: ${(error as Error).message}; remove it, or run without it`,
        { code: 'ERR_CACHE_UNREADABLE', value: path, cause: error },
      );
    }
  }

  get(key: string): CachedReply | null {
    return this.#unlessOff(() => {
      const found = this.#find.get(key) as { value: string; storedAt: number } | undefined;
      if (found === undefined) return null;
      const { prompt, responses } = JSON.parse(found.value);
      return {
        responses: responses.map((response: BackendResponse) => ({ ...response, prompt })),
        storedAt: found.storedAt,
      };
    });
  }

  put(key: string, responses: readonly BackendResponse[]): void {
    // All rows of a reply share one template: it is stored once.
    const value = {
      prompt: responses[0]!.prompt,
      responses: responses.map((response) => ({ ...response, prompt: null })),
    };
    this.#waiting.push([key, JSON.stringify(value), Date.now() / 1000]);
    if (this.#waiting.length >= WRITE_AT_ONCE) this.#write();
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
      for (const reply of waiting) this.#insert.run(...reply);
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
      return Number(db.prepare('SELECT count(*) AS n FROM replies').get()!.n);
    } finally {
      db.close();
    }
  } catch {
    return 0;
  }
}
