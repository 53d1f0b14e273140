export { compareJson } from './compare-json.ts';
export { compareMarkdown } from './compare-markdown.ts';
export { compareText } from './compare-text.ts';
export { csvReportChunks } from './csv-report.ts';
export { descriptionText } from './description-text.ts';
export { formatReport, textReport } from './format-report.ts';
export type { JsonReportOptions } from './json-report.ts';
export {
  formatJsonReport,
  formatMetricsJsonReport,
  jsonReportChunks,
  metricsJsonReport,
} from './json-report.ts';
export { junitReport } from './junit-report.ts';
export { markdownReport } from './markdown-report.ts';
export { plain } from './plain-text.ts';
export { probesJson, probesText } from './probes.ts';
export { questionSuiteObject, questionSuiteText } from './question-suite-text.ts';
export { answerObject } from './rubrics/answer-object.ts';
export { compareQuestionHtml } from './rubrics/compare-question-html.ts';
export { compareQuestionJson } from './rubrics/compare-question-json.ts';
export { compareQuestionMarkdown } from './rubrics/compare-question-markdown.ts';
export { compareQuestionText } from './rubrics/compare-question-text.ts';
export { questionCsvChunks } from './rubrics/question-csv.ts';
export { questionHtml } from './rubrics/question-html.ts';
export { questionJunit } from './rubrics/question-junit.ts';
export { questionJsonChunks, questionMetricsJson, questionRunJson } from './rubrics/question-run-json.ts';
export { questionMarkdown } from './rubrics/question-run-markdown.ts';
export { questionRunText } from './rubrics/question-run-text.ts';
export { runsJson } from './runs-json.ts';
export { planText, runsText } from './runs-text.ts';
export { scorecardJson } from './scorecard-json.ts';
export { scorecardText } from './scorecard-text.ts';
export { verdictsText } from './verdicts-text.ts';
