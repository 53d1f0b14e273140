import type { RunResult } from '../../runs/run-result.ts';

/** A run of open questions. */
export type JudgedResult = RunResult & { readonly judging: NonNullable<RunResult['judging']> };

export function isJudged(result: Pick<RunResult, 'judging'>): result is JudgedResult {
  return result.judging !== null;
}
