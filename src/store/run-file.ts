import { existsSync, mkdirSync } from 'node:fs';
import { dirname } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import {
  type Fault,
  KrisisError,
  type Label,
  type PatientRecord,
  type RowState,
  type RunStatus,
} from '../core/index.ts';
import { failedRows, nAskedAgain, plannedCalls, roundsIn, rowsOfRound } from './asking-rounds.ts';
import { type BulkLedger, bulkLedger } from './bulk-ledger.ts';
import { outcomeCells, replyOf } from './call-cells.ts';
import { type CallJournal, callJournal } from './call-journal.ts';
import {
  ANSWERING,
  type CallsMade,
  callSettings,
  callsMade,
  callsOfJudge,
  callTotals,
  JUDGING,
  lastCallId,
  nAnswerCalls,
  rowsByWorker,
  type Spent,
  spentOnCalls,
  type WorkerRows,
} from './call-queries.ts';
import { type Chain, type ChainHead, NO_ENTRIES, openChain, storedHead } from './chain.ts';
import { copyWithoutSecrets } from './copy-without-secrets.ts';
import { type EnteredRows, enteredRows } from './entered-rows.ts';
import { type EntryWriter, entryWriter } from './entry-writer.ts';
import type { FailedRow, RowPlace } from './failed-row.ts';
import { checkRunFiles, namesOf } from './file-names.ts';
import { FilePlace } from './file-place.ts';
import type {
  CallFailure,
  CallIntent,
  CallOutcome,
  CallSettings,
  CallTotals,
  JournalRow,
} from './journal.ts';
import { checkManifest, type Manifest, type ManifestUpdate } from './manifest.ts';
import { firstUnsigned, lastSeal, nextSeal } from './next-seal.ts';
import {
  damaged,
  isDamage,
  isWriteFailure,
  notCreated,
  notWritable,
  type OpenOptions,
  openDatabase,
} from './open-database.ts';
import { checkPrivate, createPrivate } from './private-file.ts';
import { type PromptTemplates, promptTemplates } from './prompt-templates.ts';
import { type StoredFailures, storedFailures } from './queries/stored-failures.ts';
import {
  answerHash,
  countRepaired,
  countStates,
  type ScoredRow,
  type StoredTemplate,
  scoredRows,
  storedAnswer,
  storedRows,
  storedTemplates,
} from './row-queries.ts';
import type { MergedPart, RunEvent, RunEventKind, SealOptions } from './run-event.ts';
import { type RunWait, runWait } from './run-wait.ts';
import { addViews, createTables } from './schema.ts';
import { type Commits, NO_TRANSACTIONS, SharedCommit } from './shared-commit.ts';
import { Statements } from './statements.ts';
import { storedEvents } from './stored-events.ts';
import {
  enterJudgement,
  type JudgementAttempt,
  type JudgementPlace,
  lastJudgement,
  promptsWithoutConfig,
  type StoredJudgement,
  storedJudgements,
} from './stored-judgements.ts';
import { enterManifest, lacksManifest, storedManifest } from './stored-manifest.ts';
import {
  countEmergencies,
  countRecords,
  enterRecords,
  featuresAt,
  selectPlaces,
  storedRecords,
} from './stored-records.ts';
import type { StoredRow } from './stored-row.ts';
import { cutText } from './stored-text.ts';
import { takeInParts } from './take-in.ts';
import { type TextKey, textKey } from './text-key.ts';
import { type VerificationProblem, verifyDatabase } from './verify-run.ts';
import { WriterLock } from './writer-lock.ts';

/** How to read a run file: `leftOut` are ids of records to read it without. */
type ReadOptions = Pick<OpenOptions, 'leftOut'>;

const IN_MEMORY = ':memory:';

/**
 * One SQLite file per run: manifest, records, calls, rows, verdicts, events. Others may read it while it is written; only one process may write. Every call is entered before it is made and
 * after it came back; rows are entered together with the call that brought them. A run that continues asks here first, and makes no call again that has come back. Each part of the file has a
 * module of its own; this class opens the file, gives the parts what they share, and decides what is committed together.
 */
