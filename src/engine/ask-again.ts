import type { FailureProblem } from '../core/fault.ts';
import type { TokenUsage } from '../core/text-request.ts';
import type { Backend, VisibleRecord } from '../models/backend.ts';
import { type FailedRow, placeKey } from '../store/asking-rounds.ts';
import type { RunFile } from '../store/run-file.ts';
import type { QuestionSuite } from '../suites/questions/question-suite.ts';
import type { Task } from '../suites/task.ts';
import { answerRequest } from './questions/answer-prompt.ts';
import { toCallSettings } from './retry-policy.ts';
import type { RecordSource } from './select-records.ts';

/** Failed rows that are asked again, and those that are left. */
export interface AskingAgain {
  /** Rows that are asked again. */
  readonly nRows: number;
  /** What had gone wrong with them: rows by problem. */
  readonly problems: ProblemCounts;
  /** The most that their calls can cost, each made once and without judging; null where no price is known. */
  readonly maxCostUsd: number | null;
  /** Judgements that failed, or parts of them, and are asked for again. */
  readonly nJudgements: number;
  /** Rows that stay failed, by problem: asking them with the same settings would bring the same. */
  readonly left: ProblemCounts;
}

export type ProblemCounts = Readonly<Partial<Record<FailureProblem | 'unknown', number>>>;

/** The rows of one round of asking failed rows again, as places in the order of asking. */
export interface Round {
  /** The attempt that its rows get. */
  readonly round: number;
  /** Whether it begins now: false for one that a killed process began. */
  readonly isNew: boolean;
  /** By repeat, the records of the round. A killed process may have asked some of them. */
  readonly indexes: readonly (readonly number[])[];
  /** Rows that the round has still to ask. */
  readonly open: readonly FailedRow[];
  /** Failed rows that are not asked again. */
  readonly left: readonly FailedRow[];
}

/**
 * Which failed rows a session asks again. A round begins when the session before ended, however it ended; after a kill the round that was under way is finished, and no other begins, so that
 * a run ends as if it had not been killed.
 */
export function planRound(
  store: RunFile,
  records: RecordSource,
  { backend, repeats }: { readonly backend: Backend; readonly repeats: number },
): Round | null {
  const current = currentRound(store);
  if (current === null) return null;
  const { round, isNew, failed } = current;
  const earlier = failed.filter(({ attempt, repeat }) => attempt < round && repeat < repeats);
  const cap = store.manifest().parameters?.max_output_tokens;
  const isAsked = (row: FailedRow) => mayHelp(row, backend, typeof cap === 'number' ? cap : null);
  const open = earlier.filter(isAsked);
  const inRound = new Set([...open, ...(isNew ? [] : store.rounds.rowsEntered(round))].map(placeKey));
  const indexes = Array.from({ length: repeats }, (_, repeat) => placesIn(records, repeat, inRound));
  const asked = new Set(
    indexes.flatMap((list, repeat) => list.map((index) => placeKey({ recordId: records.id(index), repeat }))),
  );
  return {
    round,
    isNew,
    indexes,
    // A smaller limit asks for fewer records.
    open: open.filter((row) => asked.has(placeKey(row))),
    left: earlier.filter((row) => !isAsked(row)),
  };
}

/** The round that a session belongs to, and the rows that have failed so far; null where a killed process had begun none. */
export function currentRound(
  store: RunFile,
): { readonly round: number; readonly isNew: boolean; readonly failed: readonly FailedRow[] } | null {
  const { current, last } = roundsIn(store);
  if (current === 'none') return null;
  const failed = store.rounds.failedRows();
  const isNew = current === 'next';
  return { round: isNew ? Math.max(last, ...failed.map(({ attempt }) => attempt)) + 1 : last, isNew, failed };
}

/** The round that the session belongs to: the last one, the next, or none. */
function roundsIn(store: RunFile): {
  readonly current: 'last' | 'next' | 'none';
  readonly last: number;
} {
  const events = store.events.read();
  // A session that left requests with a provider is not over: the replies are those of its round.
  const pendingSince = Math.min(
    ...store
      .bulk()
      .pending()
      .map(({ intendedAt }) => intendedAt / 1000),
  );
  const end = events.findLastIndex(
    ({ kind, time }) => (kind === 'finished' || kind === 'judged') && time < pendingSince,
  );
  const since = events.slice(end + 1).map(({ kind }) => kind);
  const last = events.findLast(({ kind }) => kind === 'asked_again');
  const isKilled = since.includes('started') || since.includes('continued');
  return {
    current: since.includes('asked_again') ? 'last' : isKilled ? 'none' : 'next',
    last: Number(last?.data.round ?? 0),
  };
}

/** Whether asking again may bring more than the last time. Replies that were cut or filtered would be so again, unless the limit of output tokens has changed. */
function mayHelp({ problem, settings }: FailedRow, backend: Backend, storedCap: number | null): boolean {
  const now = toCallSettings(backend)?.max_output_tokens ?? null;
  const before = settings?.max_output_tokens ?? storedCap;
  const isKnown = now !== null && before !== null;
  switch (problem) {
    case 'not_recorded':
    case 'refused':
      return false;
    case 'empty':
      return !isKnown || now > before;
    case 'truncated':
      return isKnown && now > before;
    case 'too_long':
      return isKnown && now < before;
    default:
      return true;
  }
}

function placesIn(records: RecordSource, repeat: number, wanted: ReadonlySet<string>): number[] {
  const found: number[] = [];
  if (wanted.size === 0) return found;
  for (let index = 0; index < records.length; index++)
    if (wanted.has(placeKey({ recordId: records.id(index), repeat }))) found.push(index);
  return found;
}

/** Rows by what went wrong with them. */
export function countProblems(rows: readonly Pick<FailedRow, 'problem'>[]): ProblemCounts {
  const counts: Partial<Record<FailureProblem | 'unknown', number>> = {};
  for (const { problem } of rows) counts[problem ?? 'unknown'] = (counts[problem ?? 'unknown'] ?? 0) + 1;
  return counts;
}

/** What a round asks and leaves, for the user to see before its first call. */
export function askingAgain(
  { open, left }: Round,
  requests: Iterable<TokenUsage | undefined>,
  { cost }: Backend,
  nJudgements = 0,
): AskingAgain {
  let maxCostUsd: number | null = 0;
  for (const most of requests) {
    const usd: number | null = (most && cost?.(most)) ?? null;
    maxCostUsd = usd === null || maxCostUsd === null ? null : maxCostUsd + usd;
  }
  return {
    nRows: open.length,
    problems: countProblems(open),
    maxCostUsd: open.length === 0 ? null : maxCostUsd,
    nJudgements,
    left: countProblems(left),
  };
}

/** The most that each call about batches of records can take. */
export function* labelRequests(
  batches: Iterable<{ readonly records: readonly VisibleRecord[] }>,
  task: Task,
  { maxTokens }: Backend,
): Generator<TokenUsage | undefined> {
  for (const { records } of batches) yield maxTokens?.(records, task);
}

/** The most that each call about open questions can take. */
export function* textRequests(
  { open }: Round,
  { questions, task }: QuestionSuite,
  { maxTextTokens }: Backend,
): Generator<TokenUsage | undefined> {
  const known = new Map(questions.map((question) => [question.id, question]));
  for (const { recordId } of open) yield maxTextTokens?.(answerRequest(task, known.get(recordId)!));
}
