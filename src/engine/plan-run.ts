import { featureText } from '../core/patient-record.ts';
import type { TextRequest, TokenUsage } from '../core/text-request.ts';
import type { Backend, VisibleRecord } from '../models/backend.ts';
import type { Judge } from '../models/judge.ts';
import { bucketsPrompt } from '../rubrics/judge/buckets.ts';
import { type ClaimSource, claimsPrompt } from '../rubrics/judge/claims.ts';
import { runGrader } from '../rubrics/judge/grader.ts';
import { JudgeCallFailed, runJudge } from '../rubrics/judge/run-judge.ts';
import { checkEndpoint } from '../runs/primary-endpoint.ts';
import type { Question, QuestionSuite } from '../suites/questions/question-suite.ts';
import type { Suite } from '../suites/suite.ts';
import type { AnyTask, Task } from '../suites/task.ts';
import { answerRequest } from './questions/answer-prompt.ts';
import { gradedBy } from './questions/judge-answer.ts';
import { resolveJury } from './questions/judges.ts';
import { DEFAULT_BATCH_SIZE, DEFAULT_SEED, type RunOptions } from './run-options.ts';
import { selectArm, withPrompts } from './select-arm.ts';
import { dealtTo } from './shard.ts';
import { planStop } from './stop-early.ts';
import { ASSUMED_OUTPUT_TOKENS, textTokens } from './text-call.ts';

/** What a run would ask of one model. */
export interface RunPlan {
  readonly model: string;
  readonly records: number;
  /** Calls for answers. */
  readonly calls: number;
  readonly estimated_input_tokens: number;
  /** What the calls are expected to cost, without reasoning and retries. Null where no price is known. */
  readonly estimated_cost_usd: number | null;
  /** The most that the calls can cost, each made once: what a budget must have room for so that the run cannot stop early. Null where it is not known. */
  readonly max_cost_usd: number | null;
  /** The most that a single call can cost: a smaller budget lets none begin. Null where it is not known. */
  readonly max_call_cost_usd: number | null;
  /** What the calls are expected to cost in bulk jobs; null where the provider has none, or no price is known. */
  readonly bulk_cost_usd: number | null;
  /** What judging the answers would ask; only for open questions. No calls for a judge without a model; repairs of malformed replies come on top. */
  readonly judging?: { readonly judge: string } & Omit<RunPlan, 'model' | 'records' | 'judging'>;
}

/** Without a judge, judging is not planned. */
type PlanOptions = Pick<
  RunOptions,
  | 'limit'
  | 'shard'
  | 'batchSize'
  | 'repeats'
  | 'arm'
  | 'system'
  | 'template'
  | 'judge'
  | 'passes'
  | 'buckets'
  | 'claims'
  | 'stopEarly'
  | 'seed'
  | 'cluster'
  | 'stratify'
  | 'scoring'
  | 'ownMetrics'
>;

/**
 * Counts calls and estimates tokens and cost, without asking anything.
 *
 * @throws KrisisError when the primary endpoint is no metric, or the run is to stop early and
 * cannot, as the run itself would.
 */
export async function planRun(
  suite: Suite<AnyTask>,
  backends: readonly Backend[],
  options: PlanOptions,
): Promise<RunPlan[]> {
  const { limit, repeats = 1 } = options;
  const task = withPrompts(selectArm(suite.task, options.arm), options);
  if (options.stopEarly !== undefined)
    for (const backend of backends) await checkStop(suite, task, backend, options);
  if (task.kind === 'text') return planQuestions({ ...(suite as QuestionSuite), task }, backends, options);
  checkEndpoint({ name: suite.name, task }, options);
  const { show } = task.arms[task.defaultArm]!;
  const streams = suite.stream !== undefined && (suite.canStream?.() ?? true);
  const all = Iterator.from(streams ? suite.stream!() : await suite.load())
    .take(limit ?? Number.POSITIVE_INFINITY)
    .map(({ id, features }) => ({ id, features: show ? show(features) : features }))
    .toArray();
  return backends.map((backend) => {
    const batchSize = backend.answersSingly ? 1 : (options.batchSize ?? DEFAULT_BATCH_SIZE);
    const records = options.shard === undefined ? all : dealtTo(options.shard, all, batchSize);
    const usage = estimate(backend, records, task, batchSize, repeats);
    return {
      model: backend.name,
      records: records.length,
      calls: Math.ceil(records.length / batchSize) * repeats,
      estimated_input_tokens: usage.inputTokens,
      estimated_cost_usd: backend.cost?.(usage) ?? null,
      bulk_cost_usd: bulkCost(backend, backend.cost?.(usage) ?? null),
      ...mostCost(
        backend,
        chunks(records, batchSize).map((batch) => backend.maxTokens?.(batch, task)),
        repeats,
      ),
    };
  });
}

