import { executionOf } from './execution.ts';
import type { ResultFacts, RunResult } from './run-result.ts';
import { runWarnings } from './run-warnings.ts';

/** A result from its facts: whatever can be derived from them is. */
export function makeResult(facts: ResultFacts): RunResult {
  const { card } = facts;
  const result = {
    ...facts,
    n: card.n,
    nScored: card.nScored,
    nMissingConfidence: card.nMissingConfidence,
    nInvalidConfidence: card.nInvalidConfidence,
    scores: Object.fromEntries(card.scores.map((score) => [score.name, score])),
    metricScores: card.scores,
    groups: card.subgroups,
    ledger: card.ledger,
    execution: executionOf(facts.extras),
    method: card.method,
  };
  const whole = { ...result, warnings: runWarnings(result) };
  if (facts.path === null) return { ...whole, evaluationResults: [...facts.rows()] };
  let rows: RunResult['evaluationResults'] | null = null;
  // Not enumerable: a copy of a result must not read all rows of a long run.
  return Object.defineProperty(whole, 'evaluationResults', {
    get: () => (rows ??= [...facts.rows()]),
  }) as typeof whole & Pick<RunResult, 'evaluationResults'>;
}
