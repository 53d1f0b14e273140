import { z } from 'zod';
import { count, type Shape } from '../../core/codec.ts';
import { pairedAurocSchema, pairedDifferenceSchema } from '../../statistics/methods/confidence.ts';
import { CONFIDENCE_SOURCES } from './source-rows.ts';

const confidenceSourceSchema = z.enum(CONFIDENCE_SOURCES);

const sourceScoreSchema = z.object({
  source: confidenceSourceSchema,
  brier: z.number(),
  auroc: z.number().nullable(),
  /** Area under the generalised risk-coverage curve; lower is better. */
  augrc: z.number(),
  /** The threshold with the default promise, chosen on one half of the clusters; null where none can be promised. */
  threshold: z.number().nullable(),
  /** Share of answers of the other half that it accepts; 0 without a threshold, null without answers and after an early stop. */
  coverage: z.number().nullable(),
  /** Calls, tokens and US dollars that the confidence of one record takes; null where unknown. */
  callsPerRecord: z.number().nullable(),
  tokensPerRecord: z.number().nullable(),
  usdPerRecord: z.number().nullable(),
});
/** One source on the rows that all sources have. */
export type SourceScore = Shape<typeof sourceScoreSchema>;

const sourceDifferenceSchema = z.object({
  source: confidenceSourceSchema,
  baseline: confidenceSourceSchema,
  /** Below 0: better than the baseline. */
  brier: pairedDifferenceSchema,
  /** Above 0: better than the baseline; null without both right and wrong answers. */
  auroc: pairedAurocSchema.nullable(),
  /** Below 0: better than the baseline. The interval is resampled, over records or clusters of them. */
  augrc: pairedDifferenceSchema,
  /** Coverage at the threshold of each source. Above 0: better than the baseline. The interval is resampled; null after an early stop. */
  coverage: pairedDifferenceSchema.nullable(),
  /** What the source takes per record beyond the baseline; null where unknown. */
  extraCalls: z.number().nullable(),
  extraTokens: z.number().nullable(),
  extraUsd: z.number().nullable(),
  /** Each difference per extra call; null where the source takes no more calls. */
  brierPerExtraCall: z.number().nullable(),
  aurocPerExtraCall: z.number().nullable(),
  augrcPerExtraCall: z.number().nullable(),
  coveragePerExtraCall: z.number().nullable(),
  /** How the intervals of the Brier score and the AUROC were made. */
  interval: z.enum(['paired', 'cluster_bootstrap', 'not_valid_after_early_stop']),
});
/** A source against the stated confidence. */
export type SourceDifference = Shape<typeof sourceDifferenceSchema>;

export const sourceComparisonSchema = z.object({
  /** Records with a usable confidence from every source. */
  n: count,
  nRight: count,
  sources: z.array(sourceScoreSchema),
  differences: z.array(sourceDifferenceSchema),
  /** What the thresholds promise, and how many answers chose and showed them; null after an early stop. */
  promise: z
    .object({
      risk: z.number(),
      confidence: z.number(),
      nCalibration: count,
      nEvaluation: count,
    })
    .nullable(),
  /** Answered records of which at least two in five replies abstained; null without repeats. */
  nOftenAbstained: count.nullable(),
  /** How the tokens of the label came about. */
  tokens: z
    .object({
      afterReasoning: z.boolean(),
      withSchema: z.boolean(),
    })
    .nullable(),
});
/** Sources of confidence in the same answers. */
export type SourceComparison = Shape<typeof sourceComparisonSchema>;
