import type { DatabaseSync } from 'node:sqlite';
import { z } from 'zod';
import {
  type Cell,
  type Cells,
  COVERED,
  coveredBy,
  digestOf,
  type EntryKind,
  entryHash,
  keyOf,
  NO_ENTRIES,
  refOf,
  storedHead,
  WHERE,
} from './chain.ts';
import { queryRun } from './queries/query-run.ts';
import { type MergedPart, mergedPartSchema } from './run-event.ts';
import { fingerprintOf, isSignedBy, readSeal, type Seal, type SealKey, scoresHash } from './seal.ts';
import { textHash } from './stored-text.ts';

/** What is wrong with a run, and where. Never patient data: records are named by their position. */
export interface VerificationProblem {
  /** `added`: not in the chain. `text_changed`: not the text whose hash the chain has. `signature`: missing, wrong, or by another key. */
  readonly problem: 'changed' | 'dropped' | 'added' | 'text_changed' | 'signature';
  /** The kind of the entry, or `seal` or `chain`. */
  readonly kind: EntryKind | 'seal' | 'chain';
  /** For example `record 17, repeat 0, attempt 0`. */
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

/** What can be said about a run file from its chain of entries and its seals. */
export interface RunVerification {
  /**
   * `verified`: every entry fits, and a seal covers the last. `unsealed`: every entry fits, but no seal covers the last, because the run was killed or is being written; it can be continued.
   * `unverified`: something was changed, dropped or added, or the signature is not that of the expected key.
   */
  readonly verdict: 'verified' | 'unsealed' | 'unverified';
  /** `seal`: the file has more entries than were to be read; only the seals and the manifest were checked. */
  readonly checked: 'everything' | 'seal';
  /** How many entries the chain has. */
  readonly entries: number;
  /** The hash of the last entry. */
  readonly head: string;
  /** Entries that no seal covers yet. */
  readonly entriesAfterSeal: number;
  /** Entries of a signed run that somebody else may have written, since no signature covered them in time; 0 for a run without signatures. */
  readonly unsignedEntries: number;
  /** The first 20. */
  readonly problems: readonly VerificationProblem[];
  /** How many there are. */
  readonly nProblems: number;
  /** How many seals there are, one for each sitting that changed something. */
  readonly seals: number;
  /** The last of them; null before the first sitting ended. */
  readonly seal: VerifiedSeal | null;
  /** The version that began the run. */
  readonly startedBy: string | null;
  /** The runs that a merged run was made from, as they were then; null for other runs. */
  readonly mergedFrom: readonly MergedPart[] | null;
  /** Stored texts (features, replies), all of which were checked against the hash in the chain. */
  readonly textsChecked: number;
}

/** How a run file is verified. */
export interface VerifyOptions {
  /** The last seal must be signed by this key and cover everything, and no entry may be marked as unsigned. Default: any key, or none. */
  readonly publicKey?: SealKey | undefined;
  /** Above this number of entries only the seals and the manifest are checked. Default: no limit. */
  readonly mostEntries?: number | undefined;
  /** Look for damage in all pages of the file first. Default: true. */
  readonly isForeign?: boolean | undefined;
}

const MOST_PROBLEMS = 20;

interface Entry {
  readonly seq: number;
  readonly kind: string;
  readonly ref: string;
  readonly digest: string | null;
  readonly hash: string;
}

/**
 * Says whether anything in a run file was changed, dropped or added since it was written. An unsigned seal shows accidents and careless edits only: who can write the file can also write a
 * new chain.
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
      return verifyDatabase(db, options);
    },
    { isForeign: options.isForeign ?? true },
  );
}

/** Does the same with an open file. */
export function verifyDatabase(db: DatabaseSync, options: VerifyOptions = {}): RunVerification {
  const found = new Findings(db);
  const startedBy = stringOf(manifestField(db, 'krisis_version'));
  const { entries, hash: head } = storedHead(db);
  const everything = entries <= (options.mostEntries ?? Number.POSITIVE_INFINITY);
  if (entries === 0) checkIsEmpty(db, found);
  else {
    if (everything) walk(db, found);
    else checkCount(db, found, entries);
    checkManifest(db, found);
  }
  const seals = checkSeals(db, found);
  const last = seals.at(-1)?.seal ?? null;
  const entriesAfterSeal = last === null ? entries : Math.max(0, entries - last.entries - 1);
  if (last !== null && entriesAfterSeal === 0) checkScores(db, found, last);
  const unsignedEntries = countUnsigned(
    db,
    entries,
    seals.map(({ seal }) => seal),
  );
  if (options.publicKey !== undefined) {
    if (last === null || !isSignedBy(last, options.publicKey))
      found.add('signature', 'seal', 'the last seal is not signed by this key');
    else if (unsignedEntries > 0)
      found.add('signature', 'seal', `no signature covered ${unsignedEntries} entries in time`);
  }
  return {
    verdict: found.n > 0 ? 'unverified' : last === null || entriesAfterSeal > 0 ? 'unsealed' : 'verified',
    checked: everything ? 'everything' : 'seal',
    entries,
    head,
    entriesAfterSeal,
    unsignedEntries,
    problems: found.problems,
    nProblems: found.n,
    seals: seals.length,
    seal: last && {
      sealedAt: last.sealed_at,
      krisisVersion: last.krisis_version,
      entries: last.entries,
      scoresHash: last.scores_hash,
      signed: last.signature !== undefined,
      keyFingerprint: fingerprintOf(last),
    },
    startedBy,
    mergedFrom: mergedParts(db),
    textsChecked: found.textsChecked,
  };
}

/** Collects what is wrong. */
class Findings {
  readonly problems: VerificationProblem[] = [];
  n = 0;
  textsChecked = 0;
  readonly #position;

