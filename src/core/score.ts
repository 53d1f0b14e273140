import { z } from 'zod';
import { count, fileKey, type Shape } from './codec.ts';
import { SCORE_FAMILIES, type ScoreFamily } from './score-families.ts';

const intervalSchema = z.object({
  lower: z.number(),
  upper: z.number(),
  level: z.number(),
  /** `wilson`, `bca`, `percentile`; `wilson_effective_t` for a share over clusters: Wilson's formula on rows divided by the design effect, with Student's t; `wilson_clusters` where all questions agree and n is their number; `review` for scores that rest on labels of people; `anytime_valid` for a run that stopped early. */
  method: z.enum([
    'wilson',
    'bca',
    'percentile',
    'wilson_effective_t',
    'wilson_clusters',
    'review',
    'anytime_valid',
  ]),
  /** Bootstrap resamples behind it; null for a formula. */
  resamples: z.number().nullable(),
  /** What was drawn or counted: single rows, whole clusters, the items of one answer, or whole questions. */
  unit: z.enum(['row', 'cluster', 'item', 'question']),
});
/** A range in which a value lies with a stated confidence. */
export type Interval = Shape<typeof intervalSchema>;

const boundsSchema = z.object({ lower: z.number(), upper: z.number() });
/** The range a score could have had if the failed rows had been answered in the worst or in the best way. */
export type Bounds = Shape<typeof boundsSchema>;

const factsSchema = z.object({
  /** Which direction is better; null where neither is, or it is not stated. */
  better: z.enum(['higher', 'lower']).nullable(),
  /** Whether each row that it counts may have harmed a patient: any value above zero is a fault. Default: false. */
  harm: z.boolean().optional(),
  /** Its place at the head of every table of models, from 1. Default: it does not lead. */
  leads: z.number().optional(),
  /** Where it leads: where urgency was not asked, or where deferral labels exist. Default: everywhere. */
  leadsWhere: z.enum(['urgency_not_asked', 'deferral_labels']).optional(),
  /** Its place behind the primary endpoint on the first screen of a run, from 1. Default: it is not there. */
  follows: z.number().optional(),
  /** The primary endpoint that it qualifies: it stands right behind it, and narrow tables leave out its interval. Default: none. */
  qualifies: z.string().optional(),
  /** The metric that counts the same rows as one of its parts: narrow tables name the parts there. Default: none. */
  partOf: z.string().optional(),
  /** The metric in whose place it is shown where results lack that one. Default: none. */
  standsInFor: z.string().optional(),
  /** The metric of the default bundle with which it is always computed and listed: a stricter form, or a part. Default: none. */
  companionOf: z.string().optional(),
  /** What reads it, where it is computed for that alone: lists of the default bundle leave it out. Default: it is listed. */
  readBy: z.enum(['headlines', 'reports', 'warnings', 'comparisons', 'conditions']).optional(),
  /** The title of its column in lists of runs. Of metrics that share a title, the first that leads is shown. Default: it has no column. */
  column: z.string().optional(),
  /** Its column in comparisons, beside those that lead. Default: it has none. */
  compared: z
    .object({
      table: z.enum(['decisions', 'confidence']),
      /** Its place in that table, from 1. */
      place: z.number(),
      title: z.string(),
      /** Where models have a better measure, or no cases for this one, the column is left out. Default: it is always there. */
      where: z.enum(['deferral_labels', 'no_deferral_labels']).optional(),
    })
    .optional(),
  /** Named in a warning where the share is notable: the code, what the model did, and of which cases. Default: it is not. */
  notable: z.object({ code: z.string(), did: z.string(), ofWhat: z.string() }).optional(),
  /** What constant policies score, which follows from the labels alone. Default: not known. */
  constantPolicies: z.object({ never: z.number().optional(), always: z.number().optional() }).optional(),
});
/** What reports need to know of the metric behind a score: these are fields of the metric. */
export type MetricFacts = Shape<typeof factsSchema>;
export const FACTS = Object.keys(factsSchema.shape) as (keyof MetricFacts)[];

const scoredOfSchema = z.object({
  /** All of it. */
  n: count,
  /** How much of it is scored. */
  nScored: count,
  /** What is missing, in words: `items are unscored`. */
  unscored: z.string(),
});
/** How much of what a score rests on could be scored: a gate is undecided when the rest could change its outcome. */
export type ScoredOf = Shape<typeof scoredOfSchema>;

export const scoreSchema = z.object({
  /** The name by which gates, JSON and `result.scores` know it. */
  name: z.string(),
  /** The name that reports show. */
  label: z.string(),
  /** The heading under which a table lists it. */
  family: z.enum(Object.keys(SCORE_FAMILIES) as ScoreFamily[]),
  /** A few words for a table: what the number says. */
  reads: z.string(),
  /** Null where it is undefined; `reason` says why. */
  value: z.number().nullable(),
  /** Why `value` is null. */
  reason: z.string().nullable(),
  /** Null where there is none; `intervalReason` says why. */
  interval: intervalSchema.nullable(),
  /** Why `interval` is null. */
  intervalReason: z.string().nullable(),
  /** Null where everything was scored, or where no bound is known. */
  bounds: boundsSchema.nullable(),
  /** The numerator where the score is a share: `value` is `nSuccesses / nEvaluated`. Default: null, not a share. */
  nSuccesses: count.nullable().optional(),
  /** What the value rests on, the denominator that its interval uses: rows, the denominator of a trait's formula, or questions. */
  nEvaluated: count,
  /** Abstained rows among those it covers. */
  nAbstained: count,
  /** Values of parts of the rows, by their names. */
  breakdown: z.record(z.string(), z.number().nullable()),
  /** Anything else the metric reports, in the keys of the JSON reports. */
  details: z.record(z.string(), z.unknown()),
  /** How much of what the score rests on could be scored. Default: the rows of the run. */
  scoredOf: scoredOfSchema.optional(),
  /** Why a gate must not rest on the value: `1 of 3 classes has no answer`. Default: null, gates accept it. */
  ungateable: z.string().nullable().optional(),
  /** What reports need to know of the metric. Default: there is no metric. */
  facts: factsSchema.optional(),
  /** Set where the score rests on a judge's verdicts: `raw`, or `corrected` for the judge's errors. Default: no judge is behind it. */
  judged: z.enum(['raw', 'corrected']).optional(),
});
/** The value of a metric on rows, or of a trait on answers, with everything needed to read it. */
export type Score = Shape<typeof scoreSchema>;

/** A value with what it takes to judge it: what tables of JSON print. */
export const estimateSchema = scoreSchema.pick({
  value: true,
  reason: true,
  interval: true,
  intervalReason: true,
  bounds: true,
  nEvaluated: true,
});

/** A score of a rubric as JSON prints it. */
export const rubricScoreSchema = estimateSchema.extend({ nEvaluated: fileKey('n', count) });

/**
 * A score from the fields that say something; the others get their defaults.
 *
 * @example
 * ```ts
 * createScore({ name: 'recall', value: 0.5, nEvaluated: 4 }).intervalReason // => 'not_stated'
 * ```
 */
export function createScore(said: Pick<Score, 'name' | 'value' | 'nEvaluated'> & Partial<Score>): Score {
  return {
    label: said.name,
    family: 'custom',
    reads: '',
    reason: said.value === null ? 'not_stated' : null,
    interval: null,
    intervalReason: said.interval ? null : 'not_stated',
    bounds: null,
    breakdown: {},
    nAbstained: 0,
    details: {},
    ...said,
  };
}
