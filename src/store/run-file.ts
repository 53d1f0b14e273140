import { hash } from 'node:crypto';
import { existsSync, mkdirSync } from 'node:fs';
import { dirname } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import type { RunStatus } from '../core/states.ts';
import { AskingRounds } from './asking-rounds.ts';
import { BulkLedger } from './bulk-ledger.ts';
import { Calls } from './calls.ts';
import {
  type DigestState,
  emptyDigest,
  isProofSignedBy,
  NO_ENTRIES,
  type Proof,
  RunningDigest,
  storedProof,
} from './digest.ts';
import { EntryWriter, type PartContext } from './entry-writer.ts';
import { Events } from './events.ts';
import { damaged, fileError, isDamage, isWriteFailure, notCreated, notWritable } from './file-errors.ts';
import { checkRunFiles, fileIdentity, findFileNames } from './file-names.ts';
import { FilePlace } from './file-place.ts';
import { importParts } from './import-parts.ts';
import { Judgements } from './judgements.ts';
import { publicPart, type SealKey } from './keys.ts';
import { openDatabase } from './open-database.ts';
import { checkPrivate, createPrivate } from './private-file.ts';
import { RunWait } from './provider-waits.ts';
import { type StoredFailures, storedFailures } from './queries/stored-failures.ts';
import { Records } from './records.ts';
import { Rows } from './rows.ts';
import { decodeRun, encodeRun, type Run, type RunUpdate } from './run.ts';
import { firstUnsigned, type MergedPart, type Seal, type SealOptions, signSeal } from './seal.ts';
import { NO_TRANSACTIONS, SharedCommit } from './shared-commit.ts';
import { Statements } from './statements.ts';
import { TextKey } from './stored-text.ts';
import { addViews, createTables } from './tables.ts';
import { type RunVerification, type VerificationProblem, verifyDatabase } from './verify-run.ts';
import { WriterLock } from './writer-lock.ts';

const IN_MEMORY = ':memory:';

/**
 * One SQLite file per run. Others may read it while it is written; only one process may write. Everything that counts is appended: an
 * entry is never changed, and a digest of all entries is stored with every commit. The parts of the file (records, calls, rows,
 * judgements, events) have a class each; this one opens the file and gives the parts what they share.
 */
export class RunFile {
  readonly path: string;
  /** Which file this is, and its state when it was opened. */
  readonly identity: string;
  readonly events: Events;
  readonly records: Records;
  readonly calls: Calls;
  readonly rows: Rows;
  readonly rounds: AskingRounds;
  readonly judgements: Judgements;
  /** The wait that a provider asked this run for, in this process or an earlier one. */
  readonly wait: RunWait;
  readonly #db: DatabaseSync;
  readonly #lock: WriterLock | null;
  /** Null where nothing is written, and in memory: there is no file to prove anything about. */
  readonly #digest: RunningDigest | null;
  /** Notices when a file that is being written is deleted, renamed or replaced. */
  readonly #place: FilePlace | null;
  readonly #context: PartContext;
  #signKey: SealKey | null = null;
  /** Of a file that only this process writes. */
  #manifest: Run | null = null;

