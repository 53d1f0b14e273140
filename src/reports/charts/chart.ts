import type { Figures, ReliabilityBin } from '../../metrics/figures.ts';
import type { RecordFilter } from '../../store/browser.ts';
import { boardChart } from './board.ts';
import { calibrationFloor } from './calibration-floor.ts';
import { confidenceHistogram } from './confidence-histogram.ts';
import { confusionChart } from './confusion-chart.ts';
import { decisionCurveChart } from './decision-curve.ts';
import { type DotPlot, dotPlot } from './dot-plot.ts';
import { flowDiagram } from './flow-diagram.ts';
import { historyChart } from './history-chart.ts';
import { ledgerBar } from './ledger-bar.ts';
import { reliabilityDiagram } from './reliability-diagram.ts';
import { riskCoverageChart } from './risk-coverage.ts';
import type { ChartDocument } from './svg-chart.ts';

const CHARTS = {
  board: boardChart,
  calibration: calibrationFloor,
  confidence: confidenceHistogram,
  confusion: confusionChart,
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

/** Draws a chart as the text of an SVG element. `listHref` is the address of a list of records, for marks that count some. Default: nothing is a link. */
export function drawChart(
  { chart, data }: Chart,
  document: ChartDocument,
  listHref?: (filter: RecordFilter) => string,
): string {
  const draw = CHARTS[chart] as (data: Chart['data'], document: ChartDocument, links?: unknown) => string;
  return draw(data, document, listHref && LINKS[chart]?.(listHref));
}

/** The links of charts whose marks count records of one run. */
const LINKS: Partial<Record<Chart['chart'], (listHref: (filter: RecordFilter) => string) => unknown>> = {
  reliability: (listHref) => (bin: ReliabilityBin, words: string) => ({
    href: listHref({ usable: true, confidence_from: bin.low, confidence_to: bin.high }),
    label: `${capitalized(words)}. List them`,
  }),
  confidence:
    (listHref) => (step: Figures['confidence'][number], side: 'right' | 'wrong', words: string) => ({
      href: listHref({
        usable: true,
        outcome: [side === 'right' ? 'answered_correct' : 'answered_wrong'],
        confidence_from: step.low,
        confidence_to: step.high,
      }),
      label: `${words}. List them`,
    }),
  riskCoverage: (listHref) => ({
    linkOf: (point: Figures['riskCoverage']['points'][number], words: string) => ({
      href: listHref({ usable: true, confidence_from: point.threshold }),
      label: `${words}. List the accepted`,
    }),
  }),
  dots: (listHref) => (dot: DotPlot['dots'][number], words: string) =>
    dot.records ? { href: listHref(dot.records), label: `${words}. List them` } : null,
};

function capitalized(text: string): string {
  return text.charAt(0).toUpperCase() + text.slice(1);
}
