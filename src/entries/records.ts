/** `krisis/records`: rows, labels and records, their schemas and file forms. */

export {
  type DeferralReason,
  type DeferralReasons,
  GENERAL_REASONS,
  type GeneralReason,
  reasonsToGive,
  rightReasons,
} from '../core/deferral-reasons.ts';
export { parseRow, type RowProblem, rowSchema, rowToWire } from '../core/evaluation-result.ts';
export { type LabelKey, labelKey, sameLabel } from '../core/label.ts';
export { ledgerClass } from '../core/ledger.ts';
export { type FeatureValue, featureText, patientRecordSchema } from '../core/patient-record.ts';
export { createScore, type ScoredOf } from '../core/score.ts';
export type { ScoreFamily } from '../core/score-families.ts';
export { suiteHash } from '../suites/suite-hash.ts';
