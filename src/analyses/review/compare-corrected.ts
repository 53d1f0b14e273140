import { z } from 'zod';
import type { Shape } from '../../core/codec.ts';
import type { RunResult } from '../../runs/run-result.ts';
import { correctedDifference } from '../../statistics/methods/corrected-mean.ts';
import { notCorrectedText } from './corrected-score.ts';
import type { CorrectedScore } from './corrected-scores.ts';
import type { ItemReview } from './item-review.ts';

export const correctedComparisonSchema = z.object({
  /** The score that is corrected: `safety.recall`. */
  metric: z.string(),
  label: z.string(),
  baselineValue: z.number().nullable(),
  modelValue: z.number().nullable(),
  /** The difference of the scores as judged. */
  rawDifference: z.number().nullable(),
  /** Null where the two cannot be compared: `reason` says why. */
  difference: z.number().nullable(),
  lower: z.number().nullable(),
  upper: z.number().nullable(),
  /** Why there is no difference, in words; null where there is one. */
  reason: z.string().nullable(),
});
/** Two corrected scores and their difference, model minus baseline. */
export type CorrectedComparison = Shape<typeof correctedComparisonSchema>;

/**
 * The corrected scores of two runs on the same questions, one against the other. Both must be corrected, by labels of the same kind of plan under the same guideline: a corrected score is not compared with a raw one.
 * Empty where neither run was reviewed.
 */
export function compareCorrected(
  baseline: Pick<RunResult, 'review'>,
  model: Pick<RunResult, 'review'>,
  level: number,
): CorrectedComparison[] {
  const [ours, theirs] = [baseline, model].map(({ review }) => review?.items ?? null);
  const isReviewed = (items: ItemReview | null | undefined) => (items?.counts.n ?? 0) > 0;
  if (!isReviewed(ours) && !isReviewed(theirs)) return [];
  const names = new Set([...(ours?.corrected ?? []), ...(theirs?.corrected ?? [])].map(({ name }) => name));
  return [...names].flatMap((metric) => {
    const [a, b] = [ours, theirs].map((items) => items?.corrected.find(({ name }) => name === metric));
    // A score that neither run could correct is not missing from a comparison.
    if (a?.corrected == null && b?.corrected == null) return [];
    return [compared(metric, { a, b, plans: planProblem(ours!, theirs!), level })];
  });
}

function compared(
  metric: string,
  {
    a,
    b,
    plans,
    level,
  }: {
    readonly a: CorrectedScore | undefined;
    readonly b: CorrectedScore | undefined;
    readonly plans: string | null;
    readonly level: number;
  },
): CorrectedComparison {
  const reason = whyNot(a, 'the baseline') ?? whyNot(b, 'the model') ?? plans;
  const found = reason === null ? correctedDifference(b!.judged, a!.judged, { level }) : null;
  const raw = (score: CorrectedScore | undefined) => score?.raw.value ?? null;
  return {
    metric,
    label: (a ?? b)!.label,
    baselineValue: a?.corrected?.value ?? null,
    modelValue: b?.corrected?.value ?? null,
    rawDifference: raw(a) === null || raw(b) === null ? null : raw(b)! - raw(a)!,
    difference: found?.difference ?? null,
    lower: found?.lower ?? null,
    upper: found?.upper ?? null,
    reason:
      reason ?? (found!.difference === null ? (found!.reason ?? 'no_estimate').replaceAll('_', ' ') : null),
  };
}

function whyNot(score: CorrectedScore | undefined, whose: string): string | null {
  if (score?.corrected != null)
    return score.method === 'corrected_mean'
      ? null
      : `the score of ${whose} is not corrected by labels within the run alone`;
  const why = score === undefined ? 'no labels of people' : notCorrectedText(score);
  return `a corrected score is not compared with a raw one: ${whose} is not corrected (${why})`;
}

function planProblem(ours: ItemReview | null, theirs: ItemReview | null): string | null {
  const [a, b] = [ours?.plan, theirs?.plan];
  if (!a || !b) return null;
  if (a.kind !== b.kind) return `labels were drawn differently: ${a.kind} and ${b.kind}`;
  return a.guideline === b.guideline ? null : 'labels were given under different guidelines';
}
