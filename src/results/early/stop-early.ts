import { camelKeys } from '../../core/index.ts';
import type { SequentialStatus } from '../../statistics/sequences/index.ts';
import type { Manifest } from '../../store/index.ts';

/** What a gate of a run that stops early showed at its last look. */
export interface EarlyVerdict {
  /** The gate as it was written. */
  readonly gate: string;
  readonly status: SequentialStatus;
  /** Units of the finished prefix up to the decision. */
  readonly lookedAt: number;
  /** Those of them that the metric counts. */
  readonly n: number;
  /** Those of them with failed rows: the worst for one bound, the best for the other. */
  readonly nFailed: number;
  /** The value over units without failed rows: a difference for non-inferiority. A run that was stopped by a pass overstates it. */
  readonly value: number | null;
  /** Anytime-valid bounds; null for a gate on a plain value. */
  readonly lower: number | null;
  readonly upper: number | null;
}

/** How a run stops early: what was committed before the first call, and what its gates showed. */
export interface StopEarly {
  /** The gates as they were written, without non-inferiority. */
  readonly gates: readonly string[];
  readonly nonInferior: {
    /** The file of the baseline. */
    readonly baseline: string;
    readonly runId: string | null;
    readonly margin: number;
    readonly metric: string;
  } | null;
  readonly level: number;
  /** `each`: the bounds of all gates hold together. `release`: only "this model meets all its gates" does. */
  readonly alpha: 'each' | 'release';
  readonly nModels: number;
  /** Error of one side, after division over models and gates. */
  readonly alphaSide: number;
  /** Counted units before which no bound decides. */
  readonly minN: number;
  /** What the bounds are about: the population that the records are a sample of, or exactly these records. */
  readonly claim: 'population' | 'suite';
  /** What is looked at as one. */
  readonly unit: 'record' | 'patient' | 'batch';
  /** Units of the whole run. */
  readonly nTotal: number;
  /** Rows of the whole run. */
  readonly nRows: number;
  readonly seed: number;
  /** How the order of asking was made from the seed. */
  readonly generator: string;
  /** SHA-256 of the ids of all records in the order of asking. */
  readonly orderSha256: string;
  /** Empty before the first look that was written. */
  readonly verdicts: readonly EarlyVerdict[];
}

/** @internal */
export function stopEarlyOf(stored: NonNullable<Manifest['stop_early']>): StopEarly {
  const { non_inferior: nonInferior, verdicts, ...terms } = stored;
  return {
    ...camelKeys(terms),
    nonInferior: nonInferior && camelKeys(nonInferior),
    verdicts: verdicts.map((verdict) => camelKeys(verdict)),
  };
}
