import { argumentError } from '../../core/index.ts';
import type { RowTable } from '../../metrics/index.ts';
import {
  createRandom,
  DEFAULT_LEVEL,
  exactUpperBound,
  type Random,
  shuffle,
} from '../../statistics/index.ts';
import {
  checkedPromise,
  DEFAULT_RISK,
  type DeployableThreshold,
  deployableThreshold,
  isConfidence,
  reaches,
  rowsForErrors,
  rowsForPower,
  type ThresholdReport,
  thresholdReport,
} from '../../statistics/thresholds/index.ts';
import { type PolicyRow, type PolicyRows, policyRows } from './policy-rows.ts';
import { type Recalibration, recalibrations } from './recalibration.ts';

/** What a threshold should promise, and how rows are split. */
export interface ThresholdChoice {
  /** The share of wrong answers among those given. Default: 0.05. */
  readonly risk?: number | undefined;
  /** How sure the promise is, over the draw of the calibration part. Default: 0.9. */
  readonly confidence?: number | undefined;
  /** Seed of the split. Choose it before looking: trying seeds until a threshold appears voids the promise. Default: 1. */
  readonly seed?: number | undefined;
  /** The share of patients in the calibration part. Default: 0.5. */
  readonly calibrationShare?: number | undefined;
  /** Whether to fit recalibrations, a what-if. Default: false. */
  readonly recalibrate?: boolean | undefined;
}

/** What a policy does on the evaluation part. */
export interface PolicyReport extends ThresholdReport {
  /** Rows that the bounds of the risk rest on: one per patient. */
  readonly nBound: number;
  /** One-sided 95 % lower bound of the risk; null without an answer. */
  readonly riskLower: number | null;
  /** Why rows were deferred. */
  readonly deferred: Readonly<
    Record<'abstained' | 'invalid' | 'failed' | 'noConfidence' | 'belowThreshold', number>
  >;
  /** Rows on which deferring is unsafe, and how many of them were deferred. */
  readonly mustAct: { readonly n: number; readonly deferred: number };
  /** Accepted answers where deferring was right and a label exists: judged by that label. */
  readonly nOnMustDefer: number;
  /** Accepted answers for which no truth can be derived: counted as errors. */
  readonly nWithoutTruth: number;
}

/** A threshold chosen on one part of a run's patients and checked on the other. */
export interface RunThreshold extends DeployableThreshold {
  /** The share of wrong answers among those given that is promised. */
  readonly risk: number;
  /** How sure the promise is. */
  readonly confidence: number;
  /** Seed of the split. */
  readonly seed: number;
  /** The share of patients in the calibration part. */
  readonly calibrationShare: number;
  /** The random number generator of the split. */
  readonly generator: string;
  /** What was split: a metadata key such as `patient_id`, `id` for records, `call` for records asked together. */
  readonly unit: string;
  /** `nRows` of `nUnits` units; `nDrawn` were drawn, one per unit; `nUsable` of these are answers with a confidence. */
  readonly calibration: {
    readonly nUnits: number;
    readonly nRows: number;
    readonly nDrawn: number;
    readonly nUsable: number;
  };
  /** What the policy does on the part that did not choose it. */
  readonly evaluation: PolicyReport & { readonly nUnits: number };
  /** The same rows when every answer is accepted. */
  readonly answerEverything: PolicyReport;
  /** Whether even the lower bound of the risk on the evaluation part is above the promise: the calibration part does not describe these rows. */
  readonly isContradicted: boolean;
  /** What would be needed; null where a threshold was found. */
  readonly needed: RowsNeeded | null;
  /** Empty unless asked for. */
  readonly recalibration: readonly Recalibration[];
  /** Answers without a label, left out. */
  readonly nUnlabelled: number;
}

/** How much data the promise needs. */
export interface RowsNeeded {
  /** Accepted calibration rows without an error. */
  readonly accepted: number;
  /** Records of a run with this share of usable answers and this split that hold so many, if every usable answer were accepted. */
  readonly records: number | null;
  /** The same for 80 % power if the true risk is half the promised one. */
  readonly acceptedForPower: number | null;
  readonly recordsForPower: number | null;
}

const DEFAULT_CONFIDENCE = 0.9;
const DEFAULT_SHARE = 0.5;
const DEFAULT_SPLIT_SEED = 1;
/** Streams of the split and of the draws, apart from those of other statistics. */
const STREAMS = { split: 20, calibration: 21, evaluation: 22 } as const;

/**
 * Splits the patients of a run in two, chooses a threshold on one part and reports coverage and risk on the other. Null for a run without rows.
 *
 * The split depends on the seed and on the ids, not on the order of rows.
 */
