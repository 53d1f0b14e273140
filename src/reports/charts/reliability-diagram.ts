import * as Plot from '@observablehq/plot';
import type { ReliabilityBin } from '../../metrics/figures.ts';
import { axisBelow, GRID, TICKS, upLabel } from './axes.ts';
import { type ChartLink, linkMarks } from './chart-links.ts';
import { type LegendEntry, legendHeight, legendMarks } from './legend.ts';
import { bracketed, casesText, compact, decimals } from './number-text.ts';
import { CONTROL, MIN_CURVE_CASES, MUTED, type Series, seriesStyle } from './series-style.ts';
import { type ChartDocument, svgChart } from './svg-chart.ts';

interface FullBin extends ReliabilityBin {
  readonly mean_confidence: number;
  readonly accuracy: number;
}

/** Position of the strip of counts, in units of the share axis. */
const STRIP = { bottom: -0.3, height: 0.17 };

/**
 * How often answers were right, by stated confidence: a dot for each step of confidence, with its interval. On the diagonal, confidence equals the share of right
 * answers. A single series has its counts below; with several series, the counts are in the text alternative and the table.
 *
 * @param linkOf where a step of a single series leads.
 */
export function reliabilityDiagram(
  series: readonly Series<'reliability'>[],
  document: ChartDocument,
  linkOf?: (bin: ReliabilityBin, words: string) => ChartLink | null,
): string {
  const single = series.length === 1;
  const legend: LegendEntry[] = [
    ...series.map(({ name }, i) => ({ name, ...seriesStyle(i) })),
    { name: 'confidence equals share right', color: MUTED, dash: '3 3' },
  ];
  const links = single ? series[0]!.figures.reliability.filter(isFull) : [];
  const marginTop = legendHeight(legend);
  return svgChart(document, {
    title: `Reliability diagram: share of right answers by stated confidence${single ? '' : `, ${series.length} series`}`,
    description: series.map(inWords).join(' '),
    height: (single ? 390 : 330) + marginTop,
    marginTop,
    x: { domain: [0, 1], ticks: TICKS, label: null },
    y: { domain: [single ? -0.34 : 0, 1], label: null },
    marks: [
      Plot.gridY(TICKS, GRID),
      axisBelow('stated confidence'),
      Plot.axisY(TICKS, { label: null }),
      Plot.line([0, 1], { ...CONTROL, x: Plot.identity, y: Plot.identity }),
      ...series.flatMap(({ figures }, i) => seriesMarks(figures.reliability.filter(isFull), i, single)),
      single ? countMarks(series[0]!.figures.reliability) : null,
      upLabel('share right'),
      ...legendMarks(legend),
      linkMarks(links, linkOf && ((bin) => linkOf(bin, describeBin(bin))), ({ low, high }, { x, frame }) => ({
        ...frame,
        x1: x(low),
        x2: x(high),
      })),
    ],
  });
}

function seriesMarks(bins: readonly FullBin[], index: number, single: boolean): Plot.Markish[] {
  const { color, dash, symbol } = seriesStyle(index);
  const at = { x: 'mean_confidence', stroke: color };
  const nAnswers = bins.reduce((sum, { count }) => sum + count, 0);
  return [
    Plot.ruleX(
      bins.filter(({ lower, upper }) => lower !== null && upper !== null),
      { ...at, y1: 'lower', y2: 'upper', strokeWidth: 1.5, strokeOpacity: single ? 0.75 : 0.5 },
    ),
    nAnswers < MIN_CURVE_CASES
      ? null
      : Plot.line(bins, {
          ...at,
          y: 'accuracy',
          strokeWidth: 2,
          strokeDasharray: dash,
          sort: 'mean_confidence',
        }),
    Plot.dot(bins, {
      ...at,
      y: 'accuracy',
      fill: color,
      fillOpacity: single ? 1 : 0.3,
      symbol,
      r: 4.5,
      title: describeBin,
    }),
  ];
}

/** Bars of counts under the diagram: a dot that rests on three answers must not look like one that rests on three hundred. */
function countMarks(bins: readonly ReliabilityBin[]): Plot.Markish[] {
  const most = Math.max(1, ...bins.map(({ count }) => count));
  const bars = bins
    .filter(({ count }) => count > 0)
    .map((bin) => ({
      ...bin,
      middle: (bin.low + bin.high) / 2,
      top: STRIP.bottom + (STRIP.height * bin.count) / most,
    }));
  const at = { x1: 'low', x2: 'high', y1: STRIP.bottom, y2: 'top' };
  const below = { frameAnchor: 'bottom-left', textAnchor: 'start' } as const;
  const countText = ({ count }: ReliabilityBin) => compact(count);
  return [
    Plot.rect(bars, { ...at, fill: MUTED, fillOpacity: 0.55, inset: 1 }),
    Plot.ruleY([STRIP.bottom], { stroke: MUTED }),
    Plot.text(bars, { x: 'middle', y: 'top', dy: -7, fontSize: 12, text: countText }),
    Plot.text(['answers'], { ...below, dx: -44, dy: -14, fontSize: 12, fill: MUTED }),
  ];
}

function isFull(bin: ReliabilityBin): bin is FullBin {
  return bin.mean_confidence !== null && bin.accuracy !== null;
}

function inWords({ name, figures }: Series<'reliability'>): string {
  const full = figures.reliability.filter(isFull);
  if (full.length === 0) return `${name}: no answer has a usable confidence.`;
  return `${name}: ${full.map(describeBin).join('; ')}.`;
}

function describeBin({ mean_confidence: confidence, accuracy, lower, upper, count }: FullBin): string {
  return `confidence ${decimals(confidence)}, right ${decimals(accuracy)}${bracketed({ lower, upper })}, ${casesText(count)}`;
}
