import { randomBytes } from 'node:crypto';
import { existsSync, mkdirSync } from 'node:fs';
import { dirname } from 'node:path';
import { DatabaseSync, type StatementSync } from 'node:sqlite';
import {
  canonicalJson,
  type Fault,
  FINAL_FAULTS,
  KrisisError,
  type PatientRecord,
  type RowState,
  type RunStatus,
} from '../core/index.ts';
import {
  failedRows,
  nAskedAgain,
  plannedCalls,
  recordIdsIn,
  roundsIn,
  rowsOfRound,
} from './asking-rounds.ts';
import { type BulkLedger, bulkLedger } from './bulk-ledger.ts';
import {
  ANSWERING,
  type CallsMade,
  callSettings,
  callsMade,
  callsOfJudge,
  callTotals,
  JUDGING,
  rowsByWorker,
  type Spent,
  spentOnCalls,
  type WorkerRows,
} from './call-queries.ts';
import {
  adopt,
  type Cells,
  type Chain,
  type ChainHead,
  coveredBy,
  type EntryKind,
  NO_ENTRIES,
  openChain,
  storedHead,
} from './chain.ts';
import { type FailedRow, problemIn, type RowPlace } from './failed-row.ts';
import { FilePlace } from './file-place.ts';
import type {
  CallFailure,
  CallIntent,
  CallOutcome,
  CallSettings,
  CallTotals,
  JournalRow,
} from './journal.ts';
import { checkManifest, type Manifest, type ManifestUpdate, readManifest } from './manifest.ts';
import { isWriteFailure, notCreated, notWritable, type OpenOptions, openDatabase } from './open-database.ts';
import { createPrivate } from './private-file.ts';
import { MonotonicWait } from './provider-waits.ts';
import { type StoredFailures, storedFailures } from './queries/stored-failures.ts';
import { rowCells } from './row-cells.ts';
import {
  type ScoredRow,
  type StoredTemplate,
  scoredRows,
  storedAnswer,
  storedRows,
  storedTemplates,
} from './row-queries.ts';
import type { MergedPart, RunEvent, RunEventKind, SealOptions } from './run-event.ts';
import { addViews, migrate, SCHEMA_VERSION } from './schema.ts';
import { readSeal, type Seal, scoresHash, signSeal } from './seal.ts';
import { type Commits, NO_TRANSACTIONS, SharedCommit } from './shared-commit.ts';
import { Statements } from './statements.ts';
import { jsonCell, objectCell } from './stored-cells.ts';
import type { StoredRow } from './stored-row.ts';
import { hasHash, storedText, textHash } from './stored-text.ts';
import { takeInParts } from './take-in.ts';
import { withholdCells } from './withheld-cells.ts';
import { WriterLock } from './writer-lock.ts';

/** Outcomes after which a call is made again: at once, or when the user has acted. */
const NOT_ENDED = ['retry', 'not_sent', ...FINAL_FAULTS].map((outcome) => `'${outcome}'`).join(', ');

interface EndedCall {
  readonly id: number;
  readonly outcome: 'answered' | Fault;
  readonly record_ids: string;
  readonly repeat: number;
  readonly problem: string | null;
  readonly status: number | null;
}

/** What a judge made of one answer, in one pass, by one rubric. */
export interface StoredJudgement {
  readonly recordId: string;
  readonly repeat: number;
  readonly judge: string;
  readonly pass: number;
  /** Its content hash. */
  readonly rubric: string;
  /** The hash of the judge's identity: model, parameters, prompts. Empty in judgements of earlier versions, and of functions. Default: ''. */
  readonly config?: string | undefined;
  /** Counts how often the judgement was asked for again after it failed. Default: 0. */
  readonly attempt?: number | undefined;
  /** As the judge's protocol has it. */
  readonly outcome: unknown;
}

/** What a judgement is about, and by whom: there is one for each place. */
type Place = Omit<StoredJudgement, 'outcome' | 'attempt'>;

/** How to read a run file: `leftOut` are ids of records to read it without. */
type ReadOptions = Pick<OpenOptions, 'leftOut'>;

const PLACE_COLUMNS = 'record_id AS recordId, repeat, judge, pass, rubric, config';

const RECORDS_AT_ONCE = 1000;

const IN_MEMORY = ':memory:';

/**
 * One SQLite file per run: manifest, records, calls, rows, verdicts, events. Others may read it while it is written; only one process may write. Every call is entered before it is made and
 * after it came back; rows are entered together with the call that brought them. A run that continues asks here first, and makes no call again that has come back.
 */
