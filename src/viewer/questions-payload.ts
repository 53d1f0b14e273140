import { saidOfItemSchema } from '../analyses/judging/judge-report.ts';
import { isJudged } from '../analyses/judging/judged-result.ts';
import { toFile } from '../core/codec.ts';
import { KrisisError } from '../core/errors.ts';
import { answerObject } from '../runs/formats/question-json.ts';
import { readRun } from '../runs/read-run.ts';
import type { QuestionsPayload } from './api.ts';
import { hidesText, type OpenRuns } from './open-runs.ts';
import { shownReport, type ViewedRun } from './run-payload.ts';
import { verificationMark } from './verification-mark.ts';

/** A run on open questions with its answers. */
export function questionsPayload(runs: OpenRuns, { id, analyses }: ViewedRun): QuestionsPayload {
  const run = runs.find(id);
  const compute = () => {
    const report = readRun(run.path, { analyses });
    report.close();
    if (!isJudged(report))
      throw new KrisisError(`${id}: is a run with labels; it has no open questions`, {
        code: 'ERR_VIEW_NOT_FOUND',
        value: id,
      });
    const { judging } = report;
    return {
      run: run.line,
      ...shownReport(run.line, report),
      verification: verificationMark(() => report.verification!),
      hides_text: hidesText(run.line),
      has_jury: judging.jury !== null,
      said: judging.judge.said.map((item) => toFile(saidOfItemSchema, item)),
      evaluation_results: judging.answers.map(answerObject),
    };
  };
  return runs.cached('questions', [run], compute, JSON.stringify(analyses));
}
