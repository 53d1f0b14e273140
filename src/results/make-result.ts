import { executionOf } from './execution.ts';
import type { ResultFacts, RunResult } from './run-result.ts';
import { runWarnings } from './run-warnings.ts';

/** A result from its facts: whatever can be derived from them is. */
export function makeResult(facts: ResultFacts): RunResult {
  const { task: _, scores, subgroups: groups, ...counts } = facts.card;
  const result = {
    ...facts,
    ...counts,
    scores: Object.fromEntries(scores.map((score) => [score.name, score])),
    metricScores: scores,
    groups,
    execution: executionOf(facts.extras),
  };
  const whole = { ...result, warnings: runWarnings(result) };
  if (facts.path === null) return { ...whole, evaluationResults: [...facts.rows()] };
  let rows: RunResult['evaluationResults'] | null = null;
  // Not enumerable: a copy of a result must not read all rows of a long run.
  return Object.defineProperty(whole, 'evaluationResults', {
    get: () => (rows ??= [...facts.rows()]),
  }) as typeof whole & Pick<RunResult, 'evaluationResults'>;
}
