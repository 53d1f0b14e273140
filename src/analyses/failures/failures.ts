import { z } from 'zod';
import { count, type Shape } from '../../core/codec.ts';
import { failureWords, isFailureProblem } from '../../core/fault.ts';
import { plainLine } from '../../core/plain-text.ts';
import { invalidWords } from '../../core/states.ts';
import type { FailedCalls, StoredFailures } from '../../store/queries/stored-failures.ts';

export const runFailureSchema = z.object({
  /** Whose calls failed: those of the model, or those of the judge of its answers. */
  role: z.enum(['model', 'judge']),
  /** What went wrong: `web_page`, `timeout`, ... Rows recorded elsewhere may have another reason. */
  problem: z.string(),
  /** The HTTP status that came back; null where there was none, or the run does not say. */
  status: z.number().nullable(),
  /** The problem in words: `a web page came back instead of JSON`. */
  says: z.string(),
  /** What to do about it, with the options of the command line as they are typed; null where nothing is known to help. */
  advice: z.string().nullable(),
  /** Rows that failed, by their last attempt. For the judge: answers of which a call failed. */
  nRows: count,
  /** Calls that failed and were not tried again as they were. A batch may have been split, a row asked alone. */
  nCalls: count,
  /** Calls that failed and were tried again. */
  nRetries: count,
  /** The message of one of the calls; null for protected suites, and where none is stored. */
  example: z.string().nullable(),
});
/** What failed for one cause. */
export type RunFailure = Shape<typeof runFailureSchema>;

export const unusableRepliesSchema = z.object({
  /** `no_json`, `label_not_in_task`, ..., or `refused`. */
  reason: z.string(),
  /** The reason in words: `the reply had no JSON`. */
  says: z.string(),
  nRows: count,
  /** The beginning of one of the replies; null for protected suites, and where none is stored. */
  example: z.string().nullable(),
});
/** Replies that could not be used for one reason. They are the model's behaviour: their rows are scored, as wrong. */
export type UnusableReplies = Shape<typeof unusableRepliesSchema>;

/** In characters. */
const MAX_EXAMPLE = 300;

/** Why rows have no answer, and why replies could not be used, each by cause, the commonest first. Of a protected run there are codes and counts only. `task` is the kind that was asked. */
export function summariseFailures(
  stored: StoredFailures,
  isProtected: boolean,
  task: 'labels' | 'text' = 'labels',
): { failures: RunFailure[]; unusableReplies: UnusableReplies[] } {
  const example = (text: string | null) => (isProtected || text === null ? null : oneLine(text));
  return {
    failures: failureGroups(stored).map(({ fault: _, ...group }) => ({
      ...group,
      ...wordsFor(group.problem, group.role, task),
      example: example(group.example),
    })),
    unusableReplies: stored.unusable
      .map(({ state, reason, reply, n }) => ({
        reason: state === 'refused' ? state : (reason ?? 'not_stated'),
        says: state === 'refused' ? 'the model refused to answer' : invalidWords(reason),
        nRows: n,
        example: example(reply),
      }))
      .sort((a, b) => b.nRows - a.nRows),
  };
}

/** The beginning of a text in one line; null for an empty one. */
function oneLine(text: string): string | null {
  const line = text
    .slice(0, 4 * MAX_EXAMPLE)
    .replace(/\s+/g, ' ')
    .trim();
  return line === '' ? null : plainLine(line, MAX_EXAMPLE);
}

interface Group extends Omit<RunFailure, 'says' | 'advice'> {
  readonly fault: string;
}

function failureGroups({ calls, rows }: StoredFailures): Group[] {
  const alike = Map.groupBy(
    calls,
    ({ isJudge, fault, problem, status }) => `${isJudge}\n${problem ?? fault}\n${status}`,
  );
  const groups = [...alike.values()].map(addUpCalls);
  for (const { reason, problem, status, n } of rows) {
    const found = groups
      .filter(
        (group) =>
          group.role === 'model' &&
          (problem === null ? group.fault === reason : group.problem === problem) &&
          (status === null || group.status === status),
      )
      .sort((a, b) => b.nCalls - a.nCalls)[0];
    if (found === undefined) {
      const fault = reason ?? 'unknown';
      const none = { nCalls: 0, nRetries: 0, example: null };
      groups.push({ role: 'model', fault, problem: problem ?? fault, status, nRows: n, ...none });
    } else groups[groups.indexOf(found)] = { ...found, nRows: found.nRows + n };
  }
  return groups.sort(
    (a, b) =>
      Number(a.role === 'judge') - Number(b.role === 'judge') ||
      b.nRows - a.nRows ||
      b.nCalls - a.nCalls ||
      b.nRetries - a.nRetries,
  );
}

/** Calls of one cause; those that were tried again are counted apart. */
function addUpCalls(calls: readonly FailedCalls[]): Group {
  const { isJudge, fault, problem, status } = calls[0]!;
  const final = calls.filter(({ isRetry }) => !isRetry);
  const sum = (of: readonly FailedCalls[], count: 'n' | 'nAbout') =>
    of.reduce((total, one) => total + one[count], 0);
  return {
    role: isJudge ? 'judge' : 'model',
    fault,
    problem: problem ?? fault,
    status,
    nRows: isJudge ? sum(final, 'nAbout') : 0,
    nCalls: sum(final, 'n'),
    nRetries: sum(calls, 'n') - sum(final, 'n'),
    example: [...final, ...calls].find(({ message }) => message !== null)?.message ?? null,
  };
}

function wordsFor(
  problem: string,
  role: RunFailure['role'],
  task: 'labels' | 'text',
): Pick<RunFailure, 'says' | 'advice'> {
  if (!isFailureProblem(problem)) return { says: problem.replaceAll('_', ' '), advice: null };
  const { says, advice } = failureWords(problem);
  if (advice === null || (role === 'model' && task === 'labels')) return { says, advice };
  // Open questions and judgements go one to a call, so there is no batch to make smaller.
  const alone = advice.replace(/, or lower --batch-size|--batch-size or /, '');
  return { says, advice: role === 'judge' ? adviceForJudge(alone) : alone };
}

/** Flags of a judge's own: `krisis run` has settings for them. */
const JUDGE_FLAGS: Readonly<Record<string, string>> = {
  '--base-url': 'judgeBaseUrl=URL',
  '--max-output-tokens': 'judgeMaxOutputTokens=N',
  '--timeout': 'judgeTimeout=SECONDS',
};

function adviceForJudge(advice: string): string {
  return advice.replace(/--[a-z-]+/, (flag) =>
    flag in JUDGE_FLAGS ? `--set ${JUDGE_FLAGS[flag]} (krisis judge: ${flag})` : flag,
  );
}