  private constructor(
    path: string,
    db: DatabaseSync,
    lock: WriterLock | null,
    state: DigestState | null,
    identity = '',
  ) {
    this.path = path;
    this.identity = identity;
    this.#db = db;
    this.#lock = lock;
    this.#place = lock === null ? null : new FilePlace(path, db);
    const digest = state && new RunningDigest(db, state);
    this.#digest = digest;
    const sql = new Statements(path, db, lock !== null || path === IN_MEMORY);
    const commits =
      path === IN_MEMORY
        ? NO_TRANSACTIONS
        : new SharedCommit(
            db,
            digest,
            () => this.#forget(),
            (error) => (isWriteFailure(error) ? notWritable(path, error) : error),
          );
    const textKey = new TextKey(sql, () => this.manifest().sensitivity === 'protected');
    const context = { sql, writer: new EntryWriter(sql, digest), commits, textKey };
    this.#context = context;
    this.events = new Events(context);
    this.rounds = new AskingRounds(sql, this.events, () => (this.manifest().identity.batchSize ?? 1) > 1);
    this.records = new Records(context);
    this.rows = new Rows(context, () => this.rounds.plannedCalls());
    this.judgements = new Judgements(context, this.rows);
    this.calls = new Calls(context, this.rows, this.events, () => this.#place?.checkNowAndThen());
    this.wait = new RunWait(sql);
  }

  /** Drops what is remembered of entries that were rolled back. */
  #forget(): void {
    this.#digest?.rolledBack();
    this.#manifest = null;
    for (const part of [this.#context.writer, this.rows, this.#context.textKey]) part.forget();
    this.calls.lookUpAll();
  }

  /** A run that is kept in memory and gone when it is closed: for the library, where the caller keeps the result. */
  static inMemory(): RunFile {
    const db = new DatabaseSync(IN_MEMORY);
    db.exec('PRAGMA journal_mode = OFF; PRAGMA synchronous = OFF');
    createTables(db);
    addViews(db);
    return new RunFile(IN_MEMORY, db, null, null);
  }

  /**
   * Opens for writing; creates the file if there is none, readable by its owner only when `isPrivate` is set. An existing file is
   * verified completely first. With a key, every commit is signed; entries that were there before and that no signature of this key
   * covers are marked for good, because others may have written them.
   *
   * @throws KrisisError when the file is unverified: whatever is added to it would be sealed together with what was changed.
   */
  static write(
    path: string,
    {
      isPrivate = false,
      signKey,
    }: { readonly isPrivate?: boolean; readonly signKey?: SealKey | undefined } = {},
  ): RunFile {
    const exists = existsSync(path);
    if (!exists) makeFolder(path);
    // Checked before anything is opened for writing, so that a foreign file stays as it is.
    checkRunFiles(path);
    // One that is being written is refused by the lock.
    let state = exists && !WriterLock.isHeld(path) ? verifiedState(path) : emptyDigest();
    const { own } = findFileNames(path);
    // SQLite would open a log that another user has put there.
    if (isPrivate) for (const end of ['', '.lock', '-wal', '-shm']) createPrivate(`${own}${end}`);
    const lock = WriterLock.take(path);
    let db: DatabaseSync | null = null;
    try {
      db = openDatabase(path, { forWriting: true, mayBeEmpty: true });
      // Again, now that SQLite has them open: another user may have created one in the meantime.
      if (isPrivate) checkPrivate(own);
      // Another process may have written to it before the lock was taken.
      if ((storedProof(db) ?? NO_ENTRIES).digest !== state.proof.digest) state = refuseUnverified(path, db);
      const file = new RunFile(path, db, lock, state);
      if (signKey !== undefined) file.#signWith(signKey, state.proof);
      return file;
    } catch (error) {
      db?.close();
      lock.release();
      throw error;
    }
  }

  #signWith(signKey: SealKey, proof: Proof): void {
    this.#signKey = signKey;
    this.#digest!.signWith(signKey);
    if (proof.entries === 0 || isProofSignedBy(proof, publicPart(signKey))) return;
    const marked = { first: firstUnsigned(this.events.read('sealed'), signKey), last: proof.entries };
    this.#context.writer.markWith(() => this.events.write('unsigned_entries', marked));
  }

  /** Opens for reading, also while another process writes; without the records of `leftOut`. */
  static read(path: string, { leftOut }: { readonly leftOut?: readonly string[] | undefined } = {}): RunFile {
    if (!existsSync(path)) throw fileError(path, 'no such run file', 'ERR_RUN_NOT_FOUND');
    const identity = fileIdentity(path);
    const db = openDatabase(path, { forWriting: false, mayBeEmpty: false, leftOut });
    return new RunFile(path, db, null, null, identity);
  }

  /** The manifest of a file; null where there is none yet. */
  static peek(path: string): Run | null {
    if (!existsSync(path)) return null;
    const db = openDatabase(path, { forWriting: false, mayBeEmpty: true });
    const file = new RunFile(path, db, null, null);
    try {
      const hasTables =
        file.#context.sql.get("SELECT 1 FROM sqlite_schema WHERE name = 'events'") !== undefined;
      return hasTables && !file.isNew() ? file.manifest() : null;
    } finally {
      file.close();
    }
  }

  /** Opens a run file for reading, and closes it after `look`. */
  static use<T>(path: string, look: (file: RunFile) => T, options?: Parameters<typeof RunFile.read>[1]): T {
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
      this.#context.commits.close();
      this.#place?.checkAndSave();
    } finally {
      this.#db.close();
      this.#lock?.release();
    }
  }

