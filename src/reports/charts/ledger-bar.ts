import * as Plot from '@observablehq/plot';
import { casesText, percent, whole } from './number-text.ts';
import { type ChartDocument, svgChart } from './svg-chart.ts';

export interface LedgerPart {
  readonly name: string;
  readonly count: number;
  readonly color: string;
}

/** How all rows ended, as one bar. It carries no words, so that it can be stretched to any width; the list beside it is its legend. */
export function ledgerBar(parts: readonly LedgerPart[], document: ChartDocument): string {
  const total = parts.reduce((sum, { count }) => sum + count, 0);
  let end = 0;
  const spans = parts
    .filter(({ count }) => count > 0)
    .map(({ name, color, count }) => {
      const start = end;
      end += count;
      return {
        start,
        end,
        color,
        title: `${name}: ${whole(count)} of ${casesText(total)} (${percent(count / total)})`,
      };
    });
  const svg = svgChart(document, {
    title: `How ${casesText(total)} ended`,
    description: `${parts.map(({ name, count }) => `${name} ${casesText(count)}${total === 0 ? '' : ` (${percent(count / total)})`}`).join('; ')}.`,
    height: 20,
    marginTop: 0,
    marginRight: 0,
    marginBottom: 0,
    marginLeft: 0,
    x: { domain: [0, Math.max(1, total)], axis: null },
    y: { axis: null },
    color: { type: 'identity' },
    marks: [
      Plot.rect(spans, {
        x1: 'start',
        x2: 'end',
        y1: 0,
        y2: 1,
        fill: 'color',
        title: 'title',
        insetRight: 0.5,
      }),
    ],
  });
  return svg.replace('<svg ', '<svg preserveAspectRatio="none" ');
}
