import type { Backend } from '../backends/backend.ts';
import { featureText } from '../records/feature-text.ts';
import type { Suite } from '../suites/suite.ts';
import { withArm } from './benchmark.ts';
import { plannedBatches } from './execute.ts';

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
  const { instructions, show } = task.arms[task.defaultArm]!;
  const records = (await suite.load()).slice(0, options.limit);
  const calls = plannedBatches(records.length, batchSize, repeats);
  const shown = records.reduce(
    (sum, { features }) => sum + featureText(show ? show(features) : features).length,
    0,
  );
  const characters = shown * repeats + calls * instructions.length;
  return backends.map(({ name }) => ({
    model: name,
    records: records.length,
    calls,
    estimated_input_tokens: Math.round(characters / CHARACTERS_PER_TOKEN),
    estimated_cost_usd: null,
  }));
}
