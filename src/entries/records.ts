/** `krisis/records`: rows, labels and records, their schemas and file forms. */

export {
  type DeferralReason,
  type DeferralReasons,
  type FeatureValue,
  featureText,
  GENERAL_REASONS,
  type GeneralReason,
  type LabelKey,
  labelKey,
  ledgerClass,
  parseRow,
  patientRecordSchema,
  type RowProblem,
  reasonsToGive,
  rightReasons,
  rowSchema,
  rowToWire,
  type ScoredOf,
  type ScoreFamily,
  sameLabel,
  scoreOf,
} from '../core/index.ts';
export { suiteHash } from '../suites/index.ts';
