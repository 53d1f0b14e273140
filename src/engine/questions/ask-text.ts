import { contentHash } from '../../core/canonical-json.ts';
import type { TextReply } from '../../core/text-request.ts';
import { placeKey } from '../../store/asking-rounds.ts';
import type { NewRow } from '../../store/rows.ts';
import type { RunFile } from '../../store/run-file.ts';
import type { Question, QuestionSuite } from '../../suites/questions/question-suite.ts';
import type { TextTask } from '../../suites/task.ts';
import type { Round } from '../ask-again.ts';
import type { CallContext } from '../call-request.ts';
import { isWithheld, keptReply } from '../kept-reply.ts';
import type { RecordSource } from '../select-records.ts';
import type { SessionContext, Step } from '../step.ts';
import { makeTextCall } from '../text-call.ts';
import { answerRequest } from './answer-prompt.ts';
import { judgeAnswer, judgingFor, missingJudgements } from './judge-answer.ts';
import { isLastJury, type Judging, judgeContexts, judgingManifest } from './judges.ts';
import { keptWords, toRecord } from './kept-outcome.ts';

/** What a run of open questions asks, and how its answers are judged. */
export interface TextRun {
  readonly suite: QuestionSuite;
  readonly judging: Judging;
}

/** Whether every answer of a run has all its judgements, by these judges, and the run says so. */
export function isJudged(store: RunFile, text: TextRun, repeats: number): boolean {
  return isLastJury(store.manifest(), text.judging) && unjudged(store, text, repeats).next().done === true;
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

/** What is asked: a question, and which repeat of it. */
interface Place {
  readonly question: Question;
  readonly repeat: number;
}

/** The step that asks the questions which are missing and has every answer judged as soon as it is there. */
export function askText(
  store: RunFile,
  records: RecordSource,
  { suite, judging }: TextRun,
  {
    again,
    repeats,
    context,
    session,
  }: {
    readonly again: Round | null;
    readonly repeats: number;
    readonly context: CallContext;
    readonly session: SessionContext;
  },
): Step<Place> {
  const selected = new Set(Array.from({ length: records.length }, (_, index) => records.id(index)));
  const questions = suite.questions.filter(({ id }) => selected.has(id));
  store.setManifest(judgingManifest(store.manifest(), judging, questions));
  const reopened = new Set(again?.open.map(placeKey));
  const contextsUntil = judgeContexts(judging.judges, session.contextFor);
  const left = new Set<Place>();
  for (let repeat = 0; repeat < repeats; repeat++)
    for (const question of questions) left.add({ question, repeat });
  return {
    places: context.backend.places,
    pending: () => [...left],
    async perform(place, signal) {
      const { question, repeat } = place;
      const round = reopened.has(placeKey({ recordId: question.id, repeat })) ? again!.round : 0;
      const isStored = store.rows.isDone(question.id, repeat, round);
      const stored = isStored ? store.rows.findAnswer(question.id, repeat) : null;
      const asked =
        stored === null
          ? await askQuestion(question, { repeat, round }, suite.task, { ...context, signal })
          : null;
      const { state } = asked?.row ?? stored!;
      const row = asked?.isEntered === false ? asked.row : null;
      if (state === 'answered') {
        const answer = asked?.answer ?? stored?.answer ?? null;
        const answered = { question, repeat, answer: answer ?? '' };
        await judgeAnswer(answered, judgingFor(judging, answer), store, contextsUntil(signal), row);
      } else if (row !== null) store.rows.enter([row]);
      session.counter.row({ state });
      left.delete(place);
    },
    isComplete: () => left.size === 0 && store.rows.countMissing(repeats) === 0,
  };
}

/**
 * Asks one question, and enters its row. `isEntered` is false for an answer whose text is withheld: its row is entered with its judgements, since it cannot be judged later.
 */
async function askQuestion(
  question: Question,
  { repeat, round }: { readonly repeat: number; readonly round: number },
  task: TextTask,
  context: CallContext,
) {
  const record = toRecord(question);
  const keep = keptWords(question);
  const request = answerRequest(task, question);
  const empty = { id: question.id, repeat, attempt: round, state: 'failed' as const };
  const toRow = ({ refused, text, inputTokens, outputTokens }: TextReply): NewRow => ({
    ...empty,
    state: refused ? 'refused' : 'answered',
    ...keptReply(text, [record], context, keep),
    prompt: request.template,
    inputTokens,
    outputTokens,
    totalTokens: inputTokens === null || outputTokens === null ? null : inputTokens + outputTokens,
  });
  const isEntered = !isWithheld(context);
  const { reply, error } = await makeTextCall(
    {
      key: contentHash({ answer: question.id, repeat, ...(round > 0 && { round }) }).slice(0, 24),
      mode: 'single',
      repeat,
      record,
      request,
      keep,
      ...(isEntered && { toRow }),
    },
    context,
  );
  if (reply !== null) {
    const row = toRow(reply);
    return { row, answer: row.rawResponse ?? reply.text, isEntered };
  }
  const kept = keptReply(error?.rawResponse ?? null, [record], context, keep);
  const row: NewRow = {
    ...empty,
    stateReason: error?.fault ?? 'empty',
    problem: error?.problem ?? 'empty',
    httpStatus: error?.status ?? null,
    ...kept,
  };
  context.journal.rows.enter([row]);
  return { row, answer: '', isEntered: true };
}
