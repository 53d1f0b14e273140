export {
  type AggregateOptions,
  type AggregateScore,
  aggregateTrait,
  type TraitAggregate,
} from './aggregate/aggregate-trait.ts';
export type { QuestionCounts } from './aggregate/question-counts.ts';
export { pooledCounts } from './aggregate/question-counts.ts';
export { questionInterval } from './aggregate/question-interval.ts';
export { type HumanLabel, parseHumanLabels, readHumanLabels } from './calibration/human-labels.ts';
export type { JudgedQuestion, JudgeShare } from './calibration/judge-calibration.ts';
export {
  type JudgeAgainstHumans,
  type JudgeCalibration,
  judgeCalibration,
} from './calibration/judge-calibration.ts';
export type { ItemAgreement } from './calibration/pass-agreement.ts';
export { type PassAgreement, type PassVerdict, passAgreement } from './calibration/pass-agreement.ts';
export type { ConfusionCounts, ConfusionLists } from './confusion-lists.ts';
export type { AskedItem } from './judge/asked-item.ts';
export type { AskedTrait } from './judge/asked-trait.ts';
export { bucketsPrompt } from './judge/buckets-prompt.ts';
export { JudgeCallFailed } from './judge/judge-call-failed.ts';
export type { JudgeOutcome } from './judge/judge-outcome.ts';
export type { JudgeProblem } from './judge/judge-problem.ts';
export { lexicalJudge } from './judge/lexical.ts';
export { parseBuckets } from './judge/parse-buckets.ts';
export { judgeProbes } from './judge/probes.ts';
export { runJudge } from './judge/run-judge.ts';
export { type ProbeScore, scoreProbes } from './judge/score-probes.ts';
export type { JudgedTrait } from './judge/settle.ts';
export type { Finding } from './lint/finding.ts';
export type { LintOptions } from './lint/lint-rubric.ts';
export { lintRubric } from './lint/lint-rubric.ts';
export { type Provenance, Rubric, type RubricTraits } from './rubric.ts';
export { parseYaml, readText } from './rubric-text.ts';
export type { OpenItems } from './score-bounds.ts';
export type { ListScore } from './score-lists.ts';
export { scoreConfusionLists } from './score-lists.ts';
export type { VerdictScore } from './score-verdicts.ts';
export { scoreVerdicts } from './score-verdicts.ts';
export { metricOfCounts, type TraitMetricScores } from './trait-metrics.ts';
export {
  type CallableRubricTrait,
  type CallableTraitOptions,
  callableOutcome,
  callableTrait,
} from './traits/callable-trait.ts';
export { type RubricTrait, TRAIT_KINDS } from './traits/kinds.ts';
export { type LlmRubricTrait, type LlmTraitOptions, llmOutcome, llmTrait } from './traits/llm-trait.ts';
export {
  itemsOf,
  MetricRubricTrait,
  type MetricTraitOptions,
  type MetricTraitWire,
  type RubricItem,
} from './traits/metric-trait.ts';
export {
  type RegexRubricTrait,
  type RegexTraitOptions,
  regexOutcome,
  regexTrait,
} from './traits/regex-trait.ts';
export {
  type Trait,
  type TraitFunction,
  type TraitFunctions,
  type TraitKind,
  type TraitOutcome,
  unscored,
  type ValueKind,
} from './traits/trait.ts';
export { type Bucket, type EvaluationMode, TRAIT_METRICS, type TraitMetric } from './traits/vocabulary.ts';
export type { JudgeItem, Verdict } from './verdict.ts';
export { type ItemVerdict, VERDICTS, type VerifiedQuote } from './verdict.ts';
export type { UnscoredItem, VerdictLists } from './verdict-lists.ts';
export { listsFromVerdicts } from './verdict-lists.ts';
export type { QuotePlace } from './verify-quote.ts';
export { verifyQuote } from './verify-quote.ts';
