import { z } from 'zod';
import { count, type Shape } from '../../core/codec.ts';
import { wilsonClustered } from '../../statistics/methods/label-plan.ts';
import { isVerdict } from '../verdict.ts';

/** People's verdict and the judge's on one item. */
export interface LabelPair {
  readonly human: string;
  /** Unverified, judge errors and null are not usable: the pair is in no share. */
  readonly judge: string | null;
  readonly question: string;
}

/** What the labels of a trait, or of a declared group of items, are. */
export interface CalibrationLabels {
  readonly pairs: readonly LabelPair[];
  /** Items that two or more people labelled. */
  readonly nDoubleRated: number;
  /** Whether the labels are on verdicts of the same judge model, settings and prompt. */
  readonly sameInstrument: boolean;
  /** Whether the labelled items were drawn at random. */
  readonly randomSample: boolean;
  /** Whether people agree so little that the items cannot be decided as written. Default: false. */
  readonly notDecidable?: boolean;
}

/** What calibration takes: `minLabels` clear labels, present and not present each, and lower bounds of sensitivity and specificity of `minLower`. */
const RULE = { level: 0.95, minLabels: 30, minLower: 0.75, minQuestions: 20, minDoubleRated: 30 };

const CALIBRATION_REASONS = [
  'too_few_present_labels',
  'too_few_not_present_labels',
  'too_few_questions',
  'too_few_double_ratings',
  'not_same_instrument',
  'not_random_sample',
  'sensitivity_lower_bound',
  'specificity_lower_bound',
  'not_decidable_as_written',
] as const;
/** Why a judge is not calibrated. */
export type CalibrationReason = (typeof CALIBRATION_REASONS)[number];

export const calibrationStatusSchema = z.object({
  status: z.enum(['calibrated', 'not_calibrated']),
  reasons: z.array(z.enum(CALIBRATION_REASONS)),
  /** Clear labels that say present. */
  nPresent: count,
  /** Clear labels that say absent or contradicted. */
  nNotPresent: count,
  nQuestions: count,
  sensitivityLower: z.number().nullable(),
  specificityLower: z.number().nullable(),
});
/** Whether a judge may be called calibrated, and if not, why. */
export type CalibrationStatus = Shape<typeof calibrationStatusSchema>;

/**
 * Whether a judge may be called calibrated: enough clear labels of both kinds over enough questions, enough double ratings, labels drawn at random, the same instrument, and lower bounds of sensitivity
 * and specificity that are not bad. It says: measured, and not bad. Scores may still need correction.
 *
 * @example
 * ```ts
 * const pairs = [{ human: 'present', judge: 'present', question: 'q1' }];
 * calibrationStatus({ pairs, nDoubleRated: 0, sameInstrument: true, randomSample: true }).status // => 'not_calibrated'
 * ```
 */
export function calibrationStatus(
  { pairs, nDoubleRated, sameInstrument, randomSample, notDecidable = false }: CalibrationLabels,
  rule: Partial<typeof RULE> = {},
): CalibrationStatus {
  const { level, minLabels, minLower, minQuestions, minDoubleRated } = { ...RULE, ...rule };
  const clear = pairs.filter(
    ({ human, judge }) => isVerdict(human) && human !== 'unclear' && isVerdict(judge),
  );
  const present = clear.filter(({ human }) => human === 'present');
  const other = clear.filter(({ human }) => human !== 'present');
  const lower = (own: readonly LabelPair[], isRight: (pair: LabelPair) => boolean) =>
    wilsonClustered(
      own.map((pair) => Number(isRight(pair))),
      own.map(({ question }) => question),
      level,
    )?.lower ?? null;
  const sensitivityLower = lower(present, ({ judge }) => judge === 'present');
  const specificityLower = lower(other, ({ judge }) => judge !== 'present');
  const nQuestions = new Set(clear.map(({ question }) => question)).size;
  const failed: Record<CalibrationReason, boolean> = {
    too_few_present_labels: present.length < minLabels,
    too_few_not_present_labels: other.length < minLabels,
    too_few_questions: nQuestions < minQuestions,
    too_few_double_ratings: !(nDoubleRated >= minDoubleRated),
    not_same_instrument: !sameInstrument,
    not_random_sample: !randomSample,
    sensitivity_lower_bound: sensitivityLower === null || sensitivityLower < minLower,
    specificity_lower_bound: specificityLower === null || specificityLower < minLower,
    not_decidable_as_written: notDecidable,
  };
  const reasons = (Object.keys(failed) as CalibrationReason[]).filter((reason) => failed[reason]);
  return {
    status: reasons.length === 0 ? 'calibrated' : 'not_calibrated',
    reasons,
    nPresent: present.length,
    nNotPresent: other.length,
    nQuestions,
    sensitivityLower,
    specificityLower,
  };
}
