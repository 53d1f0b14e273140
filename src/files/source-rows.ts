import { contentHash } from '../core/canonical-json.ts';
import { isObject } from '../core/collections.ts';
import { KrisisError } from '../core/errors.ts';
import { type EvaluationResult, evaluationResult, parseRow } from '../core/evaluation-result.ts';
import { type Label, labelKey } from '../core/label.ts';
import { plainLine } from '../core/plain-text.ts';
import { type AnswerReading, answerReader } from '../core/row-file/answer-reading.ts';
import type { ReadRowsOptions } from '../core/row-file.ts';
import { counted } from '../core/wording.ts';
import { type FormatAccount, formatError, plainValues, type SourceRow } from './formats/format.ts';
import { labelMatcher } from './match-label.ts';

/** One run of a file: the answers of one model, or of one model to one prompt. */
export interface SourceRun {
  readonly name: string;
  readonly rows: readonly EvaluationResult[];
}

/** What was read, for people. */
export interface ReadAccount {
  readonly what: string;
  readonly mapped: Readonly<Record<string, string>>;
  readonly notes: readonly string[];
  readonly warnings: readonly string[];
}

/** The ends of a text are enough to find a label. */
const KEPT_CHARACTERS = 1000;
/** A text may be a label if it is one line of at most this length. */
const MAX_LABEL_LENGTH = 60;
const MAX_LABELS = 20;
/** Above this share of answers without a label, the most frequent ones are named. */
const MAX_UNMATCHED = 0.05;
const MAX_NAMED = 3;
const MAX_ROWS = 5_000_000;
/** What a case calls for, in the metadata of a row. */
const MARKS = ['should_abstain', 'must_act', 'near_line'] as const;

type Kept = Omit<SourceRow, 'record' | 'fields'> & {
  readonly stated: Readonly<Record<string, unknown>>;
  readonly isRefusal?: boolean;
};

/** How the answers of another tool are read. */
interface RowReading extends AnswerReading {
  readonly columns?: ReadRowsOptions['columns'];
}

/** Collects the rows of another tool's file, and makes runs of them when all are read: only then are the labels known. */
export class SourceRows {
  readonly #path: string;
  readonly #reading: AnswerReading;
  readonly #columns: readonly (readonly [field: string, path: readonly string[]])[];
  readonly #runs = new Map<string, Kept[]>();
  readonly #inputs = new Map<string, { readonly hash: string; readonly where: string }>();
  readonly #found = new Set<string>();
  #n = 0;

  constructor(path: string, { columns = {}, ...reading }: RowReading = {}) {
    this.#path = path;
    this.#reading = reading;
    this.#columns = Object.entries(columns).map(([field, key]) => [field, key.split('.')]);
  }

  add({ record, fields = {}, ...row }: SourceRow): void {
    this.#n += 1;
    if (this.#n > MAX_ROWS) throw formatError(this.#path, `more than ${MAX_ROWS} answers`);
    this.#checkInput(row);
    const stated: Record<string, unknown> = { ...fields };
    for (const [field, path] of this.#columns) {
      const value = path.reduce<unknown>((inner, key) => (isObject(inner) ? inner[key] : undefined), record);
      if (value === undefined) continue;
      this.#found.add(field);
      stated[field] = value;
    }
    const run = typeof stated.model === 'string' ? stated.model : row.run;
    const rows = this.#runs.get(run) ?? [];
    rows.push({ ...row, answer: shortened(row.answer), stated });
    this.#runs.set(run, rows);
  }

  /** Rows that ask about different things must not count as repeats of one record. */
  #checkInput({ id, inputHash: hash, where }: Omit<SourceRow, 'record'>): void {
    if (hash === null) return;
    const before = this.#inputs.get(id);
    if (before === undefined) this.#inputs.set(id, { hash, where });
    else if (before.hash !== hash)
      throw formatError(
        this.#path,
        `the id ${plainLine(id, 60)} has different inputs in ${before.where} and ${where}; expected one input for each id`,
      );
  }

