import { hash } from 'node:crypto';
import type { DatabaseSync } from 'node:sqlite';

/** A value of a column. */
export type Cell = string | number | null;
/** Values by column. */
export type Cells = Readonly<Record<string, Cell>>;

interface Covered {
  readonly table: string;
  /** The columns that an entry's `ref` names. */
  readonly key: readonly string[];
  /** The other columns that an entry commits to. */
  readonly columns: readonly string[];
  /**
   * A text, its salt, and the columns with the hash of what is kept of it: the first that is not null. An entry commits to the hashes, so a copy without text and salt still verifies.
   */
  readonly text?: { readonly column: string; readonly salt: string; readonly hashes: readonly string[] };
}

const REPLY = { column: 'raw_response', salt: 'reply_salt', hashes: ['kept_hash', 'reply_hash'] };
const RECORD: Covered = {
  table: 'records',
  key: ['position'],
  columns: ['id', 'label', 'metadata', 'features_hash'],
  text: { column: 'features', salt: 'features_salt', hashes: ['features_hash'] },
};

/**
 * What the entries of each kind commit to. A `record` is part of the run from the start, a `candidate` once a `select` makes it part. Nulls are left out of an entry's content.
 */
export const COVERED = {
  manifest: { table: 'manifest', key: ['key'], columns: ['value'] },
  record: RECORD,
  candidate: RECORD,
  select: { table: 'records', key: ['position'], columns: [] },
  template: { table: 'templates', key: ['id'], columns: ['mode', 'prompt'] },
  intent: {
    table: 'calls',
    key: ['id'],
    columns: [
      ...['key', 'mode', 'repeat', 'record_ids', 'n_records', 'attempt'],
      ...['started_at', 'reserved_usd', 'settings'],
    ],
  },
  outcome: {
    table: 'calls',
    key: ['id'],
    columns: [
      ...['finished_at', 'outcome', 'error', 'input_tokens', 'output_tokens', 'wasted_tokens', 'latency'],
      ...[
        'model_id',
        'cost_usd',
        'cached',
        'cached_at',
        'cost_basis',
        'reply_length',
        'reply_hash',
        'kept_hash',
      ],
      ...['problem', 'status', 'worker', 'via'],
    ],
    text: REPLY,
  },
  row: {
    table: 'rows',
    key: ['record_id', 'repeat', 'attempt'],
    columns: [
      ...['state', 'state_reason', 'prediction', 'abstained', 'confidence', 'confidence_source'],
      ...['deferral_reason', 'reply_start', 'reply_end', 'reply_length', 'reply_hash', 'kept_hash'],
      ...['reply_order', 'template', 'mode', 'call', 'input_tokens', 'output_tokens', 'total_tokens'],
      ...['tokens_estimated', 'repaired', 'problem', 'status', 'token_confidence', 'urgent'],
    ],
    text: REPLY,
  },
  verdict: {
    table: 'judgements',
    key: ['record_id', 'repeat', 'judge', 'pass', 'rubric', 'config', 'attempt'],
    columns: ['outcome', 'created_at'],
  },
  event: { table: 'events', key: ['id'], columns: ['time', 'kind', 'data'] },
} as const satisfies Record<string, Covered>;

/** What was appended to a run. */
export type EntryKind = keyof typeof COVERED;

export const coveredBy = (kind: EntryKind): Covered => COVERED[kind];

/** The end of a chain: the hash of its last entry, and how many there are. */
export interface ChainHead {
  readonly hash: string;
  readonly entries: number;
}

/** Before the first entry. */
export const NO_ENTRIES: ChainHead = { hash: '0'.repeat(64), entries: 0 };

/** What an entry says, from the name of a manifest field, the number of a record or the key of a row. */
export function refOf(key: readonly Cell[]): string {
  if (key.length === 1) return wellFormed(String(key[0]));
  return JSON.stringify(key.map(asStored));
}

/** The key that {@link refOf} was made of. */
export function keyOf(kind: EntryKind, ref: string): Cell[] {
  const { key } = coveredBy(kind);
  if (key.length > 1) return JSON.parse(ref) as Cell[];
  return [kind === 'manifest' ? ref : Number(ref)];
}

/** The hash of an entry's content. Column names are part of it; nulls are not. */
export function digestOf(kind: EntryKind, cells: Cells): string {
  const content: Record<string, Cell> = {};
  for (const column of coveredBy(kind).columns) {
    const cell = asStored(cells[column] ?? null);
    if (cell !== null) content[column] = cell;
  }
  return hash('sha256', JSON.stringify(content));
}

/** A value as SQLite gives it back. */
function asStored(cell: Cell): Cell {
  if (typeof cell === 'string') return wellFormed(cell);
  return Number.isNaN(cell) ? null : cell;
}

/** SQLite stores UTF-8, which has no lone surrogates. */
function wellFormed(text: string): string {
  return text.isWellFormed() ? text : text.toWellFormed();
}

/** The hash of an entry: it commits to the entry's content and to everything before it. */
export function entryHash(previous: string, kind: string, ref: string, digest: string): string {
  return hash('sha256', `${previous}\n${kind}\n${ref}\n${digest}`);
}

/** The chain of a run file that is being written. */
export interface Chain {
  /** Adds an entry, in the transaction that writes its content. */
  append(kind: EntryKind, key: readonly Cell[], cells: Cells): void;
  head(): ChainHead;
  /** Drops what is remembered of entries that were rolled back. */
  forget(): void;
}

/** Continues the chain of a file. */
export function openChain(db: DatabaseSync): Chain {
  const insert = db.prepare('INSERT INTO chain (seq, kind, ref, digest, hash) VALUES (?, ?, ?, ?, ?)');
  let head: ChainHead | null = null;
  const chain: Chain = {
    append(kind, key, cells) {
      const { hash: previous, entries } = chain.head();
      const ref = refOf(key);
      const digest = digestOf(kind, cells);
      const next = entryHash(previous, kind, ref, digest);
      // A field of the manifest can be overwritten: its earlier values are known by their digests only.
      insert.run(entries + 1, kind, ref, kind === 'manifest' ? digest : null, next);
      head = { hash: next, entries: entries + 1 };
    },
    head() {
      head ??= storedHead(db);
      return head;
    },
    forget() {
      head = null;
    },
  };
  return chain;
}

/** The end of the chain in a file. */
export function storedHead(db: DatabaseSync): ChainHead {
  const last = db.prepare('SELECT seq AS entries, hash FROM chain ORDER BY seq DESC LIMIT 1').get();
  return (last as ChainHead | undefined) ?? NO_ENTRIES;
}

/** Which rows of a table have an entry of this kind, where not all have one. */
export const WHERE: Partial<Record<EntryKind, string>> = {
  record: 'WHERE selected = 1',
  candidate: 'WHERE selected = 0',
  select: 'WHERE selected = 1',
  outcome: 'WHERE outcome IS NOT NULL',
};
