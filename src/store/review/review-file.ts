import { createHmac, hash, randomBytes, scryptSync } from 'node:crypto';
import { existsSync, statSync } from 'node:fs';
import { DatabaseSync } from 'node:sqlite';
import { canonicalJson, contentHash } from '../../core/canonical-json.ts';
import { KrisisError } from '../../core/errors.ts';
import { userSecret } from '../../core/user-folder.ts';
import { fileError, SQLITE_CANTOPEN, sqliteCode } from '../file-errors.ts';
import { fileSize, findFileNames } from '../file-names.ts';
import { immutable, openUntrusted } from '../open-database.ts';
import { createPrivate } from '../private-file.ts';
import { UnexpectedCell } from '../stored-cells.ts';
import { inTransaction } from '../tables.ts';
import { checkEvent } from './check-event.ts';
import {
  drawCell,
  eventCell,
  planCell,
  REVIEW_APPLICATION_ID,
  REVIEW_TABLES,
  REVIEW_VERSION,
  type Review,
  type ReviewDraw,
  type ReviewEvent,
  type ReviewPlan,
  type ReviewRater,
} from './review-schema.ts';
import { targetKey } from './review-session.ts';

/** How long a label waits for another reviewer's label to be written. */
const PATIENCE_MS = 10_000;
/** In bytes; no cell of ours is longer. */
const MAX_CELL_BYTES = 2 ** 20;
/** In bytes; no row of ours is shorter. */
const MIN_ROW = 32;
const ENDING = '.review.db';
/** Characters of a plan's hash that name it. */
const PLAN_ID_LENGTH = 16;

/**
 * Where the labels of a run are kept: beside it, as `RUN.review.db`.
 *
 * @example
 * ```ts
 * reviewPath('runs/first.db') // => 'runs/first.review.db'
 * ```
 */
export function reviewPath(runPath: string): string {
  return `${runPath.replace(/\.db$/, '')}${ENDING}`;
}

/** Whether a file is named as a review, and is therefore not a run. */
export function isReviewPath(path: string): boolean {
  return path.endsWith(ENDING);
}

/** A plan and its draws under the name that their content gives. */
export function namedPlan(
  plan: Omit<ReviewPlan, 'id'>,
  draws: readonly Omit<ReviewDraw, 'plan'>[],
): { readonly plan: ReviewPlan; readonly draws: readonly ReviewDraw[] } {
  const id = contentHash({ plan, draws }).slice(0, PLAN_ID_LENGTH);
  return { plan: { id, ...plan }, draws: draws.map((draw) => ({ ...draw, plan: id })) };
}

/**
 * Reads all labels of a review, also while reviewers are at work. Every label is checked against the one before it: a file that was edited is refused.
 *
 * @example
 * ```ts
 * const readEvents = (run: string) => readReview(reviewPath(run)).events;
 * readEvents.length // => 1
 * ```
 *
 * @throws KrisisError with the code `ERR_REVIEW_FILE` where the file is missing, damaged, edited or something else.
 */
export function readReview(path: string): Review {
  if (!existsSync(path)) throw reviewError(path, 'no such review');
  return reading(path, () => {
    const db = openToRead(path);
    try {
      checkSchema(path, db);
      return readContents(path, db);
    } finally {
      db.close();
    }
  });
}

/** The labels of a run; null where it was not reviewed. */
export function readRunReview(runPath: string): Review | null {
  const path = reviewPath(runPath);
  return existsSync(path) ? readReview(path) : null;
}

export type ReviewFile = ReturnType<typeof openReview>;

/**
 * Opens the labels of a run for writing, and creates the file where there is none. Several processes may write: each label is a transaction of its own, and is on the disk when `append` returns.
 *
 * @throws KrisisError with the code `ERR_REVIEW_FILE` where the file is of another run, or cannot be written.
 */
