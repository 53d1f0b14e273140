import { createHash, hash } from 'node:crypto';
import type { DatabaseSync } from 'node:sqlite';
import { z } from 'zod';
import {
  type DigestState,
  emptyDigest,
  isProofSignedBy,
  NO_ENTRIES,
  type Proof,
  storedProof,
} from './digest.ts';
import type { SealKey } from './keys.ts';
import { queryRun } from './open-database.ts';
import {
  isSignedBy,
  type MergedPart,
  mergedPartSchema,
  readSeal,
  type Seal,
  sealFingerprint,
} from './seal.ts';
import { UnexpectedCell } from './stored-cells.ts';
import { textHash } from './stored-text.ts';
import type { Cell, Table } from './table.ts';
import { ENTRIES, EVENTS } from './tables.ts';

/** What is wrong with a run, and where. Never patient data: records are named by their position. */
export interface VerificationProblem {
  /** `added`: an entry that others have the number of. `text_changed`: not the text whose hash the entry has. `signature`: missing, wrong, or by another key. */
  readonly problem: 'changed' | 'dropped' | 'added' | 'text_changed' | 'signature';
  /** The table of the entry, or `entries`, `seal`, `digest` or `scores`. */
  readonly kind: string;
  /** For example `entries 1 to 2520`, or `record 17`. */
  readonly where: string;
}

/** The last seal of a run. */
export interface VerifiedSeal {
  /** ISO 8601. */
  readonly sealedAt: string;
  /** The version that wrote it. */
  readonly krisisVersion: string | null;
  /** How many entries it covers. */
  readonly entries: number;
  /** Of scores and ledger; null for a run without scores. */
  readonly scoresHash: string | null;
  /** Whether it is signed, by whatever key. */
  readonly signed: boolean;
  /** SHA-256 of the public key in the seal; null where it is not signed. */
  readonly keyFingerprint: string | null;
}

/** What can be said about a run file from its entries, their digest and its seals. */
export interface RunVerification {
  /**
   * `verified`: the digest fits every entry, and a seal covers the last. `unsealed`: it fits, but no seal covers the last entry, because
   * the run was killed or is being written; it can be continued. `unverified`: something was changed, dropped or added, or the signature
   * is not that of the expected key.
   */
  readonly verdict: 'verified' | 'unsealed' | 'unverified';
  /** `seal`: only the seal was checked: the seals, the number of the last entry, and what lists show of the report. */
  readonly checked: 'everything' | 'seal';
  /** How many entries the file has. */
  readonly entries: number;
  /** The digest of all entries. */
  readonly head: string;
  /** Entries that no seal covers yet. */
  readonly entriesAfterSeal: number;
  /** Entries of a signed run that somebody else may have written, since no signature covered them in time; 0 for a run without signatures. */
  readonly unsignedEntries: number;
  /** The first 20. */
  readonly problems: readonly VerificationProblem[];
  /** How many there are. */
  readonly nProblems: number;
  /** How many seals there are, one for each session that changed something; 1 where only the last was looked at. */
  readonly seals: number;
  /** The last of them; null before the first session ended. */
  readonly seal: VerifiedSeal | null;
  /** The version that began the run; null where only the seal was checked. */
  readonly startedBy: string | null;
  /** The runs that a merged run was made from, as they were then; null for other runs, and where only the seal was checked. */
  readonly mergedFrom: readonly MergedPart[] | null;
  /** Stored texts (features, replies), all of which were checked against the hash in their entry. */
  readonly textsChecked: number;
}

/** How a run file is verified. */
export interface VerifyOptions {
  /** The last seal must be signed by this key and cover everything, and no entry may be marked as unsigned. Default: any key, or none. */
  readonly publicKey?: SealKey | undefined;
  /** Above this number of entries only the seal is checked. Default: no limit. */
  readonly maxEntries?: number | undefined;
  /** Look for damage in all pages of the file first. Default: true. */
  readonly isForeign?: boolean | undefined;
}

const MAX_PROBLEMS = 20;
/** Entries are hashed in pieces of about this many characters. */
const PIECE = 2 ** 16;