async function checkStop(
  suite: Suite<AnyTask>,
  task: AnyTask,
  backend: Backend,
  { stopEarly, seed = DEFAULT_SEED, repeats = 1, batchSize = DEFAULT_BATCH_SIZE, ...options }: PlanOptions,
): Promise<void> {
  await planStop({
    ...options,
    suite,
    stopEarly: stopEarly!,
    task: task as Task,
    seed,
    repeats,
    batchSize: backend.answersSingly ? 1 : batchSize,
  });
}

/** Providers charge half for bulk jobs. */
function bulkCost(backend: Backend | null, costUsd: number | null): number | null {
  return backend?.bulk === undefined || costUsd === null ? null : costUsd / 2;
}

/** What is set aside for the calls of a run, in all and for the largest. */
function mostCost(
  backend: Backend | null,
  calls: readonly (TokenUsage | undefined)[],
  repeats: number,
): Pick<RunPlan, 'max_cost_usd' | 'max_call_cost_usd'> {
  const costs = calls.map((most) => (most && backend?.cost?.(most)) ?? null);
  if (costs.length === 0 || costs.includes(null)) return { max_cost_usd: null, max_call_cost_usd: null };
  const known = costs as number[];
  return {
    max_cost_usd: known.reduce((sum, cost) => sum + cost, 0) * repeats,
    max_call_cost_usd: known.reduce((most, cost) => Math.max(most, cost), 0),
  };
}

function chunks<T>(items: readonly T[], size: number): T[][] {
  return Array.from({ length: Math.ceil(items.length / size) }, (_, i) =>
    items.slice(i * size, (i + 1) * size),
  );
}

/** By the backend's own estimate; without one, by the text of cases and instructions. */
function estimate(
  backend: Backend,
  records: readonly VisibleRecord[],
  task: Task,
  batchSize: number,
  repeats: number,
): { inputTokens: number; outputTokens: number } {
  const { instructions } = task.arms[task.defaultArm]!;
  let inputTokens = 0;
  let outputTokens = 0;
  for (const batch of chunks(records, batchSize)) {
    const usage = backend.estimateTokens?.(batch, task);
    const shown = batch.reduce((sum, { features }) => sum + featureText(features).length, 0);
    inputTokens += usage?.inputTokens ?? textTokens(shown + instructions.length);
    outputTokens += usage?.outputTokens ?? 0;
  }
  return { inputTokens: Math.round(inputTokens * repeats), outputTokens: outputTokens * repeats };
}

async function planQuestions(
  suite: QuestionSuite,
  backends: readonly Backend[],
  { limit, shard, repeats = 1, judge, passes = 1, buckets = false, claims }: PlanOptions,
): Promise<RunPlan[]> {
  const all = suite.questions.slice(0, limit);
  const questions = shard === undefined ? all : dealtTo(shard, all, 1);
  const asked = questions.map((question) => answerRequest(suite.task, question));
  const judging =
    judge && (await planJury(resolveJury(judge), questions, { passes, buckets, claims, repeats }));
  return backends.map((backend) => ({
    model: backend.name,
    records: questions.length,
    ...estimateCalls(backend, asked, repeats),
    ...(judging && { judging }),
  }));
}

