/** `krisis/rubrics`: traits, items, verdicts, the judge protocol, calibration and open questions. */

export type { JudgeReport } from '../analyses/judging/judge-report.ts';
export type { Judging } from '../analyses/judging/judging.ts';
export { type JudgeRunOptions, judgeRun } from '../engine/questions/judge-run.ts';
export {
  type AggregateScore,
  aggregateTrait,
  type QuestionCounts,
  type TraitAggregate,
} from '../rubrics/aggregate/aggregate-trait.ts';
export {
  type CalibrationLabels,
  type CalibrationReason,
  type CalibrationStatus,
  calibrationStatus,
  type LabelPair,
} from '../rubrics/calibration/calibration-status.ts';
export { type HumanLabel, parseHumanLabels, readHumanLabels } from '../rubrics/calibration/human-labels.ts';
export {
  type JudgeAgainstHumans,
  type JudgeCalibration,
  type JudgedQuestion,
  judgeCalibration,
} from '../rubrics/calibration/judge-calibration.ts';
export {
  type JudgeEvidence,
  type JudgeGateInputs,
  type JudgeGateReason,
  type JudgeGateStatus,
  type JudgeHeadline,
  type JudgeStatus,
  judgeGateStatus,
  type LabelEvidence,
} from '../rubrics/calibration/judge-gate-status.ts';
export {
  type ItemAgreement,
  type PassVerdict,
  passAgreement,
} from '../rubrics/calibration/pass-agreement.ts';
export {
  type CurrentTexts,
  type LabelEvent,
  type ResolvedLabel,
  resolveLabels,
} from '../rubrics/calibration/resolve-labels.ts';
export {
  type CheckOutcome,
  checkValue,
  type DateCheck,
  type NumberCheck,
  type OneOfCheck,
  type RegexCheck,
  type TypedCheck,
} from '../rubrics/checks/typed-check.ts';
export {
  type ConfusionCounts,
  type ConfusionLists,
  type ListScore,
  type OpenItems,
  scoreConfusionLists,
  type TraitMetricScores,
} from '../rubrics/confusion-metrics.ts';
export {
  type Claim,
  type ClaimSource,
  type ClaimVerdict,
  claimPrecision,
  parseClaims,
} from '../rubrics/judge/claims.ts';
export { type Grader, healthBenchGrader, parseGraderReply, runGrader } from '../rubrics/judge/grader.ts';
export { type EarlierAttempt, hasFailed, type JudgeOutcome } from '../rubrics/judge/judge-outcome.ts';
export { JUDGE_PROMPT_HASH, JUDGE_PROTOCOL, judgePromptHash } from '../rubrics/judge/judge-prompt.ts';
export { askedOnce, type JudgeCall, planCalls } from '../rubrics/judge/plan-calls.ts';
export { judgeProbes, type ProbeScore, scoreProbes } from '../rubrics/judge/probes.ts';
export { runJudge } from '../rubrics/judge/run-judge.ts';
export { juryOutcome } from '../rubrics/jury/jury-outcome.ts';
export {
  type JuryItem,
  type JuryVerdict,
  juryDissent,
  juryVerdicts,
  juryWeight,
  settledVerdict,
} from '../rubrics/jury/jury-verdicts.ts';
export { type Finding, type LintOptions, lintRubric } from '../rubrics/lint/lint-rubric.ts';
export { type Provenance, Rubric } from '../rubrics/rubric.ts';
export {
  listsFromVerdicts,
  scoreVerdicts,
  type UnscoredItem,
  type VerdictLists,
  type VerdictScore,
} from '../rubrics/score-verdicts.ts';
export {
  type CallableRubricTrait,
  type CallableTraitOptions,
  callableOutcome,
  callableTrait,
} from '../rubrics/traits/callable-trait.ts';
export type { RubricTraits } from '../rubrics/traits/kinds.ts';
export {
  type LlmRubricTrait,
  type LlmTraitOptions,
  llmOutcome,
  llmTrait,
} from '../rubrics/traits/llm-trait.ts';
export {
  listItems,
  MetricRubricTrait,
  type MetricTraitOptions,
  type MetricTraitWire,
  type RubricItem,
} from '../rubrics/traits/metric-trait.ts';
export type { ItemFields, ItemOptions } from '../rubrics/traits/metric-trait-rules.ts';
export {
  type RegexRubricTrait,
  type RegexTraitOptions,
  regexOutcome,
  regexTrait,
} from '../rubrics/traits/regex-trait.ts';
export type {
  Bucket,
  EvaluationMode,
  Trait,
  TraitFunction,
  TraitFunctions,
  TraitKind,
  TraitMetric,
  TraitOutcome,
} from '../rubrics/traits/trait.ts';
export type { ItemVerdict, JudgeItem, Verdict, VerifiedQuote } from '../rubrics/verdict.ts';
export { type QuotePlace, type QuoteSearch, searchQuote, verifyQuote } from '../rubrics/verify-quote.ts';
export { type HarmItem, harmItems, type PointItem, pointItems } from '../rubrics/weighted/item-shares.ts';
export {
  contradictionRate,
  criticalFailureRate,
  type HarmQuestion,
  harmRates,
  type PointQuestion,
  type WeightedScore,
  weightedGroups,
  weightedScore,
} from '../rubrics/weighted/weighted-score.ts';
export {
  type HealthBenchOptions,
  type HealthBenchSuite,
  parseHealthBench,
  readHealthBench,
} from '../suites/questions/healthbench.ts';
export { isQuestionSuite, parseQuestionSuite, type Question } from '../suites/questions/question-suite.ts';
