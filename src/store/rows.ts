import type { EvaluationResult } from '../core/evaluation-result.ts';
import type { RowState } from '../core/states.ts';
import type { BackendResponse } from '../models/backend.ts';
import type { PartContext } from './entry-writer.ts';
import type { Statements } from './statements.ts';
import { jsonCell, UnexpectedCell } from './stored-cells.ts';
import { cutText, storedText } from './stored-text.ts';
import { readableCell } from './table.ts';
import { RECORDS, ROW_KEYS, ROWS, type Row, TEMPLATES } from './tables.ts';

/** A row to be entered. What is left out is null, or as with an answer to a single question. */
export type NewRow = Partial<Row> &
  Pick<Row, 'id' | 'repeat' | 'state'> &
  Pick<BackendResponse, 'replySpan'> & {
    /** A text that is measured and hashed, but not stored. Default: null. */
    readonly withheld?: string | null | undefined;
  };

/** What scores look at. */
type ScoredPart = EvaluationResult & Pick<Row, 'id' | 'repeat' | 'promptMode' | 'tokenConfidence'>;

const RECORD_KEYS = ['id', 'label', 'metadata'] as const;
const SCORED_KEYS = [
  'state',
  'stateReason',
  'prediction',
  'abstained',
  'confidence',
  'score',
  'checked',
  'urgent',
  'deferralReason',
  'promptMode',
  'tokenConfidence',
] as const;
/** The id comes from the record, also where it has no row. */
const ALL_KEYS = ROW_KEYS.filter((key) => key !== 'id' && key !== 'repeat');

/** Columns of a record and of its row, as {@link readScored} takes them. */
export const SCORED_COLUMNS = columnsFor(SCORED_KEYS);

function columnsFor(keys: readonly Parameters<typeof ROWS.sql>[0][]): string {
  return `${RECORDS.select('r', RECORD_KEYS)}, w.seq IS NOT NULL AS "isThere", ${ROWS.select('w', keys)}`;
}

/** A row of a result, by the names of its columns. */
export type Selected = Readonly<Record<string, unknown>>;

/** Reads a row with its record; a record without a row was not run. `call` is the planned call of the record. */
function readRow<K extends (typeof ALL_KEYS)[number]>(
  row: Selected,
  keys: readonly K[],
  repeat: number,
  call: string | null,
) {
  const isThere = row.isThere === 1;
  const { id, label: groundTruth, metadata } = RECORDS.decode(row, RECORD_KEYS);
  return {
    ...ROWS.decode(row, keys, isThere),
    ...(!isThere && { state: 'not_run' as const }),
    id,
    repeat,
    groundTruth,
    metadata,
    call: isThere ? call : null,
  };
}

/** Reads {@link SCORED_COLUMNS}. */
export function readScored(row: Selected, repeat: number, call: string | null = null): ScoredPart {
  return readRow(row, SCORED_KEYS, repeat, call) as ScoredPart;
}

/** Columns of the text of a row: its own, or a part of the reply to its call. `readCell` limits how much of a text is read. */
export function replyColumns(readCell: (cell: string) => string = readableCell): string {
  return `${readCell('w.raw_response')} AS "ownText", w.reply_start AS "replyStart", w.reply_end AS "replyEnd", CASE WHEN w.reply_start IS NOT NULL THEN ${readCell('c.raw_response')} END AS "callText"`;
}

export const JOIN_REPLIES = 'LEFT JOIN outcomes c ON c.call_id = w.call_id';

/** The text that a row came from. Cut here, because SQLite counts characters in another way. */
export function readReply({ ownText, replyStart, replyEnd, callText }: Selected): string | null {
  const text = ownText ?? callText ?? null;
  if (text === null) return null;
  if (typeof text !== 'string') throw new UnexpectedCell('a reply is not text');
  if (ownText !== null && ownText !== undefined) return text;
  return text.slice(Number(replyStart ?? 0), replyEnd == null ? undefined : Number(replyEnd));
}

/** The rows of a run: answers, and rows without one. */
export class Rows {
  readonly #context: PartContext;
  readonly #sql: Statements;
  readonly #plannedCalls: () => ReadonlyMap<string, string>;
  /** The last attempt at each record with a row, by repeat. Read from the file once: no other process writes. */
  #done: Map<string, number>[] | null = null;
  /** The numbers of prompt templates. A backend gives the same object for all its prompts of a kind: its JSON is made once. */
  readonly #templateIds = new Map<string, number>();
  #idsOfPrompts = new WeakMap<object, number>();

