/** Only runs with bulk jobs have these tables. */
export const BULK_TABLES = [
  `CREATE TABLE bulk_jobs (id INTEGER PRIMARY KEY, nonce TEXT NOT NULL UNIQUE, lane TEXT NOT NULL, state TEXT NOT NULL, remote_id TEXT, input_file TEXT, result_files TEXT NOT NULL, n INTEGER NOT NULL, bytes INTEGER NOT NULL, intended_at REAL NOT NULL, submitted_at REAL, ended_at REAL, removed_at REAL, why TEXT)`,
  `CREATE TABLE bulk_items (custom_id TEXT PRIMARY KEY, lane TEXT NOT NULL, job INTEGER, reserved_usd REAL NOT NULL, expired INTEGER NOT NULL) WITHOUT ROWID`,
] as const;
