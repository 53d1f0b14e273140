import * as Plot from '@observablehq/plot';
import type { DecisionCurvePoint } from '../../metrics/utility/utility-metrics.ts';
import { axisBelow, GRID, upLabel } from './axes.ts';
import { type LegendEntry, legendHeight, legendMarks } from './legend.ts';
import { decimals } from './number-text.ts';
import { CONTROL, MUTED, seriesStyle } from './series-style.ts';
import { type ChartDocument, svgChart } from './svg-chart.ts';

const NONE_DASH = '1 3';
/** How far below zero is drawn, as a share of the height above it: treating all falls without end. */
const BELOW = 0.35;

/** Net benefit by threshold, between treating all patients and treating none. */
export function decisionCurveChart(
  { name, points }: { readonly name: string; readonly points: readonly DecisionCurvePoint[] },
  document: ChartDocument,
): string {
  const style = seriesStyle(0);
  const legend: LegendEntry[] = [
    { name, color: style.color, dash: style.dash },
    { name: 'treat all', color: MUTED, dash: CONTROL.strokeDasharray },
    { name: 'treat none', color: MUTED, dash: NONE_DASH },
  ];
  const top = Math.max(0.05, ...points.flatMap((point) => [point.net_benefit ?? 0, point.treat_all ?? 0]));
  const floor = -BELOW * top;
  const marginTop = legendHeight(legend);
  const above = (key: 'net_benefit' | 'treat_all') =>
    points.filter((point) => point[key] !== null && point[key] >= floor);
  return svgChart(document, {
    title: 'Decision curve: net benefit by threshold probability, against treating all and treating none',
    description: inWords(name, points),
    height: 300 + marginTop,
    marginTop,
    x: { domain: [0, 1] },
    y: { domain: [floor, top * 1.08] },
    marks: [
      Plot.gridY(GRID),
      axisBelow('threshold: probability from which one would treat'),
      Plot.axisY({ ticks: 5, label: null }),
      Plot.ruleY([0], { ...CONTROL, strokeDasharray: NONE_DASH }),
      Plot.line(above('treat_all'), { ...CONTROL, x: 'threshold', y: 'treat_all' }),
      Plot.line(above('net_benefit'), {
        x: 'threshold',
        y: 'net_benefit',
        stroke: style.color,
        strokeWidth: 2,
      }),
      upLabel('net benefit'),
      ...legendMarks(legend),
    ],
  });
}

function inWords(name: string, points: readonly DecisionCurvePoint[]): string {
  const tenths = points.filter((_, i) => (i + 1) % 10 === 0);
  const at = tenths.flatMap(({ threshold, net_benefit: own, treat_all: all }) =>
    own === null || all === null
      ? []
      : [`${decimals(own)} at threshold ${decimals(threshold, 2)} (treat all: ${decimals(all)})`],
  );
  return `${name}: net benefit ${at.join('; ')}. Treat none: 0 throughout.`;
}
