import type { Section } from '../reports/document/document.ts';
import type { AnalysisResults } from '../runs/run-result.ts';
import { type AskedRun, type DrawOptions, type RunsAnalysis, resultsObject } from './analysis.ts';
import { itemDifficultyAnalysis } from './item-difficulty/analysis.ts';
import { modelOrderAnalysis } from './model-order/analysis.ts';
import { rankIntervalsAnalysis } from './rank-intervals/analysis.ts';
import { varianceSplitAnalysis } from './variance-split/analysis.ts';

/** The analyses of answers of several runs, or of the repeats of one, in the order of reports and comparisons. A new one is its folder and a line here. */
export const ASKED_ANALYSES: readonly RunsAnalysis[] = [
  modelOrderAnalysis,
  rankIntervalsAnalysis,
  varianceSplitAnalysis,
  itemDifficultyAnalysis,
];

/** What several runs say together about their records, by id. */
export function analyseAsked(runs: readonly AskedRun[], options: DrawOptions): AnalysisResults {
  return Object.fromEntries(
    ASKED_ANALYSES.map((analysis) => [analysis.id, computeTogether(analysis, runs, options)]),
  );
}

/** The result of an analysis of several runs; null where there are too few. */
export function computeTogether<Result, Input, Options>(
  { compute, atLeast = 1 }: RunsAnalysis<Result, Input, Options>,
  runs: readonly Input[],
  options: Options,
): Result | null {
  return runs.length < atLeast ? null : compute(runs, options);
}

/** The sections of these results. */
export function askedSections(results: AnalysisResults): readonly (Section | null)[] {
  return ASKED_ANALYSES.map(({ id, section }) => {
    const result = results[id] ?? null;
    return result === null ? null : (section?.(result) ?? null);
  });
}

/** These results as JSON has them. */
export function askedObject(results: AnalysisResults): Record<string, unknown> {
  return resultsObject(ASKED_ANALYSES, results);
}
