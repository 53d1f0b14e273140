import { snakeKeys } from '../../core/index.ts';
import type { RunResult } from '../../results/index.ts';

/** Why calls and rows failed, and why replies could not be used, in file form. */
export function failureObjects({
  failures,
  unusableReplies,
}: Pick<RunResult, 'failures' | 'unusableReplies'>) {
  return {
    failures: failures.map((failure) => snakeKeys(failure)),
    unusable_replies: unusableReplies.map((replies) => snakeKeys(replies)),
  };
}
