import type { DatabaseSync } from 'node:sqlite';
import type { EvaluationResult } from '../core/evaluation-result.ts';
import { ROW_STATES } from '../core/states.ts';
import type { PromptMessage } from '../core/text-request.ts';
import {
  canonicalObject,
  defineTable,
  flag,
  integer,
  json,
  label,
  nullable,
  object,
  oneOf,
  real,
  type Table,
  text,
  texts,
  type Values,
  withFallback,
} from './table.ts';

/** "KRIS": marks an SQLite file as a run file. */
export const APPLICATION_ID = 0x4b524953;

/** Raised with every change of the tables. Files of another version are refused. */
export const SCHEMA_VERSION = 1;

/** Columns about a text whose beginning, or nothing of it, is kept. */
const KEPT_TEXT = { replyLength: nullable(integer), replyHash: nullable(text), keptHash: nullable(text) };
const REPLY = { rawResponse: nullable(text), replySalt: nullable(text) };
const HASHES = { text: 'rawResponse', salt: 'replySalt', hashes: ['keptHash', 'replyHash'] } as const;

/** What is scored against, by place in the suite. */
export const RECORDS = defineTable('records', {
  columns: {
    position: integer,
    id: text,
    label,
    metadata: canonicalObject,
    featuresHash: text,
  },
  uncovered: { features: nullable(text), featuresSalt: nullable(text) },
  unique: [['position'], ['id']],
  keptText: { text: 'features', salt: 'featuresSalt', hashes: ['featuresHash'] },
});

/** Prompts with the slot for patient data still marked, each stored once. */
export const TEMPLATES = defineTable('templates', {
  columns: { mode: text, prompt: text },
  unique: [['prompt']],
});

/** Calls that are about to be made. A call is known by the `seq` of its entry. */
export const CALLS = defineTable('calls', {
  columns: {
    key: text,
    mode: oneOf(['single', 'batch', 'judge']),
    repeat: integer,
    recordIds: texts,
    nRecords: integer,
    attempt: integer,
    startedAt: real,
    reservedUsd: nullable(real),
    settings: nullable(canonicalObject),
  },
});

/** What came of calls. */
export const OUTCOMES = defineTable('outcomes', {
  columns: {
    callId: integer,
    finishedAt: real,
    outcome: text,
    error: nullable(text),
    problem: nullable(text),
    httpStatus: nullable(integer),
    inputTokens: nullable(integer),
    outputTokens: nullable(integer),
    wastedTokens: integer,
    latencySeconds: nullable(real),
    modelId: nullable(text),
    costUsd: nullable(real),
    costBasis: nullable(text),
    cachedAt: nullable(real),
    worker: nullable(text),
    via: nullable(text),
    ...KEPT_TEXT,
  },
  uncovered: REPLY,
  unique: [['callId']],
  keptText: HASHES,
});

/** Answers, and rows without one. A column with a `label` is in every export, and on the page of its record under that name. */
export const ROWS = defineTable('rows', {
  columns: {
    id: text,
    repeat: integer,
    /** The round of asking failed rows again that brought the row. */
    attempt: withFallback(integer, 0),
    state: oneOf(ROW_STATES),
    stateReason: nullable(text),
    prediction: withFallback(label, null),
    abstained: withFallback(flag, false),
    confidence: nullable(real),
    score: { ...nullable(real), label: 'score of another tool' },
    checked: { ...nullable(real), label: 'score by people' },
    confidenceSource: withFallback(oneOf(['stated', 'calibrated']), 'stated'),
    tokenConfidence: nullable(real),
    urgent: nullable(flag),
    deferralReason: nullable(text),
    replyOrder: nullable(text),
    promptMode: withFallback(oneOf(['single', 'batch']), 'single'),
    inputTokens: nullable(real),
    outputTokens: nullable(real),
    totalTokens: nullable(real),
    /** Whether the tokens of a batch were shared out among its rows. */
    tokensEstimated: withFallback(flag, false),
    /** Whether the reply had to be repaired to be read. */
    repaired: withFallback(flag, false),
    problem: nullable(text),
    httpStatus: nullable(integer),
    latencyMs: { ...nullable(integer), label: 'latency of its call (ms)' },
    callId: nullable(integer),
    template: nullable(integer),
    replyStart: nullable(integer),
    replyEnd: nullable(integer),
    ...KEPT_TEXT,
  },
  uncovered: REPLY,
  names: { id: 'record_id' },
  unique: [['id', 'repeat', 'attempt']],
  keptText: HASHES,
});

/** What judges made of answers. */
export const JUDGEMENTS = defineTable('judgements', {
  columns: {
    recordId: text,
    repeat: integer,
    judge: text,
    pass: integer,
    rubric: text,
    config: text,
    attempt: integer,
    outcome: json,
    createdAt: real,
  },
  unique: [['recordId', 'repeat', 'judge', 'pass', 'rubric', 'config', 'attempt']],
});

/** What happened to the run: starts, ends, seals, and every change of its manifest. */
export const EVENTS = defineTable('events', { columns: { time: real, kind: text, data: object } });

