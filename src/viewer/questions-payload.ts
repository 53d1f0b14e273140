import { answerObject } from '../reports/rubrics/answer-object.ts';
import { questionRunJson } from '../reports/rubrics/question-run-json.ts';
import type { QuestionReport } from '../rubrics/results/question-report.ts';
import { readQuestionRun } from '../rubrics/results/read-question-run.ts';
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
