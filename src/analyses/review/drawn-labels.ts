import { z } from 'zod';
import { count } from '../../core/codec.ts';
import { PLAN_KINDS, type Review, type ReviewPlan } from '../../store/review/review-schema.ts';
import type { ReviewedTarget } from './resolve-targets.ts';

/** The plan whose labels are used, with how many targets it drew and how many of them are settled. */
export const drawnPlanSchema = z.object({
  id: z.string(),
  kind: z.enum(PLAN_KINDS),
  targets: z.enum(['item', 'record', 'suite_item']),
  n: count,
  seed: z.number(),
  frameSize: count,
  frameHash: z.string(),
  strata: z.array(z.object({ id: z.string(), size: count, n: count, inclusionProbability: z.number() })),
  nDouble: count,
  guideline: z.string(),
  judge: z.string().nullable(),
  createdAt: z.string(),
  nDrawn: count,
  nSettled: count,
});

/** The labels of one plan, and with which probability each counts. */
export interface DrawnLabels {
  readonly plan: ReviewPlan;
  /** Targets that it drew. */
  readonly nDrawn: number;
  /** Of these, targets with a label that settles them. */
  readonly nSettled: number;
  /** The probability that a target was drawn and got a label; null for a target that the plan did not draw. */
  pi(target: ReviewedTarget): number | null;
}

/**
 * The plan whose labels are used: one alone, since a label of two plans has no single probability. It is the plan with the most settled targets, the earlier one of equals; what the labels say has no part in the choice.
 * Where drawn targets have no label, those of their stratum that have one speak for them. Null where no label was drawn by a plan.
 */
export function drawnLabels(
  { plans, draws }: Pick<Review, 'plans' | 'draws'>,
  settled: readonly ReviewedTarget[],
): DrawnLabels | null {
  const countSettled = (id: string) => settled.filter(({ drawnBy }) => drawnBy.has(id)).length;
  const [chosen] = plans
    // Cases that someone chose speak for themselves alone.
    .filter(({ kind }) => kind !== 'cases')
    .map((plan) => ({ plan, nSettled: countSettled(plan.id) }))
    .filter(({ nSettled }) => nSettled > 0)
    .sort((a, b) => b.nSettled - a.nSettled);
  if (chosen === undefined) return null;
  const { plan, nSettled } = chosen;
  const own = draws.filter((draw) => draw.plan === plan.id);
  const drawnOf = countNames(own.map(({ stratum }) => stratum));
  const settledOf = countNames(settled.flatMap(({ drawnBy }) => drawnBy.get(plan.id)?.stratum ?? []));
  return {
    plan,
    nDrawn: own.length,
    nSettled,
    pi: ({ drawnBy }) => {
      const draw = drawnBy.get(plan.id);
      if (draw === undefined) return null;
      const stratum = draw.stratum ?? '';
      const answered = (settledOf.get(stratum) ?? 0) / (drawnOf.get(stratum) ?? Number.POSITIVE_INFINITY);
      return answered > 0 && answered <= 1 ? draw.pi * answered : draw.pi;
    },
  };
}

/** What a review says of its plan. */
export function drawnPlan({ plan, nDrawn, nSettled }: DrawnLabels) {
  return { ...plan, nDrawn, nSettled };
}

function countNames(names: readonly string[]): Map<string, number> {
  const counts = new Map<string, number>();
  for (const name of names) counts.set(name, (counts.get(name) ?? 0) + 1);
  return counts;
}