  constructor(db: DatabaseSync) {
    this.#position = db.prepare('SELECT position FROM records WHERE id = ?');
  }

  add(problem: VerificationProblem['problem'], kind: VerificationProblem['kind'], where: string): void {
    this.n += 1;
    if (this.problems.length < MOST_PROBLEMS) this.problems.push({ problem, kind, where });
  }

  entry(problem: VerificationProblem['problem'], kind: EntryKind, key: readonly Cell[]): void {
    this.add(problem, kind, this.#place(kind, key));
  }

  /** An id may name a patient: its position does not. */
  #place(kind: EntryKind, [first, ...rest]: readonly Cell[]): string {
    if (kind === 'manifest') return `field ${first}`;
    if (kind === 'template' || kind === 'event') return `${kind} ${first}`;
    if (kind === 'intent' || kind === 'outcome') return `call ${first}`;
    if (kind !== 'row' && kind !== 'verdict') return `record ${first}`;
    const record = this.#position.get(String(first))?.position ?? 'that is not in the file';
    const others = coveredBy(kind).key.slice(1);
    const named = others.flatMap((name, i) => (rest[i] === '' ? [] : `${name} ${rest[i]}`));
    return [`record ${record}`, ...named].join(', ');
  }
}

/** Recomputes every entry from what the file holds. */
function walk(db: DatabaseSync, found: Findings): void {
  const contents = contentReader(db, found);
  const counts = new Map<string, number>();
  let previous: string | null = NO_ENTRIES.hash;
  let seq = 0;
  const entries = db.prepare('SELECT seq, kind, ref, digest, hash FROM chain ORDER BY seq').iterate();
  for (const entry of entries as Iterable<unknown> as Iterable<Entry>) {
    if (entry.seq !== seq + 1) {
      found.add('dropped', 'chain', `entries ${seq + 1} to ${entry.seq - 1}`);
      // What came before is gone, so the hash of this entry cannot be computed.
      previous = null;
    }
    seq = entry.seq;
    check(entry, previous);
    previous = entry.hash;
  }
  findAdded(db, found, counts);

  function check({ seq, kind, ref, digest, hash }: Entry, before: string | null): void {
    if (!isKind(kind)) {
      found.add('changed', 'chain', `entry ${seq} has an unknown kind`);
      return;
    }
    counts.set(kind, (counts.get(kind) ?? 0) + 1);
    // A digest that is missing gives another hash.
    const content = kind === 'manifest' ? (digest ?? '') : contents(kind, ref);
    if (content !== null && before !== null && entryHash(before, kind, ref, content) !== hash)
      found.entry('changed', kind, keyOf(kind, ref));
  }
}

function isKind(kind: string): kind is EntryKind {
  return Object.hasOwn(COVERED, kind);
}

/** Reads what an entry is about, and returns its digest; null where it is not there, which is reported. */
function contentReader(db: DatabaseSync, found: Findings) {
  const statements = new Map<EntryKind, ReturnType<DatabaseSync['prepare']>>();
  const statementFor = (kind: EntryKind) => {
    let statement = statements.get(kind);
    if (statement === undefined) {
      const { table, key, columns, text } = coveredBy(kind);
      const read = [
        ...columns,
        ...(text ? [text.column, text.salt] : []),
        ...(table === 'records' ? ['selected'] : []),
      ];
      const where = key.map((column) => `${column} = ?`).join(' AND ');
      statement = db.prepare(`SELECT ${read.join(', ')} FROM ${table} WHERE ${where}`);
      statements.set(kind, statement);
    }
    return statement;
  };
  return (kind: EntryKind, ref: string): string | null => {
    let named: Cell[] = [ref];
    try {
      named = keyOf(kind, ref);
      const cells = statementFor(kind).get(...named) as Cells | undefined;
      if (cells === undefined) {
        found.entry('dropped', kind, named);
        return null;
      }
      if ((kind === 'record' || kind === 'select') && cells.selected !== 1)
        found.entry('changed', 'select', named);
      checkText(kind, named, cells);
      return digestOf(kind, cells);
    } catch {
      // A reference that is not JSON, or a number that is not one of ours.
      found.entry('changed', kind, named);
      return null;
    }
  };

  function checkText(kind: EntryKind, named: readonly Cell[], cells: Cells): void {
    const { text } = coveredBy(kind);
    const stored = text === undefined ? null : (cells[text.column] ?? null);
    if (text === undefined || stored === null) return;
    const expected = text.hashes.map((column) => cells[column]).find((hash) => hash !== null);
    const salt = cells[text.salt] ?? null;
    found.textsChecked += 1;
    if (textHash(String(stored), salt === null ? null : String(salt)) !== expected)
      found.entry('text_changed', kind, named);
  }
}

/** Only a file that holds nothing may have no entries. */
function checkIsEmpty(db: DatabaseSync, found: Findings): void {
  const tables = new Set(Object.values(COVERED).map(({ table }) => table));
  for (const table of tables)
    if (db.prepare(`SELECT 1 FROM ${table} LIMIT 1`).get() !== undefined) {
      found.add('dropped', 'chain', 'all entries');
      return;
    }
}

/** Finds a gap without reading every entry. */
function checkCount(db: DatabaseSync, found: Findings, entries: number): void {
  const n = Number(db.prepare('SELECT count(*) AS n FROM chain').get()!.n);
  if (n !== entries) found.add('dropped', 'chain', `${entries - n} entries`);
}

/** Rows of tables that no entry is about. */
function findAdded(db: DatabaseSync, found: Findings, counts: ReadonlyMap<string, number>): void {
  // A record is part of the run from the start, or since it was selected.
  const groups: readonly (readonly EntryKind[])[] = [
    ['record', 'candidate'],
    ['select', 'record'],
    ['template'],
    ['intent'],
    ['outcome'],
    ['row'],
    ['verdict'],
    ['event'],
  ];
  for (const kinds of groups) {
    const [kind] = kinds as [EntryKind];
    const { table, key } = coveredBy(kind);
    const where = kinds.length === 2 && kind === 'record' ? '' : (WHERE[kind] ?? '');
    const inFile = Number(db.prepare(`SELECT count(*) AS n FROM ${table} ${where}`).get()!.n);
    const inChain = kinds.reduce((sum, kind) => sum + (counts.get(kind) ?? 0), 0);
    // With as many entries as rows, a row that was added is missed only where another was dropped, which is reported already.
    if (inFile === inChain && found.n === 0) continue;
    const known = new Set<string>();
    const entries = db.prepare(
      `SELECT ref FROM chain WHERE kind IN (${kinds.map((name) => `'${name}'`).join(', ')})`,
    );
    for (const { ref } of entries.iterate()) known.add(String(ref));
    for (const row of db.prepare(`SELECT ${key.join(', ')} FROM ${table} ${where}`).iterate()) {
      const named = Object.values(row) as Cell[];
      if (!known.has(refOf(named))) found.entry('added', kind, named);
    }
  }
}

/** Every field of the manifest is the last that was entered. */
function checkManifest(db: DatabaseSync, found: Findings): void {
  const last = db
    .prepare("SELECT ref, digest, max(seq) FROM chain WHERE kind = 'manifest' GROUP BY ref")
    .all();
  const digests = new Map(last.map(({ ref, digest }) => [ref, digest]));
  for (const { key, value } of db.prepare('SELECT key, value FROM manifest LIMIT 1000').iterate()) {
    const digest = digests.get(key!);
    if (digest === undefined) found.entry('added', 'manifest', [key as string]);
    else if (digest !== digestOf('manifest', { value: value as Cell }))
      found.entry('changed', 'manifest', [key as string]);
    digests.delete(key!);
  }
  for (const key of digests.keys()) found.entry('dropped', 'manifest', [key as string]);
}

/** Every seal names the entries that it covers and the seal before it. */
function checkSeals(db: DatabaseSync, found: Findings) {
  const entry = db.prepare('SELECT kind, ref, hash FROM chain WHERE seq = ?');
  const seals: { readonly seal: Seal; readonly hash: unknown }[] = [];
  for (const { id, data } of db
    .prepare("SELECT id, data FROM events WHERE kind = 'sealed' ORDER BY id")
    .iterate()) {
    const seal = readSeal(parsed(data));
    const own = seal && entry.get(seal.entries + 1);
    if (seal === null || own?.kind !== 'event' || own.ref !== String(id)) {
      found.add('changed', 'seal', `event ${id}`);
      continue;
    }
    if (entry.get(seal.entries)?.hash !== seal.head || seal.previous !== (seals.at(-1)?.hash ?? null))
      found.add('changed', 'seal', `event ${id}`);
    if (seal.signature !== undefined && !isSignedBy(seal, null))
      found.add('signature', 'seal', `event ${id}: the signature is wrong`);
    seals.push({ seal, hash: own.hash });
  }
  return seals;
}

/** The stored scores are those that were sealed. A run of open questions stores none: its verdicts are in the chain. */
function checkScores(db: DatabaseSync, found: Findings, seal: Seal): void {
  const scores = manifestField(db, 'scores');
  const ledger = manifestField(db, 'ledger');
  if (!isObject(scores) || !isObject(ledger) || seal.scores_hash === null) return;
  if (scoresHash(scores, ledger) !== seal.scores_hash)
    found.add('changed', 'seal', 'the stored scores are not those that were sealed');
}

function isObject(value: unknown): value is object {
  return typeof value === 'object' && value !== null;
}

function manifestField(db: DatabaseSync, key: string): unknown {
  return parsed(db.prepare('SELECT value FROM manifest WHERE key = ?').get(key)?.value);
}

const markSchema = z
  .object({ first: z.int().min(1), last: z.int() })
  .refine(({ first, last }) => first <= last);

/**
 * Counts the entries after the last signature, and those that were marked as unsigned before a later one. A mark that was made up adds at least one, and takes nothing from the others.
 */
function countUnsigned(db: DatabaseSync, entries: number, seals: readonly Seal[]): number {
  const lastSigned = seals.findLast(({ signature }) => signature !== undefined);
  if (lastSigned === undefined) return 0;
  const events = db.prepare("SELECT data FROM events WHERE kind = 'unsigned_entries'").all();
  const marks = events.map(({ data }) => markSchema.safeParse(parsed(data)).data ?? { first: 1, last: 1 });
  let n = entries - lastSigned.entries - 1;
  let counted = 0;
  for (const { first, last } of marks.toSorted((a, b) => a.first - b.first)) {
    n += Math.max(0, last - Math.max(first - 1, counted));
    counted = Math.max(counted, last);
  }
  return n;
}

function mergedParts(db: DatabaseSync): readonly MergedPart[] | null {
  const event = db.prepare("SELECT data FROM events WHERE kind = 'merged' ORDER BY id LIMIT 1").get();
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

function stringOf(value: unknown): string | null {
  return typeof value === 'string' ? value : null;
}
