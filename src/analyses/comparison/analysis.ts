import type { RunResult } from '../../runs/run-result.ts';
import type { RunsAnalysis } from '../analysis.ts';
import { type CompareOptions, compareOptions, compareRuns } from './compare-runs.ts';
import { type Comparison, comparisonObject, comparisonSchema } from './comparison.ts';
import { comparisonDocument } from './comparison-document.ts';

/** Models side by side, and each of them against the baseline on the same records or questions. Its command, `krisis compare`, also checks conditions and has a first screen. */
export const comparisonAnalysis: RunsAnalysis<Comparison, RunResult, CompareOptions> = {
  of: 'runs',
  id: 'comparison',
  appliesTo: 'both',
  atLeast: 2,
  schema: comparisonSchema,
  options: compareOptions,
  compute: compareRuns,
  document: comparisonDocument,
  object: comparisonObject,
};
