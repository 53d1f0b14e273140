/** Everything in `src` that the viewer's page uses: its only entry. Nothing here needs Node. */

export { itemEffect } from '../analyses/judging/item-effect.ts';
export {
  CASE_KINDS,
  CASE_WORDS,
  DECISION_CLASSES,
  DECISION_WORDS,
  type DecisionClass,
  durationText,
  emergencyReasons,
  failureWords,
  HARMS,
  invalidWords,
  isFailureProblem,
  visiblePieces,
  visibleText,
} from '../core/browser.ts';
export type { CaseKind } from '../core/decision-class.ts';
export type { Label } from '../core/label.ts';
export { type BoardLinks, drawBoard } from '../reports/charts/board.ts';
export {
  type BoardClass,
  type BoardRows,
  type BoardSegment,
  boardAt,
  ratesAt,
} from '../reports/charts/board-classes.ts';
export { type BoardMark, layOutBoard, markAt, placeMark } from '../reports/charts/board-layout.ts';
export { drawChart } from '../reports/charts/chart.ts';
export { casesText, decimals, percent, whole } from '../reports/charts/number-text.ts';
export type {
  Block,
  Card,
  Figure,
  Inline,
  Matrix,
  Section,
  Span,
  Table,
} from '../reports/document/document.ts';
export { partsFor, tableFor } from '../reports/document/for-format.ts';
export { markedAnswer } from '../reports/marked-answer.ts';
export { DASH, inWords, number, range, scoreTitle, share } from '../reports/words.ts';
export { wilsonWithZ } from '../statistics/wilson-with-z.ts';
export {
  countFacets,
  filterRecords,
  flipsOfFilter,
  labelTextKey,
  type NotesChange,
  type RecordFilter,
  type RecordLine,
  type RunNotes,
} from '../store/browser.ts';
export type { ReviewTarget } from '../store/review/review-schema.ts';
export {
  type HashedTarget,
  hashedTarget,
  type NewReviewLabel,
  type ReviewDecision,
  type ReviewQueueItem,
  type ReviewRating,
  type ReviewSession,
  type ReviewShown,
  targetKey,
} from '../store/review/review-session.ts';
export type { AddressPath, ParamsAt, PayloadAt } from './addresses.ts';
export type * from './api.ts';
export { buildAddress } from './build-address.ts';
export type { ExportedSite } from './export-format.ts';
export { itemsRight } from './items-right.ts';
export { parseFilter } from './parse-filter.ts';
export { RECORD_FILES } from './record-files.ts';
export { withoutText } from './withhold-text.ts';
