import * as Plot from '@observablehq/plot';
import type { Figures } from '../../metrics/figures.ts';
import { axisBelow, GRID, upLabel } from './axes.ts';
import { type ChartLink, linkMarks } from './chart-links.ts';
import { legendHeight, legendMarks } from './legend.ts';
import { compact, decimals, whole } from './number-text.ts';
import { seriesStyle } from './series-style.ts';
import { type ChartDocument, svgChart } from './svg-chart.ts';

type Step = Figures['confidence'][number];
type Side = 'right' | 'wrong';

/**
 * How sure the answers were: right ones upwards, wrong ones downwards, so that the two differ without colour.
 *
 * @param linkOf where the right and the wrong answers of a step lead.
 */
export function confidenceHistogram(
  steps: readonly Step[],
  document: ChartDocument,
  linkOf?: (step: Step, side: Side, words: string) => ChartLink | null,
): string {
  const most = Math.max(1, ...steps.map(({ right }) => right));
  const mostWrong = Math.max(0, ...steps.map(({ wrong }) => wrong));
  const [right, wrong] = [seriesStyle(0).color, seriesStyle(1).color];
  const legend = [
    { name: 'right answers, upwards', color: right, symbol: 'square' as const },
    { name: 'wrong answers, downwards', color: wrong, symbol: 'square' as const },
  ];
  const marginTop = legendHeight(legend);
  const sides = (['right', 'wrong'] as const).flatMap((side) =>
    steps.filter((step) => step[side] > 0).map((step) => ({ step, side })),
  );
  const bar = { x1: 'low', x2: 'high', insetLeft: 1, insetRight: 1 };
  return svgChart(document, {
    title: 'Histogram of stated confidence, right and wrong answers apart',
    description: inWords(steps),
    height: 230 + marginTop,
    marginTop,
    x: { domain: [0, 1] },
    y: { domain: [-Math.max(mostWrong, most * 0.08), most] },
    marks: [
      Plot.gridY(GRID),
      axisBelow('stated confidence'),
      Plot.axisY({
        ticks: 5,
        tickFormat: (count: number) => (Number.isInteger(count) ? compact(Math.abs(count)) : ''),
        label: null,
      }),
      Plot.rect(
        steps.filter((step) => step.right > 0),
        { ...bar, y1: 0, y2: 'right', fill: right, title: (step: Step) => describeBar(step, 'right') },
      ),
      Plot.rect(
        steps.filter((step) => step.wrong > 0),
        {
          ...bar,
          y1: (step: Step) => -step.wrong,
          y2: 0,
          fill: wrong,
          title: (step: Step) => describeBar(step, 'wrong'),
        },
      ),
      Plot.ruleY([0], { stroke: 'currentColor' }),
      upLabel('answers'),
      ...legendMarks(legend),
      ...linkMarks(
        sides,
        linkOf && (({ step, side }) => linkOf(step, side, describeBar(step, side))),
        ({ step: { low, high }, side }, { x, y, frame }) => ({
          x1: x(low),
          x2: x(high),
          y1: side === 'right' ? frame.y1 : y(0),
          y2: side === 'right' ? y(0) : frame.y2,
        }),
      ),
    ],
  });
}

function describeBar(step: Step, side: Side): string {
  return `Confidence ${decimals(step.low, 2)} to ${decimals(step.high, 2)}: ${whole(step[side])} of ${whole(step.right + step.wrong)} answers ${side}`;
}

function inWords(steps: readonly Step[]): string {
  const filled = steps.filter(({ right, wrong }) => right + wrong > 0);
  if (filled.length === 0) return 'No answer has a usable confidence.';
  return `${filled
    .map(
      ({ low, high, right, wrong }) =>
        `${decimals(low, 2)} to ${decimals(high, 2)}: ${whole(right)} right, ${whole(wrong)} wrong`,
    )
    .join('; ')}.`;
}