/** What all judges of a jury would be asked. */
async function planJury(
  judges: readonly Judge[],
  questions: readonly Question[],
  {
    passes,
    buckets,
    claims,
    repeats,
  }: { passes: number; buckets: boolean; claims: ClaimSource | undefined; repeats: number },
): Promise<NonNullable<RunPlan['judging']>> {
  const plans = await Promise.all(
    judges.map(async (judge, i) => {
      // The first judge lists the claims.
      const source = i === 0 ? claims : undefined;
      const requests = await Promise.all(
        questions.map((question) => judgeRequests(question, judge, { passes, buckets, source })),
      );
      return estimateCalls(judge.backend, requests.flat(), repeats);
    }),
  );
  const all = (key: 'estimated_cost_usd' | 'max_cost_usd' | 'max_call_cost_usd') => {
    // A judge without a model costs nothing.
    const costs = plans.flatMap((plan, i) => (judges[i]!.backend === null ? [] : [plan[key]]));
    return costs.length === 0 || costs.includes(null) ? null : (costs as number[]);
  };
  const sum = (costs: readonly number[] | null) =>
    costs === null ? null : costs.reduce((total, cost) => total + cost, 0);
  const largest = all('max_call_cost_usd');
  const canBulk = judges.every(({ backend }) => backend === null || backend.bulk !== undefined);
  const estimated = sum(all('estimated_cost_usd'));
  return {
    judge: judges.map(({ name }) => name).join(', '),
    calls: plans.reduce((total, { calls }) => total + calls, 0),
    estimated_input_tokens: plans.reduce((total, plan) => total + plan.estimated_input_tokens, 0),
    estimated_cost_usd: estimated,
    bulk_cost_usd: canBulk && estimated !== null ? estimated / 2 : null,
    max_cost_usd: sum(all('max_cost_usd')),
    max_call_cost_usd: largest && Math.max(...largest),
  };
}

function estimateCalls(backend: Backend | null, requests: readonly TextRequest[], repeats: number) {
  const calls = backend === null ? 0 : requests.length * repeats;
  const characters = requests
    .flatMap(({ messages }) => messages)
    .reduce((sum, { content }) => sum + content.length, 0);
  const inputTokens = calls === 0 ? 0 : Math.round(textTokens(characters) * repeats);
  const costUsd = backend?.cost?.({ inputTokens, outputTokens: calls * ASSUMED_OUTPUT_TOKENS }) ?? null;
  return {
    calls,
    estimated_input_tokens: inputTokens,
    estimated_cost_usd: costUsd,
    bulk_cost_usd: bulkCost(backend, costUsd),
    ...mostCost(
      backend,
      requests.map((request) => backend?.maxTextTokens?.(request)),
      repeats,
    ),
  };
}

/** The requests that judging one answer makes, with a placeholder of the usual length in place of the answer. */
async function judgeRequests(
  question: Question,
  { rules, maxOutputTokens, grader }: Judge,
  { passes, buckets, source }: { passes: number; buckets: boolean; source: ClaimSource | undefined },
): Promise<TextRequest[]> {
  const answer = 'x '.repeat(ASSUMED_OUTPUT_TOKENS * 2);
  const requests: TextRequest[] = [];
  const ask = async (request: TextRequest) => {
    requests.push(request);
    throw new JudgeCallFailed('not_asked');
  };
  for (let pass = 0; pass < passes; pass++)
    await (grader
      ? runGrader({ grader, ask, answer, maxOutputTokens, ...gradedBy(question) })
      : runJudge({
          question: question.question,
          answer,
          ...question.rubric.judgeQuestions(),
          seed: 0,
          pass,
          rules: rules ?? null,
          maxOutputTokens,
          ask,
        }));
  if (buckets)
    for (const trait of question.rubric.metricTraits)
      requests.push(bucketsPrompt({ question: question.question, answer, trait }));
  if (source !== undefined)
    requests.push(
      claimsPrompt({
        question: question.question,
        answer,
        items: question.rubric.judgeQuestions().items,
        source,
      }),
    );
  return requests;
}
