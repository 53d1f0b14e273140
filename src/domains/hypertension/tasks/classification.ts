import { answered, noAnswer, type Verdict } from '../../cohort/verdict.ts';
import {
  type BpCategory,
  type BpGuideline,
  bpCategory,
  bpMustAct,
  CATEGORIES,
  type Danger,
  HIGH_FROM,
  type Pressure,
} from '../blood-pressure.ts';
import { type BpVisit, isRoundedToTen, latestMean, officeAverage, type Rhythm } from '../office-average.ts';
import { lineProbability, officeError, ROUNDING_VARIANCE } from '../variation.ts';

export const ADULT_AGE = 18;
const ARMS_APART = 10;
/** A mean this near to another line than that of hypertension is unlabelled. */
const NEAR_OTHER_LINE = 2;

/** How a pressure was measured. Null: not recorded. */
interface Measurement {
  readonly cuff: 'right' | 'too_small' | 'too_large' | null;
  readonly rested: boolean | null;
  readonly armMeasured: 'higher' | 'lower' | null;
  readonly armDifferenceMmHg: number | null;
}

/** What classification rests on. */
export interface ClassificationCase extends Danger, Measurement {
  readonly visits: readonly BpVisit[];
  readonly age: number | null;
  readonly rhythm: Rhythm | null;
  readonly acuteState: boolean | null;
}

export interface ClassificationOptions {
  readonly guideline: BpGuideline;
  /** How many usable visits an answer needs. Default: 2. */
  readonly minVisits?: number;
  /** Whether values that all end in 0 count as rounded to 10. Default: true. */
  readonly findRounding?: boolean;
}

const readsHigh = ({ cuff, rested }: Measurement) => [
  ...(cuff === 'too_small' ? ['cuff_too_small'] : []),
  ...(rested === false ? ['not_rested'] : []),
];

const readsLow = ({ cuff, armMeasured, armDifferenceMmHg }: Measurement) => [
  ...(cuff === 'too_large' ? ['cuff_too_large'] : []),
  ...(armMeasured === 'lower' && (armDifferenceMmHg ?? 0) >= ARMS_APART ? ['lower_arm_measured'] : []),
];

/**
 * The category of office blood pressure to record, or why none can be. A fault of measurement has a direction: one that reads high leaves the lowest category as it is, one that reads low the highest.
 *
 * @example
 * ```ts
 * const unknown = { organDamage: null, pregnant: null, cuff: null, rested: null, armMeasured: null, armDifferenceMmHg: null, rhythm: null, acuteState: null };
 * const visit = { day: 0, readings: [[150, 92], [148, 93], [146, 91]] } as const;
 * const verdict = assessClassification({ ...unknown, age: 47, visits: [visit] }, { guideline: 'acc_aha_2025' });
 * [verdict.answer, verdict.reasons] // => [null, ['one_visit']]
 * ```
 */
export function assessClassification(
  given: ClassificationCase,
  { guideline, minVisits = 2, findRounding = true }: ClassificationOptions,
): Verdict<BpCategory> {
  const { visits, age, rhythm, pregnant, acuteState } = given;
  const categories = CATEGORIES[guideline];
  const highest = categories.at(-1)!;
  const high = readsHigh(given);
  const isChild = age !== null && age < ADULT_AGE;
  const latest = latestMean(visits, guideline);
  const mustAct = latest === null || isChild ? [] : bpMustAct(latest, given, guideline);
  const doubtful = high.length > 0 && mustAct[0] === 'severe_hypertension';
  if (mustAct.length > 0 && !doubtful) return answered(highest, 0, { mustAct });
  if (isChild) return noAnswer('child');
  if (pregnant === true) return noAnswer('pregnancy');
  if (acuteState === true) return noAnswer('acute_illness_or_pain');
  const { mean, nVisits, obstacles } = officeAverage(visits, rhythm, guideline);
  if (mean === null || nVisits < minVisits) {
    if (visits.length === 0) return noAnswer('no_reading');
    return obstacles.length === 0 ? noAnswer('one_visit') : noAnswer(...obstacles);
  }
  const category = bpCategory(mean, guideline);
  const low = readsLow(given);
  if ((high.length > 0 && category !== categories[0]) || (low.length > 0 && category !== highest))
    return noAnswer(...high, ...low);
  const extra = findRounding && isRoundedToTen(visits) ? ROUNDING_VARIANCE : 0;
  const { flipProbability } = lineProbability(mean, officeError(nVisits, extra), HIGH_FROM[guideline].office);
  const [sbp, dbp] = mean;
  const unlabelled =
    bpCategory([sbp - NEAR_OTHER_LINE, dbp - NEAR_OTHER_LINE], guideline) !== category ||
    bpCategory([sbp + NEAR_OTHER_LINE, dbp + NEAR_OTHER_LINE], guideline) !== category;
  return answered(category, flipProbability, { near: 'near_hypertension_line', mustAct, unlabelled });
}

/** The office mean that an answer rests on. */
export function classificationMean(
  { visits, rhythm }: ClassificationCase,
  guideline: BpGuideline,
): Pressure | null {
  return officeAverage(visits, rhythm, guideline).mean;
}
