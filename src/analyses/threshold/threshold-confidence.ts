import { z } from 'zod';
import type { Shape } from '../../core/codec.ts';
import { statusOfScore } from '../../metrics/act/confidence-status.ts';
import type { RowTable } from '../../metrics/columns.ts';
import type { MetricScore } from '../../metrics/metric.ts';
import { Sample } from '../../metrics/sample.ts';
import type { Scorecard } from '../../metrics/score.ts';
import { aurocConfidence } from '../../metrics/selective/separation.ts';

export const thresholdConfidenceSchema = z.object({
  status: z.enum(['inverted', 'uninformative', 'informative']).nullable(),
  reason: z.enum(['too_few_usable_rows', 'too_few_errors', 'too_few_right', 'no_interval']).nullable(),
  auroc: z.number().nullable(),
  lower: z.number().nullable(),
  upper: z.number().nullable(),
});
/** Whether confidence tells right answers from failures, and the strict AUROC that shows it. */
export type ThresholdConfidence = Shape<typeof thresholdConfidenceSchema>;

const METRIC = aurocConfidence({ strict: true });

/** By the run's own score, so that a threshold and the run's warnings agree. Scores without intervals cannot tell, so it is then scored again. */
export function thresholdConfidence(
  { scored }: RowTable,
  {
    cluster,
    card,
  }: {
    readonly cluster: string | undefined;
    readonly card: Pick<Scorecard, 'scores' | 'method'> | undefined;
  },
): ThresholdConfidence {
  const own = card?.scores.find(({ name }) => name === METRIC.name);
  if (own !== undefined && statusOfScore(own).reason !== 'no_interval') return describeStatus(own);
  const { level, seed } = card?.method ?? {};
  return describeStatus(
    METRIC.compute(Sample.from(scored), {
      breakdown: false,
      ...(cluster !== undefined && { cluster }),
      ...(level !== undefined && { level }),
      ...(seed !== undefined && { seed }),
    }),
  );
}

function describeStatus(score: MetricScore): ThresholdConfidence {
  const { status, reason } = statusOfScore(score);
  const { value: auroc, interval } = score;
  return { status, reason, auroc, lower: interval?.lower ?? null, upper: interval?.upper ?? null };
}
