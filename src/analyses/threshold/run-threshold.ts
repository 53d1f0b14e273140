import { z } from 'zod';
import { count, type Shape } from '../../core/codec.ts';
import { deferAnswer, EMERGENCY_RULES } from '../../core/decision-class.ts';
import { argumentError } from '../../core/errors.ts';
import { isScored } from '../../core/states.ts';
import { tallySchema } from '../../metrics/act/decision-table.ts';
import { tallyDecisions } from '../../metrics/act/tally-decisions.ts';
import type { RowTable } from '../../metrics/columns.ts';
import type { Scorecard } from '../../metrics/score.ts';
import {
  checkedPromise,
  DEFAULT_RISK,
  deployableThreshold,
  deployableThresholdSchema,
  isConfidence,
  reaches,
  rowsForErrors,
  rowsForPower,
  type ThresholdReport,
  thresholdReport,
  thresholdReportSchema,
} from '../../statistics/methods/thresholds.ts';
import { exactUpperBound } from '../../statistics/proportions.ts';
import { createRandom, type Random, shuffle } from '../../statistics/random.ts';
import { DEFAULT_LEVEL } from '../../statistics/score-options.ts';
import { share, whole } from '../options.ts';
import {
  isJudged,
  type PolicyRow,
  policyRows,
  riskState,
  thresholdConfidence,
  thresholdConfidenceSchema,
} from './policy-rows.ts';
import { recalibrationSchema, recalibrations } from './recalibration.ts';

export const thresholdChoice = z.object({
  /** The share of answers given that are wrong or should have been deferred. Default: 0.05. */
  risk: share('share of failures to tolerate (default: 0.05)'),
  /** How sure the promise is, over the draw of the calibration part. Default: 0.9. */
  confidence: share('confidence of the promise (default: 0.9)'),
  /** Seed of the split. Choose it before looking: trying seeds until a threshold appears voids the promise. Default: 1. */
  seed: whole('seed of the split (default: 1)'),
  /** The share of patients in the calibration part. Default: 0.5. */
  calibrationShare: share('share of patients to choose on (default: 0.5)'),
  /** Whether to fit recalibrations, a what-if. Default: false. */
  recalibrate: z.boolean().optional(),
});
/** What a threshold should promise, and how rows are split. */
export type ThresholdChoice = Shape<typeof thresholdChoice>;

const policyReportSchema = thresholdReportSchema.extend({
  /** Rows that the bounds of the risk rest on: one per patient. */
  nBound: count,
  /** One-sided 95 % lower bound of the risk; null without an answer. */
  riskLower: z.number().nullable(),
  /** Why rows were deferred. */
  deferred: z.object({
    abstained: count,
    invalid: count,
    failed: count,
    noConfidence: count,
    belowThreshold: count,
  }),
  /**
   * Emergencies whose miss can be judged, and how many the policy misses by the run's rule. `failed`: further ones whose call failed, of
   * which that is unknown.
   */
  emergencies: z.object({ n: count, missed: count, failed: count }),
  /** Cases that need no action today, and those called urgent; null where urgency was not asked. */
  falseAlarms: tallySchema.nullable(),
  /** Cases that should be deferred, and those answered. */
  answeredShouldDefer: tallySchema,
  /** Cases that call for an answer, or with a label where the run has no deferral labels, and those answered wrong. */
  wrongAnswers: tallySchema,
  /** Cases that call for an answer, and those deferred. */
  deferredWithoutNeed: tallySchema,
});
/** What a policy does on the evaluation part. */
export type PolicyReport = Shape<typeof policyReportSchema>;

const rowsNeededSchema = z.object({
  /** Accepted calibration rows without an error. */
  accepted: count,
  /** Records of a run with this share of usable answers and this split that hold so many, if every usable answer were accepted. */
  records: z.number().nullable(),
  /** The same for 80 % power if the true risk is half the promised one. */
  acceptedForPower: z.number().nullable(),
  recordsForPower: z.number().nullable(),
});
/** How much data the promise needs. */
export type RowsNeeded = Shape<typeof rowsNeededSchema>;

