import { mkdirSync } from 'node:fs';
import { dirname, resolve } from 'node:path';
import { DatabaseSync, type StatementSync } from 'node:sqlite';

const WAITS_FILE = '.krisis/waits.db';
/** A wait that another process was asked for is known here after this time at the latest; one of this process at once. */
const READ_AGAIN_MS = 100;

/** The moment before which a provider wants no call, shared by everything that calls it from this folder: models, runs, processes. */
export interface ProviderWaits {
  /** Milliseconds of the clock; 0 when there is none. */
  notBefore(host: string): number;
  waitUntil(host: string, moment: number): void;
  close(): void;
}

/** Shared through a small file. */
export function openProviderWaits(path: string = WAITS_FILE): ProviderWaits {
  mkdirSync(dirname(resolve(path)), { recursive: true });
  const db = new DatabaseSync(path);
  db.exec(
    'PRAGMA busy_timeout = 5000; PRAGMA journal_mode = WAL; CREATE TABLE IF NOT EXISTS waits (host TEXT PRIMARY KEY, moment REAL NOT NULL) WITHOUT ROWID',
  );
  const find: StatementSync = db.prepare('SELECT moment FROM waits WHERE host = ?');
  const set = db.prepare(
    'INSERT INTO waits VALUES (?, ?) ON CONFLICT (host) DO UPDATE SET moment = max(moment, excluded.moment)',
  );
  const known = new Map<string, { moment: number; readAt: number }>();
  return {
    notBefore: (host) => {
      const now = performance.now();
      const last = known.get(host);
      if (last !== undefined && now - last.readAt < READ_AGAIN_MS) return last.moment;
      const moment = Number(find.get(host)?.moment ?? 0);
      known.set(host, { moment, readAt: now });
      return moment;
    },
    waitUntil: (host, moment) => {
      set.run(host, moment);
      known.delete(host);
    },
    close: () => db.close(),
  };
}

const inProcess = new Map<string, number>();

/** For the library, which writes no files: shared within the process. */
export const PROCESS_WAITS: ProviderWaits = {
  notBefore: (host) => inProcess.get(host) ?? 0,
  waitUntil: (host, moment) => {
    inProcess.set(host, Math.max(moment, inProcess.get(host) ?? 0));
  },
  close: () => {},
};
