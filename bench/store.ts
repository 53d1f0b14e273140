import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { emptyDigest, RunningDigest } from '../src/store/digest.ts';
import { EntryWriter } from '../src/store/entry-writer.ts';
import { Rows } from '../src/store/rows.ts';
import { NO_TRANSACTIONS } from '../src/store/shared-commit.ts';
import { Statements } from '../src/store/statements.ts';
import { storedText, TextKey } from '../src/store/stored-text.ts';
import { addViews, CALLS, createTables, ENTRIES, OUTCOMES } from '../src/store/tables.ts';
import { verifyDatabase } from '../src/store/verify-run.ts';

/**
 * What proof costs: journaling calls of eight records with and without the running digest, and verifying a file beside reading its
 * columns. CPU time, the median of seven interleaved pairs; nothing is asserted.
 */
const CALLS_MADE = 2500;
const RECORDS_A_CALL = 8;
/** Calls whose entries share a commit, as with many calls in flight. */
const CALLS_A_COMMIT = 8;
const PAIRS = 7;
const REPLY = JSON.stringify(
  Array.from({ length: RECORDS_A_CALL }, (_, i) => ({
    id: `case-${i}`,
    prediction: 'G3a',
    confidence: 0.85,
  })),
);

const folder = mkdtempSync(join(tmpdir(), 'krisis-bench-'));
const path = join(folder, 'run.db');
try {
  const writing = Array.from({ length: PAIRS }, () => {
    const without = cpu(() => write(false));
    return cpu(() => write(true)) / without;
  });
  const db = new DatabaseSync(path);
  const reading = Array.from({ length: PAIRS }, () => {
    const plain = cpu(() => readAll(db));
    return cpu(() => verifyDatabase(db)) / plain;
  });
  db.close();
  console.log(`${CALLS_MADE} calls of ${RECORDS_A_CALL} records, ${CALLS_A_COMMIT} calls a commit; CPU`);
  console.log(`journaling with proof / without: ${median(writing).toFixed(2)}`);
  console.log(`full verification / plain read of the same columns: ${median(reading).toFixed(2)}`);
} finally {
  rmSync(folder, { recursive: true });
}

function write(proves: boolean): void {
  for (const end of ['', '-wal', '-shm']) rmSync(`${path}${end}`, { force: true });
  const db = new DatabaseSync(path);
  db.exec('PRAGMA journal_mode = WAL; PRAGMA synchronous = NORMAL; PRAGMA wal_autocheckpoint = 4000');
  createTables(db);
  addViews(db);
  const sql = new Statements(path, db, true);
  const digest = proves ? new RunningDigest(db, emptyDigest()) : null;
  const writer = new EntryWriter(sql, digest);
  const textKey = new TextKey(sql, () => false);
  const rows = new Rows({ sql, writer, commits: NO_TRANSACTIONS, textKey }, () => new Map());
  const prompt = [{ role: 'user', content: '{{patient_data}}' }] as const;
  for (let call = 0; call < CALLS_MADE; call++) {
    if (call % CALLS_A_COMMIT === 0) db.exec('BEGIN IMMEDIATE');
    const recordIds = Array.from({ length: RECORDS_A_CALL }, (_, i) => `ckd-${call * RECORDS_A_CALL + i}`);
    const callId = writer.insert(CALLS, {
      key: `key-${call}`,
      mode: 'batch',
      repeat: 0,
      recordIds,
      nRecords: RECORDS_A_CALL,
      attempt: 0,
      startedAt: 1.5e9 + call,
      settings: { max_output_tokens: 500 },
    })!;
    writer.insert(OUTCOMES, {
      callId,
      finishedAt: 1.5e9 + call,
      outcome: 'answered',
      inputTokens: 2400,
      outputTokens: 310,
      wastedTokens: 0,
      latencySeconds: 0.75,
      modelId: 'model-2026-01-01',
      ...storedText(REPLY, null, textKey),
    });
    for (const id of recordIds)
      rows.write(
        {
          id,
          repeat: 0,
          state: 'answered',
          prediction: 'G3a',
          confidence: 0.85,
          rawResponse: REPLY,
          replySpan: { start: 1, end: 60 },
          prompt,
          promptMode: 'batch',
          inputTokens: 300,
          outputTokens: 38.75,
          totalTokens: 338.75,
          tokensEstimated: true,
          replyOrder: 'reasoning,urgent,abstained,prediction,confidence',
        },
        callId,
        REPLY,
      );
    if (call % CALLS_A_COMMIT === CALLS_A_COMMIT - 1 || call === CALLS_MADE - 1) {
      digest?.write();
      db.exec('COMMIT');
      digest?.committed();
    }
  }
  db.close();
}

function readAll(db: DatabaseSync): void {
  for (const { name, sqlNames } of ENTRIES) {
    const statement = db.prepare(`SELECT seq, ${sqlNames.join(', ')} FROM ${name} ORDER BY seq`);
    statement.setReturnArrays(true);
    for (const _ of statement.iterate());
  }
}

/** Microseconds of CPU. */
function cpu(work: () => unknown): number {
  const start = process.cpuUsage();
  work();
  const { user, system } = process.cpuUsage(start);
  return user + system;
}

function median(values: readonly number[]): number {
  return values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)]!;
}
