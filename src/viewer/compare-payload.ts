import { basename } from 'node:path';
import { KrisisError } from '../core/index.ts';
import {
  compareRuns,
  comparisonObject,
  flipsOf,
  pairRecords,
  type RunResult,
  readRun,
  scoredRun,
} from '../results/index.ts';
import type { ComparePayload, RunLine } from './api.ts';
import type { OpenRun, OpenRuns } from './open-runs.ts';

/** Enough to look at; `krisis compare` draws more, for publication. */
const RESAMPLES = 500;
/** An export compares every pair of a suite in both directions: of more runs than this, the newest. */
const MAX_COMPARED = 12;

type Pair = { readonly a: string; readonly b: string };

/** Two runs side by side, the first as the baseline. */
export function comparePayload(runs: OpenRuns, pair: Pair): ComparePayload {
  const [a, b] = [runs.find(pair.a), runs.find(pair.b)];
  return runs.cached('compare', [a, b], () => compared(a, b));
}

function compared(a: OpenRun, b: OpenRun): ComparePayload {
  const whyNot = whyNotCompared(a.line, b.line);
  return withResults([a, b], RESAMPLES, (results) => {
    const figures = results.map((result) => result.figures);
    const lines = { a: a.line, b: b.line, figures };
    if (whyNot !== null) return { ...lines, comparison: null, reason: whyNot };
    try {
      const comparison = compareRuns(results, { resamples: RESAMPLES });
      if (comparison.pairs.length === 0) {
        const reason = comparison.notPaired[0]?.message ?? 'the two runs cannot be paired';
        return { ...lines, comparison: null, reason };
      }
      return { ...lines, comparison: withoutPaths(comparisonObject(comparison)), reason: null };
    } catch (error) {
      if (error instanceof KrisisError) return { ...lines, comparison: null, reason: error.message };
      throw error;
    }
  });
}

/** A page may be shared, so it gets the names of files without their folder. */
function withoutPaths(comparison: Readonly<Record<string, unknown>>): Record<string, unknown> {
  const models = comparison.models as readonly { readonly run_file: string | null }[];
  return {
    ...comparison,
    models: models.map((model) => ({ ...model, run_file: model.run_file && basename(model.run_file) })),
  };
}

/** The records that only one of the two has right. */
export function flipIds(here: OpenRun, there: OpenRun): { only_a: Set<string>; only_b: Set<string> } {
  const whyNot = whyNotCompared(here.line, there.line);
  if (whyNot !== null) throw new KrisisError(`flips: ${whyNot}`, { code: 'ERR_RUNS_NOT_COMPARABLE' });
  return withResults([here, there], 0, (results) => {
    const [ours, theirs] = results.map((result) => scoredRun(result.rows()));
    const primary = results[0]!.primaryEndpoint?.metric ?? null;
    const flips = flipsOf(pairRecords(ours!, theirs!), primary);
    return {
      only_a: new Set(flips.onlyBaselineRight.map(({ id }) => id)),
      only_b: new Set(flips.onlyModelRight.map(({ id }) => id)),
    };
  });
}

function whyNotCompared(a: RunLine, b: RunLine): string | null {
  if (a.kind === 'questions' || b.kind === 'questions')
    return 'answers to open questions have no label, so there is nothing to pair';
  if (a.suite_hash === null || b.suite_hash === null)
    return 'a run has no suite hash, so it is unknown whether both have the same records';
  if (a.suite_hash !== b.suite_hash)
    return 'the runs are of different suites, so their records differ; run both models on the same suite';
  return null;
}

function withResults<T>(
  runs: readonly OpenRun[],
  resamples: number,
  work: (results: readonly RunResult[]) => T,
): T {
  const results: RunResult[] = [];
  try {
    for (const { path } of runs) results.push(readRun(path, { resamples }));
    return work(results);
  } finally {
    for (const result of results) result.close();
  }
}

/** The runs that can be compared, by suite, newest first. */
function comparableRuns(runs: readonly RunLine[]): readonly (readonly RunLine[])[] {
  const candidates = runs.filter(({ kind, suite_hash }) => kind === 'labels' && suite_hash !== null);
  return [...Map.groupBy(candidates, ({ suite_hash }) => suite_hash).values()];
}

/** The pairs that an export compares. */
export function pairsToCompare(runs: readonly RunLine[]): Pair[] {
  return comparableRuns(runs).flatMap((ofSuite) => {
    const newest = ofSuite.slice(0, MAX_COMPARED);
    return newest.flatMap((a) => newest.flatMap((b) => (a === b ? [] : [{ a: a.id, b: b.id }])));
  });
}

/** What an export says of runs that it does not compare. */
export function notComparedNotes(runs: readonly RunLine[]): string[] {
  return comparableRuns(runs)
    .filter(({ length }) => length > MAX_COMPARED)
    .map(
      (ofSuite) =>
        `${ofSuite[0]!.suite}: only the newest ${MAX_COMPARED} of ${ofSuite.length} runs are compared.`,
    );
}
