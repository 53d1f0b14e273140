import type { RunFile } from '../../store/index.ts';
import type { QuestionSuite } from '../../suites/index.ts';
import type { Egress } from '../egress.ts';
import { type Judging, judgingFor, missingJudgements } from './judge-answer.ts';
import { isLastJury } from './seat-judges.ts';

/** What a run of open questions asks, and how its answers are judged. */
export interface TextRun {
  readonly suite: QuestionSuite;
  readonly judging: Judging;
  /** Where each judge's data go. */
  readonly judgeEgress: readonly (Egress | null)[];
}

/** Whether every answer of a run has all its judgements, by these judges, and the run says so. */
export function isJudged(store: RunFile, text: TextRun, repeats: number): boolean {
  const { judges, passes } = text.judging;
  return isLastJury(store.manifest(), judges, passes) && unjudged(store, text, repeats).next().done === true;
}

/** Whether an answer is still to be judged whose text is not stored. */
export function lacksText(store: RunFile, text: TextRun, repeats: number): boolean {
  return unjudged(store, text, repeats).some(({ row }) => row.answer === null);
}

/** Judgements that failed before and are asked for again. */
export function nToJudgeAgain(store: RunFile, text: TextRun, repeats: number): number {
  return unjudged(store, text, repeats).reduce(
    (sum, { missing }) => sum + missing.filter(({ isAgain }) => isAgain).length,
    0,
  );
}

/** The answers that lack a judgement by these judges. */
function* unjudged(store: RunFile, { suite, judging }: TextRun, repeats: number) {
  for (const question of suite.questions)
    for (let repeat = 0; repeat < repeats; repeat++) {
      const row = store.rows.findAnswer(question.id, repeat);
      if (row?.state !== 'answered') continue;
      const answered = { question, repeat, answer: row.answer ?? '' };
      const missing = missingJudgements(answered, judgingFor(judging, row.answer), store);
      if (missing.length > 0) yield { row, missing };
    }
}
