import type { ConfidenceSource } from './source-rows.ts';

/** An answer with the confidence of every source. */
export interface SourceUnit {
  readonly right: boolean;
  /** Right, and not on a case that should be deferred: what a threshold promises. */
  readonly strictlyRight: boolean;
  /** What is drawn together: the patient, the records of one call, or the record. */
  readonly cluster: string;
  readonly confidence: Readonly<Partial<Record<ConfidenceSource, number>>>;
}

/** The ends of a resampled interval; null where there is none. */
export interface Ends {
  readonly lower: number | null;
  readonly upper: number | null;
}

export const RESAMPLES = 2000;
export const RESAMPLE_SEED = 42;
