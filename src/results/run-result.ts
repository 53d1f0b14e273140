import type { EvaluationResult, Ledger } from '../core/index.ts';
import type { MetricScore } from '../metrics/index.ts';
import type { RowTrace } from '../store/index.ts';
import type { SuiteDescription } from '../suites/index.ts';
import type { Extras } from './execution.ts';

/** A row of a result: what is scored, and how it came about. */
export interface BenchmarkRow extends EvaluationResult, RowTrace {
  readonly repeat: number;
}

export interface BenchmarkResult {
  readonly evaluationResults: readonly BenchmarkRow[];
  readonly metricScores: readonly MetricScore[];
  readonly suiteDescription:
    | SuiteDescription
    | Partial<SuiteDescription>
    | Record<string, unknown>
    | undefined;
  readonly backendName: string;
  readonly extras: Extras;
  readonly ledger: Ledger;
}
