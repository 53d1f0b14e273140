import { answerObject, questionRunJson } from '../reports/index.ts';
import { type QuestionReport, readQuestionRun } from '../results/index.ts';
import type { QuestionsPayload, RunLine, RunPayload } from './api.ts';
import { scoreLine } from './run-line.ts';

export function questionsPayload(path: string, run: RunLine): QuestionsPayload {
  const report = readQuestionRun(path);
  return {
    ...questionRunJson(report),
    run,
    hides_text: run.sensitivity === 'protected',
    evaluation_results: report.answers.map(answerObject),
  };
}

/** What the page of a run says of one on open questions: no labels, so no plots. */
export function questionRunPayload(path: string, run: RunLine): RunPayload {
  const report: QuestionReport = readQuestionRun(path, run.status === 'running' ? { resamples: 0 } : {});
  const { provenance, execution } = questionRunJson(report) as Record<string, Record<string, unknown>>;
  return {
    run,
    scores: report.abstention.map(scoreLine),
    warnings: report.warnings.map(({ code, message }) => ({ code, message })),
    figures: null,
    confidence_steps: [],
    n_scored: report.answers.length,
    labels: [],
    facets: { outcome: [], label: [], prediction: [], stage: [], reason: [] },
    subgroups: {},
    execution: execution!,
    provenance: provenance!,
    templates: report.extras.prompt_templates,
    hides_text: run.sensitivity === 'protected',
  };
}
