import { causesOf } from '../analyses/failures/causes.ts';
import { saidOfItemSchema } from '../analyses/judging/judge-report.ts';
import { review } from '../analyses/review/section.ts';
import { KrisisError, toFile } from '../core/index.ts';
import { shown } from '../reports/document/blocks.ts';
import { metricsObject } from '../runs/formats/json.ts';
import { answerObject } from '../runs/formats/question-json.ts';
import { readRun } from '../runs/read-run.ts';
import type { QuestionsPayload } from './api.ts';
import { hidesText, type OpenRuns } from './open-runs.ts';
import { verificationMark } from './verification-mark.ts';

/** A run on open questions with its answers. */
export function questionsPayload(runs: OpenRuns, id: string): QuestionsPayload {
  const run = runs.find(id);
  const { path, line } = run;
  if (line.kind !== 'questions')
    throw new KrisisError(`${id}: is a run with labels; it has no open questions`, {
      code: 'ERR_VIEW_NOT_FOUND',
      value: id,
    });
  return runs.cached('questions', [run], () => {
    const report = readRun(path);
    report.close();
    return {
      ...metricsObject(report),
      run: line,
      causes: causesOf(report),
      sections: shown([review(report)]),
      verification: verificationMark(() => report.verification!),
      hides_text: hidesText(line),
      said: (report.judging?.judge.said ?? []).map((item) => toFile(saidOfItemSchema, item)),
      evaluation_results: (report.judging?.answers ?? []).map(answerObject),
    };
  });
}
