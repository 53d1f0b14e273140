export { calibrationFloor } from './calibration-floor.ts';
export { confidenceHistogram } from './confidence-histogram.ts';
export { dotPlot } from './dot-plot.ts';
export { type LedgerPart, ledgerBar } from './ledger-bar.ts';
export { decimals, percent, rowsOf, whole } from './number-text.ts';
export { reliabilityDiagram } from './reliability-diagram.ts';
export { riskCoverageChart } from './risk-coverage.ts';
export type { ChartDocument } from './svg-chart.ts';