/**
 * Says whether anything in a run file was changed, dropped or added since it was written. An unsigned seal shows accidents and careless
 * edits only: who can write the file can also compute a new digest.
 *
 * @throws KrisisError when it is not a run file, or is damaged.
 *
 * @example
 * ```ts
 * const { mkdtempSync, rmSync } = process.getBuiltinModule('node:fs');
 * const { tmpdir } = process.getBuiltinModule('node:os');
 * const folder = mkdtempSync(`${tmpdir()}/krisis-`);
 * const suite = new CkdSuite({ task: 'detection', nRecords: 20, testSize: 1 });
 * const backend = await createBackend('baseline/guideline', suite, { seed: 42 });
 * await run({ suite, backend, path: `${folder}/run.db` });
 * const { verdict, seals, seal } = verifyRun(`${folder}/run.db`);
 * [verdict, seals, seal.signed] // => ['verified', 1, false]
 * rmSync(folder, { recursive: true });
 * ```
 */
export function verifyRun(path: string, options: VerifyOptions = {}): RunVerification {
  return queryRun(
    path,
    (db) => {
      // One state of a file that may be written meanwhile.
      db.exec('BEGIN');
      return verifyDatabase(db, options).verification;
    },
    { isForeign: options.isForeign ?? true },
  );
}

/** Does the same with an open file. `state` is the digest of its entries, which a writer continues. */
export function verifyDatabase(
  db: DatabaseSync,
  { publicKey, maxEntries = Number.POSITIVE_INFINITY }: VerifyOptions = {},
): { readonly verification: RunVerification; readonly state: DigestState } {
  const findings = new Findings(db);
  const stored = storedProof(db);
  const proof = stored ?? NO_ENTRIES;
  const everything = proof.entries <= maxEntries;
  const { seals } = findings;
  const state = everything ? readEntries(db, findings, proof) : emptyDigest();
  if (!everything) {
    // From the end: a damaged file may count its pages again and again.
    const query = "SELECT seq, data FROM events WHERE kind = 'sealed' ORDER BY seq DESC LIMIT 1";
    const seal = db.prepare(query).get();
    if (seal !== undefined) findings.addSeal(Number(seal.seq), seal.data);
  }
  if (stored === null && lastNumber(db) > 0)
    findings.add('dropped', 'digest', 'the digest of the entries is missing');
  const nEntries = lastNumber(db);
  if (nEntries !== proof.entries)
    findings.add('changed', 'entries', `${nEntries} entries, where the digest covers ${proof.entries}`);
  const last = seals.at(-1) ?? null;
  const entriesAfterSeal = last === null ? proof.entries : Math.max(0, proof.entries - last.seq);
  if (last !== null && entriesAfterSeal === 0) checkReport(db, findings, last.seal, everything);
  checkSignatures(findings, proof);
  const unsignedEntries = countUnsigned(db, proof, findings);
  if (publicKey !== undefined) {
    if (last === null || !isSignedBy(last.seal, publicKey) || !isProofSignedBy(proof, publicKey))
      findings.add('signature', 'seal', 'the last seal is not signed by this key');
    else if (unsignedEntries > 0)
      findings.add('signature', 'seal', `no signature covered ${unsignedEntries} entries in time`);
  }
  const verification: RunVerification = {
    verdict: findings.n > 0 ? 'unverified' : last === null || entriesAfterSeal > 0 ? 'unsealed' : 'verified',
    checked: everything ? 'everything' : 'seal',
    entries: proof.entries,
    head: proof.digest,
    entriesAfterSeal,
    unsignedEntries,
    problems: findings.problems,
    nProblems: findings.n,
    seals: seals.length,
    seal: last && {
      sealedAt: last.seal.sealed_at,
      krisisVersion: last.seal.krisis_version,
      entries: last.seal.entries,
      scoresHash: last.seal.scores_hash,
      signed: last.seal.signature !== undefined,
      keyFingerprint: sealFingerprint(last.seal),
    },
    startedBy: everything ? textOrNull(manifestField(db, 'krisis_version')) : null,
    mergedFrom: everything ? mergedParts(db) : null,
    textsChecked: findings.textsChecked,
  };
  return { verification, state };
}

/** Collects seals, and what is wrong. */
class Findings {
  /** Seals and the numbers of their entries. */
  readonly seals: { readonly seq: number; readonly seal: Seal }[] = [];
  readonly problems: VerificationProblem[] = [];
  n = 0;
  textsChecked = 0;
  readonly #position;