export const runThresholdSchema = deployableThresholdSchema.extend({
  /** Why there is no threshold. `confidence_inverted`: failures carry more confidence than right answers, so none is looked for. */
  reason: z.enum(['too_few_rows', 'risk_not_shown', 'confidence_inverted']).nullable(),
  /** Whether confidence tells right answers from failures, over all rows of the run. */
  confidenceStatus: thresholdConfidenceSchema,
  /** What makes an emergency missed. Under `urgency` a deferred case keeps its flag. */
  emergencyRule: z.enum(EMERGENCY_RULES),
  /** Whether any case says that it should or should not be deferred. */
  hasDeferralLabels: z.boolean(),
  /** The promised share of answers given that are wrong or should have been deferred. */
  risk: z.number(),
  /** How sure the promise is. */
  confidence: z.number(),
  /** Seed of the split. */
  seed: z.number(),
  /** The share of patients in the calibration part. */
  calibrationShare: z.number(),
  /** The random number generator of the split. */
  generator: z.string(),
  /** What was split: a metadata key such as `patient_id`, `id` for records, `call` for records asked together. */
  unit: z.string(),
  /** `nRows` of `nUnits` units; `nDrawn` were drawn, one per unit; `nUsable` of these are answers with a confidence. */
  calibration: z.object({ nUnits: count, nRows: count, nDrawn: count, nUsable: count }),
  /** What the policy does on the part that did not choose it. */
  evaluation: policyReportSchema.extend({ nUnits: count }),
  /** The same rows when every answer is accepted. */
  acceptEveryAnswer: policyReportSchema,
  /** Whether even the lower bound of the risk on the evaluation part is above the promise: the calibration part does not describe these rows. */
  isContradicted: z.boolean(),
  /** What would be needed; null where a threshold was found, and where more of the same would not help. */
  needed: rowsNeededSchema.nullable(),
  /** Empty unless asked for. */
  recalibration: z.array(recalibrationSchema),
  /** Answers without a label, left out. */
  nUnlabelled: count,
});
/** A threshold chosen on one part of a run's patients and checked on the other. */
export type RunThreshold = Shape<typeof runThresholdSchema>;

const DEFAULT_CONFIDENCE = 0.9;
const DEFAULT_SHARE = 0.5;
const DEFAULT_SPLIT_SEED = 1;

/**
 * Splits the patients of a run in two, chooses a threshold on one part and reports coverage and risk on the other. Null where no row can be judged.
 *
 * The split depends on the seed and on the ids, not on the order of rows. `card` holds the scores of the same rows, and names the cluster.
 */
export function runThreshold(
  table: RowTable,
  options: ThresholdChoice & { readonly cluster?: string | undefined } = {},
  card?: Pick<Scorecard, 'scores' | 'method'>,
): RunThreshold | null {
  const {
    confidence = DEFAULT_CONFIDENCE,
    seed = DEFAULT_SPLIT_SEED,
    calibrationShare = DEFAULT_SHARE,
  } = options;
  if (!(confidence > 0 && confidence < 1))
    throw argumentError(
      `confidence is ${confidence}; expected a number between 0 and 1, such as 0.9`,
      confidence,
    );
  if (!(calibrationShare > 0 && calibrationShare < 1))
    throw argumentError(
      `calibration share is ${calibrationShare}; expected a number between 0 and 1, such as 0.5`,
      calibrationShare,
    );
  // Twelve digits: 1 - 0.9 is 0.1 and not 0.09999999999999998.
  const promise = checkedPromise({
    risk: options.risk ?? DEFAULT_RISK,
    delta: Number((1 - confidence).toPrecision(12)),
  });
  const cluster = options.cluster ?? card?.method.cluster ?? undefined;
  const { key, rows } = policyRows(table, cluster);
  if (!rows.some(isJudged)) return null;
  const { calibration, evaluation } = splitUnits(rows, seed, calibrationShare);
  const drawn = onePerUnit(calibration, createRandom(seed, 'thresholdCalibration'));
  const bounded = onePerUnit(evaluation, createRandom(seed, 'thresholdEvaluation'));
  const usable = drawn.filter(isUsable);
  const confidenceStatus = thresholdConfidence(table, { cluster, card });
  const isInverted = confidenceStatus.status === 'inverted';
  const chosen = isInverted
    ? INVERTED
    : deployableThreshold(
        usable.map((row) => row.confidence),
        usable.map((row) => riskState(row) === 'right'),
        promise,
      );
  const { emergencyRule, hasDeferralLabels } = table.scored;
  const evaluated = { rows: evaluation.flat(), bounded, emergencyRule, hasDeferralLabels };
  const shown = policyReport(evaluated, chosen.threshold);
  return {
    ...chosen,
    confidenceStatus,
    emergencyRule,
    hasDeferralLabels,
    risk: promise.risk,
    confidence,
    seed,
    calibrationShare,
    generator: createRandom(seed).generator,
    unit: key,
    calibration: {
      nUnits: drawn.length,
      nRows: calibration.flat().filter(isJudged).length,
      nDrawn: drawn.length,
      nUsable: usable.length,
    },
    evaluation: { ...shown, nUnits: bounded.length },
    acceptEveryAnswer: policyReport(evaluated, 'every answer'),
    isContradicted: shown.riskLower !== null && shown.riskLower > promise.risk,
    needed:
      chosen.threshold === null && !isInverted
        ? rowsNeeded(promise, usable.length / drawn.length, calibrationShare)
        : null,
    recalibration: options.recalibrate
      ? recalibrations(usable.map(strictAnswer), evaluated.rows.filter(isUsable).map(strictAnswer))
      : [],
    nUnlabelled: rows.filter((row) => !isJudged(row)).length,
  };
}

const INVERTED = {
  threshold: null,
  n: null,
  errors: null,
  pValue: null,
  tested: 0,
  reason: 'confidence_inverted',
} as const;

