import { existsSync } from 'node:fs';
import { contentHash, KrisisError, type RowState } from '../../core/index.ts';
import { type Backend, type Judge, judgeIdentity } from '../../models/index.ts';
import { type Extras, extrasOf } from '../../results/index.ts';
import {
  checkSameRun,
  emptyRow,
  freePath,
  type JournalRow,
  RunFile,
  type RunIdentity,
  rubricsManifest,
  runPath,
} from '../../store/index.ts';
import { type Question, type QuestionSuite, questionRecord } from '../../suites/index.ts';
import { type CallOptions, RunStopped } from '../call.ts';
import { createLane, type LaneOptions } from '../call-context.ts';
import { checkEgress } from '../egress.ts';
import { AUTO_CAP } from '../pacing/concurrency-limit.ts';
import { type Progress, ProgressCounter } from '../progress.ts';
import { scrub } from '../scrub.ts';
import { checkPrice, Spending } from '../spending.ts';
import { makeTextCall } from '../text-call.ts';
import { runWorkers } from '../workers.ts';
import { ANSWER_PROMPT_HASH, answerRequest } from './answer-prompt.ts';
import { judgeAnswer } from './judge-answer.ts';
import { judgeBuckets } from './judge-buckets.ts';
import { judgeByFunctions } from './judge-by-functions.ts';

export interface RunQuestionsOptions
  extends Omit<LaneOptions, 'journal' | 'backend' | 'spending' | 'isProtected'> {
  readonly suite: QuestionSuite;
  readonly backend: Backend;
  readonly judge: Judge;
  /** How often the judge reads each answer; 1 unless told. */
  readonly passes?: number;
  /** Also ask for the lists of the second protocol, for comparison with older results. */
  readonly buckets?: boolean | undefined;
  readonly krisisVersion: string;
  readonly seed: number;
  readonly repeats?: number;
  /** The first this many questions. */
  readonly limit?: number | undefined;
  readonly path?: string | undefined;
  readonly anew?: boolean | undefined;
  readonly budgetUsd?: number | undefined;
  readonly allowEgress?: readonly string[] | undefined;
  readonly signal?: AbortSignal | undefined;
  readonly onProgress?: ((progress: Progress) => void) | undefined;
  readonly onStart?: ((path: string, continued: boolean) => void) | undefined;
}

export interface QuestionRun {
  readonly path: string;
  readonly status: 'complete' | 'interrupted' | 'stopped';
  readonly stoppedBecause: string | null;
}

/**
 * Asks a model open questions and has its answers judged, into a run file, or goes on with the one there is. Answering and judging overlap: each answer is judged when it is there. A finished answer
 * is never asked again because a judge failed; the same options again continue both.
 */
export async function runQuestions(options: RunQuestionsOptions): Promise<QuestionRun> {
  const { suite, backend, judge, passes = 1, repeats = 1 } = options;
  if (backend.generate === undefined)
    throw new KrisisError(
      `${backend.name} answers with labels only; open questions need a model that writes text`,
      {
        value: backend.name,
      },
    );
  const egress = checkEgress(suite, backend, options.allowEgress);
  const judgeEgress = judge.backend === null ? null : checkEgress(suite, judge.backend, options.allowEgress);
  if (options.budgetUsd !== undefined)
    for (const paid of [backend, judge.backend]) if (paid !== null) checkPrice(paid);
  const identity: RunIdentity = {
    suite_hash: suite.hash,
    task: suite.name,
    arm: 'open',
    model: backend.name,
    prompt_hash: ANSWER_PROMPT_HASH,
    parameters: backend.parameters ?? {},
    batch_size: 1,
    repeats,
  };
  const { file, continued } = openFile(identity, options);
  try {
    options.onStart?.(file.path, continued);
    if (!continued)
      file.setManifest({ ...firstManifest(identity, options), egress, judge_egress: judgeEgress });
    file.setManifest({ judge: judgeIdentity(judge), judge_passes: passes });
    const questions = suite.questions.slice(0, options.limit);
    storeQuestions(file, suite, questions);
    return await answerAndJudge(file, questions, options);
  } finally {
    file.close();
  }
}