export class RunFile {
  readonly path: string;
  readonly #db: DatabaseSync;
  readonly #lock: WriterLock | null;
  readonly #commits: Commits;
  /** Null where nothing is written, and in memory: there is no file to prove anything about. */
  readonly #chain: Chain | null;
  /** Notices when a file that is being written is deleted, renamed or replaced. */
  readonly #place: FilePlace | null;
  readonly #sql: Statements;
  readonly #inserts = new Map<EntryKind, StatementSync>();
  readonly #templates = new Map<string, number>();
  #templateObjects = new WeakMap<object, number>();
  /** The last call of each key, if the file held no calls before this process: other keys need no lookup, and these are found by id. Null if it held some. */
  #begun: Map<string, number> | null = null;
  #hasKeyIndex = false;
  /** The last attempt at each record with a row, by repeat. Read from the file once: no other process writes. */
  #done: Map<string, number>[] | null = null;
  /** Read from the file once: no other process writes. */
  #wait: MonotonicWait | null = null;
  #textKey: { readonly value: string | null } | null = null;

  private constructor(path: string, db: DatabaseSync, lock: WriterLock | null) {
    this.path = path;
    this.#db = db;
    this.#lock = lock;
    this.#sql = new Statements(path, db, lock !== null || path === IN_MEMORY);
    this.#place = lock === null ? null : new FilePlace(path, db);
    this.#commits =
      path === IN_MEMORY
        ? NO_TRANSACTIONS
        : new SharedCommit(
            db,
            () => this.#forget(),
            (error) => this.#explain(error),
          );
    this.#chain = lock === null ? null : openChain(db);
  }

