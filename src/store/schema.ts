import type { DatabaseSync } from 'node:sqlite';
import type { KeptCells } from './withheld-cells.ts';

/** "KRIS": marks an SQLite file as a run file. */
export const APPLICATION_ID = 0x4b524953;

/** Each entry migrates a file from the version of its position to the next. Never change one that was released: add another. */
const MIGRATIONS: readonly string[] = [
  `
  CREATE TABLE manifest (key TEXT PRIMARY KEY, value TEXT NOT NULL) WITHOUT ROWID;
  CREATE TABLE records (position INTEGER PRIMARY KEY, id TEXT NOT NULL UNIQUE, label TEXT NOT NULL, metadata TEXT NOT NULL, features TEXT, selected INTEGER NOT NULL);
  CREATE TABLE templates (id INTEGER PRIMARY KEY, mode TEXT NOT NULL, prompt TEXT NOT NULL UNIQUE);
  CREATE TABLE calls (
    id INTEGER PRIMARY KEY, key TEXT NOT NULL, mode TEXT NOT NULL, repeat INTEGER NOT NULL, record_ids TEXT NOT NULL, n_records INTEGER NOT NULL,
    attempt INTEGER NOT NULL, started_at REAL NOT NULL, finished_at REAL, outcome TEXT, error TEXT, input_tokens INTEGER, output_tokens INTEGER,
    wasted_tokens INTEGER, latency REAL, model_id TEXT
  );
  CREATE TABLE rows (
    record_id TEXT NOT NULL, repeat INTEGER NOT NULL, state TEXT NOT NULL, state_reason TEXT, prediction TEXT NOT NULL, abstained INTEGER NOT NULL,
    confidence REAL, confidence_source TEXT NOT NULL, raw_response TEXT, template INTEGER, mode TEXT NOT NULL, call INTEGER,
    input_tokens REAL, output_tokens REAL, total_tokens REAL, tokens_estimated INTEGER NOT NULL,
    PRIMARY KEY (record_id, repeat)
  ) WITHOUT ROWID;
  CREATE TABLE pacing (id INTEGER PRIMARY KEY, moment REAL NOT NULL);
  `,
  `
  ALTER TABLE calls ADD COLUMN cost_usd REAL;
  ALTER TABLE calls ADD COLUMN cached INTEGER NOT NULL DEFAULT 0;
  ALTER TABLE calls ADD COLUMN raw_response TEXT;
  ALTER TABLE rows ADD COLUMN repaired INTEGER NOT NULL DEFAULT 0;
  `,
  `
  CREATE TABLE judgements (
    record_id TEXT NOT NULL, repeat INTEGER NOT NULL, judge TEXT NOT NULL, pass INTEGER NOT NULL, rubric TEXT NOT NULL, outcome TEXT NOT NULL, created_at REAL NOT NULL,
    UNIQUE (record_id, repeat, judge, pass, rubric)
  );
  `,
  // Elapsed and waited seconds of all sittings add up from the events; those of a file without events are its first.
  `
  CREATE TABLE events (id INTEGER PRIMARY KEY, time REAL NOT NULL, kind TEXT NOT NULL, data TEXT NOT NULL);
  INSERT INTO events (time, kind, data)
    SELECT CAST(strftime('%s', 'now') AS REAL), 'finished', json_object(
      'elapsed_seconds', CAST(e.value AS REAL),
      'waited_seconds', COALESCE((SELECT json_extract(x.value, '$.waited_seconds') FROM manifest x WHERE x.key = 'extras'), 0)
    ) FROM manifest e WHERE e.key = 'elapsed_seconds';
  `,
  // A row that failed can be asked again: the last attempt counts, earlier ones stay. A reply is stored with its call, and a row says which part of it is its own.
  `
  ALTER TABLE records ADD COLUMN features_hash TEXT;
  ALTER TABLE calls ADD COLUMN reserved_usd REAL;
  ALTER TABLE calls ADD COLUMN cost_basis TEXT;
  ALTER TABLE calls ADD COLUMN reply_length INTEGER;
  ALTER TABLE calls ADD COLUMN reply_hash TEXT;
  ALTER TABLE calls ADD COLUMN kept_hash TEXT;
  ALTER TABLE rows RENAME TO old_rows;
  CREATE TABLE rows (
    record_id TEXT NOT NULL, repeat INTEGER NOT NULL, attempt INTEGER NOT NULL, state TEXT NOT NULL, state_reason TEXT, prediction TEXT NOT NULL, abstained INTEGER NOT NULL,
    confidence REAL, confidence_source TEXT NOT NULL, deferral_reason TEXT, raw_response TEXT, reply_start INTEGER, reply_end INTEGER, reply_length INTEGER, reply_hash TEXT, kept_hash TEXT, reply_order TEXT,
    template INTEGER, mode TEXT NOT NULL, call INTEGER, input_tokens REAL, output_tokens REAL, total_tokens REAL, tokens_estimated INTEGER NOT NULL, repaired INTEGER NOT NULL,
    PRIMARY KEY (record_id, repeat, attempt)
  ) WITHOUT ROWID;
  INSERT INTO rows
    SELECT record_id, repeat, 0, state, state_reason, prediction, abstained, confidence, confidence_source, NULL, raw_response, NULL, NULL, NULL, NULL, NULL, NULL,
      template, mode, call, input_tokens, output_tokens, total_tokens, tokens_estimated, repaired FROM old_rows;
  DROP TABLE old_rows;
  CREATE TABLE chain (seq INTEGER PRIMARY KEY, kind TEXT NOT NULL, ref TEXT NOT NULL, digest TEXT, hash TEXT NOT NULL);
  CREATE TABLE secrets (name TEXT PRIMARY KEY, value TEXT NOT NULL) WITHOUT ROWID;
  `,
  // Settings that are not part of a run's identity are stored with each call, and so is what went wrong. A judgement belongs to one configuration of a judge, and can be made again.
  `
  ALTER TABLE calls ADD COLUMN settings TEXT;
  ALTER TABLE calls ADD COLUMN cached_at REAL;
  ALTER TABLE calls ADD COLUMN worker TEXT;
  ALTER TABLE calls ADD COLUMN via TEXT;
  ALTER TABLE calls ADD COLUMN problem TEXT;
  ALTER TABLE calls ADD COLUMN status INTEGER;
  ALTER TABLE rows ADD COLUMN problem TEXT;
  ALTER TABLE rows ADD COLUMN status INTEGER;
  ALTER TABLE rows ADD COLUMN token_confidence REAL;
  ALTER TABLE judgements RENAME TO old_judgements;
  CREATE TABLE judgements (
    record_id TEXT NOT NULL, repeat INTEGER NOT NULL, judge TEXT NOT NULL, pass INTEGER NOT NULL, rubric TEXT NOT NULL, config TEXT NOT NULL, attempt INTEGER NOT NULL,
    outcome TEXT NOT NULL, created_at REAL NOT NULL,
    UNIQUE (record_id, repeat, judge, pass, rubric, config, attempt)
  );
  INSERT INTO judgements SELECT record_id, repeat, judge, pass, rubric, '', 0, outcome, created_at FROM old_judgements ORDER BY rowid;
  DROP TABLE old_judgements;
  `,
  // Whether the model called the case urgent.
  'ALTER TABLE rows ADD COLUMN urgent INTEGER;',
];

