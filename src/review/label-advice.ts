import { requiredLabelsForProportion, requiredLabelsForZeroEvents } from '../statistics/review/index.ts';
import type { ReviewFrame } from './frame.ts';

/** Labels of one question resemble each other; without data on how much, this is the usual guess. */
const DESIGN_EFFECT = 1.5;

/** How many labels to aim at. No number is above what the run has. */
export interface LabelAdvice {
  /** For a first look, over `questions` or more questions. */
  readonly firstLook: number;
  readonly questions: number;
  /** For a score corrected for the judge's errors. */
  readonly corrected: number;
  /** For a share of 80 % within 5 points, from this frame. */
  readonly within5Points: number;
  /** Labels "not present" without a false positive that bound the rate of false positives below 5 %. */
  readonly noFalsePositive: number;
}

/** How many labels are advised for a run. */
export function labelAdvice({ units }: Pick<ReviewFrame, 'units'>): LabelAdvice {
  const most = (n: number) => Math.min(n, units.length);
  const nQuestions = new Set(units.map(({ recordId }) => recordId)).size;
  const share = { halfWidth: 0.05, expected: 0.8, population: units.length };
  return {
    firstLook: most(100),
    questions: Math.min(40, nQuestions),
    corrected: most(200),
    within5Points: most(requiredLabelsForProportion(share, { designEffect: DESIGN_EFFECT })!),
    noFalsePositive: requiredLabelsForZeroEvents(0.05)!,
  };
}