  finish(
    account: FormatAccount,
    name: string,
  ): { readonly runs: readonly SourceRun[]; readonly account: ReadAccount } {
    const missing = this.#columns.find(([field]) => !this.#found.has(field));
    if (missing !== undefined && this.#n > 0)
      throw new KrisisError(
        `${this.#path}: no answer has ${missing[1].join('.')}, which is stated for ${missing[0]}`,
        {
          code: 'ERR_ROW_FILE',
          value: missing[0],
        },
      );
    const notes = [...account.notes];
    const warnings: string[] = [];
    const runs = [...this.#runs].map(([run, rows]) => ({
      name: run === '' ? (account.model ?? name) : run,
      rows: this.#listResults(
        rows,
        (note) => notes.includes(note) || notes.push(note),
        (text) => warnings.includes(text) || warnings.push(text),
      ),
    }));
    const all = runs.flatMap(({ rows }) => rows);
    const nAbstained = all.filter(({ state }) => state === 'abstained').length;
    const nFailed = all.filter(({ state }) => state === 'failed').length;
    if (runs.length > 1)
      notes.push(`${runs.length} runs: ${runs.map(({ name }) => plainLine(name, 60)).join(', ')}`);
    notes.push(
      nAbstained === 0 && account.mapped.abstained === undefined && !this.#found.has('abstained')
        ? 'no field says whether the model abstained: 0 rows abstain'
        : `${counted(nAbstained, 'row')} abstain`,
      ...(nFailed > 0 ? [`${counted(nFailed, 'row')} failed: ${causes(all)}`] : []),
    );
    const stated = Object.fromEntries(this.#columns.map(([field, path]) => [field, path.join('.')]));
    return {
      runs,
      account: { what: account.what, mapped: { ...account.mapped, ...stated }, notes, warnings },
    };
  }

  /** Answers from a closed set are compared with the truth; others count by the score that the tool gave them. */
  #listResults(
    kept: readonly Kept[],
    note: (text: string) => void,
    warn: (text: string) => void,
  ): EvaluationResult[] {
    const reader = answerReader(this.#reading);
    const rows = kept.map((row) => readAnswer({ ...row, ...statedFields(row) }, reader));
    reader.check(this.#path);
    const labels = rows.some(({ stated }) => stated.score !== undefined) ? null : closedSet(rows);
    const hasScores = rows.some(({ score }) => score !== null);
    if (labels === null && hasScores)
      note('the truths are no closed set of labels: answers count by the score of the tool');
    const match = labels && labelMatcher(labels);
    const unmatched = new Map<string, number>();
    let [nMatchable, nDisagreeing] = [0, 0];
    const results = rows.map((row) => {
      const base = this.#base(row);
      const byScore = match === null && hasScores;
      const [target] = row.targets;
      const truth = target === undefined ? null : (match?.(String(target)) ?? target);
      // A record has one truth, also where an answer failed.
      const known = byScore ? { score: null } : { ground_truth: truth };
      if (base.state !== undefined) return this.#row(row, { ...base, ...known });
      if (byScore)
        return row.score === null
          ? this.#row(row, { ...base, ...known, state: 'failed', state_reason: 'unscored' })
          : this.#row(row, { ...base, score: row.score });
      if (match === null) return this.#row(row, { ...base, ...known, prediction: row.answer });
      nMatchable += 1;
      const text = row.answer === null ? null : String(row.answer);
      const label = text === null ? null : match(text);
      const isRight =
        label !== null && row.targets.some((target) => isSame(match(String(target)) ?? target, label));
      if (label === null) {
        const shown = text === null ? 'no answer' : plainLine(text, 40);
        unmatched.set(shown, (unmatched.get(shown) ?? 0) + 1);
        return this.#row(row, {
          ...base,
          ground_truth: truth,
          prediction: null,
          state: 'invalid',
          state_reason: 'label_not_in_task',
        });
      }
      if (row.score !== null && truth !== null && (row.score === 1) !== isRight) nDisagreeing += 1;
      return this.#row(row, { ...base, ground_truth: truth, prediction: isRight ? truth : label });
    });
    const nUnmatched = [...unmatched.values()].reduce((sum, n) => sum + n, 0);
    if (labels !== null) note(`labels: ${labels.map((label) => plainLine(label, 40)).join(', ')}`);
    if (nUnmatched > 0) {
      const text = `${nUnmatched} of ${counted(nMatchable, 'answer')} (${share(nUnmatched, nMatchable)}) match no label: invalid`;
      const named = [...unmatched].sort(([, a], [, b]) => b - a).slice(0, MAX_NAMED);
      if (nUnmatched / nMatchable > MAX_UNMATCHED)
        warn(
          `${text}; the most frequent: ${named.map(([shown, n]) => `${JSON.stringify(shown)} (${n})`).join(', ')}`,
        );
      else note(text);
    }
    if (nDisagreeing > 0)
      warn(
        `${counted(nDisagreeing, 'answer')} of ${nMatchable} right by the label and not by the score of the tool, or the other way round; the label counts`,
      );
    if (labels === null && !hasScores && rows.every(({ targets }) => targets.length === 0))
      warn('no answer has a truth or a score: nothing says which are right');
    return results;
  }

  /** The fields of a row that do not depend on the labels. `state` is set where there is no answer to compare. */
  #base(row: Kept): Record<string, unknown> & { state?: string } {
    const { urgent, state, state_reason: reason } = row.stated;
    const { should_abstain_reasons: reasons, deferral_reason, call } = row.stated;
    const metadata = {
      ...row.metadata,
      ...Object.fromEntries(
        Object.entries(row.stated).flatMap(([field, value]) =>
          field.startsWith('metadata.') ? Object.entries(plainValues({ [field.slice(9)]: value })) : [],
        ),
      ),
      ...(row.inputHash !== null && { input_hash: row.inputHash }),
      ...Object.fromEntries(
        MARKS.filter((mark) => row.stated[mark] !== undefined).map((mark) => [mark, flag(row.stated[mark])]),
      ),
      ...(reasons !== undefined && { should_abstain_reasons: reasons }),
    };
    const base = {
      id: row.id,
      confidence: row.confidence ?? null,
      abstained: false,
      ...(urgent !== undefined && { urgent: flag(urgent) }),
      ...(deferral_reason !== undefined && { deferral_reason }),
      ...(call !== undefined && { call }),
      metadata,
    };
    if (row.failed !== undefined) return { ...base, state: 'failed', state_reason: row.failed };
    if (row.abstained === true) return { ...base, abstained: true, state: 'abstained' };
    if (row.isRefusal === true || state === 'refused') return { ...base, state: 'refused' };
    if (state === 'invalid') return { ...base, state, state_reason: reason ?? null };
    return base;
  }

  #row({ where }: Kept, value: Record<string, unknown>): EvaluationResult {
    const parsed = parseRow(value);
    if ('row' in parsed) return parsed.row;
    const { field, expected } = parsed.problem;
    throw formatError(this.#path, `${where}: ${field}: expected ${expected}`);
  }
}