export function openReview(path: string, run: Pick<Review, 'runId' | 'suiteHash'>) {
  createPrivate(findFileNames(path).own);
  const db = reading(path, () => {
    const opened = open(path, false);
    try {
      // A label that was acknowledged survives a power cut.
      opened.exec('PRAGMA journal_mode = WAL; PRAGMA synchronous = FULL');
      inTransaction(opened, () => createTables(opened, run));
      checkSchema(path, opened);
      if (readMeta(opened, 'run_id') !== run.runId || readMeta(opened, 'suite_hash') !== run.suiteHash)
        throw reviewError(
          path,
          `is the review of another run; move it away, or review the run that it belongs to`,
        );
      return opened;
    } catch (error) {
      opened.close();
      throw error;
    }
  });
  const writing = <T>(work: () => T): T => reading(path, () => inTransaction(db, work));
  return {
    path,
    read: (): Review => reading(path, () => readContents(path, db)),
    /** Adds a plan with its draws; nothing where it is there already. */
    addPlan(plan: ReviewPlan, draws: readonly ReviewDraw[]): void {
      writing(() => {
        const add = db.prepare('INSERT INTO plans (id, content) VALUES (?, ?) ON CONFLICT DO NOTHING');
        if (Number(add.run(plan.id, canonicalJson(plan)).changes) === 0) return;
        const insert = db.prepare('INSERT INTO draws VALUES (?, ?, ?, ?)');
        for (const draw of draws) insert.run(plan.id, draw.position, targetKey(draw), canonicalJson(draw));
      });
    },
    /** The pseudonym of a reviewer: the same name gets the same one. The name itself is stored only with `named`. */
    rater(given: string, { named = false }: { readonly named?: boolean } = {}): ReviewRater {
      const name = given.normalize('NFC').trim();
      // Slow on purpose: a list of colleagues' names must take a while to try.
      const salt = reading(path, () => readMeta(db, SALT) ?? '');
      const digest = scryptSync(name.toLowerCase(), salt, 16).toString('hex');
      return writing(() => findRater(db, digest, named ? name : null));
    },
    /**
     * The token of a reviewer's link. It stays the same for the review, so that links and open
     * pages remain valid when the server is started again. A copy of this file does not reveal it,
     * because it also depends on a secret of the user.
     */
    linkToken: (raterId: string, role: ReviewEvent['role']): string =>
      createHmac('sha256', userSecret('review.key'))
        .update(`link ${reading(path, () => readMeta(db, SALT) ?? '')} ${raterId} ${role}`)
        .digest('base64url'),
    /**
     * Appends labels, all or none. A label that is there already, by its id, is not stored again. When this returns, the labels are on the disk.
     *
     * @returns How many were new.
     */
    append: (events: readonly ReviewEvent[]): number =>
      writing(() => events.filter((event) => appendOne(db, event)).length),
    /** Remembers a packet that was written for a reviewer, by the SHA-256 of its data. */
    addPacket(packet: NonNullable<ReturnType<typeof findPacket>>): void {
      writing(() =>
        db
          .prepare('INSERT INTO packets VALUES (?, ?, ?, ?, ?, ?) ON CONFLICT DO NOTHING')
          .run(
            packet.hash,
            packet.rater,
            packet.role,
            packet.blind ? 1 : 0,
            packet.plan,
            new Date().toISOString(),
          ),
      );
    },
    /** The packet with this hash; null where this review wrote none such. */
    packet: (packetHash: string) => reading(path, () => findPacket(db, packetHash)),
    close: (): void => db.close(),
  };
}

function findPacket(db: DatabaseSync, packetHash: string) {
  const found = db
    .prepare('SELECT hash, rater, role, blind, plan FROM packets WHERE hash = ?')
    .get(packetHash);
  if (found === undefined) return null;
  const { hash: stored, rater, role, blind, plan } = found;
  if (typeof stored !== 'string' || typeof rater !== 'string' || typeof plan !== 'string')
    throw new UnexpectedCell('a packet has another form');
  const known: ReviewEvent['role'] = role === 'adjudicator' ? role : 'rater';
  return { hash: stored, rater, plan, role: known, blind: blind === 1 };
}

/** Stores a label; false where it is there already. */
function appendOne(db: DatabaseSync, event: ReviewEvent): boolean {
  const target = targetKey(event);
  const contents = (sql: string, ...values: string[]) =>
    db
      .prepare(sql)
      .all(...values)
      .map(({ content }) => eventCell(content));
  const [same] = contents('SELECT content FROM events WHERE id = ?', event.id);
  const onTarget = contents('SELECT content FROM events WHERE target = ? ORDER BY seq', target);
  if (!checkEvent(event, same, onTarget, findDraw(db, event.plan, target))) return false;
  const content = canonicalJson(event);
  const last = db.prepare('SELECT hash FROM events ORDER BY seq DESC LIMIT 1').get();
  const before = typeof last?.hash === 'string' ? last.hash : firstHash(db);
  db.prepare(
    'INSERT INTO events (id, target, rater, supersedes, content, hash) VALUES (?, ?, ?, ?, ?, ?)',
  ).run(event.id, target, event.rater, event.supersedes, content, nextHash(before, content));
  return true;
}

