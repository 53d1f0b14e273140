export {
  checkRecords,
  defineSuite,
  type RecordInput,
  type SimpleSuiteDefinition,
  type SuiteDefinition,
} from './define-suite.ts';
export { isReasonCode } from './describe-records.ts';
export { descriptionObject } from './description-json.ts';
export { type DraftOptions, draftTableSuite } from './draft-table-suite.ts';
export { excludeRecords } from './exclude-records.ts';
export {
  type Exclusions,
  excludedSuiteHash,
  excludedVersion,
  exclusionsText,
  parseExclusions,
} from './exclusions.ts';
export * from './own-prompts.ts';
export * from './questions/check-file.ts';
export { findQuestionSuite, QUESTION_SUITES } from './questions/find-question-suite.ts';
export {
  HEALTHBENCH_SUBSETS,
  type HealthBenchOptions,
  type HealthBenchSubset,
  type HealthBenchSuite,
  isHealthBenchProfessional,
  parseHealthBench,
  questionFileText,
  readHealthBench,
} from './questions/healthbench.ts';
export { isKareninaCheckpoint, readKareninaCheckpoint } from './questions/karenina.ts';
export {
  type AnySuite,
  isQuestionSuite,
  parseQuestionSuite,
  type Question,
  type QuestionSuite,
  questionRecord,
  storedTurns,
} from './questions/question-suite.ts';
export { ASKING_ORDER, askingOrder } from './split/asking-order.ts';
export { stratifiedOrder } from './split/stratified.ts';
export * from './suite.ts';
export { suiteHash } from './suite-hash.ts';
export { defineTableSuite, loadTableSuite, TABLE_OPTIONS } from './table/define-table-suite.ts';
export { shownColumnsText } from './table/roles.ts';
export * from './task.ts';
