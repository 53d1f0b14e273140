import type { DatabaseSync } from 'node:sqlite';

/** "KRIS": marks an SQLite file as a run file. */
export const APPLICATION_ID = 0x4b524953;

/** Raised with every change of the tables. Files of another version are refused. */
export const SCHEMA_VERSION = 8;

/** The tables of a run file. A salt is stored beside its text, and removed together with it. */
export const TABLES = `
  CREATE TABLE manifest (key TEXT PRIMARY KEY, value TEXT NOT NULL) WITHOUT ROWID;
  CREATE TABLE records (
    position INTEGER PRIMARY KEY, id TEXT NOT NULL UNIQUE, label TEXT NOT NULL, metadata TEXT NOT NULL,
    features TEXT, features_salt TEXT, features_hash TEXT, selected INTEGER NOT NULL
  );
  CREATE TABLE templates (id INTEGER PRIMARY KEY, mode TEXT NOT NULL, prompt TEXT NOT NULL UNIQUE);
  CREATE TABLE calls (
    id INTEGER PRIMARY KEY, key TEXT NOT NULL, mode TEXT NOT NULL, repeat INTEGER NOT NULL, record_ids TEXT NOT NULL,
    n_records INTEGER NOT NULL, attempt INTEGER NOT NULL, started_at REAL NOT NULL, reserved_usd REAL, settings TEXT,
    finished_at REAL, outcome TEXT, error TEXT, problem TEXT, status INTEGER, input_tokens INTEGER,
    output_tokens INTEGER, wasted_tokens INTEGER, latency REAL, model_id TEXT, cost_usd REAL, cost_basis TEXT,
    cached INTEGER NOT NULL DEFAULT 0, cached_at REAL, worker TEXT, via TEXT,
    raw_response TEXT, reply_salt TEXT, reply_length INTEGER, reply_hash TEXT, kept_hash TEXT
  );
  CREATE TABLE rows (
    record_id TEXT NOT NULL, repeat INTEGER NOT NULL, attempt INTEGER NOT NULL, state TEXT NOT NULL,
    state_reason TEXT, prediction TEXT NOT NULL, abstained INTEGER NOT NULL, confidence REAL,
    confidence_source TEXT NOT NULL, token_confidence REAL, urgent INTEGER, deferral_reason TEXT,
    raw_response TEXT, reply_salt TEXT, reply_start INTEGER, reply_end INTEGER, reply_length INTEGER,
    reply_hash TEXT, kept_hash TEXT, reply_order TEXT, template INTEGER, mode TEXT NOT NULL, call INTEGER,
    input_tokens REAL, output_tokens REAL, total_tokens REAL, tokens_estimated INTEGER NOT NULL,
    repaired INTEGER NOT NULL, problem TEXT, status INTEGER,
    PRIMARY KEY (record_id, repeat, attempt)
  ) WITHOUT ROWID;
  CREATE TABLE judgements (
    record_id TEXT NOT NULL, repeat INTEGER NOT NULL, judge TEXT NOT NULL, pass INTEGER NOT NULL,
    rubric TEXT NOT NULL, config TEXT NOT NULL, attempt INTEGER NOT NULL, outcome TEXT NOT NULL,
    created_at REAL NOT NULL,
    UNIQUE (record_id, repeat, judge, pass, rubric, config, attempt)
  );
  CREATE TABLE events (id INTEGER PRIMARY KEY, time REAL NOT NULL, kind TEXT NOT NULL, data TEXT NOT NULL);
  CREATE TABLE chain (seq INTEGER PRIMARY KEY, kind TEXT NOT NULL, ref TEXT NOT NULL, digest TEXT, hash TEXT NOT NULL);
  CREATE TABLE secrets (name TEXT PRIMARY KEY, value TEXT NOT NULL) WITHOUT ROWID;
  CREATE TABLE pacing (id INTEGER PRIMARY KEY, moment REAL NOT NULL);
`;

/**
 * Makes the views that readers query. They belong to the connection, not to the file: `latest_rows` and `latest_judgements` have the last attempt at each.
 * Records named in `leftOut` do not appear, nor do their rows and judgements.
 */
export function addViews(db: DatabaseSync, leftOut: readonly string[] = []): void {
  db.exec('PRAGMA temp_store = MEMORY');
  if (leftOut.length > 0) {
    db.exec('CREATE TEMP TABLE left_out (id TEXT PRIMARY KEY) WITHOUT ROWID');
    const insert = db.prepare('INSERT OR IGNORE INTO temp.left_out VALUES (?)');
    for (const id of leftOut) insert.run(id);
    for (const [table, column] of [
      ['records', 'id'],
      ['rows', 'record_id'],
      ['judgements', 'record_id'],
    ])
      db.exec(
        `CREATE TEMP VIEW ${table} AS SELECT * FROM main.${table} WHERE ${column} NOT IN (SELECT id FROM temp.left_out)`,
      );
  }
  const latest = (view: string, table: string, place: readonly string[]) => {
    const same = place.map((column) => `l.${column} = w.${column}`).join(' AND ');
    const last = `attempt = (SELECT max(attempt) FROM main.${table} l WHERE ${same})`;
    db.exec(`CREATE TEMP VIEW ${view} AS SELECT * FROM ${table} w WHERE ${last}`);
  };
  latest('latest_rows', 'rows', ['record_id', 'repeat']);
  latest('latest_judgements', 'judgements', ['record_id', 'repeat', 'judge', 'pass', 'rubric', 'config']);
}

/** Creates the tables of an empty file, in one transaction. */
export function createTables(db: DatabaseSync): void {
  const { user_version: version } = db.prepare('PRAGMA user_version').get() as { user_version: number };
  if (version === SCHEMA_VERSION) return;
  db.exec('BEGIN IMMEDIATE');
  try {
    db.exec(TABLES);
    db.exec(`PRAGMA application_id = ${APPLICATION_ID}; PRAGMA user_version = ${SCHEMA_VERSION}`);
    db.exec('COMMIT');
  } catch (error) {
    db.exec('ROLLBACK');
    throw error;
  }
}
