export * from './aggregate/aggregate-trait.ts';
export { type PooledCounts, pooledCounts, type QuestionCounts } from './aggregate/question-counts.ts';
export { questionInterval } from './aggregate/question-interval.ts';
export type { CalibrationPair } from './calibration/calibration-pair.ts';
export * from './calibration/calibration-status.ts';
export * from './calibration/human-labels.ts';
export * from './calibration/judge-calibration.ts';
export * from './calibration/judge-gate-status.ts';
export { type LabelEvidence, labelEvidenceSchema } from './calibration/label-evidence.ts';
export * from './calibration/pass-agreement.ts';
export * from './calibration/resolve-labels.ts';
export {
  type CheckOutcome,
  checkValue,
  type DateCheck,
  type NumberCheck,
  type OneOfCheck,
  type RegexCheck,
  type TypedCheck,
} from './checks/typed-check.ts';
export {
  type ConfusionCounts,
  type ConfusionLists,
  confusionCountsSchema,
  type ListScore,
  metricOfCounts,
  type OpenItems,
  scoreConfusionLists,
  type TraitMetricScores,
} from './confusion-metrics.ts';
export { bucketsPrompt, parseBuckets } from './judge/buckets.ts';
export {
  CLAIMS_PROMPT_HASH,
  type Claim,
  type ClaimSource,
  claimsPrompt,
  parseClaims,
} from './judge/claims.ts';
export { type EarlierAttempt, hasFailed } from './judge/failed-judgement.ts';
export { GRADERS, type Grader, healthBenchGrader, parseGraderReply } from './judge/grader.ts';
export type { JudgedTrait, JudgeOutcome } from './judge/judge-outcome.ts';
export type { JudgeProblem } from './judge/judge-problem.ts';
export { JUDGE_PROMPT_HASH, JUDGE_PROTOCOL, judgePromptHash } from './judge/judge-prompt.ts';
export { lexicalJudge } from './judge/lexical.ts';
export { askedOnce, type JudgeCall, planCalls } from './judge/plan-calls.ts';
export { judgeProbes, type ProbeScore, scoreProbes } from './judge/probes.ts';
export { runGrader } from './judge/run-grader.ts';
export { JudgeCallFailed, runJudge } from './judge/run-judge.ts';
export { VERDICT_DEFINITIONS } from './judge/verdict-definitions.ts';
export * from './jury/jury-dissent.ts';
export * from './jury/jury-outcome.ts';
export * from './jury/jury-verdicts.ts';
export type { Finding } from './lint/lint-instruction.ts';
export { type LintOptions, lintRubric } from './lint/lint-rubric.ts';
export { type Provenance, Rubric, type RubricTraits } from './rubric.ts';
export { parseYaml, readText } from './rubric-text.ts';
export * from './score-verdicts.ts';
export { rubricsManifest, storedRubrics } from './stored-rubrics.ts';
export * from './traits/callable-trait.ts';
export type { ItemFields, ItemOptions } from './traits/item-fields.ts';
export { type RubricTrait, TRAIT_KINDS } from './traits/kinds.ts';
export * from './traits/llm-trait.ts';
export * from './traits/metric-trait.ts';
export * from './traits/regex-trait.ts';
export * from './traits/trait.ts';
export {
  type Bucket,
  EVALUATION_MODES,
  type EvaluationMode,
  TRAIT_METRICS,
  type TraitMetric,
} from './traits/vocabulary.ts';
export * from './verdict.ts';
export * from './verify-quote.ts';
export * from './weighted/claim-precision.ts';
export * from './weighted/harm-rates.ts';
export * from './weighted/item-shares.ts';
export * from './weighted/weighted-item.ts';
export {
  type CriticalFailures,
  criticalFailureRate,
  type PointQuestion,
  type WeightedScore,
  weightedGroups,
  weightedScore,
} from './weighted/weighted-score.ts';