export const SCHEMA_VERSION = MIGRATIONS.length;

/** The steps that make a file of a version. */
export function migrationsTo(version: number): readonly string[] {
  return MIGRATIONS.slice(0, version);
}

/** The oldest schema that is read as it is: that of version 0.1. Every query of a reader works on it and on all later ones. */
export const OLDEST_READABLE = 3;

type Added = Readonly<Record<string, Readonly<Record<string, string>>>>;

/** By schema, the columns that it adds, as readers see them in files of older ones. */
const ADDED: readonly (readonly [schema: number, added: Added])[] = [
  [
    5,
    {
      records: nulls('features_hash'),
      calls: nulls('reserved_usd', 'cost_basis', 'reply_length', 'reply_hash', 'kept_hash'),
      rows: {
        attempt: '0',
        ...nulls('deferral_reason', 'reply_start', 'reply_end', 'reply_length', 'reply_hash', 'kept_hash'),
        ...nulls('reply_order'),
      },
    },
  ],
  [
    6,
    {
      calls: nulls('settings', 'cached_at', 'worker', 'via', 'problem', 'status'),
      rows: nulls('problem', 'status', 'token_confidence'),
      judgements: { config: "''", attempt: '0' },
    },
  ],
  [7, { rows: nulls('urgent') }],
];

