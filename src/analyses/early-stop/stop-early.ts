import { z } from 'zod';
import { count, type Shape } from '../../core/codec.ts';

const earlyVerdictSchema = z.object({
  /** The gate as it was written. */
  gate: z.string(),
  status: z.enum(['pass', 'fail_shown', 'fail_unreachable', 'fail_not_shown', 'undecided']),
  /** Units of the finished prefix up to the decision. */
  lookedAt: z.number(),
  /** Those of them that the metric counts. */
  n: count,
  /** Those of them with failed rows: the worst for one bound, the best for the other. */
  nFailed: count,
  /** The value over units without failed rows: a difference for non-inferiority. A run that was stopped by a pass overstates it. */
  value: z.number().nullable(),
  /** Anytime-valid bounds; null for a gate on a plain value. */
  lower: z.number().nullable(),
  upper: z.number().nullable(),
});
/** What a gate of a run that stops early showed at its last look. */
export type EarlyVerdict = Shape<typeof earlyVerdictSchema>;

export const stopEarlySchema = z.object({
  /** The gates as they were written, without non-inferiority. */
  gates: z.array(z.string()),
  level: z.number(),
  /** `each`: the bounds of all gates hold together. `release`: only "this model meets all its gates" does. */
  alpha: z.enum(['each', 'release']),
  nModels: count,
  /** Error of one side, after division over models and gates. */
  alphaSide: z.number(),
  /** Counted units before which no bound decides. */
  minN: z.number(),
  /** What the bounds are about: the population that the records are a sample of, or exactly these records. */
  claim: z.enum(['population', 'suite']),
  /** What is looked at as one. */
  unit: z.enum(['record', 'patient', 'batch']),
  /** Units of the whole run. */
  nTotal: count,
  /** Rows of the whole run. */
  nRows: count,
  seed: z.number(),
  /** How the order of asking was made from the seed. */
  generator: z.string(),
  /** SHA-256 of the ids of all records in the order of asking. */
  orderSha256: z.string(),
  nonInferior: z
    .object({
      /** The file of the baseline. */
      baseline: z.string(),
      runId: z.string().nullable(),
      margin: z.number(),
      metric: z.string(),
    })
    .nullable(),
  /** Empty before the first look that was written. */
  verdicts: z.array(earlyVerdictSchema),
});
/** How a run stops early: what was committed before the first call, and what its gates showed. */
export type StopEarly = Shape<typeof stopEarlySchema>;
