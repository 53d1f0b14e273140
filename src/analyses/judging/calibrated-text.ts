import { number } from '../../reports/words.ts';
import type { CalibrationReason, CalibrationStatus } from '../../rubrics/calibration/calibration-status.ts';

const REASONS: Readonly<Record<CalibrationReason, (found: CalibrationStatus) => string>> = {
  too_few_present_labels: ({ nPresent }) => `${nPresent} of 30 labels present`,
  too_few_not_present_labels: ({ nNotPresent }) => `${nNotPresent} of 30 labels not present`,
  too_few_questions: ({ nQuestions }) => `${nQuestions} of 20 questions`,
  too_few_double_ratings: () => 'fewer than 30 items labelled by two people',
  not_same_instrument: () => 'more than one judge, or more than one prompt',
  not_random_sample: () => 'labels not known to be a random sample',
  sensitivity_lower_bound: ({ sensitivityLower }) =>
    `sensitivity not shown to be 0.75 or more (lower bound ${number(sensitivityLower)})`,
  specificity_lower_bound: ({ specificityLower }) =>
    `specificity not shown to be 0.75 or more (lower bound ${number(specificityLower)})`,
  not_decidable_as_written: () => 'people cannot decide these items as written',
};

/** Whether a judge is calibrated on a trait, and why not. */
export function calibratedText(status: CalibrationStatus): string {
  return status.status === 'calibrated'
    ? 'yes'
    : `no: ${status.reasons.map((reason) => REASONS[reason](status)).join('; ')}`;
}
