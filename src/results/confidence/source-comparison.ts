import type { PairedAuroc, PairedDifference } from '../../statistics/confidence/index.ts';
import type { ConfidenceSource } from './source-rows.ts';

/** One source on the rows that all sources have. */
export interface SourceScore {
  readonly source: ConfidenceSource;
  readonly brier: number;
  readonly auroc: number | null;
  /** Area under the generalised risk-coverage curve; lower is better. */
  readonly augrc: number;
  /** The threshold with the default promise, chosen on one half of the clusters; null where none can be promised. */
  readonly threshold: number | null;
  /** Share of answers of the other half that it accepts; 0 without a threshold, null without answers and after an early stop. */
  readonly coverage: number | null;
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
  /** Below 0: better than the baseline. The interval is resampled, over records or clusters of them. */
  readonly augrc: PairedDifference;
  /** Coverage at the threshold of each source. Above 0: better than the baseline. The interval is resampled; null after an early stop. */
  readonly coverage: PairedDifference | null;
  /** What the source takes per record beyond the baseline; null where unknown. */
  readonly extraCalls: number | null;
  readonly extraTokens: number | null;
  readonly extraUsd: number | null;
  /** Each difference per extra call; null where the source takes no more calls. */
  readonly brierPerExtraCall: number | null;
  readonly aurocPerExtraCall: number | null;
  readonly augrcPerExtraCall: number | null;
  readonly coveragePerExtraCall: number | null;
  /** How the intervals of the Brier score and the AUROC were made. */
  readonly interval: 'paired' | 'cluster_bootstrap' | 'not_valid_after_early_stop';
}

/** Sources of confidence in the same answers. */
export interface SourceComparison {
  /** Records with a usable confidence from every source. */
  readonly n: number;
  readonly nRight: number;
  readonly sources: readonly SourceScore[];
  readonly differences: readonly SourceDifference[];
  /** What the thresholds promise, and how many answers chose and showed them; null after an early stop. */
  readonly promise: {
    readonly risk: number;
    readonly confidence: number;
    readonly nCalibration: number;
    readonly nEvaluation: number;
  } | null;
  /** Answered records of which at least two in five replies abstained; null without repeats. */
  readonly nOftenAbstained: number | null;
  /** How the tokens of the label came about. */
  readonly tokens: { readonly afterReasoning: boolean; readonly withSchema: boolean } | null;
}
