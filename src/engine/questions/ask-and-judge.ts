import { contentHash, type TextReply } from '../../core/index.ts';
import { type NewRow, placeKey, type RunFile } from '../../store/index.ts';
import type { Question, TextTask } from '../../suites/index.ts';
import type { Round } from '../ask-again.ts';
import type { Lanes } from '../bulk/open-lanes.ts';
import type { CallContext } from '../call-request.ts';
import { isWithheld, keptReply } from '../kept-reply.ts';
import { nWorkers } from '../pacing/concurrency-limit.ts';
import type { RunOptions } from '../run-options.ts';
import type { RecordSource } from '../select-records.ts';
import type { Desk } from '../sitting.ts';
import { makeTextCall } from '../text-call.ts';
import { runWorkers } from '../workers.ts';
import { answerRequest } from './answer-prompt.ts';
import { judgeAnswer, judgingFor } from './judge-answer.ts';
import { judgeContexts } from './judge-contexts.ts';
import { judgingManifest } from './judging-manifest.ts';
import { keptWords, recordOf } from './kept-outcome.ts';
import type { TextRun } from './unjudged.ts';

/** Asks the questions that are missing and has every answer judged, several at a time. */
export async function askAndJudge(
  store: RunFile,
  records: RecordSource,
  { suite, judging, judgeEgress, again }: TextRun & { readonly again: Round | null },
  desk: Desk & Lanes & { readonly context: CallContext },
  { repeats = 1, maxConcurrency = 'auto', signal }: RunOptions,
): Promise<'done' | 'waiting'> {
  const { counter, context, contextFor } = desk;
  const selected = new Set(Array.from({ length: records.length }, (_, index) => records.id(index)));
  const questions = suite.questions.filter(({ id }) => selected.has(id));
  store.setManifest(judgingManifest(store.manifest(), judging, judgeEgress, questions));
  const reopened = new Set(again?.open.map(placeKey));
  const contextsUntil = judgeContexts(judging.judges, contextFor);
  let work = Array.from({ length: repeats }, (_, repeat) =>
    questions.map((question) => ({ question, repeat })),
  ).flat();
  const judgeOne = async ({ question, repeat }: (typeof work)[number], stop: AbortSignal) => {
    const round = reopened.has(placeKey({ recordId: question.id, repeat })) ? again!.round : 0;
    const stored = store.rows.isDone(question.id, repeat, round)
      ? store.rows.findAnswer(question.id, repeat)
      : null;
    const asked =
      stored === null
        ? await askQuestion(question, { repeat, round }, suite.task, { ...context, signal: stop })
        : null;
    const { state } = asked?.row ?? stored!;
    const row = asked?.isEntered === false ? asked.row : null;
    if (state === 'answered') {
      const answer = asked?.answer ?? stored?.answer ?? null;
      const answered = { question, repeat, answer: answer ?? '' };
      await judgeAnswer(answered, judgingFor(judging, answer), store, contextsUntil(stop), row);
    } else if (row !== null) store.rows.enter([row]);
    counter.row({ state });
  };
  return desk.walkThrough(async () => {
    work = await runWorkers(work, nWorkers(maxConcurrency, context.backend.places), signal, judgeOne);
  });
}

/** A row, and the answer that is judged; `isEntered` is false for an answer whose text is withheld: its row is entered with its judgements, since it cannot be judged later. */
interface Asked {
  readonly row: NewRow;
  readonly answer: string;
  readonly isEntered: boolean;
}

/** Asks one question, and enters its row. */
async function askQuestion(
  question: Question,
  { repeat, round }: { readonly repeat: number; readonly round: number },
  task: TextTask,
  context: CallContext,
): Promise<Asked> {
  const record = recordOf(question);
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
  const row = {
    ...empty,
    stateReason: error?.fault ?? 'empty',
    problem: error?.problem ?? 'empty',
    httpStatus: error?.status ?? null,
    ...kept,
  };
  context.journal.rows.enter([row]);
  return { row, answer: '', isEntered: true };
}