/** What `--columns` stated for a row, in place of what the reader found. */
function statedFields({ stated }: Kept): Partial<Kept> {
  const { prediction, ground_truth: truth, id, abstained, confidence, score } = stated;
  return {
    ...(prediction !== undefined && { answer: shortened(asLabel(prediction)) }),
    ...(truth !== undefined && { targets: asLabel(truth) === null ? [] : [asLabel(truth)!] }),
    ...(id !== undefined && id !== null && { id: String(id) }),
    ...(abstained !== undefined && { abstained: flag(abstained) === true }),
    ...(confidence !== undefined && { confidence: typeof confidence === 'number' ? confidence : null }),
    ...(score !== undefined && { score: asScore(score) }),
  };
}

/** Reads an answer as one in a file of rows: whether it defers or refuses, and its confidence as a share. */
function readAnswer(row: Kept, reader: ReturnType<typeof answerReader>): Kept {
  const { answer, targets, confidence = null, failed, abstained = false } = row;
  const read = reader.read(
    evaluationResult({
      ...(failed !== undefined && { state: 'failed' as const }),
      abstained,
      prediction: answer,
      groundTruth: targets[0] ?? null,
      confidence,
    }),
  );
  return {
    ...row,
    confidence: read.confidence,
    abstained: read.state === 'abstained',
    isRefusal: read.state === 'refused',
  };
}

function asLabel(value: unknown): Label | null {
  return typeof value === 'string' || typeof value === 'number' || typeof value === 'boolean' ? value : null;
}

function asScore(value: unknown): number | null {
  const score = typeof value === 'boolean' ? Number(value) : value;
  return typeof score === 'number' && score >= 0 && score <= 1 ? score : null;
}

/** A text that says yes or no, as a table does; anything else stays as it is, and is refused with the row. */
function flag(value: unknown): unknown {
  if (value === 1 || value === 0) return value === 1;
  if (typeof value !== 'string') return value;
  return /^(true|yes)$/i.test(value) ? true : /^(false|no)$/i.test(value) ? false : value;
}

/** The labels that answers are from; null where the truths are no closed set. */
function closedSet(rows: readonly Kept[]): readonly string[] | null {
  const choices = rows.find((row) => row.choices !== undefined)?.choices;
  const labels = new Map<string | number, string>();
  for (const { choices: own = [], targets } of rows)
    for (const label of [...own, ...targets]) {
      const text = String(label);
      if (text.length > MAX_LABEL_LENGTH || text.includes('\n')) return null;
      labels.set(labelKey(label), text);
      if (labels.size > MAX_LABELS && choices === undefined) return null;
    }
  if (choices !== undefined) return [...labels.values()];
  const nRecords = new Set(rows.map(({ id }) => id)).size;
  const isClosed =
    labels.size > 0 && rows.every(({ targets }) => targets.length > 0) && nRecords >= 2 * labels.size;
  return isClosed ? [...labels.values()] : null;
}

function isSame(a: Label, b: Label): boolean {
  return labelKey(a) === labelKey(b);
}

/** A copy of the ends of a long text: a part of a text keeps the whole of it in memory. */
function shortened(answer: Label | null): Label | null {
  if (typeof answer !== 'string' || answer.length <= 2 * KEPT_CHARACTERS) return answer;
  const ends = `${answer.slice(0, KEPT_CHARACTERS)}\n${answer.slice(-KEPT_CHARACTERS)}`;
  return Buffer.from(`${ends}\n${contentHash(answer).slice(0, 12)}`).toString();
}

function causes(rows: readonly EvaluationResult[]): string {
  const counts = new Map<string, number>();
  for (const { state, stateReason } of rows)
    if (state === 'failed')
      counts.set(stateReason ?? 'unknown', (counts.get(stateReason ?? 'unknown') ?? 0) + 1);
  return [...counts].map(([reason, n]) => `${reason} (${n})`).join(', ');
}

function share(n: number, of: number): string {
  return `${((100 * n) / of).toFixed(1)} %`;
}
