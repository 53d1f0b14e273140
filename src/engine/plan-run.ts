import { featureText } from '../core/index.ts';
import type { Backend, VisibleRecord } from '../models/index.ts';
import { plannedBatches } from '../results/index.ts';
import type { Suite, Task } from '../suites/index.ts';
import { withArm } from './select-arm.ts';

/** What a run would ask of one model. */
export interface RunPlan {
  readonly model: string;
  readonly records: number;
  readonly calls: number;
  readonly estimated_input_tokens: number;
  /** Null where no price is known. */
  readonly estimated_cost_usd: number | null;
}

/** About four characters a token, in English text and numbers alike. */
const CHARACTERS_PER_TOKEN = 4;

/** Counts calls and estimates tokens without asking anything. */
export async function planRun(
  suite: Suite,
  backends: readonly Backend[],
  options: {
    readonly limit?: number | undefined;
    readonly batchSize?: number | undefined;
    readonly repeats?: number | undefined;
    readonly arm?: string | undefined;
  },
): Promise<RunPlan[]> {
  const { batchSize = 8, repeats = 1 } = options;
  const task = withArm(suite.task, options.arm);
  const { show } = task.arms[task.defaultArm]!;
  const records = (await suite.load())
    .slice(0, options.limit)
    .map(({ id, features }) => ({ id, features: show ? show(features) : features }));
  const calls = plannedBatches(records.length, batchSize, repeats);
  return backends.map((backend) => {
    const usage = estimate(backend, records, task, batchSize, repeats);
    return {
      model: backend.name,
      records: records.length,
      calls,
      estimated_input_tokens: usage.inputTokens,
      estimated_cost_usd: backend.cost?.(usage) ?? null,
    };
  });
}

/** By what the backend says a question takes; else by the text of cases and instructions. */
function estimate(
  backend: Backend,
  records: readonly VisibleRecord[],
  task: Task,
  batchSize: number,
  repeats: number,
): { inputTokens: number; outputTokens: number } {
  let inputTokens = 0;
  let outputTokens = 0;
  for (let from = 0; from < records.length; from += batchSize) {
    const batch = records.slice(from, from + batchSize);
    const usage = backend.estimateTokens?.(batch, task);
    inputTokens += usage?.inputTokens ?? textTokens(batch, task);
    outputTokens += usage?.outputTokens ?? 0;
  }
  return { inputTokens: Math.round(inputTokens * repeats), outputTokens: outputTokens * repeats };
}

function textTokens(batch: readonly VisibleRecord[], task: Task): number {
  const { instructions } = task.arms[task.defaultArm]!;
  const shown = batch.reduce((sum, { features }) => sum + featureText(features).length, 0);
  return (shown + instructions.length) / CHARACTERS_PER_TOKEN;
}
