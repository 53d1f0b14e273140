export * from './aggregate/aggregate-trait.ts';
export * from './calibration/calibration-status.ts';
export * from './calibration/human-labels.ts';
export * from './calibration/judge-calibration.ts';
export * from './calibration/judge-gate-status.ts';
export * from './calibration/pass-agreement.ts';
export * from './calibration/resolve-labels.ts';
export * from './checks/typed-check.ts';
export * from './confusion-metrics.ts';
export { bucketsPrompt, parseBuckets } from './judge/buckets.ts';
export * from './judge/claims.ts';
export { GRADERS, type Grader, healthBenchGrader, parseGraderReply, runGrader } from './judge/grader.ts';
export {
  type EarlierAttempt,
  hasFailed,
  type JudgedTrait,
  type JudgeOutcome,
} from './judge/judge-outcome.ts';
export { JUDGE_PROMPT_HASH, JUDGE_PROTOCOL, judgePromptHash } from './judge/judge-prompt.ts';
export { type JudgeProblem, VERDICT_DEFINITIONS } from './judge/judge-text.ts';
export { lexicalJudge } from './judge/lexical.ts';
export { askedOnce, type JudgeCall, planCalls } from './judge/plan-calls.ts';
export { judgeProbes, type ProbeScore, scoreProbes } from './judge/probes.ts';
export { catchFailedCall, JudgeCallFailed, runJudge } from './judge/run-judge.ts';
export * from './jury/jury-outcome.ts';
export * from './jury/jury-verdicts.ts';
export { type Finding, type LintOptions, lintRubric } from './lint/lint-rubric.ts';
export { type Provenance, parseYaml, Rubric, readText, storedRubrics, yamlProblem } from './rubric.ts';
export * from './score-verdicts.ts';
export * from './traits/callable-trait.ts';
export { type RubricTrait, type RubricTraits, TRAIT_KINDS } from './traits/kinds.ts';
export * from './traits/llm-trait.ts';
export * from './traits/metric-trait.ts';
export type { ItemFields, ItemOptions } from './traits/metric-trait-rules.ts';
export * from './traits/regex-trait.ts';
export * from './traits/trait.ts';
export * from './verdict.ts';
export * from './verify-quote.ts';
export * from './weighted/item-shares.ts';
export * from './weighted/weighted-score.ts';
export {
  type CriticalFailures,
  criticalFailureRate,
  type PointQuestion,
  type WeightedScore,
  weightedGroups,
  weightedScore,
} from './weighted/weighted-score.ts';
