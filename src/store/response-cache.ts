import { existsSync, mkdirSync, rmSync } from 'node:fs';
import { dirname, resolve } from 'node:path';
import { DatabaseSync, type StatementSync } from 'node:sqlite';
import { KrisisError } from '../core/index.ts';
import type { BackendResponse } from '../models/index.ts';

/** The default path of the cache, beside the run files. */
export const CACHE_FILE = '.krisis/cache.db';

/** How many replies are written at once. A kill loses at most these from the cache, never from a run. */
const WRITE_AT_ONCE = 64;

/** Replies by what was asked. The engine decides what goes in: no refusals, no errors, nothing of a protected suite. */
export class ResponseCache {
  readonly #db: DatabaseSync;
  readonly #find: StatementSync;
  readonly #insert: StatementSync;
  #waiting: [key: string, value: string][] = [];

  private constructor(db: DatabaseSync) {
    this.#db = db;
    this.#find = db.prepare('SELECT value FROM replies WHERE key = ?');
    this.#insert = db.prepare('INSERT INTO replies VALUES (?, ?, ?) ON CONFLICT DO NOTHING');
  }

  static open(path: string = CACHE_FILE): ResponseCache {
    mkdirSync(dirname(resolve(path)), { recursive: true });
    try {
      const db = new DatabaseSync(path);
      db.exec(
        'PRAGMA busy_timeout = 5000; PRAGMA journal_mode = WAL; PRAGMA synchronous = NORMAL; CREATE TABLE IF NOT EXISTS replies (key TEXT PRIMARY KEY, value TEXT NOT NULL, created_at REAL NOT NULL) WITHOUT ROWID',
      );
      return new ResponseCache(db);
    } catch (error) {
      throw new KrisisError(
        `${path}: the cache cannot be opened: ${(error as Error).message}; remove it, or run without it`,
        { code: 'ERR_CACHE_UNREADABLE', value: path, cause: error },
      );
    }
  }

  get(key: string): readonly BackendResponse[] | null {
    const found = this.#find.get(key) as { value: string } | undefined;
    if (found === undefined) return null;
    const { prompt, responses } = JSON.parse(found.value);
    return responses.map((response: BackendResponse) => ({ ...response, prompt }));
  }

  put(key: string, responses: readonly BackendResponse[]): void {
    // All rows of a reply share one template: it is stored once.
    const value = {
      prompt: responses[0]!.prompt,
      responses: responses.map((response) => ({ ...response, prompt: null })),
    };
    this.#waiting.push([key, JSON.stringify(value)]);
    if (this.#waiting.length >= WRITE_AT_ONCE) this.#write();
  }

  close(): void {
    this.#write();
    this.#db.close();
  }

  #write(): void {
    if (this.#waiting.length === 0) return;
    const now = Date.now() / 1000;
    this.#db.exec('BEGIN IMMEDIATE');
    for (const [key, value] of this.#waiting) this.#insert.run(key, value, now);
    this.#db.exec('COMMIT');
    this.#waiting = [];
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