  /** From now on commits are flushed to the disk, and no call is made before its intent is there: a power cut loses neither intent nor budget. For calls that are paid for. */
  flushCommits(): void {
    this.#place?.check();
    this.#context.commits.flush(`${findFileNames(this.path).own}-wal`);
  }

  /** Calls back once everything entered so far is committed. */
  afterCommit(work: () => void): void {
    this.#context.commits.after(work);
  }

  manifest(): Run {
    if (this.#manifest !== null) return this.#manifest;
    const fields = this.events.read('manifest').map(({ data }) => data);
    const manifest = decodeRun(Object.assign({}, ...fields));
    if (this.#context.sql.isOurs) this.#manifest = manifest;
    return manifest;
  }

  /** Whether the file holds no run yet: it was just made, or its writer was killed at once. */
  isNew(): boolean {
    return this.#context.sql.get("SELECT 1 FROM events WHERE kind = 'manifest' LIMIT 1") === undefined;
  }

  /** Changes fields of the manifest. One that stays the same leaves no trace. */
  setManifest(values: RunUpdate): void {
    const fields = encodeRun(values);
    this.#place?.check();
    const before = Object.assign({}, ...this.events.read('manifest').map(({ data }) => data));
    const changed = Object.entries(fields).filter(
      ([key, value]) => value !== undefined && JSON.stringify(value) !== JSON.stringify(before[key]),
    );
    if (changed.length === 0) return;
    this.events.add('manifest', Object.fromEntries(changed));
    this.#context.textKey.forget();
    this.#manifest = null;
  }

  /** The state of the run. A run that no process is writing and that was not finished is `interrupted`. */
  status(): RunStatus {
    const { status } = this.manifest();
    const { isOurs } = this.#context.sql;
    if (!isOurs && WriterLock.isHeld(this.path)) return 'running';
    if (status === null || (status === 'running' && !isOurs)) return 'interrupted';
    return status;
  }

  /** How many entries there are, and their digest; of none in memory, and in a file that is only read. */
  proof(): Proof {
    this.#context.commits.commit();
    return this.#digest?.proof ?? NO_ENTRIES;
  }

  /** Whether entries were added since the last seal. */
  hasUnsealedEntries(): boolean {
    return this.proof().entries > 0 && !this.#isSealed();
  }

  /** What the seal says, without a look at the rows. */
  verifySeal(): RunVerification {
    return verifyDatabase(this.#db, { maxEntries: -1 }).verification;
  }

  /** Stores the finished report, in place of the one of the session before. The next seal covers it. */
  storeReport({ line, content }: { readonly line: string; readonly content: string }): void {
    this.#context.commits.alone(() => {
      this.#context.sql.run(
        'INSERT OR REPLACE INTO report VALUES (1, ?, ?)',
        line.toWellFormed(),
        content.toWellFormed(),
      );
    });
  }

  /** The report that the last session stored; null where none did, and where entries came after the last seal, so that it is out of date. */
  report() {
    return this.#isSealed() ? this.#storedReport() : null;
  }