export function runThreshold(
  table: RowTable,
  options: ThresholdChoice & { readonly cluster?: string | undefined } = {},
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
  const given = policyRows(table, options.cluster);
  if (given.rows.length === 0) return null;
  const { calibration, evaluation } = splitUnits(given, seed, calibrationShare);
  const drawn = onePerUnit(calibration, createRandom(seed, STREAMS.calibration));
  const bounded = onePerUnit(evaluation, createRandom(seed, STREAMS.evaluation));
  const usable = drawn.filter(isUsable);
  const chosen = deployableThreshold(
    usable.map((row) => row.confidence),
    usable.map(({ state }) => state === 'right'),
    promise,
  );
  const shown = policyReport(evaluation.flat(), bounded, chosen.threshold);
  return {
    ...chosen,
    risk: promise.risk,
    confidence,
    seed,
    calibrationShare,
    generator: createRandom(seed).generator,
    unit: given.key,
    calibration: {
      nUnits: calibration.length,
      nRows: calibration.flat().length,
      nDrawn: drawn.length,
      nUsable: usable.length,
    },
    evaluation: { ...shown, nUnits: evaluation.length },
    answerEverything: policyReport(evaluation.flat(), bounded, 'everything'),
    isContradicted: shown.riskLower !== null && shown.riskLower > promise.risk,
    needed:
      chosen.threshold === null ? rowsNeeded(promise, usable.length / drawn.length, calibrationShare) : null,
    recalibration: options.recalibrate ? recalibrations(usable, evaluation.flat().filter(isUsable)) : [],
    nUnlabelled: given.nUnlabelled,
  };
}

type Unit = readonly PolicyRow[];

/** The first round(share * units) of a seeded permutation are for calibration. */
function splitUnits({ rows }: PolicyRows, seed: number, share: number) {
  const units = Map.groupBy(rows, ({ unit }) => unit);
  const ids = shuffle(createRandom(seed, STREAMS.split), [...units.keys()].sort());
  const nCalibration = Math.floor(share * ids.length + 0.5);
  const members = (names: readonly string[]): Unit[] => names.map((id) => units.get(id)!);
  return { calibration: members(ids.slice(0, nCalibration)), evaluation: members(ids.slice(nCalibration)) };
}

/** The exact test needs independent rows. Which one is drawn depends on the ids: shuffling the rows of a file must not be another draw. */
function onePerUnit(units: readonly Unit[], random: Random): PolicyRow[] {
  return units.map((rows) =>
    rows.length === 1 ? rows[0]! : rows.toSorted(byRecord)[random.integer(rows.length)]!,
  );
}

function byRecord({ record: a }: PolicyRow, { record: b }: PolicyRow): number {
  return a < b ? -1 : a > b ? 1 : 0;
}

function isUsable({ state, confidence }: PolicyRow): boolean {
  return (state === 'right' || state === 'wrong') && isConfidence(confidence);
}

function policyReport(
  rows: readonly PolicyRow[],
  bounded: readonly PolicyRow[],
  threshold: number | null | 'everything',
): PolicyReport {
  const reportOn = (part: readonly PolicyRow[]) =>
    thresholdReport(
      part.map(({ state }) => state),
      part.map((row) => (threshold === 'everything' ? 1 : row.confidence)),
      threshold === 'everything' ? 0 : threshold,
    ) ?? NOTHING;
  const isAnswer = ({ state }: PolicyRow) => state === 'right' || state === 'wrong';
  const isAccepted = (row: PolicyRow) =>
    isAnswer(row) &&
    (threshold === 'everything' || (threshold !== null && reaches(row.confidence, threshold)));
  const count = (of: (row: PolicyRow) => boolean) => rows.reduce((n, row) => n + Number(of(row)), 0);
  const { answered, errors, riskUpper } = reportOn(bounded);
  const mustAct = rows.filter((row) => row.mustAct);
  return {
    ...reportOn(rows),
    // The bounds rest on independent rows.
    riskUpper,
    nBound: answered,
    riskLower: answered === 0 ? null : 1 - exactUpperBound(answered - errors, answered, DEFAULT_LEVEL)!,
    deferred: {
      abstained: count(({ state }) => state === 'abstained'),
      invalid: count(({ state }) => state === 'invalid'),
      failed: count(({ state }) => state === 'failed'),
      noConfidence: count((row) => isAnswer(row) && !isAccepted(row) && !isConfidence(row.confidence)),
      belowThreshold: count((row) => isAnswer(row) && !isAccepted(row) && isConfidence(row.confidence)),
    },
    mustAct: { n: mustAct.length, deferred: mustAct.filter((row) => !isAccepted(row)).length },
    nOnMustDefer: count((row) => isAccepted(row) && row.onMustDefer === 'labelled'),
    nWithoutTruth: count((row) => isAccepted(row) && row.onMustDefer === 'no_truth'),
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