/** The first round(share * units) of a seeded permutation are for calibration. */
function splitUnits(rows: readonly PolicyRow[], seed: number, share: number) {
  const units = Map.groupBy(rows, ({ unit }) => unit);
  const ids = shuffle(createRandom(seed, 'thresholdSplit'), [...units.keys()].sort());
  const nCalibration = Math.floor(share * ids.length + 0.5);
  const members = (names: readonly string[]): (readonly PolicyRow[])[] => names.map((id) => units.get(id)!);
  return { calibration: members(ids.slice(0, nCalibration)), evaluation: members(ids.slice(nCalibration)) };
}

/** The exact test needs independent rows. Which one is drawn depends on the ids: shuffling the rows of a file must not be another draw. */
function onePerUnit(units: readonly (readonly PolicyRow[])[], random: Random): PolicyRow[] {
  return units.flatMap((unit) => {
    const rows = unit.filter(isJudged);
    return rows.length < 2 ? rows : [rows.toSorted(byRecord)[random.integer(rows.length)]!];
  });
}

function byRecord({ record: a }: PolicyRow, { record: b }: PolicyRow): number {
  return a < b ? -1 : a > b ? 1 : 0;
}

function isUsable(row: PolicyRow): boolean {
  return row.state === 'answered' && isJudged(row) && isConfidence(row.confidence);
}

function strictAnswer(row: PolicyRow) {
  return { right: riskState(row) === 'right', confidence: row.confidence };
}

/** The rows that a policy is shown on. */
interface Evaluated extends Pick<RunThreshold, 'emergencyRule' | 'hasDeferralLabels'> {
  readonly rows: readonly PolicyRow[];
  /** One row per unit, for the bounds. */
  readonly bounded: readonly PolicyRow[];
}

function policyReport(
  { rows, bounded, emergencyRule: rule, hasDeferralLabels }: Evaluated,
  threshold: number | null | 'every answer',
): PolicyReport {
  const reportOn = (part: readonly PolicyRow[]) =>
    thresholdReport(
      part.map(riskState),
      part.map((row) => (threshold === 'every answer' ? 1 : row.confidence)),
      threshold === 'every answer' ? 0 : threshold,
    ) ?? NOTHING;
  const isAccepted = ({ confidence }: PolicyRow) =>
    threshold === 'every answer' || (threshold !== null && reaches(confidence, threshold));
  const judged = rows.filter(isJudged);
  const count = (isCounted: (row: PolicyRow) => boolean) => judged.filter(isCounted).length;
  const isDeclined = (row: PolicyRow) => row.state === 'answered' && !isAccepted(row);
  const { answered, errors, riskUpper } = reportOn(bounded);
  // Whether an emergency was missed is known without a label, so these are all rows.
  const decisions = tallyDecisions(
    rows.map((row) => ({
      facts: isDeclined(row) ? deferAnswer(row, rule) : row,
      weight: 1,
      isNearLine: false,
    })),
    rule,
  );
  const isJudgedEmergency = ({ mustAct, labelled }: PolicyRow) =>
    mustAct === true && (rule !== 'silence' || labelled);
  return {
    ...reportOn(judged),
    // The bounds rest on independent rows.
    riskUpper,
    nBound: answered,
    riskLower: answered === 0 ? null : 1 - exactUpperBound(answered - errors, answered, DEFAULT_LEVEL)!,
    deferred: {
      abstained: count(({ state }) => state === 'abstained'),
      invalid: count(({ state }) => state === 'invalid' || state === 'refused'),
      failed: count(({ state }) => !isScored(state)),
      noConfidence: count((row) => isDeclined(row) && !isConfidence(row.confidence)),
      belowThreshold: count((row) => isDeclined(row) && isConfidence(row.confidence)),
    },
    emergencies: {
      n: rule === 'silence' ? decisions.labelledEmergencies.n : decisions.emergencies.n,
      missed: decisions.missedEmergency,
      failed: rows.filter((row) => !isScored(row.state) && isJudgedEmergency(row)).length,
    },
    falseAlarms: rule === 'silence' ? null : decisions.noEmergencies,
    answeredShouldDefer: decisions.answeredShouldDefer,
    wrongAnswers: hasDeferralLabels ? decisions.wrongAnswer : decisions.unsafeAnswers,
    deferredWithoutNeed: decisions.deferredWithoutNeed,
  };
}

const NOTHING: ThresholdReport = {
  n: 0,
  answered: 0,
  errors: 0,
  coverage: 0,
  risk: null,
  riskUpper: null,
  deferredPer100: 0,
  errorsPer100: 0,
};

function rowsNeeded(
  promise: { readonly risk: number; readonly delta: number },
  usableShare: number,
  calibrationShare: number,
): RowsNeeded {
  const recordsFor = (accepted: number | null) =>
    accepted === null || !(usableShare > 0) ? null : Math.ceil(accepted / usableShare / calibrationShare);
  const accepted = rowsForErrors(0, promise);
  const acceptedForPower = rowsForPower(promise.risk / 2, promise);
  return {
    accepted,
    records: recordsFor(accepted),
    acceptedForPower,
    recordsForPower: recordsFor(acceptedForPower),
  };
}
