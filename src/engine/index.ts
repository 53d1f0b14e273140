export type { LaneOptions } from './call-context.ts';
export { planRun, type RunPlan } from './plan-run.ts';
export type { Progress } from './progress.ts';
export { judgeRun } from './questions/judge-run.ts';
export { probeJudge } from './questions/probe-judge.ts';
export { recordAnswers } from './questions/recorded-answers.ts';
export { type QuestionRun, runQuestions } from './questions/run-questions.ts';
export { type FileRun, runToFile } from './run-to-file.ts';
