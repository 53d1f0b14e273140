import { builtInMetric } from '../../metrics/registry.ts';
import type { RunResult } from '../../runs/run-result.ts';
import { runTableOptions } from '../../runs/scoring-for.ts';
import { holmAdjust } from '../../statistics/holm.ts';
import { DEFAULT_LEVEL, DEFAULT_SEED } from '../../statistics/score-options.ts';
import { compareEndpoints } from './compare-endpoint.ts';
import { endpointFor } from './endpoints.ts';
import { intervalAgrees } from './judge-endpoint.ts';
import { modelNames } from './model-names.ts';
import { clusterKey } from './pair-clusters.ts';
import { pairRecords } from './pair-records.ts';
import { type ScoredRun, scoredRun } from './scored-run.ts';

/** Which differences between models a score shows, over all pairs. */
export interface ModelOrder {
  readonly metric: string;
  /** Pairs that could be tested, and those whose difference is shown after Holm's adjustment. */
  readonly nPairs: number;
  readonly nShown: number;
  /** Models with the same value in all of their pairs. */
  readonly pairs: readonly OrderedPair[];
}

interface OrderedPair {
  readonly models: readonly [string, string];
  readonly difference: number;
  readonly p: number;
  readonly isShown: boolean;
}

/**
 * Whether the order of models by a score is more than chance: every pair of models on the same records is tested, with Holm's adjustment
 * over all pairs. Null where the score is no mean over records, or where fewer than two runs share their records.
 */
export function testOrder(
  results: readonly RunResult[],
  metricName: string,
  {
    level = DEFAULT_LEVEL,
    seed = DEFAULT_SEED,
    cluster,
  }: { readonly level?: number; readonly seed?: number; readonly cluster?: string | undefined } = {},
): ModelOrder | null {
  const metric = builtInMetric(metricName);
  if (metric === undefined) return null;
  const endpoint = endpointFor(metric);
  if (endpoint.rowScores === null) return null;
  const names = modelNames(results);
  const [first] = results.filter(({ suiteHash }) => suiteHash !== null);
  if (first === undefined) return null;
  const key = cluster ?? clusterKey(first.method);
  const keep = key === undefined ? [] : [key];
  const runs = results.flatMap((result, r): { name: string; rows: ScoredRun }[] =>
    result.suiteHash === first.suiteHash
      ? [{ name: names[r]!, rows: scoredRun(result.rows(), { ...runTableOptions(result), keep }) }]
      : [],
  );
  const tested = runs.flatMap((ours, i) =>
    runs.slice(i + 1).flatMap((theirs) => {
      const pairing = pairRecords(ours.rows, theirs.rows, key);
      const [found] = compareEndpoints(pairing, { resamples: 0, seed, level }, [endpoint]);
      return found?.p == null || found.difference === null
        ? []
        : [
            {
              models: [ours.name, theirs.name] as const,
              difference: found.difference,
              p: found.p,
              agrees: intervalAgrees(found),
            },
          ];
    }),
  );
  if (tested.length === 0) return null;
  const adjusted = holmAdjust(tested.map(({ p }) => p));
  const pairs = tested.map(({ agrees, ...pair }, i) => ({
    ...pair,
    isShown: adjusted[i]! <= 1 - level && agrees,
  }));
  return {
    metric: metric.name,
    nPairs: pairs.length,
    nShown: pairs.filter(({ isShown }) => isShown).length,
    pairs,
  };
}
