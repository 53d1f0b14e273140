export { canonicalJson, contentHash } from './canonical-json.ts';
export {
  count,
  type FileShape,
  fileCodec,
  fileKey,
  fromFile,
  type Shape,
  toFile,
} from './codec.ts';
export { connected } from './connected.ts';
export { counted } from './counted.ts';
export { dateText } from './date-text.ts';
export * from './decision-class.ts';
export * from './deferral-reasons.ts';
export type { ErrorCode } from './error-codes.ts';
export { errorKind, withoutText } from './error-kind.ts';
export {
  type EvaluationResult,
  evaluationResult,
  parseRow,
  type RowProblem,
  rowSchema,
  rowToWire,
} from './evaluation-result.ts';
export {
  type FailureProblem,
  failureWords,
  isFailureProblem,
} from './failure.ts';
export {
  BACKEND_FAULTS,
  type Fault,
  FINAL_FAULTS,
  isFault,
  isFinalFault,
  isReplyFault,
  isTemporaryFault,
  isWorthSplitting,
  REPLY_FAULTS,
  type ReplyFault,
  TEMPORARY_FAULTS,
} from './fault.ts';
export { featureText } from './feature-text.ts';
export { type AnswerObject, type AnswerSearch, findAnswers } from './find-answers.ts';
export { type FoldedText, foldText, readingsOf } from './folded-text.ts';
export { comparableText, type JsonInText, jsonInText } from './json-in-text.ts';
export { argumentError, KrisisError } from './krisis-error.ts';
export { isBlank, type Label, type LabelKey, labelKey, sameLabel } from './label.ts';
export {
  emptyLedger,
  enter,
  type Ledger,
  ledgerClass,
  nScored,
  textClass,
} from './ledger.ts';
export { missingKeyText } from './missing-key.ts';
export { didYouMean, nearNames } from './near-names.ts';
export { oncePer } from './once-per.ts';
export { durationText, type Pace, pace } from './pace.ts';
export { type FeatureValue, type PatientRecord, patientRecordSchema } from './patient-record.ts';
export { pick } from './pick.ts';
export { plain, plainLine } from './plain-text.ts';
export { quoted, shown } from './quoted.ts';
export type { TextSpan } from './read-json.ts';
export { withoutReasoning } from './reasoning-tags.ts';
export { checkRegularFile, readRegularFile } from './regular-file.ts';
export type { RowColumns } from './row-file/row-columns.ts';
export { type ReadRowsOptions, readRows } from './row-file.ts';
export {
  INVALID_REASONS,
  inferState,
  invalidWords,
  isScored,
  ROW_STATES,
  type RowState,
} from './row-state.ts';
export { RUN_STATUSES, type RunStatus } from './run-status.ts';
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
export { camelKeys, snakeCase, snakeKeys } from './snake-case.ts';
export { DEFAULT_STRATUM, type Stratum, stratumOf } from './stratum.ts';
export { strictObject } from './strict-object.ts';
export { explainSystemError, whyUnreadable } from './system-errors.ts';
export type { PromptMessage, TextReply, TextRequest, TokenUsage } from './text-request.ts';
export { tokenCount } from './token-count.ts';
export { URGENCY_QUESTION } from './urgency-question.ts';
