import { KrisisError } from '../../core/index.ts';
import { type Judge, judgeIdentity } from '../../models/index.ts';
import type { Rubric } from '../../rubrics/index.ts';
import { RunFile, rubricsManifest, storedRubrics } from '../../store/index.ts';
import type { Question, QuestionSuite } from '../../suites/index.ts';
import { createLane, type LaneOptions } from '../call-context.ts';
import { checkEgress } from '../egress.ts';
import { AUTO_CAP } from '../pacing/concurrency-limit.ts';
import { type Progress, ProgressCounter } from '../progress.ts';
import { checkPrice, Spending } from '../spending.ts';
import { runWorkers } from '../workers.ts';
import { judgeAnswer } from './judge-answer.ts';
import { judgeBuckets } from './judge-buckets.ts';
import { executionOf, type QuestionRun, untilStopped } from './run-questions.ts';

export interface JudgeRunOptions
  extends Omit<LaneOptions, 'journal' | 'backend' | 'spending' | 'isProtected'> {
  /** A run of open questions. */
  readonly path: string;
  readonly judge: Judge;
  readonly passes?: number;
  readonly buckets?: boolean | undefined;
  readonly seed: number;
  /** Traits to judge by in place of those the run has; they are added to the run. */
  readonly rubric?: Rubric | undefined;
  /** Where the questions stand that a protected run does not hold. */
  readonly questions?: QuestionSuite | undefined;
  readonly budgetUsd?: number | undefined;
  readonly allowEgress?: readonly string[] | undefined;
  readonly signal?: AbortSignal | undefined;
  readonly onProgress?: ((progress: Progress) => void) | undefined;
}

/** Judges the stored answers of a run: by another judge, in more passes, or by more traits. No question is asked again. */
export async function judgeRun(options: JudgeRunOptions): Promise<QuestionRun> {
  const { judge, passes = 1, maxConcurrency } = options;
  const file = RunFile.write(options.path);
  try {
    const manifest = file.manifest();
    if (manifest.kind !== 'text')
      throw new KrisisError(
        `${options.path}: is no run of open questions; krisis judge needs answers in text: krisis run QUESTIONS, or krisis judge --answers FILE`,
        { value: options.path },
      );
    const sensitivity = manifest.sensitivity ?? 'protected';
    const egress =
      judge.backend === null ? null : checkEgress({ sensitivity }, judge.backend, options.allowEgress);
    if (options.budgetUsd !== undefined && judge.backend !== null) checkPrice(judge.backend);
    const work = answersOf(file, options);
    file.setManifest({
      judge: judgeIdentity(judge),
      judge_passes: Math.max(passes, manifest.judge_passes ?? 1),
      judge_egress: egress,
      ...rubricsManifest(
        work.map(({ question }) => question),
        manifest,
      ),
    });
    const spending =
      options.budgetUsd === undefined
        ? undefined
        : new Spending(options.budgetUsd, file.totals().costUsd ?? 0);
    const counter = new ProgressCounter(work.length * passes, 0, options.onProgress);
    const lane =
      judge.backend === null
        ? null
        : createLane(
            {
              ...options,
              journal: file,
              backend: judge.backend,
              spending,
              isProtected: sensitivity === 'protected',
            },
            counter,
          );
    const started = performance.now();
    const { stoppedBecause } = await untilStopped(() =>
      runWorkers(
        work,
        maxConcurrency === 'auto' ? AUTO_CAP : maxConcurrency,
        options.signal,
        async (answered, signal) => {
          for (let pass = 0; pass < passes; pass++) {
            await judgeAnswer(answered, pass, { file, judge, lane, seed: options.seed }, signal);
            counter.row({ state: 'answered' });
          }
          if (options.buckets && lane !== null) await judgeBuckets(answered, { file, judge, lane }, signal);
        },
      ),
    );
    const isDone = counter.current.done === work.length * passes;
    const elapsedSeconds = (manifest.elapsed_seconds ?? 0) + (performance.now() - started) / 1000;
    const waitedBefore = Number(
      (manifest.extras as { waited_seconds?: number } | undefined)?.waited_seconds ?? 0,
    );
    file.setManifest({
      elapsed_seconds: elapsedSeconds,
      extras: executionOf(
        file,
        {
          maxConcurrency,
          repeats: manifest.identity.repeats,
        },
        elapsedSeconds,
        { waitedSeconds: waitedBefore + counter.current.waitedSeconds },
      ),
    });
    return {
      path: options.path,
      status: stoppedBecause !== null ? 'stopped' : isDone ? 'complete' : 'interrupted',
      stoppedBecause,
    };
  } finally {
    file.close();
  }
}

/** The answers of a run, each with its question and what it is to be judged by. */
function answersOf(file: RunFile, { path, rubric, questions }: JudgeRunOptions) {
  const manifest = file.manifest();
  const rubricsOf = storedRubrics(manifest);
  const aliasesOf = manifest.aliases_of ?? {};
  const { repeats } = manifest.identity;
  const given = new Map(questions?.questions.map((question) => [question.id, question]));
  return [...file.records()].flatMap(({ id, features }) => {
    const known = given.get(id);
    const text = known?.question ?? (features?.question as string | undefined);
    if (text === undefined)
      throw new KrisisError(
        `${path}: the question ${id} is not in the run (its data are protected); give --questions FILE, the file that was run`,
        { value: id },
      );
    const rubrics = rubric ? [rubric] : known ? [known.rubric] : rubricsOf(id);
    return rubrics.flatMap((judgedBy) =>
      Array.from({ length: repeats }, (_, repeat) => repeat).flatMap((repeat) => {
        const row = file.answer(id, repeat);
        if (row?.state !== 'answered') return [];
        const question: Question = {
          id,
          question: text,
          reference: null,
          rubric: judgedBy,
          tags: [],
          shouldAbstain: null,
          sources: [],
          aliases: known?.aliases ?? aliasesOf[id] ?? {},
        };
        return [{ question, repeat, answer: row.answer ?? '' }];
      }),
    );
  });
}
