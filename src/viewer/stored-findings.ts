import { z } from 'zod';
import type { RunOverview, RunResult, RunThreshold } from '../results/index.ts';

/** What the end of a run stores besides its scores and figures. A file that holds anything else is read row by row. */

const count = z.int().min(0);
const number = z.number().nullable();
const outcomes = z.object({
  n: count,
  missed_emergency: count,
  answered_should_defer: count,
  wrong_answer: count,
  deferred_without_need: count,
  unusable: count,
  failed: count,
  answered_either: count,
  deferred_either: count,
  rightly_deferred: count,
  right_answer: count,
  not_run: count,
});
const named = z.object({ name: z.string(), n: count });

export const flowSchema: z.ZodType<RunResult['flow']> = z
  .object({
    records: z
      .object({
        origin: z.enum(['generated', 'read']),
        n: count,
        training: count,
        excluded: z.array(named),
        evaluation: count,
        notAsked: count,
      })
      .nullable(),
    asked: count,
    repeats: count,
    rows: outcomes,
    kinds: z.object({ must_act: outcomes, should_defer: outcomes, can_answer: outcomes, either: outcomes }),
    hasDeferralLabels: z.boolean(),
    reasons: z.array(outcomes.extend({ name: z.string() })),
  })
  .nullable();

const share = z.object({
  group: z.string(),
  nRight: count,
  n: count,
  value: number,
  lower: number,
  upper: number,
});

export const decisionsSchema: z.ZodType<RunResult['decisions']> = z
  .object({
    mustAnswer: share,
    mustDefer: share,
    byReason: z.array(share),
    byClass: z.array(share),
    nIndependent: count,
  })
  .nullable();

export const prevalenceSchema: z.ZodType<RunResult['decisionsAtPrevalence']> = z.array(
  z.object({
    prevalence: z.number(),
    from: z.enum(['suite', 'stated']),
    value: z.number(),
    lower: number,
    upper: number,
  }),
);

export const detectableSchema: z.ZodType<RunResult['detectable']> = z
  .object({
    n: count,
    power: z.number(),
    differences: z.array(z.object({ discordant: z.number(), difference: number })),
  })
  .nullable();

const tally = z.object({ n: count, count });

export const confidenceStepsSchema: z.ZodType<RunOverview['confidence_steps']> = z.array(
  z.object({
    threshold: z.number(),
    n: count,
    n_judged: count,
    errors: count,
    bound: number,
    deferred: count,
    missed_emergencies: tally,
    deferred_without_need: tally,
  }),
);

const policy = z.object({
  n: count,
  answered: count,
  errors: count,
  coverage: z.number(),
  risk: number,
  riskUpper: number,
  riskLower: number,
  deferredPer100: z.number(),
  errorsPer100: z.number(),
  nBound: count,
  deferred: z.object({
    abstained: count,
    invalid: count,
    failed: count,
    noConfidence: count,
    belowThreshold: count,
  }),
  emergencies: z.object({ n: count, missed: count, failed: count }),
  falseAlarms: tally.nullable(),
  answeredShouldDefer: tally,
  wrongAnswers: tally,
  deferredWithoutNeed: tally,
});

export const thresholdSchema: z.ZodType<RunThreshold | null> = z
  .object({
    threshold: number,
    n: count.nullable(),
    errors: count.nullable(),
    pValue: number,
    tested: count,
    reason: z.enum(['too_few_rows', 'risk_not_shown', 'confidence_inverted']).nullable(),
    confidenceStatus: z.object({
      status: z.enum(['inverted', 'uninformative', 'informative']).nullable(),
      reason: z.enum(['too_few_usable_rows', 'too_few_errors', 'too_few_right', 'no_interval']).nullable(),
      auroc: number,
      lower: number,
      upper: number,
    }),
    emergencyRule: z.enum(['urgency', 'label', 'silence']),
    hasDeferralLabels: z.boolean(),
    risk: z.number(),
    confidence: z.number(),
    seed: z.number(),
    calibrationShare: z.number(),
    generator: z.string(),
    unit: z.string(),
    calibration: z.object({ nUnits: count, nRows: count, nDrawn: count, nUsable: count }),
    evaluation: policy.extend({ nUnits: count }),
    acceptEveryAnswer: policy,
    isContradicted: z.boolean(),
    needed: z
      .object({ accepted: count, records: number, acceptedForPower: number, recordsForPower: number })
      .nullable(),
    // A recalibration is computed only when it is asked for.
    recalibration: z.array(z.never()),
    nUnlabelled: count,
  })
  .nullable();
