/** The part of this room that also runs in a browser. */

export {
  CASE_KINDS,
  CASE_WORDS,
  type CaseKind,
  DECISION_CLASSES,
  DECISION_WORDS,
  type DecisionClass,
  emergencyReasons,
  HARMS,
} from './decision-class.ts';
export { KrisisError } from './errors.ts';
export { failureWords, isFailureProblem } from './fault.ts';
export { labelKey } from './label.ts';
export { SCORE_FAMILIES } from './score-families.ts';
export { INVALID_REASONS, invalidWords } from './states.ts';
export { visiblePieces, visibleText } from './visible-text.ts';
export { counted, dateText, durationText } from './wording.ts';
