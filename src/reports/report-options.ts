import type { ComparisonDocumentOptions } from './document/comparison-document.ts';
import type { RunDocumentOptions } from './document/run-document.ts';

/** What a report can be asked for; each format uses what applies to it. */
export interface ReportOptions extends RunDocumentOptions, ComparisonDocumentOptions {
  /** JSON: whether the rows are under `evaluation_results`. Default: true. */
  readonly includeResults?: boolean | undefined;
  /** JUnit: the share of rows that may have failed. Default: 0. */
  readonly tolerance?: number | undefined;
}
