import { type FailureProblem, type Fault, isFailureProblem } from '../core/fault.ts';
import type { Statements } from './statements.ts';
import { objectCell } from './stored-cells.ts';
import type { NewValues } from './table.ts';
import { CALLS, type OUTCOMES } from './tables.ts';

/** A question to a judge is about one answer. */
export type CallMode = 'single' | 'batch' | 'judge';

/** How a call was made, as far as it does not make another run. */
export interface CallSettings {
  /** Default: the model's own. */
  readonly max_output_tokens?: number | undefined;
  readonly timeout_seconds?: number | undefined;
  readonly max_retries?: number | undefined;
}

/** What is about to be asked. `key` is made of the records of the batch, the mode and the repeat: the same question has the same key in every process. */
export interface CallIntent
  extends Omit<NewValues<typeof CALLS.columns>, 'nRecords' | 'startedAt' | 'settings'> {
  /** Settings that are not part of the run's identity. Default: null, for a model without any. */
  readonly settings?: CallSettings | null | undefined;
}

/** How the cost of a call was settled: by the usage that the provider reported, by what was reserved because it reported none that can be true, or as nothing, because it did no work. */
export type CostBasis = 'usage' | 'reserve' | 'nothing';

/** What came of a call. `retry`: it failed and will be made again. `not_sent`: the run stopped before the request went out. `answered`, or the fault that ended it. */
export interface CallOutcome
  extends Omit<
    NewValues<typeof OUTCOMES.columns>,
    'callId' | 'finishedAt' | 'replySalt' | 'replyLength' | 'replyHash' | 'keptHash'
  > {
  readonly outcome: 'answered' | 'retry' | 'not_sent' | Fault;
  readonly problem?: FailureProblem | null | undefined;
  readonly costBasis?: CostBasis | null | undefined;
  /** A reply that is measured and hashed, but not stored. Default: null. */
  readonly withheld?: string | null | undefined;
}

/** What went wrong with a call. */
export interface CallFailure {
  readonly fault: Fault;
  readonly problem: FailureProblem;
  readonly status: number | null;
}

/** The records of a call. */
export function recordIdsIn(sql: Statements, cell: unknown): readonly string[] {
  return sql.reading(() => CALLS.columns.recordIds.decode(cell, 'the records of a call'));
}

/** What went wrong, as a code of the failure list; a file of someone else may hold anything. */
export function problemIn(problem: unknown, reason: unknown): FailureProblem | null {
  return [problem, reason].find(isFailureProblem) ?? null;
}

/** Settings as they are stored; a file of someone else may hold anything. */
export function readSettings(sql: Statements, cell: unknown): CallSettings | null {
  if (cell === null) return null;
  const stored = sql.reading(() => objectCell(cell, 'settings of a call'));
  return Object.fromEntries(
    Object.entries(stored).filter(([key, value]) => SETTINGS.includes(key) && typeof value === 'number'),
  );
}

const SETTINGS: readonly string[] = [
  'max_output_tokens',
  'timeout_seconds',
  'max_retries',
] satisfies (keyof CallSettings)[];

/** `-2024-08-06`, `-20240806` or `@20240806`. */
const DATE = /^(?:-(\d{4})-(\d\d)-(\d\d)|[-@](\d{4})(\d\d)(\d\d))$/;
/** Versions of language models are younger; most dates in records of patients are not. */
const MIN_YEAR = 2020;

/** Whether a name is that of the model that was asked (`provider/model`), with at most a date after it. */
export function isVersionOf(name: string, asked: string): boolean {
  const model = asked.slice(asked.indexOf('/') + 1);
  if (name === model) return true;
  const [year, month, day] = (DATE.exec(name.startsWith(model) ? name.slice(model.length) : '') ?? [])
    .slice(1)
    .filter((part) => part !== undefined)
    .map(Number);
  if (year === undefined || year < MIN_YEAR) return false;
  const date = new Date(Date.UTC(year, month! - 1, day));
  return date.getUTCMonth() === month! - 1 && date.getTime() <= Date.now();
}