  /** The part of the stored report that lists show; null as with `report`. */
  reportLine(): string | null {
    if (!this.#isSealed()) return null;
    return (this.#context.sql.get('SELECT line FROM report WHERE id = 1')?.line ?? null) as string | null;
  }

  #isSealed(): boolean {
    const query = "SELECT seq FROM events WHERE kind = 'sealed' ORDER BY seq DESC LIMIT 1";
    const seal = this.#context.sql.get(query);
    return seal?.seq != null && seal.seq === storedProof(this.#db)?.entries;
  }

  #storedReport() {
    const report = this.#context.sql.get('SELECT line, content FROM report WHERE id = 1');
    return report === undefined ? null : { line: String(report.line), content: String(report.content) };
  }

  /** Seals everything so far, together with the scores, and signs the seal where there is a key. A run in memory has no seal. `unsignedUntil`: entries up to this one came from others. */
  seal({ scoresHash, krisisVersion }: SealOptions, unsignedUntil = 0): void {
    if (this.#digest === null) return;
    this.#context.commits.alone(() => this.#context.writer.addMark());
    if (this.#signKey !== null && unsignedUntil > 0)
      this.events.add('unsigned_entries', { first: 1, last: unsignedUntil });
    const { entries, digest } = this.proof();
    const report = this.#storedReport();
    const seal: Seal = {
      digest,
      entries,
      scores_hash: scoresHash,
      report_hash: report && hash('sha256', report.content),
      line_hash: report && hash('sha256', report.line),
      krisis_version: krisisVersion,
      sealed_at: new Date().toISOString(),
    };
    this.events.add('sealed', this.#signKey === null ? seal : signSeal(seal, this.#signKey));
  }

  /**
   * Begins a run that is put together from others: its first entry names their digests.
   *
   * @throws KrisisError when the file has entries already.
   */
  beginMerged(parts: readonly MergedPart[]): void {
    if (this.proof().entries > 0)
      throw fileError(this.path, 'already has entries; a merged run begins with its parts', 'ERR_ARGUMENT');
    this.events.add('merged', { parts });
  }

  /** Enters everything that the parts of a run hold about their records, as it is. */
  importParts(parts: readonly RunFile[]): void {
    const sources = parts.map((part) => ({ sql: part.#context.sql, events: part.events }));
    this.#context.commits.alone(() => importParts(sources, this.#context.writer, this));
    this.calls.lookUpAll();
    this.rows.forget();
  }

  /** The bulk jobs of the run. */
  bulk(): BulkLedger {
    return new BulkLedger(this.#context);
  }

  /** The hash of a text of this run, with the run's own key when its data are protected. */
  textHash(text: string): string {
    return this.#context.textKey.hash(text);
  }

  /** What failed, and which replies could not be used, counted by cause. */
  failures(repeats = 1): StoredFailures {
    return this.#context.sql.reading(() => storedFailures(this.#db, repeats, this.#context.sql.maxRows()));
  }

  /** Copies the run into one file, without its secrets and bulk jobs; features only if `withFeatures` is set. The target must not exist. */
  copyTo(target: string, withFeatures: boolean): void {
    this.#context.commits.commit();
    if ((this.manifest().sensitivity ?? 'protected') === 'protected') createPrivate(target);
    this.#context.sql.run('VACUUM INTO ?', target);
    const copy = new DatabaseSync(target);
    copy.exec('DROP TABLE IF EXISTS bulk_items; DROP TABLE IF EXISTS bulk_jobs');
    copy.exec('PRAGMA secure_delete = ON; DELETE FROM secrets');
    // Without its salt, a guess at a withheld text cannot be tested against the hash.
    if (!withFeatures) copy.exec('UPDATE records SET features = NULL, features_salt = NULL');
    copy.exec('VACUUM');
    copy.close();
  }
}

/** Verifies an existing file before it is opened for writing. Returns the digest of its entries. */
function verifiedState(path: string): DigestState {
  const db = openDatabase(path, { forWriting: false, mayBeEmpty: true });
  try {
    const hasTables = db.prepare("SELECT 1 FROM sqlite_schema WHERE name = 'proof'").get() !== undefined;
    // One state of a file that may be written meanwhile.
    db.exec('BEGIN');
    return hasTables ? refuseUnverified(path, db) : emptyDigest();
  } catch (error) {
    throw isDamage(error) ? damaged(path, error) : error;
  } finally {
    db.close();
  }
}

function refuseUnverified(path: string, db: DatabaseSync): DigestState {
  const { verification, state } = verifyDatabase(db);
  const { verdict, nProblems, problems } = verification;
  if (verdict !== 'unverified') return state;
  const [{ problem, kind, where }] = problems as [VerificationProblem];
  const others = nProblems === 1 ? '' : `, and ${nProblems - 1} more`;
  throw fileError(
    path,
    `unverified, so nothing can be added to it: ${problem.replaceAll('_', ' ')}: ${kind}, ${where}${others}; restore the file from a copy, or start a new run`,
    'ERR_RUN_UNVERIFIED',
  );
}

function makeFolder(path: string): void {
  try {
    mkdirSync(dirname(path), { recursive: true });
  } catch (error) {
    throw notCreated(path, error);
  }
}

/** What calls need of a run: whether they came back before, and where to enter them. */
export type Journal = Pick<RunFile, 'calls' | 'rows' | 'wait' | 'afterCommit' | 'textHash'>;
