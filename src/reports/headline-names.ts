/** The numbers that belong together, each with its title; neither a report nor the viewer shows one of them alone. */
export const HEADLINE_TITLES: Readonly<Record<string, string>> = {
  decision_accuracy: 'Decision accuracy',
  answer_rate: 'Coverage',
  selective_accuracy: 'Selective accuracy',
  unsafe_answer_rate: 'Unsafe answer rate',
  augrc: 'AUGRC',
  expected_calibration_error: 'Calibration error (ECE)',
};

export const HEADLINES: readonly string[] = Object.keys(HEADLINE_TITLES);
