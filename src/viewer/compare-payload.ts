import { basename } from 'node:path';
import { compareRuns } from '../analyses/comparison/compare-runs.ts';
import { comparisonObject } from '../analyses/comparison/comparison.ts';
import { flipsOf } from '../analyses/comparison/flips.ts';
import { pairRecords } from '../analyses/comparison/pair-records.ts';
import { recordSets } from '../analyses/comparison/record-sets.ts';
import { scoredRun } from '../analyses/comparison/scored-run.ts';
import { whyDifferentRecords } from '../analyses/comparison/why-different-records.ts';
import { runsSections } from '../analyses/registry.ts';
import { correctedComparisonSchema } from '../analyses/review/compare-corrected.ts';
import { KrisisError, toFile } from '../core/index.ts';
import { shown } from '../reports/document/blocks.ts';
import type { Section } from '../reports/document/document.ts';
import { readRun } from '../runs/read-run.ts';
import type { RunResult } from '../runs/run-result.ts';
import { runTableOptions } from '../runs/scoring-for.ts';
import { overlaidCharts } from '../runs/sections/confidence.ts';
import type { ComparePayload, RunLine } from './api.ts';
import type { OpenRun, OpenRuns } from './open-runs.ts';
import { verificationPayload } from './verification-payload.ts';

/** Enough to look at; `krisis compare` draws more, for publication. */
const RESAMPLES = 500;
/** An export compares every pair of a suite in both directions: of more runs than this, the newest. */
const MAX_COMPARED = 12;

/** Runs that are compared: the first is the baseline. */
export interface ComparedRuns {
  readonly runs: readonly string[];
}

/** Runs side by side, the first as the baseline. */
export function comparePayload(runs: OpenRuns, { runs: ids }: ComparedRuns): ComparePayload {
  const found = ids.map((id) => runs.find(id));
  return runs.cached('compare', found, () => ({
    ...compared(found),
    verification: ids.map((id) => verificationPayload(runs, { id })),
  }));
}

function compared(runs: readonly OpenRun[]): Omit<ComparePayload, 'verification'> {
  const lines = runs.map(({ line }) => line);
  const whyNot = whyNotCompared(lines);
  return withResults(runs, RESAMPLES, (results) => {
    const curves = curveSections(results);
    const payload = { runs: lines, sections: curves };
    if (whyNot !== null) return { ...payload, comparison: null, reason: whyNot };
    try {
      const comparison = compareRuns(results, { resamples: RESAMPLES, baseline: results[0] });
      if (comparison.pairs.length === 0) {
        const reason = comparison.notPaired[0]?.message ?? 'the runs cannot be paired';
        return { ...payload, comparison: null, reason };
      }
      const object = withoutPaths(comparisonObject(comparison));
      const corrected = comparison.pairs.map((pair) =>
        pair.corrected.map((score) => toFile(correctedComparisonSchema, score)),
      );
      const sections = [...curves, ...shown(runsSections(comparison.analyses))];
      return { ...payload, comparison: object, sections, corrected, reason: null };
    } catch (error) {
      // A damaged file is an error, not a reason why two good ones do not fit.
      if (!(error instanceof KrisisError) || error.code === 'ERR_RUN_FILE') throw error;
      return { ...payload, comparison: null, reason: error.message };
    }
  });
}

/** The curves of all runs, by the letters that the page gives them. */
function curveSections(results: readonly RunResult[]): readonly Section[] {
  if (results.some(({ judging }) => judging !== null)) return [];
  const models = results.map(({ backendName, figures }, r) => ({
    name: `${String.fromCharCode('A'.charCodeAt(0) + r)}: ${backendName}`,
    figures,
  }));
  return [overlaidCharts(models, recordSets(results))];
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
  const whyNot =
    here.line.kind === 'questions'
      ? 'answers to open questions have no label'
      : whyNotCompared([here.line, there.line]);
  if (whyNot !== null) throw new KrisisError(`flips: ${whyNot}`, { code: 'ERR_RUNS_NOT_COMPARABLE' });
  return withResults([here, there], 0, (results) => {
    const [ours, theirs] = results.map((result) => scoredRun(result.rows(), runTableOptions(result)));
    const primary = results[0]!.primaryEndpoint?.metric ?? null;
    const flips = flipsOf(pairRecords(ours!, theirs!), primary);
    return {
      only_a: new Set(flips.onlyBaselineRight.map(({ id }) => id)),
      only_b: new Set(flips.onlyModelRight.map(({ id }) => id)),
    };
  });
}

/** Why runs cannot be paired record by record; null if they can. */
export function whyNotCompared(runs: readonly RunLine[]): string | null {
  if (new Set(runs.map(({ kind }) => kind)).size > 1)
    return 'runs of open questions and runs with labels cannot be compared';
  if (runs.some(({ suite_hash }) => suite_hash === null))
    return 'a run has no suite hash, so it is unknown whether all have the same records';
  if (new Set(runs.map(({ suite_hash }) => suite_hash)).size > 1)
    return `${whyDifferentRecords(runs.map(({ suite, suite_hash }) => ({ suiteName: suite, suiteHash: suite_hash })))}; run the models on the same version of the suite, with the same limits and seed`;
  return null;
}

/** Reads runs, passes them to `work` and closes them. */
export function withResults<T>(
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
  const candidates = runs.filter(({ suite_hash }) => suite_hash !== null);
  return [...Map.groupBy(candidates, ({ kind, suite_hash }) => `${kind} ${suite_hash}`).values()];
}

/** The pairs that an export compares. */
export function pairsToCompare(runs: readonly RunLine[]): ComparedRuns[] {
  return comparableRuns(runs).flatMap((ofSuite) => {
    const newest = ofSuite.slice(0, MAX_COMPARED);
    return newest.flatMap((a) => newest.flatMap((b) => (a === b ? [] : [{ runs: [a.id, b.id] }])));
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