export class RunFile {
  readonly path: string;
  readonly #db: DatabaseSync;
  readonly #lock: WriterLock | null;
  readonly #commits: Commits;
  /** Null where nothing is written, and in memory: there is no file to prove anything about. */
  readonly #chain: Chain | null;
  /** How many entries there were when the file was opened. */
  readonly #openedAt: number;
  /** Notices when a file that is being written is deleted, renamed or replaced. */
  readonly #place: FilePlace | null;
  readonly #sql: Statements;
  readonly #writer: EntryWriter;
  readonly #textKey: TextKey;
  readonly #templates: PromptTemplates;
  readonly #rows: EnteredRows;
  readonly #calls: CallJournal;
  readonly #wait: RunWait;

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
            (error) => (isWriteFailure(error) ? notWritable(path, error) : error),
          );
    this.#chain = lock === null ? null : openChain(db);
    this.#openedAt = this.head().entries;
    this.#writer = entryWriter(db, this.#sql, this.#chain);
    this.#textKey = textKey(this.#sql);
    this.#templates = promptTemplates(this.#sql, this.#writer);
    this.#rows = enteredRows(this.#sql, this.#writer, this.#templates, this.#textKey);
    this.#calls = callJournal(this.#sql, this.#writer);
    this.#wait = runWait(this.#sql);
  }

  /** Drops what is remembered of entries that were rolled back. */
  #forget(): void {
    for (const part of [this.#templates, this.#rows, this.#textKey, this.#chain]) part?.forget();
  }

  /** A run that is kept in memory and gone when it is closed: for the library, where the caller keeps the result. */
  static inMemory(): RunFile {
    const db = new DatabaseSync(IN_MEMORY);
    db.exec('PRAGMA journal_mode = OFF; PRAGMA synchronous = OFF');
    createTables(db);
    addViews(db);
    return new RunFile(IN_MEMORY, db, null);
  }

  /**
   * Opens for writing; creates the file if there is none, readable by its owner only when `isPrivate` is set. An existing file is verified completely first.
   *
   * @throws KrisisError when the file is unverified: whatever is added to it would be sealed together with what was changed.
   */
  static write(path: string, { isPrivate = false }: { readonly isPrivate?: boolean } = {}): RunFile {
    const exists = existsSync(path);
    if (!exists) makeFolder(path);
    // Checked before anything is opened for writing, so that a foreign file stays as it is.
    checkRunFiles(path);
    // One that is being written is refused by the lock.
    const verified = exists && !WriterLock.isHeld(path) ? verifiedHead(path) : NO_ENTRIES;
    const { own } = namesOf(path);
    if (isPrivate) for (const created of [own, `${own}.lock`]) createPrivate(created);
    const lock = WriterLock.take(path);
    let db: DatabaseSync | null = null;
    try {
      db = openDatabase(path, { forWriting: true, mayBeEmpty: true });
      // Again, now that SQLite has them open: another user may have created one in the meantime.
      if (isPrivate) checkPrivate(own);
      const file = new RunFile(path, db, lock);
      // Another process may have written to it before the lock was taken.
      if (file.head().hash !== verified.hash) refuseUnverified(path, db);
      return file;
    } catch (error) {
      db?.close();
      lock.release();
      throw error;
    }
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

  /** Calls back once everything entered so far is committed. */
  afterCommit(work: () => void): void {
    this.#commits.after(work);
  }

  manifest(): Manifest {
    return storedManifest(this.#sql);
  }

  /** Whether the file holds no run yet: it was just made, or its writer was killed at once. */
  isNew(): boolean {
    return lacksManifest(this.#sql);
  }

  setManifest(values: ManifestUpdate): void {
    checkManifest(values);
    this.#place?.check();
    this.#commits.alone(() => {
      this.#textKey.forget();
      enterManifest(this.#sql, this.#writer, values);
    });
  }

  /** The state of the run. A run that no process is writing and that was not finished is `interrupted`. */
  status(): RunStatus {
    const { status } = this.manifest();
    const isOurs = this.#sql.isOurs;
    if (!isOurs && WriterLock.isHeld(this.path)) return 'running';
    if (status === null || (status === 'running' && !isOurs)) return 'interrupted';
    return status;
  }

  /** Adds to what happened to the run. Events are never changed or taken away. */
  addEvent(kind: RunEventKind, data: Readonly<Record<string, unknown>> = {}): void {
    this.#commits.alone(() => {
      this.#writer.insert('event', [], { time: Date.now() / 1000, kind, data: JSON.stringify(data) });
    });
  }

  /** What happened to the run, in order. */
  events(): RunEvent[] {
    return storedEvents(this.#sql);
  }

  /** The end of the chain of entries; of none in memory, and in a file that is only read. */
  head(): ChainHead {
    return this.#chain?.head() ?? NO_ENTRIES;
  }

  /** Whether entries were added since the last seal. */
  hasUnsealedEntries(): boolean {
    const { entries } = this.head();
    const last = lastSeal(this.events());
    return last === null ? entries > 0 : entries > last.entries + 1;
  }

  /**
   * Seals everything so far, together with the scores, and signs the seal when there is a key. A later seal names this one. A run in memory has none. Entries that were in the file when it
   * was opened and that no seal of this key covers are marked for good: others may have written them.
   */
  seal(options: SealOptions): void {
    if (this.#chain === null) return;
    this.#commits.commit();
    const { signKey, unsignedUntil = this.#openedAt } = options;
    const first = signKey === undefined ? Number.POSITIVE_INFINITY : firstUnsigned(this.events(), signKey);
    if (first <= unsignedUntil) this.addEvent('unsigned_entries', { first, last: unsignedUntil });
    const last = lastSeal(this.events());
    this.addEvent('sealed', nextSeal(this.#sql, this.#chain.head(), last, this.manifest(), options));
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

  /** Enters everything that the parts of a run hold about their records, as it is. */
  takeIn(parts: readonly RunFile[]): void {
    this.#commits.alone(() =>
      takeInParts(
        parts.map((part) => ({ sql: part.#sql, events: part.events() })),
        {
          insert: this.#writer.insert,
          endCall: this.#calls.end,
          template: this.#templates.idOfJson,
        },
      ),
    );
    this.#calls.lookUpAll();
    this.#rows.forget();
  }

  /** The bulk jobs of the run. */
  bulk(): BulkLedger {
    return bulkLedger(this.#sql, (work) => this.#commits.alone(work));
  }

  /** Writes what is scored against, by place in the suite; features only where the suite's sensitivity allows. Only selected records count as part of the run. */
  setRecords(
    records: Iterable<readonly [position: number, record: PatientRecord]>,
    withFeatures: boolean,
    selected = true,
  ): void {
    const context = { withFeatures, selected, textKey: this.#textKey };
    enterRecords(records, context, this.#writer, this.#commits);
  }

  /** Makes these places part of the run; none is ever taken out. */
  select(positions: Iterable<number>): void {
    this.#commits.alone(() => selectPlaces(this.#sql, this.#writer, positions));
  }

  /** What was shown of the record at a place; null where it was not stored. */
  features(position: number): PatientRecord['features'] | null {
    return featuresAt(this.#sql, position);
  }

  /** The records of the run in their order; features are null where they were not stored. */
  records(): Generator<{ id: string; features: PatientRecord['features'] | null }> {
    return storedRecords(this.#sql);
  }

  nRecords(): number {
    return countRecords(this.#sql);
  }

  /** Emergencies among the records. `actLabels` are the labels whose choice means to act today. */
  nMustAct(actLabels: readonly Label[] = []): number {
    return countEmergencies(this.#sql, actLabels);
  }

  /** The hash of a text of this run, with the run's own key when its data are protected. */
  textHash(text: string): string {
    return this.#textKey.hash(text);
  }

  /** Whether a record has its row, of this round of asking failed rows again or a later one. The only place that decides what is done, and so what is missing. */
  isDone(recordId: string, repeat: number, round = 0): boolean {
    return this.#rows.isDone(recordId, repeat, round);
  }

  /** How many rows are still to be asked: of selected records that are not done. */
  nMissing(repeats: number): number {
    return this.#rows.nMissing(repeats);
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
    this.addEvent('asked_again', { round, last_call: lastCallId(this.#sql), ...data });
  }

  /** How a call ended that came back for good; null for one that was never finished, or that stopped the run: once the user has acted, it is made again. */
  ended(key: string): 'answered' | Fault | null {
    return this.#calls.ended(key);
  }

  /** What went wrong with a call that came back for good; null for one that was answered. */
  failure(key: string): CallFailure | null {
    return this.#calls.failure(key);
  }

  /** The records that a call was asked about and, when it ended, had brought no row for. */
  left(key: string): readonly string[] {
    return this.#calls.left(key);
  }

  /** The reply to a call that ended well, where it was kept. */
  reply(key: string): string | null {
    return this.#calls.reply(key);
  }

  /** Attempts made so far at a call that has not ended, and the error of the last. */
  attempts(key: string): { n: number; lastError: string | null } {
    return this.#calls.attempts(key);
  }

  /** Calls that were begun and have no outcome: their replies may have been sent, and they are made again. */
  nUnfinished(): number {
    return this.#calls.nUnfinished();
  }

  /** Resolves when the intent is committed, with everything entered before it; only then may the call be made. */
  async begin(call: CallIntent): Promise<number> {
    this.#place?.checkNowAndThen();
    return this.#commits.keep(() => this.#calls.begin(call));
  }

  /** Enters what came of a call, with the rows that it brought. The reply is stored once, with the call. */
  end(callId: number, outcome: CallOutcome, rows: readonly JournalRow[]): void {
    const reply = replyOf(outcome, rows);
    this.#commits.enter(() => {
      this.#calls.end(callId, outcomeCells(outcome, reply, this.#textKey));
      for (const row of rows) this.#rows.enter(row, callId, reply.text);
    });
  }

  /** Enters rows that no call brought: those that failed. */
  enter(rows: readonly JournalRow[]): void {
    this.#commits.enter(() => {
      for (const row of rows) this.#rows.enter(row, null, null);
    });
  }

  /** Enters a row together with all that was made of its answer: none of it without the rest. */
  enterJudged(row: JournalRow, judgements: readonly StoredJudgement[]): void {
    this.#commits.enter(() => {
      this.#rows.enter(row, null, null);
      for (const judgement of judgements) enterJudgement(this.#writer, judgement);
    });
  }

  /** Keeps what a judge made of an answer; the first counts. */
  addJudgement(judgement: StoredJudgement): void {
    this.#commits.enter(() => enterJudgement(this.#writer, judgement));
  }

  /** The last attempt at a judgement; null before the first. */
  lastJudgement(place: JudgementPlace): JudgementAttempt | null {
    return lastJudgement(this.#sql, place);
  }

  /** The wording in which a judge was asked without a configuration, by an earlier version: hashes of its prompts. Null where there are no such judgements. */
  promptsWithoutConfig(judge: string): string[] | null {
    return promptsWithoutConfig(this.#sql, judge);
  }

  /** What judges made of the answers, record by record. */
  judgements(): Generator<StoredJudgement> {
    return storedJudgements(this.#sql);
  }

  /** Milliseconds for which no call may be made, because the provider asked this run, in this process or an earlier one, to wait. */
  waitLeft(): number {
    return this.#wait.left();
  }

  wait(milliseconds: number): void {
    this.#wait.extend(milliseconds);
  }

  /** Forgets what the provider asked earlier processes to wait. */
  forgetWait(): void {
    this.#wait.clear();
  }

  /** Sums over finished calls: of all, or of those for answers, or of those of judges. */
  totals(role: 'all' | 'model' | 'judge' = 'all'): CallTotals {
    return callTotals(this.#sql, { all: undefined, model: ANSWERING, judge: JUDGING }[role]);
  }

  /** Calls for answers that came back, and replies from the cache. */
  nAnswerCalls(): number {
    return nAnswerCalls(this.#sql);
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
    const released = { last_call: lastCallId(this.#sql), n_calls: nUnsettled, unsettled_usd: unsettledUsd };
    this.addEvent('budget_released', released);
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

  /** The text that a record was answered with, and how it ended; null before. */
  answer(recordId: string, repeat: number): { state: RowState; answer: string | null } | null {
    return storedAnswer(this.#sql, recordId, repeat);
  }

  /** Whether a record was answered with this text, as the run would keep it; null where the run does not say. */
  isAnswer(recordId: string, repeat: number, text: string): boolean | null {
    const found = this.answer(recordId, repeat);
    if (found?.state !== 'answered') return false;
    if (found.answer !== null) return found.answer === cutText(text.toWellFormed());
    const hash = answerHash(this.#sql, recordId, repeat);
    return hash === null ? null : this.#textKey.hasHash(text.toWellFormed(), hash);
  }

  /** How many rows came from a reply that had to be mended. */
  nRepaired(): number {
    return countRepaired(this.#sql);
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
    return countStates(this.#sql);
  }

  /** Prompt templates by number: patient data was never in them. */
  templates(): StoredTemplate[] {
    return storedTemplates(this.#sql);
  }

  /** Copies the run into one file, without its secrets; features only if `withFeatures` is set. The target must not exist. */
  copyTo(target: string, withFeatures: boolean): void {
    this.#commits.commit();
    if ((this.manifest().sensitivity ?? 'protected') === 'protected') createPrivate(target);
    copyWithoutSecrets(this.#sql, target, withFeatures);
  }
}

/** Verifies an existing file before it is opened for writing. Returns the end of its chain. */
function verifiedHead(path: string): ChainHead {
  const db = openDatabase(path, { forWriting: false, mayBeEmpty: true });
  try {
    const hasTables = db.prepare("SELECT 1 FROM sqlite_schema WHERE name = 'chain'").get() !== undefined;
    // One state of a file that may be written meanwhile.
    db.exec('BEGIN');
    return hasTables ? refuseUnverified(path, db) : NO_ENTRIES;
  } catch (error) {
    throw isDamage(error) ? damaged(path, error) : error;
  } finally {
    db.close();
  }
}

function refuseUnverified(path: string, db: DatabaseSync): ChainHead {
  const { verdict, nProblems, problems } = verifyDatabase(db);
  if (verdict !== 'unverified') return storedHead(db);
  const [{ problem, kind, where }] = problems as [VerificationProblem];
  const others = nProblems === 1 ? '' : `, and ${nProblems - 1} more`;
  throw new KrisisError(
    `${path}: unverified, so nothing can be added to it: ${problem.replaceAll('_', ' ')}: ${kind}, ${where}${others}; restore the file from a copy, or start a new run`,
    { code: 'ERR_RUN_UNVERIFIED', value: path },
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
