/** Everything in `src` that the viewer's page uses: its only entry. Nothing here needs Node. */

export {
  CASE_KINDS,
  CASE_WORDS,
  type CaseKind,
  DECISION_CLASSES,
  DECISION_WORDS,
  type DecisionClass,
  durationText,
  failureWords,
  HARMS,
  invalidWords,
  isFailureProblem,
  visiblePieces,
  visibleText,
} from '../core/browser.ts';
export type { FileShape, Label, Score } from '../core/index.ts';
export type { Figures, GroupDot, ReliabilityBin } from '../metrics/figures.ts';
export { isHarmWarning } from '../metrics/warning.ts';
export { calibratedText } from '../reports/calibrated-text.ts';
export { drawChart } from '../reports/charts/chart.ts';
export type { ChartLink } from '../reports/charts/chart-links.ts';
export { confidenceHistogram } from '../reports/charts/confidence-histogram.ts';
export { dotPlot } from '../reports/charts/dot-plot.ts';
export { type HistoryPoint, historyChart } from '../reports/charts/history-chart.ts';
export { decimals, percent, rowsOf, whole } from '../reports/charts/number-text.ts';
export { reliabilityDiagram } from '../reports/charts/reliability-diagram.ts';
export { riskCoverageChart } from '../reports/charts/risk-coverage.ts';
export { correctionNote } from '../reports/correction-note.ts';
export { curveCharts } from '../reports/curve-charts.ts';
export type { Block, Figure, Inline, Section, Span, Table } from '../reports/document/document.ts';
export { partsFor, tableFor } from '../reports/document/for-format.ts';
export type {
  answerObject,
  itemScoresObject,
  judgeObject,
  traitObjects,
} from '../reports/formats/question-json.ts';
export { firstCards, type HeadlineCard } from '../reports/headline-cards.ts';
export { itemEffect } from '../reports/item-effect.ts';
export { leadingCorrected } from '../reports/leading-corrected.ts';
export { markedAnswer } from '../reports/marked-answer.ts';
export { questionSentence } from '../reports/question-sentence.ts';
export { runSentence } from '../reports/run-sentence.ts';
export { baselines as baselineSection, sampleSize } from '../reports/sections/baselines.ts';
export {
  decisionCurve as decisionCurveSection,
  decisions as decisionSection,
} from '../reports/sections/decisions.ts';
export { flow as flowSection } from '../reports/sections/flow.ts';
export { policies as deferralPolicies } from '../reports/sections/matrices.ts';
export { metrics as metricSection } from '../reports/sections/metrics.ts';
export { threshold as thresholdSection } from '../reports/sections/threshold.ts';
export { DASH, inWords, number, range, share } from '../reports/words.ts';
export type { Comparison, EndpointComparison } from '../results/compare/comparison.ts';
export type { PublishedFigures } from '../results/import/published-figures.ts';
export type { jurySchema } from '../results/questions/jury.ts';
export type { RunResult } from '../results/run-result.ts';
export { controlChart, controlLimits } from '../statistics/methods/control-chart.ts';
export {
  countFacets,
  filterRecords,
  flipsOfFilter,
  labelTextKey,
  type RecordFilter,
  type RecordLine,
  type RunNotes,
} from '../store/browser.ts';
export {
  type HashedTarget,
  hashedTarget,
  type ReviewTarget,
  targetKey,
} from '../store/review/review-event.ts';
export type {
  NewReviewLabel,
  ReviewDecision,
  ReviewQueueItem,
  ReviewRating,
  ReviewSession,
  ReviewShown,
} from '../store/review/review-session.ts';
export { addressOf } from './address-of.ts';
export type { AddressPath, ParamsAt, PayloadAt } from './addresses.ts';
export type * from './api.ts';
export type { ExportedSite } from './export-format.ts';
export { parseFilter } from './parse-filter.ts';
export { RECORD_FILES } from './record-files.ts';
export { withoutText } from './withhold-text.ts';