  constructor(db: DatabaseSync) {
    this.#position = db.prepare('SELECT position FROM records WHERE id = ?');
  }

  add(problem: VerificationProblem['problem'], kind: string, where: string): void {
    this.n += 1;
    if (this.problems.length < MAX_PROBLEMS) this.problems.push({ problem, kind, where });
  }

  /** Enters a seal and returns it; null where it is none, or does not cover all entries before it. */
  addSeal(seq: number, data: unknown): Seal | null {
    const seal = readSeal(parsed(data));
    if (seal?.entries !== seq - 1) {
      this.add('changed', 'seal', `entry ${seq}`);
      return null;
    }
    this.seals.push({ seq, seal });
    return seal;
  }

  /** Names the record of an entry by its position: an id may name a patient. */
  addAt(problem: VerificationProblem['problem'], table: Table, cells: readonly Cell[]): void {
    const [first, second, third] = cells;
    if (table.name === 'records') this.add(problem, 'record', `record ${first}`);
    else if (table.name !== 'rows') this.add(problem, 'call', `call ${first}`);
    else {
      const record = this.#position.get(String(first))?.position ?? 'that is not in the file';
      this.add(problem, 'row', `record ${record}, repeat ${second}, attempt ${third}`);
    }
  }
}

/** One table, read in the order of its entries. */
class EntryCursor {
  readonly table: Table;
  readonly #rows: Iterator<readonly Cell[]>;
  /** The number of the current entry; infinite after the last. */
  seq = Number.NEGATIVE_INFINITY;
  cells: readonly Cell[] = [];

  constructor(db: DatabaseSync, table: Table) {
    this.table = table;
    // The number comes last, so that the cells have the places that the table gives them.
    const statement = db.prepare(
      `SELECT ${table.sqlNames.join(', ')}, seq FROM main.${table.name} ORDER BY seq`,
    );
    statement.setReturnArrays(true);
    this.#rows = statement.iterate() as unknown as Iterator<readonly Cell[]>;
    this.next();
  }

  next(): void {
    const { done, value } = this.#rows.next();
    // Pages that are read again and again would go on without end.
    if (!done && Number(value.at(-1)) <= this.seq)
      throw new UnexpectedCell('the numbers of entries do not rise');
    this.seq = done ? Number.POSITIVE_INFINITY : Number(value.at(-1));
    this.cells = done ? [] : value;
  }
}

/** Reads every entry of the file in order, computes its digest, and checks it against every seal and against the digest that the file states. */
function readEntries(db: DatabaseSync, findings: Findings, stated: Proof): DigestState {
  const cursors = ENTRIES.map((table) => new EntryCursor(db, table));
  const running = createHash('sha256');
  let piece = '';
  let seq = 0;
  let firstUnchecked = 1;
  let fits = true;
  const digest = () => {
    running.update(piece);
    piece = '';
    return running.copy().digest('hex');
  };
  const check = (expected: string) => {
    if (fits && digest() !== expected) {
      fits = false;
      findings.add('changed', 'entries', `entries ${firstUnchecked} to ${seq}`);
    }
    firstUnchecked = seq + 1;
  };
  for (;;) {
    let cursor = cursors[0]!;
    for (const other of cursors) if (other.seq < cursor.seq) cursor = other;
    if (cursor.seq === Number.POSITIVE_INFINITY) break;
    if (cursor.seq > seq + 1) {
      findings.add('dropped', 'entries', `entries ${seq + 1} to ${cursor.seq - 1}`);
      fits = false;
    }
    if (cursor.seq <= seq) {
      findings.add('added', 'entries', `a second entry ${cursor.seq}`);
      fits = false;
    }
    const { table, cells } = cursor;
    if (table.name === EVENTS.name && cells[1] === 'sealed') {
      const seal = findings.addSeal(cursor.seq, cells[2]);
      if (seal !== null) check(seal.digest);
    }
    seq = cursor.seq;
    checkText(table, cells, findings);
    // JSON would write it as null, in whose place it would not be noticed.
    if (cells.some((cell) => typeof cell === 'number' && !Number.isFinite(cell)))
      findings.add('changed', 'entries', `entry ${seq}`);
    piece += table.covered(seq, cells);
    if (piece.length > PIECE) digest();
    cursor.next();
  }
  if (seq > 0) check(stated.digest);
  return { proof: stated, hash: running };
}

