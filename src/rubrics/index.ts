export {
  type AggregateOptions,
  type AggregateScore,
  aggregateTrait,
  type TraitAggregate,
} from './aggregate/aggregate-trait.ts';
export { pooledCounts, type QuestionCounts } from './aggregate/question-counts.ts';
export { questionInterval } from './aggregate/question-interval.ts';
export { type HumanLabel, parseHumanLabels, readHumanLabels } from './calibration/human-labels.ts';
export {
  type JudgeAgainstHumans,
  type JudgeCalibration,
  type JudgedQuestion,
  type JudgeShare,
  judgeCalibration,
} from './calibration/judge-calibration.ts';
export {
  type ItemAgreement,
  type PassAgreement,
  type PassVerdict,
  passAgreement,
} from './calibration/pass-agreement.ts';
export {
  type ConfusionCounts,
  type ConfusionLists,
  type ListScore,
  metricOfCounts,
  type OpenItems,
  scoreConfusionLists,
  type TraitMetricScores,
} from './confusion-metrics.ts';
export { bucketsPrompt, parseBuckets } from './judge/buckets.ts';
export type { JudgedTrait, JudgeOutcome } from './judge/judge-outcome.ts';
export type { JudgeProblem } from './judge/judge-problem.ts';
export { lexicalJudge } from './judge/lexical.ts';
export { judgeProbes, type ProbeScore, scoreProbes } from './judge/probes.ts';
export { JudgeCallFailed, runJudge } from './judge/run-judge.ts';
export type { Finding } from './lint/lint-instruction.ts';
export { type LintOptions, lintRubric } from './lint/lint-rubric.ts';
export { type Provenance, Rubric, type RubricTraits } from './rubric.ts';
export { parseYaml, readText } from './rubric-text.ts';
export {
  listsFromVerdicts,
  scoreVerdicts,
  type UnscoredItem,
  type VerdictLists,
  type VerdictScore,
} from './score-verdicts.ts';
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
export { type ItemVerdict, type JudgeItem, VERDICTS, type Verdict, type VerifiedQuote } from './verdict.ts';
export { type QuotePlace, verifyQuote } from './verify-quote.ts';
