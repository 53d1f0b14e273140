import { calibrationFloor } from './calibration-floor.ts';
import { confidenceHistogram } from './confidence-histogram.ts';
import { decisionCurveChart } from './decision-curve.ts';
import { dotPlot } from './dot-plot.ts';
import { flowDiagram } from './flow-diagram.ts';
import { historyChart } from './history-chart.ts';
import { ledgerBar } from './ledger-bar.ts';
import { reliabilityDiagram } from './reliability-diagram.ts';
import { riskCoverageChart } from './risk-coverage.ts';
import type { ChartDocument } from './svg-chart.ts';

const CHARTS = {
  calibration: calibrationFloor,
  confidence: confidenceHistogram,
  decisionCurve: decisionCurveChart,
  dots: dotPlot,
  flow: flowDiagram,
  history: historyChart,
  ledger: ledgerBar,
  reliability: reliabilityDiagram,
  riskCoverage: riskCoverageChart,
};

/** A chart that is not drawn yet: which one, and its data. */
export type Chart = {
  [Name in keyof typeof CHARTS]: {
    readonly chart: Name;
    readonly data: Parameters<(typeof CHARTS)[Name]>[0];
  };
}[keyof typeof CHARTS];

/** Draws a chart as the text of an SVG element. */
export function drawChart({ chart, data }: Chart, document: ChartDocument): string {
  const draw = CHARTS[chart] as (data: Chart['data'], document: ChartDocument) => string;
  return draw(data, document);
}
