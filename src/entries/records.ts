/** `krisis/records`: rows, labels and records, their schemas and file forms. */

export {
  type FeatureValue,
  featureText,
  type LabelKey,
  labelKey,
  ledgerClass,
  parseRow,
  patientRecordSchema,
  type RowProblem,
  rowSchema,
  rowToWire,
  type ScoredOf,
  type ScoreFamily,
  sameLabel,
  scoreOf,
} from '../core/index.ts';
export { suiteHash } from '../suites/index.ts';