  /** Drops what is remembered of entries that were rolled back. */
  #forget(): void {
    this.#templates.clear();
    this.#templateObjects = new WeakMap();
    this.#done = null;
    this.#textKey = null;
    this.#chain?.forget();
  }

  /** A run that is kept in memory and gone when it is closed: for the library, where the caller keeps the result. */
  static inMemory(): RunFile {
    const db = new DatabaseSync(IN_MEMORY);
    db.exec('PRAGMA journal_mode = OFF; PRAGMA synchronous = OFF');
    migrate(db);
    addViews(db, SCHEMA_VERSION);
    const run = new RunFile(IN_MEMORY, db, null);
    run.#begun = new Map();
    return run;
  }

  /** Opens for writing; creates the file if there is none, readable by its owner only when `isPrivate` is set. */
  static write(path: string, { isPrivate = false }: { readonly isPrivate?: boolean } = {}): RunFile {
    // Checked before anything is opened for writing, so that a foreign file stays as it is.
    if (existsSync(path)) openDatabase(path, { forWriting: false, mayBeEmpty: true }).close();
    else makeFolder(path);
    if (isPrivate) for (const created of [path, `${path}.lock`]) createPrivate(created);
    const lock = WriterLock.take(path);
    try {
      const file = new RunFile(path, openDatabase(path, { forWriting: true, mayBeEmpty: true }), lock);
      file.#adoptIfOld();
      if (file.#sql.get('SELECT 1 FROM calls LIMIT 1') === undefined) file.#begun = new Map();
      return file;
    } catch (error) {
      lock.release();
      throw error;
    }
  }

  /** Begins the chain of a file that an earlier version wrote. */
  #adoptIfOld(): void {
    if (this.#chain!.head().entries > 0 || (this.isNew() && this.nRecords() === 0)) return;
    this.#commits.alone(() => adopt(this.#db, this.#chain!, (text) => this.textHash(text)));
  }

  /** Opens for reading, also while another process writes. */
  static read(path: string, { leftOut }: ReadOptions = {}): RunFile {
    if (!existsSync(path))
      throw new KrisisError(`${path}: no such run file`, { code: 'ERR_RUN_NOT_FOUND', value: path });
    return new RunFile(path, openDatabase(path, { forWriting: false, mayBeEmpty: false, leftOut }), null);
  }

  /** What a file says of its run; null where there is none yet. */
  static peek(path: string): Manifest | null {
    if (!existsSync(path)) return null;
    const db = openDatabase(path, { forWriting: false, mayBeEmpty: true });
    const file = new RunFile(path, db, null);
    try {
      const hasTables = file.#sql.get("SELECT 1 FROM sqlite_schema WHERE name = 'manifest'") !== undefined;
      return hasTables && !file.isNew() ? file.manifest() : null;
    } finally {
      file.close();
    }
  }

  /** Opens a run file for reading, and closes it after `look`. */
  static use<T>(path: string, look: (file: RunFile) => T, options: ReadOptions = {}): T {
    const file = RunFile.read(path, options);
    try {
      return look(file);
    } finally {
      file.close();
    }
  }

  /** Whether the run lives in memory only. */
  get isInMemory(): boolean {
    return this.path === IN_MEMORY;
  }

  /** @throws KrisisError when something could not be written; then, too, the file is closed. */
  close(): void {
    try {
      this.#commits.commit();
      this.#place?.checkAndSave();
    } finally {
      this.#db.close();
      this.#lock?.release();
    }
  }

  /** From now on every commit is on the disk before it counts: a power cut loses none. For calls that are paid for; with many in flight they share the cost. */
  syncCommits(): void {
    this.#commits.commit();
    this.#db.exec('PRAGMA synchronous = FULL');
  }

  manifest(): Manifest {
    const fields: Record<string, unknown> = {};
    for (const { key, value } of this.#sql.iterate('SELECT key, value FROM manifest LIMIT 1000'))
      fields[String(key)] = this.#sql.reading(() => jsonCell(value, 'a field of the manifest'));
    return readManifest(fields);
  }

  /** Whether the file holds no run yet: it was just made, or its writer was killed at once. */
  isNew(): boolean {
    return this.#sql.get('SELECT 1 FROM manifest LIMIT 1') === undefined;
  }

  setManifest(values: ManifestUpdate): void {
    checkManifest(values);
    this.#place?.check();
    this.#commits.alone(() => {
      this.#textKey = null;
      for (const [key, field] of Object.entries(values)) {
        if (field === undefined) continue;
        const value = JSON.stringify(field);
        const { changes } = this.#sql.run(
          'INSERT INTO manifest VALUES (?, ?) ON CONFLICT (key) DO UPDATE SET value = excluded.value WHERE value IS NOT excluded.value',
          key,
          value,
        );
        if (changes > 0) this.#chain?.append('manifest', [key], { value });
      }
    });
  }

  /** Inserts a row, and enters it into the chain. Returns its id, or null where it was there before. `key` is empty where the id is the key. */
  #insert(kind: EntryKind, key: readonly (string | number)[], cells: Cells): number | null {
    let statement = this.#inserts.get(kind);
    if (statement === undefined) {
      const columns = Object.keys(cells);
      const marks = columns.map(() => '?').join(', ');
      statement = this.#db.prepare(
        `INSERT INTO ${coveredBy(kind).table} (${columns.join(', ')}) VALUES (${marks}) ON CONFLICT DO NOTHING`,
      );
      this.#inserts.set(kind, statement);
    }
    const { changes, lastInsertRowid } = this.#sql.reading(() => statement.run(...Object.values(cells)));
    if (Number(changes) === 0) return null;
    const id = Number(lastInsertRowid);
    this.#chain?.append(kind, key.length === 0 ? [id] : key, cells);
    return id;
  }

  /**
   * The state of the run. A run that no process is writing and that was not finished is `interrupted`; so is a run of open questions that version 0.1 left as `complete` when its limit
   * was raised and it was killed.
   */
  status(): RunStatus {
    const { status, kind, identity, schema_version } = this.manifest();
    const isOurs = this.#sql.isOurs;
    if (!isOurs && WriterLock.isHeld(this.path)) return 'running';
    if (status === null || (status === 'running' && !isOurs)) return 'interrupted';
    const mayBeWrong = status === 'complete' && kind === 'text' && schema_version === null;
    return mayBeWrong && this.nMissing(identity.repeats) > 0 ? 'interrupted' : status;
  }

  /** Adds to what happened to the run. Events are never changed or taken away. */
  addEvent(kind: RunEventKind, data: Readonly<Record<string, unknown>> = {}): void {
    this.#commits.alone(() => {
      this.#insert('event', [], { time: Date.now() / 1000, kind, data: JSON.stringify(data) });
    });
  }

  /** The end of the chain of entries; of none in memory, and in a file of an older version. */
  head(): ChainHead {
    return this.#chain?.head() ?? NO_ENTRIES;
  }

  /** The same of a file that is only read. */
  lastEntry(): ChainHead {
    this.#commits.commit();
    return storedHead(this.#db);
  }

  /** Whether entries were added since the last seal. */
  hasUnsealedEntries(): boolean {
    const { entries } = this.head();
    const last = this.#lastSeal();
    return last === null ? entries > 0 : entries > last.entries + 1;
  }

  #lastSeal(): Seal | null {
    const last = this.events().findLast(({ kind }) => kind === 'sealed');
    return last === undefined ? null : readSeal(last.data);
  }

  /** Seals everything so far, together with the scores, and signs the seal when there is a key. A later seal names this one. A run in memory has none. */
  seal({ scoresHash: unstored, krisisVersion, signKey }: SealOptions): void {
    if (this.#chain === null) return;
    this.#commits.commit();
    const { hash, entries } = this.#chain.head();
    const last = this.#lastSeal();
    // The event of a seal is the entry after the last that it covers.
    const entry = last && this.#sql.get('SELECT hash FROM chain WHERE seq = ?', last.entries + 1);
    const { scores, ledger } = this.manifest();
    const seal: Seal = {
      head: hash,
      entries,
      scores_hash: scores !== null && ledger !== null ? scoresHash(scores, ledger) : unstored,
      krisis_version: krisisVersion,
      sealed_at: new Date().toISOString(),
      previous: (entry?.hash ?? null) as string | null,
    };
    this.addEvent('sealed', signKey ? signSeal(seal, signKey) : seal);
  }

  /**
   * Begins a run that is put together from others: its first entry names the ends of their chains.
   *
   * @throws KrisisError when the file has entries already.
   */
  beginMerged(parts: readonly MergedPart[]): void {
    if (this.head().entries > 0)
      throw new KrisisError(`${this.path}: has entries already; a merged run begins with its parts`, {
        code: 'ERR_ARGUMENT',
        value: this.path,
      });
    this.addEvent('merged', { parts });
  }

  /** The bulk jobs of the run. */
  bulk(): BulkLedger {
    return bulkLedger(this.#sql, (work) => this.#commits.alone(work));
  }

  /** What happened to the run, in order; empty for a file of version 0.1. */
  events(): RunEvent[] {
    if (this.#sql.get("SELECT 1 FROM sqlite_schema WHERE name = 'events'") === undefined) return [];
    return this.#sql.all('SELECT time, kind, data FROM events ORDER BY id').map(({ time, kind, data }) => ({
      time: time as number,
      kind: kind as RunEventKind,
      data: this.#sql.reading(() => objectCell(data, 'the data of an event')),
    }));
  }

  /** Writes what is scored against, by place in the suite; features only where the suite's sensitivity allows. Only selected records count as part of the run. */
  setRecords(
    records: Iterable<readonly [position: number, record: PatientRecord]>,
    withFeatures: boolean,
    selected = true,
  ): void {
    const kind = selected ? 'record' : 'candidate';
    const insert = ([position, { id, label, metadata, features }]: readonly [number, PatientRecord]) => {
      const shown = JSON.stringify(features);
      this.#insert(kind, [position], {
        position,
        id,
        label: JSON.stringify(label),
        metadata: canonicalJson(metadata),
        features: withFeatures ? shown : null,
        selected: selected ? 1 : 0,
        features_hash: this.textHash(shown),
      });
    };
    // In portions: one transaction for all would keep all of it in SQLite's journal at once.
    const iterator = records[Symbol.iterator]();
    for (let next = iterator.next(); !next.done; ) {
      this.#commits.alone(() => {
        for (let i = 0; i < RECORDS_AT_ONCE && !next.done; i++, next = iterator.next()) insert(next.value);
      });
    }
  }

  /** The hash of a text of this run, with the run's own key when its data are protected. */
  textHash(text: string): string {
    this.#textKey ??= this.#storedKey();
    return textHash(text, this.#textKey.value);
  }

  /** The run's own key; made when a protected run is first written to, and again in a copy, which has none. */
  #storedKey(): { value: string | null } {
    const sql = "SELECT value FROM secrets WHERE name = 'text_key'";
    if (this.#sql.get(sql) === undefined && this.#sql.isOurs && this.#isProtected())
      this.#sql.run("INSERT INTO secrets VALUES ('text_key', ?)", randomBytes(32).toString('hex'));
    return { value: (this.#sql.get(sql)?.value ?? null) as string | null };
  }

  #isProtected(): boolean {
    return this.#sql.get("SELECT value FROM manifest WHERE key = 'sensitivity'")?.value === '"protected"';
  }

  /** Makes these places part of the run; none is ever taken out. */
  select(positions: Iterable<number>): void {
    this.#commits.alone(() => {
      for (const position of positions) {
        const sql = 'UPDATE records SET selected = 1 WHERE position = ? AND selected = 0';
        if (this.#sql.run(sql, position).changes > 0) this.#chain?.append('select', [position], {});
      }
    });
  }

  /** What was shown of the record at a place; null where it was not stored. */
  features(position: number): PatientRecord['features'] | null {
    const found = this.#sql.get('SELECT features FROM records WHERE position = ?', position);
    return found?.features == null ? null : this.#features(found.features);
  }

  #features(cell: unknown): PatientRecord['features'] {
    return this.#sql.reading(() => objectCell(cell, 'features')) as PatientRecord['features'];
  }

  /** Whether a record has its row, of this round of asking failed rows again or a later one. The only place that decides what is done, and so what is missing. */
  isDone(recordId: string, repeat: number, round = 0): boolean {
    return (this.#doneIn(repeat).get(recordId) ?? -1) >= round;
  }

  #doneIn(repeat: number): Map<string, number> {
    if (this.#done === null) {
      this.#done = [];
      for (const row of this.#sql.iterate(
        'SELECT record_id, repeat, max(attempt) AS attempt FROM rows GROUP BY record_id, repeat',
      ))
        this.#doneIn(Number(row.repeat)).set(row.record_id as string, Number(row.attempt));
    }
    this.#done[repeat] ??= new Map();
    return this.#done[repeat];
  }

  /** Rows of selected records whose last attempt failed. */
  failedRows(): FailedRow[] {
    return failedRows(this.#sql);
  }

  /** The rows that a round of asking again has entered so far. */
  rowsOfRound(round: number): RowPlace[] {
    return rowsOfRound(this.#sql, round);
  }

  /** Begins a round of asking failed rows again; `data` says which, for readers. Their earlier attempts stay. */
  beginRound(round: number, data: Readonly<Record<string, unknown>>): void {
    const last_call = Number(this.#sql.get('SELECT max(id) AS id FROM calls')?.id ?? 0);
    this.addEvent('asked_again', { round, last_call, ...data });
  }

  /** How a call ended that came back for good; null for one that was never finished, or that stopped the run: once the user has acted, it is made again. */
  ended(key: string): 'answered' | Fault | null {
    if (this.#isNew(key)) return null;
    return this.#ended(key)?.outcome ?? null;
  }

  /** What went wrong with a call that came back for good; null for one that was answered. */
  failure(key: string): CallFailure | null {
    const call = this.#ended(key);
    if (call === null || call.outcome === 'answered') return null;
    return {
      fault: call.outcome,
      problem: problemIn(call.problem, call.outcome)!,
      status: call.status === null ? null : Number(call.status),
    };
  }

  /** The records that a call was asked about and, when it ended, had brought no row for. */
  left(key: string): readonly string[] {
    const call = this.#ended(key);
    if (call === null) return [];
    return recordIdsIn(this.#sql, call.record_ids).filter((id) => {
      const row = this.#sql.get(
        'SELECT 1 FROM rows WHERE record_id = ? AND repeat = ? AND call = ?',
        id,
        call.repeat,
        call.id,
      );
      return row === undefined;
    });
  }

  #ended(key: string) {
    const hasEnded = `outcome IS NOT NULL AND outcome NOT IN (${NOT_ENDED})`;
    return (this.#call('id, outcome, record_ids, repeat, problem, status', key, hasEnded) ??
      null) as EndedCall | null;
  }

  /** The reply to a call that ended well, where it was kept. */
  reply(key: string): string | null {
    const found = this.#call('raw_response', key, "outcome = 'answered'");
    return (found?.raw_response as string | null | undefined) ?? null;
  }

  /** Attempts made so far at a call that has not ended, and the error of the last. */
  attempts(key: string): { n: number; lastError: string | null } {
    if (this.#isNew(key)) return { n: 0, lastError: null };
    // The last call of a key may have stopped the run; then the retries before it count.
    const found =
      this.#call('attempt, error', key, "outcome = 'retry'") ??
      this.#sql.get(
        "SELECT attempt, error FROM calls WHERE key = ? AND outcome = 'retry' ORDER BY attempt DESC LIMIT 1",
        key,
      );
    return found === undefined
      ? { n: 0, lastError: null }
      : { n: Number(found.attempt) + 1, lastError: found.error as string | null };
  }

  #isNew(key: string): boolean {
    return this.#begun !== null && !this.#begun.has(key);
  }

  /** Only a continued run looks up calls by key, and maintaining the index costs a quarter of all writing: it is created on demand. */
  #indexKeys(): void {
    if (this.#hasKeyIndex || this.#lock === null) return;
    this.#db.exec('CREATE INDEX IF NOT EXISTS calls_by_key ON calls (key)');
    this.#hasKeyIndex = true;
  }

  /** Of the calls of a key that ended in one of some ways, the last. */
  #call(columns: string, key: string, ended: string) {
    if (this.#begun === null) this.#indexKeys();
    const [known, value] = this.#begun === null ? ['key', key] : ['id', this.#begun.get(key) ?? 0];
    return this.#sql.get(
      `SELECT ${columns} FROM calls WHERE ${known} = ? AND ${ended} ORDER BY attempt DESC LIMIT 1`,
      value,
    );
  }

  /** Resolves when the intent is committed, with everything entered before it; only then may the call be made. */
  async begin(call: CallIntent): Promise<number> {
    this.#place?.checkNowAndThen();
    return this.#commits.keep(() => {
      const id = this.#insert('intent', [], {
        key: call.key,
        mode: call.mode,
        repeat: call.repeat,
        record_ids: JSON.stringify(call.recordIds),
        n_records: call.recordIds.length,
        attempt: call.attempt,
        started_at: Date.now() / 1000,
        reserved_usd: call.reservedUsd ?? null,
        settings: call.settings ? canonicalJson(call.settings) : null,
      })!;
      this.#begun?.set(call.key, id);
      return id;
    });
  }

  /** Enters what came of a call, with the rows that it brought. The reply is stored once, with the call. */
  end(callId: number, outcome: CallOutcome, rows: readonly JournalRow[]): void {
    const [first] = rows;
    const withheld = outcome.withheld ?? first?.withheld ?? null;
    const reply = outcome.rawResponse ?? (withheld === null ? (first?.rawResponse ?? null) : null);
    this.#commits.enter(() => {
      const stored = storedText(reply, withheld, (text) => this.textHash(text));
      const cells: Cells = {
        finished_at: Date.now() / 1000,
        outcome: outcome.outcome,
        error: outcome.error,
        input_tokens: outcome.inputTokens,
        output_tokens: outcome.outputTokens,
        wasted_tokens: outcome.wastedTokens,
        latency: outcome.latencySeconds,
        model_id: outcome.modelId,
        cost_usd: outcome.costUsd,
        cached: outcome.cached ? 1 : 0,
        cost_basis: outcome.costBasis ?? null,
        raw_response: stored.text,
        reply_length: stored.length,
        reply_hash: stored.hash,
        kept_hash: stored.keptHash,
        problem: outcome.problem ?? null,
        status: outcome.status ?? null,
        worker: outcome.worker ?? null,
        via: outcome.via ?? null,
      };
      this.#endCall(callId, cells);
      for (const row of rows) this.#insertRow(row, callId, reply);
    });
  }

  /** Calls back once everything entered so far is committed. */
  afterCommit(work: () => void): void {
    this.#commits.after(work);
  }

  #endCall(callId: number, cells: Cells): void {
    const columns = Object.keys(cells).map((column) => `${column} = ?`);
    const { changes } = this.#sql.run(
      `UPDATE calls SET ${columns.join(', ')} WHERE id = ? AND outcome IS NULL`,
      ...Object.values(cells),
      callId,
    );
    if (changes > 0) this.#chain?.append('outcome', [callId], cells);
  }

  /** Enters everything that the parts of a run hold about their records, as it is. */
  takeIn(parts: readonly RunFile[]): void {
    this.#commits.alone(() =>
      takeInParts(
        parts.map((part) => ({ sql: part.#sql, events: part.events() })),
        {
          insert: (kind, key, cells) => this.#insert(kind, key, cells),
          endCall: (id, cells) => this.#endCall(id, cells),
          template: (mode, prompt) => this.#template(mode, prompt),
          textHash: (text) => this.textHash(text),
        },
      ),
    );
    this.#begun = null;
    this.#done = null;
  }

  /** Enters rows that no call brought: those that failed. */
  enter(rows: readonly JournalRow[]): void {
    this.#commits.enter(() => {
      for (const row of rows) this.#insertRow(row, null, null);
    });
  }

  /** Keeps what a judge made of an answer; the first counts. */
  addJudgement(judgement: StoredJudgement): void {
    this.#commits.enter(() => this.#insertJudgement(judgement));
  }

  /** Enters a row together with all that was made of its answer: none of it without the rest. */
  enterJudged(row: JournalRow, judgements: readonly StoredJudgement[]): void {
    this.#commits.enter(() => {
      this.#insertRow(row, null, null);
      for (const judgement of judgements) this.#insertJudgement(judgement);
    });
  }

  #insertJudgement(judgement: StoredJudgement): void {
    const { recordId, repeat, judge, pass, rubric, config = '', attempt = 0 } = judgement;
    this.#insert('verdict', [...placeOf(judgement), attempt], {
      record_id: recordId,
      repeat,
      judge,
      pass,
      rubric,
      config,
      attempt,
      outcome: JSON.stringify(judgement.outcome),
      created_at: Date.now() / 1000,
    });
  }

  /** The last attempt at a judgement; null before the first. */
  lastJudgement(place: Place): (Pick<StoredJudgement, 'outcome'> & { readonly attempt: number }) | null {
    const found = this.#sql.get(
      'SELECT attempt, outcome FROM judgements WHERE record_id = ? AND repeat = ? AND judge = ? AND pass = ? AND rubric = ? AND config = ? ORDER BY attempt DESC LIMIT 1',
      ...placeOf(place),
    );
    if (found === undefined) return null;
    return {
      attempt: Number(found.attempt),
      outcome: this.#sql.reading(() => jsonCell(found.outcome, 'a verdict')),
    };
  }

  /** The wording in which a judge was asked without a configuration, by an earlier version: hashes of its prompts. Null where there are no such judgements. */
  promptsWithoutConfig(judge: string): string[] | null {
    const found = this.#sql.all(
      "SELECT DISTINCT json_extract(outcome, '$.promptHash') AS hash FROM judgements WHERE judge = ? AND config = ''",
      judge,
    );
    return found.length === 0 ? null : found.flatMap(({ hash }) => (hash === null ? [] : [String(hash)]));
  }

  /** What judges made of the answers, record by record. */
  *judgements(): Generator<StoredJudgement> {
    const found = this.#sql.iterate(
      `SELECT ${PLACE_COLUMNS}, j.outcome, j.attempt FROM latest_judgements j JOIN records r ON r.id = j.record_id WHERE r.selected = 1 ORDER BY r.position, j.repeat, j.created_at, j.judge, j.pass, j.rubric`,
    );
    for (const { outcome, ...place } of found)
      yield {
        ...(place as unknown as Omit<StoredJudgement, 'outcome'>),
        outcome: this.#sql.reading(() => jsonCell(outcome, 'a verdict')),
      };
  }

  /** Milliseconds for which no call may be made, because the provider asked this run, in this process or an earlier one, to wait. */
  waitLeft(): number {
    if (this.#wait === null) {
      this.#wait = new MonotonicWait();
      const moment = Number(this.#sql.get('SELECT moment FROM pacing')?.moment ?? 0);
      // A clock that shows an earlier time than the last call was set back: then no more is left than was asked for.
      const last = 'SELECT max(coalesce(finished_at, started_at)) * 1000 AS moment FROM calls';
      if (moment > Date.now())
        this.#wait.extend(moment - Math.max(Date.now(), Number(this.#sql.get(last)?.moment ?? 0)));
    }
    return this.#wait.left;
  }

  wait(milliseconds: number): void {
    this.waitLeft();
    this.#wait!.extend(milliseconds);
    this.#sql.run(
      'INSERT INTO pacing VALUES (1, ?) ON CONFLICT (id) DO UPDATE SET moment = max(moment, excluded.moment)',
      Date.now() + milliseconds,
    );
  }

  /** Forgets what the provider asked earlier processes to wait. */
  forgetWait(): void {
    this.#wait = new MonotonicWait();
    this.#sql.run('DELETE FROM pacing');
  }

  /** Sums over finished calls: of all, or of those for answers, or of those of judges. */
  totals(role: 'all' | 'model' | 'judge' = 'all'): CallTotals {
    return callTotals(this.#sql, { all: undefined, model: ANSWERING, judge: JUDGING }[role]);
  }

  /** Sums over the finished calls of one configuration of a judge. */
  judgeTotals(config: string): CallTotals {
    return callTotals(this.#sql, callsOfJudge(config));
  }

  /** The settings of the calls for answers, with how many calls had them, in order of first use. */
  callSettings(): { readonly settings: CallSettings; readonly nCalls: number }[] {
    return callSettings(this.#sql);
  }

  /** How calls were made, where not all were requests of this process. */
  callsMade(): CallsMade[] {
    return callsMade(this.#sql);
  }

  /** The rows that each worker's calls brought; empty where this process made all calls. */
  rowsByWorker(): WorkerRows[] {
    return rowsByWorker(this.#sql);
  }

  /** What the run has cost so far, in US dollars: `unsettledUsd` is what was set aside for calls that have no outcome, and was not released. */
  spent(): Spent {
    const released = this.events().findLast(({ kind }) => kind === 'budget_released');
    return spentOnCalls(this.#sql, Number(released?.data.last_call ?? 0));
  }

  /** Frees what earlier processes set aside for calls that have no outcome. The calls stay as they are. */
  releaseUnsettled(): void {
    const { unsettledUsd, nUnsettled } = this.spent();
    if (nUnsettled === 0) return;
    const last_call = Number(this.#sql.get('SELECT max(id) AS id FROM calls')!.id);
    this.addEvent('budget_released', { last_call, n_calls: nUnsettled, unsettled_usd: unsettledUsd });
  }

  /** Calls that were begun and have no outcome: their replies may have been sent, and they are made again. */
  nUnfinished(): number {
    const hasAny = 'SELECT 1 FROM calls WHERE outcome IS NULL LIMIT 1';
    // Without any, the index is not made: a run that has nothing to do stays as it is.
    if (this.#begun !== null || this.#sql.get(hasAny) === undefined) return 0;
    this.#indexKeys();
    const found = this.#sql.get(
      `SELECT count(*) AS n FROM calls c WHERE outcome IS NULL AND NOT EXISTS (SELECT 1 FROM calls l WHERE l.key = c.key AND l.id > c.id)`,
    );
    return Number(found!.n);
  }

  /** Rows in record order, each with its truth; a record that was never asked comes as `not_run` when `all` is set. */
  *rows(options: { readonly all?: boolean; readonly nRepeats?: number } = {}): Generator<StoredRow> {
    yield* storedRows(this.#sql, this.plannedCalls(), options);
  }

  /** The same as far as scores go, `not_run` ones too, and how each was asked: reading only that takes half the time. */
  *results(nRepeats = 1): Generator<ScoredRow> {
    yield* scoredRows(this.#sql, this.plannedCalls(), nRepeats);
  }

  /**
   * The call that each record was planned into: the records that one prompt held, before it was split and in all repeats; for a row that was asked again, the last time. It is named after its first record, so its name depends
   * neither on the order of calls nor on how many records follow. Without the records that were asked alone.
   */
  plannedCalls(): ReadonlyMap<string, string> {
    if ((this.manifest().identity.batch_size ?? 1) <= 1) return new Map();
    return plannedCalls(this.#sql, roundsIn(this.events()));
  }

  /** The records of the run in their order; features are null where they were not stored. */
  *records(): Generator<{ id: string; features: PatientRecord['features'] | null }> {
    const found = this.#sql.iterate('SELECT id, features FROM records WHERE selected = 1 ORDER BY position');
    for (const { id, features } of found)
      yield { id: id as string, features: features === null ? null : this.#features(features) };
  }

  /** The text that a record was answered with, and how it ended; null before. */
  answer(recordId: string, repeat: number): { state: RowState; answer: string | null } | null {
    return storedAnswer(this.#sql, recordId, repeat);
  }

  /** Whether a record was answered with this text, as the run would keep it; null where the run does not say. */
  isAnswer(recordId: string, repeat: number, text: string): boolean | null {
    const found = this.answer(recordId, repeat);
    if (found?.state !== 'answered') return false;
    if (found.answer !== null) return found.answer === storedText(text, null, () => '').text;
    const row = this.#sql.get(
      'SELECT reply_hash AS hash FROM latest_rows WHERE record_id = ? AND repeat = ?',
      recordId,
      repeat,
    );
    if (typeof row?.hash !== 'string') return null;
    this.#textKey ??= this.#storedKey();
    return hasHash(text.toWellFormed(), row.hash, this.#textKey.value);
  }

  /** How many rows came from a reply that had to be mended. */
  nRepaired(): number {
    return Number(this.#sql.get('SELECT count(*) AS n FROM latest_rows WHERE repaired = 1')!.n);
  }

  /** What failed, and which replies could not be used, counted by cause. */
  failures(repeats = 1): StoredFailures {
    return this.#sql.reading(() => storedFailures(this.#db, repeats, this.#sql.mostRows()));
  }

  /** How many rows were asked again after they had failed. */
  nAskedAgain(): number {
    return nAskedAgain(this.#sql);
  }

  /** How many rows ended in each state. */
  stateCounts(): Map<string, number> {
    const counted = this.#sql.all(
      'SELECT state, count(*) AS n FROM (SELECT state FROM latest_rows LIMIT ?) GROUP BY state',
      this.#sql.mostRows(),
    );
    return new Map(counted.map(({ state, n }) => [state as string, Number(n)]));
  }

  nRecords(): number {
    const sql = 'SELECT count(*) AS n FROM (SELECT selected FROM records LIMIT ?) WHERE selected = 1';
    return Number(this.#sql.get(sql, this.#sql.mostRows())!.n);
  }

  /** How many rows are still to be asked: of selected records that are not done. */
  nMissing(repeats: number): number {
    let n = 0;
    for (const { id } of this.#sql.iterate('SELECT id FROM records WHERE selected = 1'))
      for (let repeat = 0; repeat < repeats; repeat++) if (!this.isDone(id as string, repeat)) n += 1;
    return n;
  }

  /** Prompt templates by number: patient data was never in them. */
  templates(): StoredTemplate[] {
    return storedTemplates(this.#sql);
  }

  /** Copies the run into one file, without its secrets; features only if `withFeatures` is set. The target must not exist. */
  copyTo(target: string, withFeatures: boolean): void {
    this.#commits.commit();
    if ((this.manifest().sensitivity ?? 'protected') === 'protected') createPrivate(target);
    this.#sql.reading(() => this.#db.prepare('VACUUM INTO ?').run(target));
    const hasSecrets = this.#sql.get("SELECT 1 FROM main.sqlite_schema WHERE name = 'secrets'") !== undefined;
    const copy = new DatabaseSync(target);
    copy.exec('DROP TABLE IF EXISTS bulk_items; DROP TABLE IF EXISTS bulk_jobs');
    if (hasSecrets) copy.exec('PRAGMA secure_delete = ON; DELETE FROM secrets');
    if (!withFeatures) copy.exec('UPDATE records SET features = NULL');
    withholdCells(copy);
    copy.exec('VACUUM');
    copy.close();
  }

  #insertRow(row: JournalRow, callId: number | null, reply: string | null): void {
    const { recordId, repeat, attempt = 0, prompt, promptMode } = row;
    const cells = rowCells(row, {
      call: callId,
      reply,
      template: prompt === null ? null : this.#templateOf(promptMode, prompt),
      textHash: (text) => this.textHash(text),
    });
    this.#insert('row', [recordId, repeat, attempt], cells);
    this.#doneIn(repeat).set(recordId, attempt);
  }

  /** A backend gives the same object for all its prompts of a kind: its text is made once. */
  #templateOf(mode: string, prompt: unknown): number {
    if (typeof prompt !== 'object' || prompt === null) return this.#template(mode, JSON.stringify(prompt));
    const known = this.#templateObjects.get(prompt);
    if (known !== undefined) return known;
    const id = this.#template(mode, JSON.stringify(prompt));
    this.#templateObjects.set(prompt, id);
    return id;
  }

  #template(mode: string, prompt: string): number {
    const known = this.#templates.get(prompt);
    if (known !== undefined) return known;
    this.#insert('template', [], { mode, prompt });
    const id = Number(this.#sql.get('SELECT id FROM templates WHERE prompt = ?', prompt)!.id);
    this.#templates.set(prompt, id);
    return id;
  }

  /** An error of SQLite as callers see it. */
  #explain(error: unknown): unknown {
    return isWriteFailure(error) ? notWritable(this.path, error) : error;
  }
}

function makeFolder(path: string): void {
  try {
    mkdirSync(dirname(path), { recursive: true });
  } catch (error) {
    throw notCreated(path, error);
  }
}

function placeOf({ recordId, repeat, judge, pass, rubric, config = '' }: Place) {
  return [recordId, repeat, judge, pass, rubric, config] as const;
}

/** What calls need of a run: whether they came back before, and where to enter them. */
export type Journal = Pick<
  RunFile,
  | 'isDone'
  | 'ended'
  | 'failure'
  | 'left'
  | 'reply'
  | 'attempts'
  | 'begin'
  | 'end'
  | 'afterCommit'
  | 'enter'
  | 'waitLeft'
  | 'wait'
  | 'totals'
  | 'textHash'
>;