  /** @internal */
  constructor(context: PartContext, plannedCalls: () => ReadonlyMap<string, string>) {
    this.#context = context;
    this.#sql = context.sql;
    this.#plannedCalls = plannedCalls;
  }

  /** Whether a record has its row, of this round of asking failed rows again or a later one. The only place that decides what is done, and so what is missing. */
  isDone(id: string, repeat: number, round = 0): boolean {
    return (this.#doneIn(repeat).get(id) ?? -1) >= round;
  }

  /** How many rows are still to be asked: of records that are not done. */
  countMissing(repeats: number): number {
    let n = 0;
    for (const { id } of this.#sql.iterate('SELECT id FROM records'))
      for (let repeat = 0; repeat < repeats; repeat++) if (!this.isDone(id as string, repeat)) n += 1;
    return n;
  }

  /** Enters rows that no call brought: those that failed. */
  enter(rows: readonly NewRow[]): void {
    this.#context.commits.enter(() => {
      for (const row of rows) this.write(row);
    });
  }

  /** Writes a row inside a transaction. `reply` is the text that is stored with its call: a row with the same text refers to its part of it. */
  write(row: NewRow, callId: number | null = null, reply: string | null = null): void {
    const { textKey, writer } = this.#context;
    const { prompt = null, promptMode = 'single', rawResponse = null, withheld = null, attempt = 0 } = row;
    const isPart = reply !== null && rawResponse === reply;
    const { start = 0, end = reply?.length ?? 0 } = row.replySpan ?? {};
    const own = storedText(isPart ? null : rawResponse, callId === null ? withheld : null, textKey);
    const template =
      prompt && (this.#idsOfPrompts.get(prompt) ?? this.templateId(promptMode, JSON.stringify(prompt)));
    if (prompt !== null) this.#idsOfPrompts.set(prompt, template!);
    writer.insert(ROWS, {
      ...row,
      callId,
      template,
      replyStart: isPart ? start : null,
      replyEnd: isPart ? end : null,
      ...own,
    });
    this.#doneIn(row.repeat).set(row.id, attempt);
  }

  /** The number of the template of a prompt, given as JSON: each is stored once. */
  templateId(mode: string, prompt: string): number {
    const id =
      this.#templateIds.get(prompt) ??
      this.#context.writer.insert(TEMPLATES, { mode, prompt }) ??
      Number(this.#sql.get('SELECT seq FROM templates WHERE prompt = ?', prompt)!.seq);
    this.#templateIds.set(prompt, id);
    return id;
  }

  /** Rows in record order, each with its truth; with `all`, a record that was never asked comes as `not_run`. */
  *read({
    all = false,
    nRepeats = 1,
  }: {
    readonly all?: boolean;
    readonly nRepeats?: number;
  } = {}): Generator<Row> {
    const calls = this.#plannedCalls();
    const prompts = new Map(this.templates().map(({ id, prompt }) => [id, prompt as Row['prompt']]));
    const columns = `${columnsFor(ALL_KEYS)}, w.template, ${replyColumns()}`;
    for (let repeat = 0; repeat < Math.max(1, nRepeats); repeat++)
      for (const row of this.#joined(columns, repeat, all, JOIN_REPLIES))
        yield this.#sql.reading(() => {
          const known = readRow(row, ALL_KEYS, repeat, calls.get(row.id as string) ?? null) as Row;
          return {
            ...known,
            // A row that was recorded elsewhere may state a reason of its own.
            problem: known.problem ?? (known.state === 'failed' ? known.stateReason : null),
            rawResponse: readReply(row),
            prompt: prompts.get(Number(row.template)) ?? null,
          };
        });
  }

  /** The same as far as scores go, `not_run` ones too: reading only that takes half the time. */
  *readScored(nRepeats = 1): Generator<ScoredPart> {
    const calls = this.#plannedCalls();
    for (let repeat = 0; repeat < nRepeats; repeat++)
      for (const row of this.#joined(SCORED_COLUMNS, repeat, true))
        yield this.#sql.reading(() => readScored(row, repeat, calls.get(row.id as string)));
  }

  #joined(columns: string, repeat: number, all: boolean, join = '') {
    // Finding the last attempt at each row takes longer than reading it, and most runs have one at each.
    const isAskedAgain = this.#sql.get('SELECT 1 FROM rows WHERE attempt > 0 LIMIT 1') !== undefined;
    const rows = isAskedAgain ? 'latest_rows w ON' : 'rows w ON w.attempt = 0 AND';
    return this.#sql.iterate(
      `SELECT ${columns} FROM records r ${all ? 'LEFT' : ''} JOIN ${rows} w.record_id = r.id AND w.repeat = ? ${join} ORDER BY r.position`,
      repeat,
    );
  }

