export { canonicalJson, contentHash } from './canonical-json.ts';
export {
  camelKeys,
  count,
  type FileShape,
  fileCodec,
  fileKey,
  fromFile,
  type Shape,
  snakeCase,
  snakeKeys,
  toFile,
} from './codec.ts';
export { connected, oncePer, pick } from './collections.ts';
export * from './decision-class.ts';
export * from './deferral-reasons.ts';
export { URGENCY_QUESTION } from './deferral-reasons.ts';
export {
  argumentError,
  type ErrorCode,
  errorKind,
  explainSystemError,
  KrisisError,
  whyUnreadable,
  withoutText,
} from './errors.ts';
export {
  type EvaluationResult,
  evaluationResult,
  parseRow,
  type RowProblem,
  rowSchema,
  rowToWire,
} from './evaluation-result.ts';
export {
  BACKEND_FAULTS,
  type FailureProblem,
  type Fault,
  FINAL_FAULTS,
  failureWords,
  isFailureProblem,
  isFault,
  isFinalFault,
  isReplyFault,
  isTemporaryFault,
  isWorthSplitting,
  REPLY_FAULTS,
  type ReplyFault,
  TEMPORARY_FAULTS,
} from './fault.ts';
export { type AnswerObject, type AnswerSearch, findAnswers } from './find-answers.ts';
export { type FoldedText, foldText, readingsOf } from './folded-text.ts';
export { comparableText, type JsonInText, jsonInText } from './json-in-text.ts';
export { isBlank, type Label, type LabelKey, labelKey, sameLabel } from './label.ts';
export {
  emptyLedger,
  enter,
  type Ledger,
  ledgerClass,
  nScored,
  textClass,
} from './ledger.ts';
export { didYouMean, missingKeyText, nearNames } from './near-names.ts';
export {
  type FeatureValue,
  featureText,
  type PatientRecord,
  patientRecordSchema,
  type Stratum,
} from './patient-record.ts';
export { plain, plainLine, quoted, shown } from './plain-text.ts';
export type { TextSpan } from './read-json.ts';
export { checkRegularFile, readRegularFile } from './regular-file.ts';
export type { RowColumns } from './row-file/row-columns.ts';
export { type ReadRowsOptions, readRows } from './row-file.ts';
export {
  type Bounds,
  estimateSchema,
  type Interval,
  rubricScoreSchema,
  type Score,
  type ScoredOf,
  scoreOf,
  scoreSchema,
} from './score.ts';
export type { ScoreFamily } from './score-families.ts';
export {
  INVALID_REASONS,
  inferState,
  invalidWords,
  isScored,
  ROW_STATES,
  type RowState,
  RUN_STATUSES,
  type RunStatus,
} from './states.ts';
export {
  type PromptMessage,
  strictObject,
  type TextReply,
  type TextRequest,
  type TokenUsage,
  tokenCount,
  withoutReasoning,
} from './text-request.ts';
export { counted, dateText, durationText, type Pace, pace } from './wording.ts';
