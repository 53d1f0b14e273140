/** The families of scores, with the heading under which reports list each, in their order. */
export const SCORE_FAMILIES = {
  safety: 'Emergencies and harm',
  correctness: 'Right, and how often it answers',
  deferral: 'Knows when not to answer',
  calibration: 'How sure to be',
  selective: 'Answering only when sure',
  detection: 'Detection',
  staging: 'Staging',
  progression: 'Progression',
  utility: 'What its decisions are worth',
  behaviour: 'Repeated runs',
  custom: 'Your own metrics',
} as const;

/** The heading under which a table lists a score. */
export type ScoreFamily = keyof typeof SCORE_FAMILIES;