async function answerAndJudge(
  file: RunFile,
  questions: readonly Question[],
  options: RunQuestionsOptions,
): Promise<QuestionRun> {
  const { suite, backend, judge, passes = 1, repeats = 1, maxConcurrency } = options;
  const isProtected = suite.sensitivity === 'protected';
  const earlier = file.manifest();
  const spending =
    options.budgetUsd === undefined ? undefined : new Spending(options.budgetUsd, file.totals().costUsd ?? 0);
  const counter = new ProgressCounter(questions.length * repeats, 0, options.onProgress);
  const lane = createLane({ ...options, journal: file, backend, spending, isProtected }, counter);
  const judgeLane =
    judge.backend === null
      ? null
      : createLane({ ...options, journal: file, backend: judge.backend, spending, isProtected }, counter);
  const started = performance.now();
  const work = Array.from({ length: repeats }, (_, repeat) =>
    questions.map((question) => ({ question, repeat })),
  ).flat();
  const outcome = await untilStopped(() =>
    runWorkers(
      work,
      maxConcurrency === 'auto' ? AUTO_CAP : maxConcurrency,
      options.signal,
      async ({ question, repeat }, signal) => {
        const { state, answer } = file.isDone(question.id, repeat)
          ? file.answer(question.id, repeat)!
          : await answerQuestion(question, repeat, { ...lane, signal }, isProtected);
        if (state === 'answered') {
          judgeByFunctions({ question, repeat, answer: answer ?? '' }, file);
          for (let pass = 0; pass < passes; pass++)
            await judgeAnswer(
              { question, repeat, answer: answer ?? '' },
              pass,
              { file, judge, lane: judgeLane, seed: options.seed },
              signal,
            );
        }
        if (options.buckets && judgeLane !== null && state === 'answered')
          await judgeBuckets(
            { question, repeat, answer: answer ?? '' },
            { file, judge, lane: judgeLane },
            signal,
          );
        counter.row({ state });
      },
    ),
  );
  const isDone = counter.current.done === work.length;
  const status = outcome.stoppedBecause === null ? (isDone ? 'complete' : 'interrupted') : 'stopped';
  const elapsedSeconds = (earlier.elapsed_seconds ?? 0) + (performance.now() - started) / 1000;
  file.setManifest({
    status,
    stopped_because: outcome.stoppedBecause,
    elapsed_seconds: elapsedSeconds,
    n_selected: questions.length,
    extras: executionOf(file, options, elapsedSeconds, counter.current),
  });
  return { path: file.path, status, stoppedBecause: outcome.stoppedBecause };
}

export async function untilStopped(work: () => Promise<void>): Promise<{ stoppedBecause: string | null }> {
  try {
    await work();
    return { stoppedBecause: null };
  } catch (error) {
    if (!(error instanceof RunStopped)) throw error;
    return { stoppedBecause: `${error.fault}: ${error.message}` };
  }
}

/** Asks one question, and says how it ended as its row has it. */
async function answerQuestion(
  question: Question,
  repeat: number,
  lane: CallOptions,
  isProtected: boolean,
): Promise<{ state: RowState; answer: string | null }> {
  const record = { id: question.id, features: { question: question.question } };
  const keep = (text: string | null) => (text !== null && isProtected ? scrub(text, [record]) : text);
  const request = answerRequest(question.question);
  let row: JournalRow = emptyRow(question.id, repeat, 'failed', null);
  const { error } = await makeTextCall(
    {
      key: contentHash({ answer: question.id, repeat }).slice(0, 24),
      mode: 'single',
      repeat,
      record,
      request,
      keep,
      toRow: ({ refused, text, inputTokens, outputTokens }) => {
        const totalTokens = inputTokens === null || outputTokens === null ? null : inputTokens + outputTokens;
        const state = refused ? 'refused' : 'answered';
        const prompt = request.template;
        row = { ...row, state, rawResponse: keep(text), prompt, inputTokens, outputTokens, totalTokens };
        return row;
      },
    },
    lane,
  );
  if (error !== null) {
    row = { ...row, stateReason: error.fault, rawResponse: keep(error.rawResponse) };
    lane.journal.enter([row]);
  }
  return { state: row.state, answer: row.rawResponse };
}

function openFile(
  identity: RunIdentity,
  { path, anew }: RunQuestionsOptions,
): { file: RunFile; continued: boolean } {
  const usual = path ?? runPath(identity);
  const target = anew && path === undefined ? freePath(usual) : usual;
  if (anew && existsSync(target))
    throw new KrisisError(`${target}: exists already; a new run needs another --run FILE`, { value: target });
  const file = RunFile.write(target);
  try {
    const continued = !file.isNew();
    if (continued) checkSameRun(target, file.manifest().identity, identity);
    return { file, continued };
  } catch (error) {
    file.close();
    throw error;
  }
}

function storeQuestions(file: RunFile, suite: QuestionSuite, questions: readonly Question[]): void {
  file.setRecords(
    questions.map((question, place) => [place, questionRecord(question)] as const),
    suite.sensitivity !== 'protected',
  );
  file.setManifest(rubricsManifest(questions));
}

function firstManifest(identity: RunIdentity, { suite, backend, krisisVersion, seed }: RunQuestionsOptions) {
  return {
    identity,
    kind: 'text' as const,
    krisis_version: krisisVersion,
    created_at: new Date().toISOString(),
    status: 'running' as const,
    suite: {
      name: suite.name,
      suite_hash: suite.hash,
      sensitivity: suite.sensitivity,
      n_questions: suite.questions.length,
    },
    suite_name: suite.name,
    sensitivity: suite.sensitivity,
    arm: 'open',
    model: backend.name,
    simulated: backend.simulated ?? false,
    parameters: backend.parameters ?? {},
    seed,
  };
}

/** How a run of open questions went, over all its sittings. */
export function executionOf(
  file: RunFile,
  { maxConcurrency, repeats = 1 }: Pick<RunQuestionsOptions, 'maxConcurrency' | 'repeats'>,
  elapsedSeconds: number,
  { waitedSeconds }: Pick<Progress, 'waitedSeconds'>,
): Extras {
  const nRecords = file.nRecords();
  return extrasOf({
    batchSize: 1,
    maxConcurrency,
    repeats,
    nRecords,
    nApiBatches: nRecords * repeats,
    elapsedSeconds,
    totals: file.totals(),
    templates: file.templates(),
    promptModes: ['single'],
    waitedSeconds,
    nRepaired: 0,
    simulated: file.manifest().simulated === true,
  });
}
