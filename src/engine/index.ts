export type { AskingAgain } from './ask-again.ts';
export { Benchmark, type BenchmarkOptions, type BenchmarkRunOptions } from './benchmark.ts';
export type { BulkOptions } from './bulk/bulk-options.ts';
export { type MergedRun, mergeRuns } from './merge-runs.ts';
export { planRun, type RunPlan } from './plan-run.ts';
export type { Progress } from './progress.ts';
export { type JudgeRunOptions, judgeRun } from './questions/judge-run.ts';
export { probeJudge } from './questions/probe-judge.ts';
export { recordAnswers } from './questions/recorded-answers.ts';
// With the names of version 0.1, when labels and open questions had a driver each.
export { run, run as runQuestions, run as runToFile } from './run.ts';
export type {
  FileRun,
  FileRun as QuestionRun,
  RunOptions,
  RunOptions as RunQuestionsOptions,
  RunOptions as RunToFileOptions,
} from './run-options.ts';
export { RunStopped } from './run-stopped.ts';