function nulls(...columns: readonly string[]): Record<string, string> {
  return Object.fromEntries(columns.map((column) => [column, 'NULL']));
}

/** The columns that a file of this schema lacks, by table. */
function missingIn(version: number): Map<string, Record<string, string>> {
  const missing = new Map<string, Record<string, string>>();
  for (const [schema, added] of ADDED)
    if (version < schema)
      for (const [table, columns] of Object.entries(added))
        missing.set(table, { ...missing.get(table), ...columns });
  return missing;
}

/**
 * Makes the views that readers query. They belong to the connection, not to the file: `latest_rows` and `latest_judgements` have the last attempt at each, and for a file of an older
 * schema, which is not migrated on reading, tables appear with the columns that they lack. `kept` replaces cells by what may be shown of them;
 * records named in `leftOut` do not appear, nor do their rows and judgements.
 */
export function addViews(
  db: DatabaseSync,
  version: number,
  kept: KeptCells | null = null,
  leftOut: readonly string[] = [],
): void {
  db.exec('PRAGMA temp_store = MEMORY');
  if (leftOut.length > 0) {
    db.exec('CREATE TEMP TABLE left_out (id TEXT PRIMARY KEY) WITHOUT ROWID');
    const insert = db.prepare('INSERT OR IGNORE INTO temp.left_out VALUES (?)');
    for (const id of leftOut) insert.run(id);
  }
  const without: Readonly<Record<string, string>> = {
    records: ' WHERE id NOT IN (SELECT id FROM temp.left_out)',
    rows: ' WHERE record_id NOT IN (SELECT id FROM temp.left_out)',
    judgements: ' WHERE record_id NOT IN (SELECT id FROM temp.left_out)',
  };
  const reduced = leftOut.length > 0 ? without : {};
  const missing = missingIn(version);
  for (const table of new Set([...missing.keys(), ...Object.keys(kept ?? {}), ...Object.keys(reduced)])) {
    const columns = db.prepare(`PRAGMA main.table_info(${table})`).all();
    const cells = columns.map(({ name }) => {
      const sql = kept?.[table]?.[String(name)];
      return sql === undefined ? `"${name}"` : `${sql} AS "${name}"`;
    });
    const added = Object.entries(missing.get(table) ?? {}).map(([name, sql]) => `${sql} AS ${name}`);
    const from = `main.${table}${reduced[table] ?? ''}`;
    db.exec(`CREATE TEMP VIEW ${table} AS SELECT ${[...cells, ...added].join(', ')} FROM ${from}`);
  }
  const latest = (view: string, table: string, since: number, place: readonly string[]) => {
    const same = place.map((column) => `l.${column} = w.${column}`).join(' AND ');
    const last = `attempt = (SELECT max(attempt) FROM main.${table} l WHERE ${same})`;
    db.exec(`CREATE TEMP VIEW ${view} AS SELECT * FROM ${table}${version < since ? '' : ` w WHERE ${last}`}`);
  };
  latest('latest_rows', 'rows', 5, ['record_id', 'repeat']);
  latest('latest_judgements', 'judgements', 6, ['record_id', 'repeat', 'judge', 'pass', 'rubric', 'config']);
}

/** Migrates a file to the newest schema, in one transaction. */
export function migrate(db: DatabaseSync): void {
  const { user_version: version } = db.prepare('PRAGMA user_version').get() as { user_version: number };
  if (version === SCHEMA_VERSION) return;
  db.exec('BEGIN IMMEDIATE');
  try {
    for (const step of MIGRATIONS.slice(version)) db.exec(step);
    db.exec(`PRAGMA application_id = ${APPLICATION_ID}; PRAGMA user_version = ${SCHEMA_VERSION}`);
    db.exec('COMMIT');
  } catch (error) {
    db.exec('ROLLBACK');
    throw error;
  }
}