/** A text that is there is the one whose hash the entry has. */
function checkText(table: Table, cells: readonly Cell[], findings: Findings): void {
  const { keptText } = table;
  if (keptText === undefined) return;
  const at = (key: string) => cells[table.place(key)] ?? null;
  const stored = at(keptText.text);
  if (stored === null) return;
  findings.textsChecked += 1;
  const salt = at(keptText.salt);
  const expected = keptText.hashes.map(at).find((cell) => cell !== null);
  if (textHash(String(stored), salt === null ? null : String(salt)) !== expected)
    findings.addAt('text_changed', table, cells);
}

/** Every signature is right, and a signed run has no entries that are not signed. */
function checkSignatures(findings: Findings, proof: Proof): void {
  const { seals } = findings;
  for (const { seq, seal } of seals)
    if (seal.signature !== undefined && !isSignedBy(seal, null))
      findings.add('signature', 'seal', `entry ${seq}: the signature is wrong`);
  const isSigned = proof.signature !== null || proof.publicKey !== null;
  if (isSigned ? !isProofSignedBy(proof, null) : seals.some(({ seal }) => seal.signature !== undefined))
    findings.add('signature', 'digest', 'the signature of the last entries is missing or wrong');
}

/** The number of the last entry, found without reading the others. */
function lastNumber(db: DatabaseSync): number {
  return Number(db.prepare(LAST_NUMBER).get()?.seq ?? 0);
}

const LAST_NUMBER = `SELECT max(seq) AS seq FROM (${ENTRIES.map(({ name }) => `SELECT max(seq) AS seq FROM main.${name}`).join(' UNION ALL ')})`;

/** The stored report is the one that was sealed; of a long run only what lists show of it is checked. */
function checkReport(db: DatabaseSync, findings: Findings, seal: Seal, everything: boolean): void {
  const columns = everything ? ['line', 'content'] : ['line'];
  const row = db.prepare(`SELECT ${columns.join(', ')} FROM report WHERE id = 1`).get();
  const sealed: Readonly<Record<string, string | null>> = { line: seal.line_hash, content: seal.report_hash };
  const fits = columns.every((name) => {
    const text = row?.[name];
    return (typeof text === 'string' ? hash('sha256', text) : null) === sealed[name];
  });
  if (!fits) findings.add('changed', 'report', 'the stored report is not the one that was sealed');
}

function manifestField(db: DatabaseSync, key: string): unknown {
  const row = db
    .prepare(
      "SELECT data -> ? AS value FROM events WHERE kind = 'manifest' AND json_valid(data) AND data -> ? IS NOT NULL ORDER BY seq DESC LIMIT 1",
    )
    .get(`$.${key}`, `$.${key}`);
  return parsed(row?.value);
}

const markSchema = z
  .object({ first: z.int().min(1), last: z.int() })
  .refine(({ first, last }) => first <= last);

/** Counts the entries that were marked as unsigned. A mark that was made up adds at least one, and takes nothing from the others. */
function countUnsigned(db: DatabaseSync, proof: Proof, { seals }: Findings): number {
  if (proof.signature === null && seals.every(({ seal }) => seal.signature === undefined)) return 0;
  const events = db.prepare("SELECT data FROM events WHERE kind = 'unsigned_entries'").all();
  const marks = events.map(({ data }) => markSchema.safeParse(parsed(data)).data ?? { first: 1, last: 1 });
  let n = 0;
  let counted = 0;
  for (const { first, last } of marks.toSorted((a, b) => a.first - b.first)) {
    n += Math.max(0, last - Math.max(first - 1, counted));
    counted = Math.max(counted, last);
  }
  return n;
}

function mergedParts(db: DatabaseSync): readonly MergedPart[] | null {
  const event = db.prepare("SELECT data FROM events WHERE kind = 'merged' ORDER BY seq LIMIT 1").get();
  const merged = z.object({ parts: z.array(mergedPartSchema) }).safeParse(parsed(event?.data));
  return merged.data?.parts ?? null;
}

function parsed(text: unknown): unknown {
  try {
    return typeof text === 'string' ? JSON.parse(text) : null;
  } catch {
    return null;
  }
}

function textOrNull(value: unknown): string | null {
  return typeof value === 'string' ? value : null;
}
