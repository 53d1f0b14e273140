import { relative } from 'node:path';
import { KrisisError } from '../core/index.ts';
import { type CallContextOptions, type QuestionRun, runQuestions } from '../engine/index.ts';
import {
  type ApiOptions,
  apiBackend,
  type Backend,
  isApiModel,
  type Judge,
  LEXICAL_JUDGE,
  modelJudge,
  referenceBackend,
} from '../models/index.ts';
import { metricsObject, renderReport, verdictsText } from '../reports/index.ts';
import type { GateVerdict, RunResult } from '../results/index.ts';
import type { QuestionSuite } from '../suites/index.ts';
import { LiveLine } from './live-line.ts';

/** The judge of this name: a provider's model, a backend of the config, or the one that needs no model. */
export async function findJudge(
  name: string,
  { own, api }: { readonly own: readonly Backend[]; readonly api: ApiOptions },
): Promise<Judge> {
  if (name === LEXICAL_JUDGE.name) return LEXICAL_JUDGE;
  const mine = own.find((backend) => backend.name === name);
  if (mine !== undefined) return modelJudge(mine);
  if (isApiModel(name)) return modelJudge(await apiBackend(name, api));
  throw new KrisisError(
    `no judge "${name}"; take a provider's model, e.g. openai/MODEL, a backend of your config that has generate, or ${LEXICAL_JUDGE.name}, which needs no key`,
    { value: name },
  );
}

interface Settings extends Omit<CallContextOptions, 'journal' | 'backend' | 'spending' | 'isProtected'> {
  readonly budgetUsd?: number | undefined;
  readonly allowEgress?: readonly string[] | undefined;
  readonly repeats: number;
  readonly limit?: number | undefined;
  readonly path?: string | undefined;
  readonly startNew?: boolean | undefined;
  readonly passes?: number | undefined;
  readonly buckets?: boolean | undefined;
  readonly seed: number;
  readonly krisisVersion: string;
  readonly signal: AbortSignal;
}

/** Runs a suite of open questions against one model. */
export async function questionRun(
  suite: QuestionSuite,
  backend: Backend,
  judge: Judge,
  settings: Settings,
): Promise<QuestionRun> {
  const line = new LiveLine(`${backend.name}, judged by ${judge.name}`);
  const run = await runQuestions({
    ...settings,
    passes: settings.passes ?? 1,
    suite,
    backend,
    judge,
    onProgress: (progress) => line.update(progress),
    onStart: (path, continued) => {
      if (continued) process.stderr.write(`continuing ${relative('.', path)}\n`);
    },
  });
  line.clear();
  return run;
}

/** The backend that answers open questions. */
export async function findAnswerer(
  model: string,
  suite: QuestionSuite,
  { own, api }: { readonly own: readonly Backend[]; readonly api: ApiOptions },
): Promise<Backend> {
  const mine = own.find((backend) => backend.name === model);
  if (mine !== undefined) return mine;
  if (model === 'baseline/reference') return referenceBackend(suite);
  if (isApiModel(model)) return apiBackend(model, api);
  throw new KrisisError(
    `${model} cannot answer open questions; take a provider's model, e.g. openai/MODEL, a backend of your config that has generate, or baseline/reference, which gives the author's own answers`,
    { value: model },
  );
}

/** Prints what became of runs of open questions; gives back whether all are complete, failed rows and judgements within what is tolerated. */
export async function printQuestionRuns(
  runs: readonly QuestionRun[],
  {
    json,
    failOnError,
    verdicts = [],
  }: {
    readonly json: boolean;
    readonly failOnError: number;
    readonly verdicts?: readonly GateVerdict[];
  },
): Promise<boolean> {
  if (json) {
    const objects = runs.map((run) => metricsObject(run));
    const whole = objects.length === 1 ? objects[0] : { runs: objects };
    const gates = verdicts.length === 0 ? {} : { gates: verdicts };
    process.stdout.write(`${JSON.stringify({ ...whole, ...gates }, null, 2)}\n`);
  }
  let isComplete = true;
  for (const run of runs) {
    const { path, status, stoppedBecause } = run;
    if (!json)
      process.stdout.write(
        `${await renderReport(run, 'text', { isBrief: true })}\nrun file: ${relative('.', path)}\n`,
      );
    if (stoppedBecause !== null) process.stderr.write(`krisis: stopped: ${stoppedBecause}\n`);
    if (status !== 'complete')
      process.stderr.write('krisis: not finished: the same command continues where it stopped\n');
    if (!json)
      process.stdout.write(`next: krisis report ${relative('.', path)} --format html -o report.html\n`);
    if (status !== 'complete' || shareFailed(run) > failOnError) isComplete = false;
  }
  if (!json) process.stdout.write(verdictsText(verdicts));
  return isComplete;
}

/** The share of rows that failed on us. */
function shareFailed({ ledger }: RunResult): number {
  const failed = Object.entries(ledger).filter(([name]) => name.startsWith('failed_'));
  return failed.reduce((sum, [, n]) => sum + n, 0) / Math.max(1, ledger.n);
}
