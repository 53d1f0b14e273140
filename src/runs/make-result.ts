import type { SourceComparison } from '../analyses/confidence-sources/source-comparison.ts';
import { analysisFields } from '../analyses/registry.ts';
import type { ThresholdChoice } from '../analyses/threshold/run-threshold.ts';
import type { Scorecard } from '../metrics/score.ts';
import { verifyRun } from '../store/verify-run.ts';
import { readExecution } from './execution.ts';
import type { AnalysisFields, RunResult } from './run-result.ts';
import { runWarnings } from './run-warnings.ts';

/** A result from its facts: whatever can be derived from them is. */
export function makeResult(
  facts: Omit<
    RunResult,
    | Exclude<keyof Scorecard, 'task'>
    | keyof AnalysisFields
    | 'metricScores'
    | 'groups'
    | 'execution'
    | 'warnings'
    | 'evaluationResults'
    | 'verification'
    | 'sources'
    | 'threshold'
  >,
): RunResult {
  const { task: _, scores, subgroups: groups, ...counts } = facts.card;
  const { analyses } = facts;
  const result = {
    ...facts,
    ...analysisFields(analyses),
    threshold: (choice?: ThresholdChoice) =>
      (choice === undefined
        ? (analyses.threshold ?? null)
        : facts.analyse('threshold', choice)) as ReturnType<RunResult['threshold']>,
    sources: () => (analyses.confidenceSources ?? null) as SourceComparison | null,
    ...counts,
    scores: Object.fromEntries(scores.map((score) => [score.name, score])),
    metricScores: scores,
    groups,
    execution: readExecution(facts.extras),
  };
  const whole = { ...result, warnings: runWarnings(result) };
  const { path } = facts;
  if (path === null) return { ...whole, evaluationResults: [...facts.rows()], verification: null };
  let rows: RunResult['evaluationResults'] | null = null;
  let verification: RunResult['verification'] = null;
  // Not enumerable: a copy of a result must not read all rows of a long run.
  return Object.defineProperties(whole, {
    evaluationResults: { get: () => (rows ??= [...facts.rows()]) },
    verification: { get: () => (verification ??= verifyRun(path, { isForeign: false })) },
  }) as typeof whole & Pick<RunResult, 'evaluationResults' | 'verification'>;
}
