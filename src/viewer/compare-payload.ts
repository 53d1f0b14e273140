import { basename } from 'node:path';
import { KrisisError } from '../core/index.ts';
import {
  compareRuns,
  comparisonObject,
  flipsOf,
  pairRecords,
  type RunReport,
  readRun,
  scoredRun,
} from '../results/index.ts';
import type { ComparePayload, RunLine } from './api.ts';

/** Enough to look at; `krisis compare` draws more for what is published. */
const RESAMPLES = 500;

interface Viewed {
  readonly path: string;
  readonly line: RunLine;
}

/** Two runs side by side, the first as the baseline. */
export function comparePayload(a: Viewed, b: Viewed): ComparePayload {
  const whyNot = whyNotCompared(a.line, b.line);
  return withReports([a, b], RESAMPLES, (reports) => {
    const figures = reports.map((report) => report?.figures ?? null);
    const lines = { a: a.line, b: b.line, figures };
    if (whyNot !== null) return { ...lines, comparison: null, reason: whyNot };
    try {
      const comparison = compareRuns(reports as RunReport[], { resamples: RESAMPLES });
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

/** Where files lie is not for a page, which may be shared: their names are enough. */
function withoutPaths(comparison: Readonly<Record<string, unknown>>): Record<string, unknown> {
  const models = comparison.models as readonly { readonly run_file: string | null }[];
  return {
    ...comparison,
    models: models.map((model) => ({ ...model, run_file: model.run_file && basename(model.run_file) })),
  };
}

/** The records that only one of the two has right. */
export function flipIds(here: Viewed, there: Viewed): { only_a: Set<string>; only_b: Set<string> } {
  const whyNot = whyNotCompared(here.line, there.line);
  if (whyNot !== null) throw new KrisisError(`flips: ${whyNot}`);
  return withReports([here, there], 0, (reports) => {
    const [ours, theirs] = reports.map((report) => scoredRun(report!.rows()));
    const flips = flipsOf(pairRecords(ours!, theirs!));
    return {
      only_a: new Set(flips.onlyBaselineRight.map(({ id }) => id)),
      only_b: new Set(flips.onlyModelRight.map(({ id }) => id)),
    };
  });
}

function whyNotCompared(a: RunLine, b: RunLine): string | null {
  if (a.kind === 'questions' || b.kind === 'questions')
    return 'runs on open questions are judged, not compared with a label: there is nothing to pair';
  if (a.suite_hash === null || b.suite_hash === null)
    return 'nobody can say that the records of the two are the same: a run has no suite hash';
  if (a.suite_hash !== b.suite_hash)
    return 'the runs are of different suites, so their records are not the same; run both on the same suite';
  return null;
}

function withReports<T>(
  runs: readonly Viewed[],
  resamples: number,
  work: (reports: readonly (RunReport | null)[]) => T,
): T {
  const reports: (RunReport | null)[] = [];
  try {
    for (const { path, line } of runs)
      reports.push(line.kind === 'questions' ? null : readRun(path, { resamples }));
    return work(reports);
  } finally {
    for (const report of reports) report?.close();
  }
}