function findDraw(db: DatabaseSync, plan: string | null, target: string): ReviewDraw | null {
  if (plan === null) return null;
  const found = db.prepare('SELECT content FROM draws WHERE plan = ? AND target = ?').get(plan, target);
  return found === undefined ? null : drawCell(found.content);
}

/** Each label commits to all before it. */
function nextHash(before: string, content: string): string {
  return hash('sha256', `${before}\n${content}`);
}

/** The chain begins with the run that it belongs to. */
function firstHash(db: DatabaseSync): string {
  return hash('sha256', `krisis review ${readMeta(db, 'run_id')} ${readMeta(db, 'suite_hash')}`);
}

function readContents(path: string, db: DatabaseSync): Review {
  const most = Math.ceil(fileSize(path) / MIN_ROW);
  const all = (sql: string) => db.prepare(`${sql} LIMIT ?`).all(most);
  const plans = all('SELECT content FROM plans ORDER BY seq').map(({ content }) => planCell(content));
  const draws = plans.flatMap((plan) => {
    const own = db
      .prepare('SELECT content FROM draws WHERE plan = ? ORDER BY position LIMIT ?')
      .all(plan.id, most)
      .map(({ content }) => drawCell(content));
    checkPlan(path, plan, own);
    return own;
  });
  let last = firstHash(db);
  const events = all('SELECT id, target, rater, supersedes, content, hash FROM events ORDER BY seq').map(
    (row) => {
      const event = eventCell(row.content);
      last = nextHash(last, String(row.content));
      const isWhole =
        row.hash === last &&
        row.id === event.id &&
        row.target === targetKey(event) &&
        row.rater === event.rater &&
        row.supersedes === event.supersedes;
      if (!isWhole)
        throw reviewError(path, `was changed: label ${event.id} does not follow from those before it`);
      return event;
    },
  );
  const raters = all('SELECT id, name FROM raters ORDER BY length(id), id').map(({ id, name }) => {
    if (typeof id !== 'string' || (name !== null && typeof name !== 'string'))
      throw new UnexpectedCell('the name of a rater is not text');
    return { id, name };
  });
  const newest = events.at(-1);
  return {
    runId: readMeta(db, 'run_id'),
    suiteHash: readMeta(db, 'suite_hash'),
    plans,
    draws,
    events,
    raters,
    head: newest === undefined ? null : { id: newest.id, n: events.length, hash: last },
  };
}

/** A plan is named by its content: one that was edited has another name. */
function checkPlan(path: string, { id, ...plan }: ReviewPlan, draws: readonly ReviewDraw[]): void {
  const unnamed = draws.map(({ plan: _, ...draw }) => draw);
  if (namedPlan(plan, unnamed).plan.id !== id)
    throw reviewError(path, `was changed: plan ${id} is not as it was drawn`);
}

const SALT = 'rater_salt';

function findRater(db: DatabaseSync, digest: string, name: string | null): ReviewRater {
  const found = db.prepare('SELECT id, name FROM raters WHERE digest = ?').get(digest);
  if (found === undefined) {
    const { n } = db.prepare('SELECT count(*) AS n FROM raters').get() as { n: number };
    const id = `R${n + 1}`;
    db.prepare('INSERT INTO raters VALUES (?, ?, ?)').run(id, digest, name);
    return { id, name };
  }
  if (name !== null && found.name === null)
    db.prepare('UPDATE raters SET name = ? WHERE id = ?').run(name, found.id as string);
  return { id: found.id as string, name: name ?? (found.name as string | null) };
}

function readMeta(db: DatabaseSync, key: string): string | null {
  const value = db.prepare('SELECT value FROM meta WHERE key = ?').get(key)?.value ?? null;
  if (value !== null && typeof value !== 'string') throw new UnexpectedCell(`${key} is not text`);
  return value;
}

/** A folder in which nothing can be written needs the file as it is; otherwise SQLite keeps its log beside it, also to read. */
function openToRead(path: string): DatabaseSync {
  try {
    const db = open(path, true);
    db.prepare('SELECT count(*) FROM sqlite_schema').get();
    return db;
  } catch (error) {
    if (sqliteCode(error) !== SQLITE_CANTOPEN) throw error;
    return open(path, true, immutable(path));
  }
}