  /** The text that a record was answered with, the hash of one that was not kept, and how the row ended; null before. */
  findAnswer(id: string, repeat: number) {
    const query = `SELECT w.state, w.reply_hash AS hash, ${replyColumns()} FROM latest_rows w ${JOIN_REPLIES} WHERE w.record_id = ? AND w.repeat = ?`;
    const row = this.#sql.get(query, id, repeat);
    if (row === undefined) return null;
    const answer = this.#sql.reading(() => readReply(row));
    return { state: row.state as RowState, answer, hash: typeof row.hash === 'string' ? row.hash : null };
  }

  /** Whether a record was answered with this text, as the run would keep it; null where the run does not say. */
  isAnswer(id: string, repeat: number, text: string): boolean | null {
    const row = this.findAnswer(id, repeat);
    if (row?.state !== 'answered') return false;
    if (row.answer !== null) return row.answer === cutText(text.toWellFormed());
    return row.hash === null ? null : this.#context.textKey.hasHash(text.toWellFormed(), row.hash);
  }

  /** The tokens of all answers that report their sum alone; null where none does. */
  sumTotalTokens(): number | null {
    const sql = 'SELECT sum(total_tokens) AS n FROM latest_rows WHERE total_tokens IS NOT NULL';
    const { n } = this.#sql.get(sql)!;
    return n === null ? null : Number(n);
  }

  /** How many rows came from a reply that had to be repaired. */
  countRepaired(): number {
    return Number(this.#sql.get('SELECT count(*) AS n FROM latest_rows WHERE repaired = 1')!.n);
  }

  /** How many rows were asked again after they had failed. */
  countAskedAgain(): number {
    const rows = 'SELECT DISTINCT record_id, repeat FROM rows WHERE attempt > 0';
    return Number(this.#sql.get(`SELECT count(*) AS n FROM (${rows})`)!.n);
  }

  /** How many rows ended in each state. */
  countStates(): Map<string, number> {
    const counted = this.#sql.all(
      'SELECT state, count(*) AS n FROM (SELECT state FROM latest_rows LIMIT ?) GROUP BY state',
      this.#sql.maxRows(),
    );
    return new Map(counted.map(({ state, n }) => [state as string, Number(n)]));
  }

  /** Prompt templates by number, with how many rows used each. The slot for patient data is still marked: they never hold any. */
  templates() {
    const stored = this.#sql.all(
      'SELECT t.seq AS id, t.mode, t.prompt, count(w.record_id) AS n FROM templates t LEFT JOIN latest_rows w ON w.template = t.seq GROUP BY t.seq ORDER BY t.seq',
    );
    return stored.map(({ id, mode, prompt, n }) => ({
      id: Number(id),
      mode: String(mode),
      prompt: this.#sql.reading(() => jsonCell(prompt, 'a prompt')),
      n: Number(n),
    }));
  }

  /** Reads rows and templates again before they are next asked for: entries were rolled back, or came by other means. */
  forget(): void {
    this.#done = null;
    this.#templateIds.clear();
    this.#idsOfPrompts = new WeakMap();
  }

  #doneIn(repeat: number): Map<string, number> {
    this.#done ??= lastAttempts(this.#sql);
    this.#done[repeat] ??= new Map();
    return this.#done[repeat];
  }
}

function lastAttempts(sql: Statements): Map<string, number>[] {
  const attempts: Map<string, number>[] = [];
  for (const row of sql.iterate(
    'SELECT record_id, repeat, max(attempt) AS attempt FROM rows GROUP BY record_id, repeat',
  )) {
    const repeat = Number(row.repeat);
    attempts[repeat] ??= new Map();
    attempts[repeat].set(row.record_id as string, Number(row.attempt));
  }
  return attempts;
}
