/** The part of this room that also runs in a browser. */

export { counted } from './counted.ts';
export { dateText } from './date-text.ts';
export {
  CASE_KINDS,
  CASE_WORDS,
  type CaseKind,
  DECISION_CLASSES,
  DECISION_WORDS,
  type DecisionClass,
  HARMS,
} from './decision-class.ts';
export { failureWords, isFailureProblem } from './failure.ts';
export { KrisisError } from './krisis-error.ts';
export { labelKey } from './label.ts';
export { durationText } from './pace.ts';
export { INVALID_REASONS, invalidWords } from './row-state.ts';
export { SCORE_FAMILIES } from './score-families.ts';
export { visiblePieces, visibleText } from './visible-text.ts';
