import type { DatabaseSync } from 'node:sqlite';
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
  WHERE,
} from './chain.ts';
import { queryRun } from './queries/query-run.ts';
import { fingerprintOf, isSignedBy, readSeal, type Seal, type SealKey, scoresHash } from './seal.ts';
import { hasHash } from './stored-text.ts';

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
  /** `verified`: nothing was changed, dropped or added. `not_chained`: an earlier version wrote the file, and nothing can be said. */
  readonly verdict: 'verified' | 'changed' | 'not_chained';
  /** `seal`: the file has more entries than were to be read; only the seals and the manifest were checked. */
  readonly checked: 'everything' | 'seal';
  /** How many entries the chain has. */
  readonly entries: number;
  /** Entries that no seal covers yet: the last sitting was interrupted, or still writes. */
  readonly entriesAfterSeal: number;
  /** The first 20. */
  readonly problems: readonly VerificationProblem[];
  /** How many there are. */
  readonly nProblems: number;
  /** How many seals there are, one for each sitting that changed something. */
  readonly seals: number;
  /** The last of them; null before the first sitting ended. */
  readonly seal: VerifiedSeal | null;
  /** When the chain was begun in a file of an earlier version, in ISO 8601: nothing is known about the time before. Null for other files. */
  readonly adoptedAt: string | null;
  /** The version that began the run. */
  readonly startedBy: string | null;
  /** The ends of the chains that a merged run was made from; null for other runs. */
  readonly mergedFrom: readonly unknown[] | null;
  /** Stored texts (features, replies) that have the hash of the chain. */
  readonly textsChecked: number;
  /** Stored texts that cannot be checked, because the copy has no key of its protected run. */
  readonly textsNotChecked: number;
}

/** How a run file is verified. */
export interface VerifyOptions {
  /** The last seal must be signed by this key, and cover everything. Default: any key, or none. */
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
    { isForeign: options.isForeign ?? true, asWritten: true },
  );
}

function verifyDatabase(db: DatabaseSync, options: VerifyOptions): RunVerification {
  const found = new Findings(db);
  const startedBy = stringOf(manifestField(db, 'krisis_version'));
  const hasChain = db.prepare("SELECT 1 FROM main.sqlite_schema WHERE name = 'chain'").get() !== undefined;
  const entries = hasChain ? Number(db.prepare('SELECT coalesce(max(seq), 0) AS n FROM chain').get()!.n) : 0;
  const everything = entries <= (options.mostEntries ?? Number.POSITIVE_INFINITY);
  if (entries > 0 && everything) walk(db, found);
  if (entries > 0) checkManifest(db, found);
  const seals = entries === 0 ? [] : checkSeals(db, found);
  const last = seals.at(-1)?.seal ?? null;
  const entriesAfterSeal = last === null ? entries : Math.max(0, entries - last.entries - 1);
  if (last !== null && entriesAfterSeal === 0) checkScores(db, found, last);
  if (options.publicKey !== undefined && entries > 0) {
    if (last === null || !isSignedBy(last, options.publicKey))
      found.add('signature', 'seal', 'the last seal is not signed by this key');
    else if (entriesAfterSeal > 0)
      found.add('signature', 'seal', `${entriesAfterSeal} entries after the last seal are not signed`);
  }
  const adopted = eventOf(db, 'adopted');
  const merged = eventOf(db, 'merged')?.data as { parts?: unknown[] } | undefined;
  return {
    verdict: entries === 0 ? 'not_chained' : found.n === 0 ? 'verified' : 'changed',
    checked: everything ? 'everything' : 'seal',
    entries,
    entriesAfterSeal,
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
    adoptedAt: adopted && isoTime(adopted.time),
    startedBy,
    mergedFrom: Array.isArray(merged?.parts) ? merged.parts : null,
    textsChecked: found.textsChecked,
    textsNotChecked: found.textsNotChecked,
  };
}

/** Collects what is wrong. */
class Findings {
  readonly problems: VerificationProblem[] = [];
  n = 0;
  textsChecked = 0;
  textsNotChecked = 0;
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
  const key = textKey(db);
  const statementFor = (kind: EntryKind) => {
    let statement = statements.get(kind);
    if (statement === undefined) {
      const { table, key, columns, text } = coveredBy(kind);
      const read = [...columns, ...(text ? [text.column] : []), ...(table === 'records' ? ['selected'] : [])];
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
    const same = typeof expected === 'string' ? hasHash(String(stored), expected, key) : false;
    if (same === null) found.textsNotChecked += 1;
    else if (same) found.textsChecked += 1;
    else found.entry('text_changed', kind, named);
  }
}

function textKey(db: DatabaseSync): string | null {
  return stringOf(db.prepare("SELECT value FROM secrets WHERE name = 'text_key'").get()?.value);
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
      if (!known.has(refOf(kind, named))) found.entry('added', kind, named);
    }
  }
}

/** Every field of the manifest is the last that was entered. */
function checkManifest(db: DatabaseSync, found: Findings): void {
  const last = db
    .prepare("SELECT ref, digest, max(seq) FROM chain WHERE kind = 'manifest' GROUP BY ref")
    .all();
  const digests = new Map(last.map(({ ref, digest }) => [ref, digest]));
  for (const { key, value } of db.prepare('SELECT key, value FROM manifest').all()) {
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
    .all()) {
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

function eventOf(db: DatabaseSync, kind: string): { time: number; data: unknown } | null {
  if (db.prepare("SELECT 1 FROM main.sqlite_schema WHERE name = 'events'").get() === undefined) return null;
  const event = db.prepare('SELECT time, data FROM events WHERE kind = ? ORDER BY id LIMIT 1').get(kind);
  return event === undefined ? null : { time: Number(event.time), data: parsed(event.data) };
}

function isoTime(seconds: number): string {
  const time = new Date(seconds * 1000);
  return Number.isNaN(time.valueOf()) ? 'an unknown time' : time.toISOString();
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
