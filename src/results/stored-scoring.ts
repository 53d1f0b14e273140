import { z } from 'zod';
import { type ScoringOptions, TASK_NAMES } from '../metrics/index.ts';

/** How a run was scored, in its file form, so that a report made later has the same numbers. Metrics of one's own are functions: only their names can be kept. */
export function storedScoring(scoring: ScoringOptions): Readonly<Record<string, unknown>> {
  return {
    bundle: scoring.bundle ?? 'default',
    group_by: scoring.groupBy ?? [],
    resamples: scoring.resamples ?? null,
    level: scoring.level ?? null,
    seed: scoring.seed ?? null,
    cluster: scoring.cluster ?? null,
    stratify: scoring.stratify ?? null,
    breakdown: scoring.breakdown ?? null,
    null_band: scoring.nullBand ?? null,
    task: scoring.task ?? null,
    positive_label: scoring.positiveLabel ?? null,
    labels: scoring.labels ?? null,
    target_prevalence: scoring.targetPrevalence ?? null,
    deferral_costs: scoring.deferralCosts ?? null,
    metrics: scoring.metrics?.map(({ name }) => name) ?? null,
  };
}

const label = z.union([z.string(), z.number(), z.boolean()]);

/** A field that is not there, or is not what it should be, is as good as not said. */
const stored = z
  .object({
    bundle: z.enum(['default', 'extended']).nullish().catch(null),
    group_by: z.array(z.string()).nullish().catch(null),
    resamples: z.int().min(0).nullish().catch(null),
    level: z.number().gt(0).lt(1).nullish().catch(null),
    seed: z.int().nullish().catch(null),
    cluster: z.string().nullish().catch(null),
    stratify: z.boolean().nullish().catch(null),
    breakdown: z.boolean().nullish().catch(null),
    null_band: z.boolean().nullish().catch(null),
    task: z.enum(TASK_NAMES).nullish().catch(null),
    positive_label: label.nullish().catch(null),
    labels: z.array(label).nullish().catch(null),
    target_prevalence: z.number().nullish().catch(null),
    deferral_costs: z
      .object({ missed: z.number().exactOptional(), needless: z.number().exactOptional() })
      .nullish()
      .catch(null),
    metrics: z.array(z.string()).nullish().catch(null),
  })
  .catch({});

/** The scoring that a manifest tells of, and the names of the metrics that were given in place of a bundle. */
export function scoringOf(value: unknown): {
  scoring: ScoringOptions;
  metricNames: readonly string[] | null;
} {
  const { group_by, null_band, positive_label, target_prevalence, deferral_costs, metrics, ...same } =
    stored.parse(value);
  const scoring = {
    ...same,
    groupBy: group_by,
    nullBand: null_band,
    positiveLabel: positive_label,
    targetPrevalence: target_prevalence,
    deferralCosts: deferral_costs,
  };
  return {
    scoring: Object.fromEntries(Object.entries(scoring).filter(([, said]) => said != null)),
    metricNames: metrics ?? null,
  };
}
