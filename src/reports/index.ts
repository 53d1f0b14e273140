export { type Cause, causesOf } from './causes.ts';
export type { RiskReference } from './charts/series-style.ts';
export {
  baselinesObject,
  descriptionText,
  questionSuiteObject,
  questionSuiteText,
} from './describe-suite.ts';
export type { Section } from './document/document.ts';
export { domainTables } from './domain-tables.ts';
export {
  formatJsonReport,
  formatMetricsJsonReport,
  type JsonReportOptions,
  labelProvenance,
  metricsObject,
  reviewObject,
} from './formats/json.ts';
export { answerObject } from './formats/question-json.ts';
export { type GatePlans, gatePlansObject, gatePlansText } from './gate-plans.ts';
export { headlineScores } from './headline-scores.ts';
export { nonInferiorityPlanText } from './non-inferiority-plan.ts';
export { probesJson, probesText } from './probes.ts';
export {
  COMPARISON_FORMAT_NAMES,
  DOCUMENT_FORMAT_NAMES,
  formatReport,
  formatsText,
  REPORT_FORMAT_NAMES,
  type ReportFormatName,
  renderComparison,
  renderDrift,
  renderReport,
  renderThreshold,
} from './report-formats.ts';
export { runsJson } from './runs-json.ts';
export { planText, runsText } from './runs-text.ts';
export { scorecardJson, scorecardText } from './scorecard-text.ts';
export { riskReferences } from './sections/baselines.ts';
export { earlyStop } from './sections/early-stop.ts';
export { verdictsText } from './verdicts-text.ts';
export { verificationLines, verificationObject, verificationText } from './verification.ts';
