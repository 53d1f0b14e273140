import { placeKey, type RunFile } from '../../store/index.ts';
import type { Round } from '../ask-again.ts';
import type { Lanes } from '../bulk/open-lanes.ts';
import type { CallContext } from '../call-request.ts';
import { nWorkers } from '../pacing/concurrency-limit.ts';
import type { RunOptions } from '../run-options.ts';
import type { RecordSource } from '../select-records.ts';
import type { Desk } from '../sitting.ts';
import { runWorkers } from '../workers.ts';
import { askQuestion } from './ask-question.ts';
import { judgeAnswer, judgingFor } from './judge-answer.ts';
import { judgeContexts } from './judge-contexts.ts';
import { judgingManifest } from './judging-manifest.ts';
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