/** Jobs at a provider that takes many requests at once. Requests and replies are never in it. Only runs with such jobs have the table. */
export const BULK_JOBS = defineTable('bulk_jobs', {
  columns: {
    /** Random; marks files and jobs at the provider as ours. */
    nonce: text,
    /** The model, or the judge, whose requests they are. */
    lane: text,
    /**
     * `intended`: written down before anything is sent. `uploaded`: the provider has the requests. `submitted`: it works on them. `ended`:
     * it is done. `collected`: all results are in the journal. `removed`: it keeps nothing more of ours. `rejected`: it refused the whole
     * job. `lost`: its results are gone.
     */
    state: withFallback(
      oneOf(['intended', 'uploaded', 'submitted', 'ended', 'collected', 'removed', 'rejected', 'lost']),
      'intended',
    ),
    remoteId: nullable(text),
    inputFile: nullable(text),
    resultFiles: withFallback(texts, []),
    n: integer,
    bytes: integer,
    /** These in milliseconds of the clock. */
    intendedAt: real,
    submittedAt: nullable(real),
    endedAt: nullable(real),
    removedAt: nullable(real),
    /** Why it was rejected, or what the provider still keeps. */
    why: nullable(text),
  },
  unique: [['nonce']],
});

/** Requests that are part of a job, or were part of one that expired (`job` is null then). */
export const BULK_ITEMS = defineTable('bulk_items', {
  columns: {
    customId: text,
    lane: text,
    job: nullable(integer),
    reservedUsd: real,
    /** How often a job ended before the provider got to it. */
    expired: integer,
  },
  unique: [['customId']],
});

/** The tables whose rows are entries: together they hold every `seq` once. */
export const ENTRIES = [
  RECORDS,
  TEMPLATES,
  CALLS,
  OUTCOMES,
  ROWS,
  JUDGEMENTS,
  EVENTS,
] as unknown as readonly Table[];

/** Columns that only say how the text of a row is stored. */
const STORAGE_KEYS = [
  'template',
  'replyStart',
  'replyEnd',
  'replySalt',
  'replyLength',
  'replyHash',
  'keptHash',
] as const;

/** One answer of one model to one record with everything that came with it; `EvaluationResult` is its scored part. */
export interface Row
  extends Omit<EvaluationResult, 'score' | 'checked'>,
    Omit<Values<typeof ROWS.columns>, (typeof STORAGE_KEYS)[number]> {
  readonly id: string;
  /** The text that the row came from: its own part of the reply where several rows share one. */
  readonly rawResponse: string | null;
  /** The prompt's template, which holds no patient data. */
  readonly prompt: readonly PromptMessage[] | null;
}

/** Names of the columns that are part of a row; the text itself is read apart. */
export const ROW_KEYS = Object.keys(ROWS.columns).filter(
  (key) => ![...STORAGE_KEYS, 'rawResponse'].includes(key),
) as readonly Exclude<keyof typeof ROWS.columns, (typeof STORAGE_KEYS)[number] | 'rawResponse'>[];

/** Columns that exports and the page show beside those that they know by name. */
export const LABELLED_ROW_KEYS = ROW_KEYS.filter(
  (key) => (ROWS.columns[key] as { label?: string }).label !== undefined,
);

/**
 * The tables of a run file. `proof` has one row: how many entries there are, and their digest. `report` has one, too: the finished
 * report, and what a list of runs shows of it. It is replaced whenever a session ends, and covered by the seal.
 */
export const TABLES: readonly string[] = [
  ...ENTRIES.map(({ ddl }) => ddl),
  'CREATE TABLE proof (id INTEGER PRIMARY KEY CHECK (id = 1), entries INTEGER NOT NULL, digest TEXT NOT NULL, public_key TEXT, signature TEXT)',
  'CREATE TABLE report (id INTEGER PRIMARY KEY CHECK (id = 1), line TEXT NOT NULL, content TEXT NOT NULL)',
  'CREATE TABLE secrets (name TEXT PRIMARY KEY, value TEXT NOT NULL) WITHOUT ROWID',
  'CREATE TABLE pacing (id INTEGER PRIMARY KEY, moment REAL NOT NULL)',
];

/**
 * Makes the views that readers query. They belong to the connection, not to the file. `latest_rows` and `latest_judgements` have the
 * last attempt at each, `all_calls` has calls with their outcomes. Records named in `leftOut` do not appear, nor do their rows and
 * judgements.
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
  const columns = [
    'c.seq AS id',
    ...CALLS.sqlNames.map((name) => `c.${name}`),
    ...OUTCOMES.sqlNames.filter((name) => name !== 'call_id').map((name) => `o.${name}`),
  ];
  db.exec(
    `CREATE TEMP VIEW all_calls AS SELECT ${columns.join(', ')} FROM calls c LEFT JOIN outcomes o ON o.call_id = c.seq`,
  );
}

/** Creates the tables of an empty file, in one transaction. */
export function createTables(db: DatabaseSync): void {
  const { user_version: version } = db.prepare('PRAGMA user_version').get() as { user_version: number };
  if (version === SCHEMA_VERSION) return;
  inTransaction(db, () => {
    db.exec(TABLES.join(';\n'));
    db.exec(`PRAGMA application_id = ${APPLICATION_ID}; PRAGMA user_version = ${SCHEMA_VERSION}`);
  });
}

/** Performs some work in one transaction. */
export function inTransaction<T>(db: DatabaseSync, work: () => T): T {
  db.exec('BEGIN IMMEDIATE');
  try {
    const result = work();
    db.exec('COMMIT');
    return result;
  } catch (error) {
    if (db.isTransaction) db.exec('ROLLBACK');
    throw error;
  }
}
