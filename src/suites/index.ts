export type { SuiteDefinition } from './define-suite.ts';
export { defineSuite } from './define-suite.ts';
export { descriptionObject } from './description-json.ts';
export { type CheckedFile, checkRubricFile } from './questions/check-file.ts';
export { findQuestionSuite, holdsQuestions, QUESTION_SUITES } from './questions/find-question-suite.ts';
export {
  ANSWER_INSTRUCTIONS,
  isQuestionSuite,
  parseQuestionSuite,
  type Question,
  type QuestionSuite,
  questionRecord,
} from './questions/question-suite.ts';
export { type AnySuite, BUILT_IN_SUITES, findSuite } from './registry.ts';
export { stratifiedOrder } from './split/stratified-order.ts';
export type { Counted, Sensitivity, Suite, SuiteDescription } from './suite.ts';
export { suiteHash } from './suite-hash.ts';
export { defineTableSuite } from './table/define-table-suite.ts';
export { loadTableSuite } from './table/load-table-suite.ts';
export {
  type AnyTask,
  batchResponseSchema,
  type Features,
  type Guideline,
  responseSchema,
  type Task,
  type TextTask,
} from './task.ts';
