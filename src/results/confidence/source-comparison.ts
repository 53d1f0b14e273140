import type { PairedAuroc, PairedDifference } from '../../statistics/confidence/index.ts';
import type { ConfidenceSource } from './source-rows.ts';

/** One source on the rows that all sources have. */
export interface SourceScore {
  readonly source: ConfidenceSource;
  readonly brier: number;
  readonly auroc: number | null;
  /** Calls, tokens and US dollars that the confidence of one record takes; null where unknown. */
  readonly callsPerRecord: number | null;
  readonly tokensPerRecord: number | null;
  readonly usdPerRecord: number | null;
}

/** A source against the stated confidence. */
export interface SourceDifference {
  readonly source: ConfidenceSource;
  readonly baseline: ConfidenceSource;
  /** Below 0: better than the baseline. */
  readonly brier: PairedDifference;
  /** Above 0: better than the baseline; null without both right and wrong answers. */
  readonly auroc: PairedAuroc | null;
  /** Difference of the Brier score per extra call; null where the source takes no more calls. */
  readonly brierPerExtraCall: number | null;
  readonly interval: 'paired' | 'cluster_bootstrap';
}

/** Sources of confidence in the same answers. */
export interface SourceComparison {
  /** Records with a usable confidence from every source. */
  readonly n: number;
  readonly nRight: number;
  readonly sources: readonly SourceScore[];
  readonly differences: readonly SourceDifference[];
  /** Answered records of which at least two in five replies abstained; null without repeats. */
  readonly nOftenAbstained: number | null;
  /** How the tokens of the label came about. */
  readonly tokens: { readonly afterReasoning: boolean; readonly withSchema: boolean } | null;
}
