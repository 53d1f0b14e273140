import { z } from 'zod';
import { count, type Shape } from '../../core/codec.ts';
import { builtInMetric } from '../../metrics/registry.ts';
import { holmAdjust } from '../../statistics/holm.ts';
import type { DrawOptions } from '../analysis.ts';
import { compareEndpoints } from '../comparison/compare-endpoint.ts';
import { endpointFor } from '../comparison/endpoints.ts';
import { intervalAgrees } from '../comparison/judge-endpoint.ts';
import { pairRecords } from '../comparison/pair-records.ts';
import type { ScoredRun } from '../comparison/scored-run.ts';

/** Two models on the records that both scored. */
const pairSchema = z.object({
  models: z.tuple([z.string(), z.string()]),
  /** Records that both models scored. */
  n: count,
  /** The second model minus the first. */
  difference: z.number(),
  /** Null where the difference has no interval. */
  lower: z.number().nullable(),
  upper: z.number().nullable(),
  p: z.number(),
  /** Adjusted for all pairs. */
  pHolm: z.number(),
  isShown: z.boolean(),
});
const orderSchema = z.object({
  metric: z.string(),
  label: z.string(),
  /** Whether it is a share, so that a difference is in percentage points. */
  isShare: z.boolean(),
  nShown: count,
  /** All pairs that could be tested. */
  pairs: z.array(pairSchema),
});
/** Which differences between models a score shows. */
export type ModelOrder = Shape<typeof orderSchema>;

export const modelOrdersSchema = z.object({ level: z.number(), seed: z.int(), orders: z.array(orderSchema) });
export type ModelOrders = Shape<typeof modelOrdersSchema>;

/**
 * Whether the order of models by a score is more than chance: every pair of models is tested on the records that both scored, with Holm's adjustment over all pairs. Null where the
 * score is no mean over records, or where no pair can be tested.
 */
export function testOrder(
  runs: readonly (ScoredRun & { readonly name: string })[],
  metricName: string,
  { cluster, ...options }: DrawOptions & { readonly cluster: string | undefined },
): ModelOrder | null {
  const metric = builtInMetric(metricName);
  if (metric === undefined) return null;
  const endpoint = endpointFor(metric);
  if (endpoint.rowScores === null) return null;
  const tested = runs.flatMap((ours, i) =>
    runs.slice(i + 1).flatMap((theirs) => {
      const [found] = compareEndpoints(pairRecords(ours, theirs, cluster), options, [endpoint]);
      if (found?.p == null || found.difference === null) return [];
      const { n, difference, interval, p, isShare } = found;
      const { lower = null, upper = null } = interval ?? {};
      const models: [string, string] = [ours.name, theirs.name];
      return [{ models, n, difference, lower, upper, p, isShare, agrees: intervalAgrees(found) }];
    }),
  );
  if (tested.length === 0) return null;
  const adjusted = holmAdjust(tested.map(({ p }) => p));
  const pairs = tested.map(({ agrees, isShare: _, ...pair }, i) => {
    const pHolm = adjusted[i]!;
    return { ...pair, pHolm, isShown: pHolm <= 1 - options.level && agrees };
  });
  return {
    metric: metric.name,
    label: metric.label ?? metric.name,
    isShare: tested[0]!.isShare,
    nShown: pairs.filter(({ isShown }) => isShown).length,
    pairs,
  };
}
