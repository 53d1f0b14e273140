import { KrisisError } from '../../core/errors.ts';
import type { Backend } from '../../models/backend.ts';
import { type Rubric, storedRubrics } from '../../rubrics/rubric.ts';
import { needsKeptText, textNotKept } from '../../store/protected-data.ts';
import { RunFile } from '../../store/run-file.ts';
import { type QuestionSuite, storedTurns } from '../../suites/questions/question-suite.ts';
import { checkBulk, refuseWhilePending } from '../../transports/bulk/bulk-transport.ts';
import { currentRound } from '../ask-again.ts';
import { isProtected } from '../egress.ts';
import { type FileRun, type RunOptions, readsCache } from '../run-options.ts';
import { checkBackends, runSession, type SessionOptions } from '../session.ts';
import type { SessionContext, Step } from '../step.ts';
import { type Answered, bareQuestion, judgeAnswer, missingJudgements } from './judge-answer.ts';
import { checkClaims, type Judging, judgeContexts, judgingManifest, resolveJury } from './judges.ts';

/** What is judged, by which judge, and how. */
export interface JudgeRunOptions
  extends SessionOptions,
    Pick<RunOptions, 'passes' | 'buckets' | 'claims' | 'seed' | 'keepFailed' | 'onAskAgain'> {
  /** A run of open questions. */
  readonly path: string;
  /** Several judges are a jury. */
  readonly judge: NonNullable<RunOptions['judge']>;
  /** Traits to judge by in place of those the run has; they are added to the run. Default: those of the run. */
  readonly rubric?: Rubric | undefined;
  /** The questions, for a protected run, which does not hold them. */
  readonly questions?: QuestionSuite | undefined;
  /** The texts of the answers by question, for a protected run of recorded answers, which does not hold them. */
  readonly answers?: ReadonlyMap<string, string> | undefined;
}

/** Judges the stored answers of a run: by another judge or a jury, in more passes, or by more traits. Failed judgements are asked again; no question is. */
export async function judgeRun(options: JudgeRunOptions): Promise<FileRun> {
  const { passes = 1, buckets = false, claims = null, seed = 42 } = options;
  const judges = resolveJury(options.judge);
  checkClaims(options.claims, judges);
  const isPrivate = RunFile.peek(options.path)?.sensitivity === 'protected';
  const file = RunFile.write(options.path, { isPrivate, signKey: options.signKey });
  try {
    const manifest = file.manifest();
    if (manifest.kind !== 'text')
      throw new KrisisError(
        `${options.path}: is not a run of open questions; only answers in text can be judged`,
        { code: 'ERR_NOT_OPEN_QUESTIONS', value: options.path },
      );
    const sensitivity = manifest.sensitivity ?? 'protected';
    const backends = judges.map(({ backend }) => backend);
    const { bulk } = options;
    const keepText = manifest.keepText === true;
    checkBulk({ name: options.path, isJudged: true, isProtected: isProtected({ sensitivity }) }, backends, {
      bulk,
      keepText,
    });
    const judgeEgress = checkBackends(sensitivity, backends, options, bulk !== undefined);
    if (bulk === undefined) refuseWhilePending(file, backends);
    const policy = { isProtected: isProtected({ sensitivity }), keepText };
    const current = options.keepFailed ? null : currentRound(file);
    const round = current?.round ?? null;
    const judging: Judging = { judges, judgeEgress, passes, buckets, claims, seed, policy, round };
    const work = readAnswers(file, options);
    beginRound(file, work, judging, current, options);
    const result = await runSession(
      file,
      {
        begins: 'continued',
        ends: 'judged',
        isDone: false,
        total: work.length,
        done: 0,
        sensitivity,
        batchSize: 1,
        simulated: manifest.simulated ?? false,
        manifest: {},
        backend: null,
        judges,
        begin: (session) => judgeAnswers(file, work, judging, session),
      },
      { ...options, readCache: readsCache({ ...options, repeats: manifest.identity.repeats }) },
    );
    return result as FileRun;
  } finally {
    file.close();
  }
}

/** The step that judges answers which are stored. */
function judgeAnswers(
  file: RunFile,
  answers: readonly Answered[],
  judging: Judging,
  { contextFor, counter }: SessionContext,
): Step<Answered> {
  const questions = answers.map(({ question }) => question);
  file.setManifest(judgingManifest(file.manifest(), judging, questions));
  const contextsUntil = judgeContexts(judging.judges, contextFor);
  const left = new Set(answers);
  return {
    places: countPlaces(judging.judges.map(({ backend }) => backend)),
    pending: () => [...left],
    async perform(answered, signal) {
      await judgeAnswer(answered, judging, file, contextsUntil(signal));
      counter.row({ state: 'answered' });
      left.delete(answered);
    },
    isComplete: () => left.size === 0,
  };
}

/** How many calls the workers of a queue take; undefined without a queue. An answer is with one judge at a time. */
function countPlaces(backends: readonly (Backend | null)[]): (() => number) | undefined {
  const places = backends.flatMap((backend) => backend?.places ?? []);
  return places.length === 0 ? undefined : () => places.reduce((sum, of) => sum + of(), 0);
}

/** Begins a round of asking again where judgements have failed. */
function beginRound(
  file: RunFile,
  work: readonly Answered[],
  judging: Judging,
  current: ReturnType<typeof currentRound>,
  { onAskAgain }: JudgeRunOptions,
): void {
  if (current === null) return;
  const steps = work.flatMap((answered) => missingJudgements(answered, judging, file));
  const nJudgements = steps.filter(({ isAgain }) => isAgain).length;
  if (nJudgements === 0) return;
  onAskAgain?.({ nRows: 0, problems: {}, maxCostUsd: null, nJudgements, left: {} });
  if (current.isNew) file.rounds.begin(current.round, { rows: {}, judgements: nJudgements });
}

/** The answers of a run, each with its question and the rubric that it is judged by. */
function readAnswers(file: RunFile, { path, rubric, questions, answers }: JudgeRunOptions): Answered[] {
  const manifest = file.manifest();
  if (answers === undefined && needsKeptText(manifest)) throw textNotKept(path);
  const findRubrics = storedRubrics(manifest);
  const repeats = Array.from({ length: manifest.identity.repeats }, (_, repeat) => repeat);
  const given = new Map(questions?.questions.map((question) => [question.id, question]));
  return [...file.records.read()].flatMap(({ id, features }) => {
    const known = given.get(id);
    const text = known?.question ?? features?.question;
    if (typeof text !== 'string')
      throw new KrisisError(
        `${path}: the question ${id} is not in the run, because its data are protected; give the questions that were run`,
        { code: 'ERR_QUESTION_NOT_STORED', value: id },
      );
    const messages = known ? known.messages : storedTurns(features?.messages);
    const rubrics = rubric ? [rubric] : known ? [known.rubric] : findRubrics(id);
    return rubrics.flatMap((judgedBy) =>
      repeats.flatMap((repeat) => {
        const row = file.rows.findAnswer(id, repeat);
        if (row?.state !== 'answered') return [];
        const answer = row.answer ?? answers?.get(id);
        if (answer === undefined) throw textNotKept(path);
        const aliases = known?.aliases ?? manifest.aliasesOf?.[id] ?? {};
        const question = bareQuestion({ id, question: text, rubric: judgedBy, messages, aliases });
        return [{ question, repeat, answer }];
      }),
    );
  });
}