function open(path: string, readOnly: boolean, address: string | URL = path): DatabaseSync {
  if (statSync(path, { throwIfNoEntry: false })?.isFile() === false)
    throw reviewError(path, 'is not a regular file');
  return openUntrusted(address, { readOnly, patienceMs: PATIENCE_MS, maxCellBytes: MAX_CELL_BYTES });
}

function createTables(db: DatabaseSync, { runId, suiteHash }: Pick<Review, 'runId' | 'suiteHash'>): void {
  const isEmpty =
    pragma(db, 'application_id') === 0 &&
    db.prepare('SELECT 1 FROM sqlite_schema LIMIT 1').get() === undefined;
  if (!isEmpty) return;
  db.exec(REVIEW_TABLES);
  const add = db.prepare('INSERT INTO meta VALUES (?, ?)');
  if (runId !== null) add.run('run_id', runId);
  if (suiteHash !== null) add.run('suite_hash', suiteHash);
  add.run(SALT, randomBytes(16).toString('hex'));
  db.exec(`PRAGMA application_id = ${REVIEW_APPLICATION_ID}; PRAGMA user_version = ${REVIEW_VERSION}`);
}

/** A foreign file must have our tables and nothing else: no views, no triggers. */
function checkSchema(path: string, db: DatabaseSync): void {
  if (pragma(db, 'application_id') !== REVIEW_APPLICATION_ID) throw reviewError(path, 'is not a review file');
  const version = pragma(db, 'user_version');
  if (version > REVIEW_VERSION)
    throw reviewError(
      path,
      `was written by a newer Krisis (review version ${version}); update krisis to read it`,
    );
  const objects = (of: DatabaseSync) =>
    JSON.stringify(
      of.prepare('SELECT type, name, sql FROM main.sqlite_schema ORDER BY name LIMIT 100').all(),
    );
  const ours = new DatabaseSync(':memory:');
  ours.exec(REVIEW_TABLES);
  const isOurs = objects(db) === objects(ours);
  ours.close();
  if (!isOurs) throw reviewError(path, 'is not a review file: its tables are others');
}

function pragma(db: DatabaseSync, name: string): number {
  return Number(Object.values(db.prepare(`PRAGMA ${name}`).get()!)[0]);
}

/** Whatever goes wrong with the file is said of the file. */
function reading<T>(path: string, work: () => T): T {
  try {
    return work();
  } catch (error) {
    if (error instanceof KrisisError) throw error;
    const isFromFile =
      error instanceof UnexpectedCell || error instanceof RangeError || 'errcode' in (error as object);
    throw isFromFile
      ? reviewError(path, `cannot be used as a review file: ${(error as Error).message}`, error)
      : error;
  }
}

function reviewError(path: string, what: string, cause?: unknown): KrisisError {
  return fileError(path, what, 'ERR_REVIEW_FILE', cause);
}

/**
 * Copies the review of a run into a new file, after checking every label of it. Whatever could lead from a pseudonym to a name is left out; names that reviewers agreed to stay. A copy that is
 * continued knows its reviewers by their pseudonyms only.
 *
 * @throws KrisisError where the review was changed, or belongs to another run.
 */
export function copyReview(from: string, to: string, runId: string | null): void {
  if (readReview(from).runId !== runId)
    throw reviewError(from, 'is the review of another run; expected the review of this one');
  createPrivate(to);
  const run = (path: string, work: (db: DatabaseSync) => void) => {
    const db = new DatabaseSync(path, { defensive: true });
    try {
      work(db);
    } finally {
      db.close();
    }
  };
  run(from, (db) => db.prepare('VACUUM INTO ?').run(to));
  run(to, (db) =>
    db.exec(
      `UPDATE raters SET digest = id; UPDATE meta SET value = lower(hex(randomblob(16))) WHERE key = '${SALT}'; VACUUM`,
    ),
  );
}

/** SHA-256 of an answer, or of an item, exactly as the reviewer saw it. Where there is no item, it is the hash of the empty text. */
export function seenTextHash(text: string): string {
  return hash('sha256', text);
}

/** SHA-256 of a record as the reviewer saw it: the canonical JSON of its features. */
export function seenRecordHash(features: Readonly<Record<string, unknown>>): string {
  return hash('sha256', canonicalJson(features));
}
