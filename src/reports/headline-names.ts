/** The numbers that belong together; neither a report nor the viewer shows one of them alone. */
export const HEADLINES: readonly string[] = [
  'decision_accuracy',
  'answer_rate',
  'selective_accuracy',
  'unsafe_answer_rate',
  'augrc',
  'expected_calibration_error',
];
