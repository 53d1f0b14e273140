import * as Plot from '@observablehq/plot';
import { visibleText } from '../../core/browser.ts';
import type { Figures } from '../../metrics/figures.ts';
import { shortened } from './legend.ts';
import { casesText, percent, whole } from './number-text.ts';
import { FAINT, MUTED, SMALL, seriesStyle } from './series-style.ts';
import { type ChartDocument, svgChart } from './svg-chart.ts';

const CELL = { width: 58, height: 30 };
const MAX_NAME = 18;
/** Text stays readable on the darkest cell. */
const MAX_OPACITY = 0.55;

/** Truth (rows) by answer (columns): counts, shaded by their share of the row. Right answers are framed. */
export function confusionChart(
  { truths, answers, counts }: Figures['confusion'],
  document: ChartDocument,
): string {
  const { color } = seriesStyle(0);
  const cells = truths.flatMap((truth, r) => {
    const total = counts[r]!.reduce((sum, n) => sum + n, 0);
    return counts[r]!.map((n, c) => ({
      row: String(r),
      column: String(c),
      n,
      opacity: total === 0 ? 0 : (n / total) * MAX_OPACITY,
      isRight: answers[c] === truth,
    }));
  });
  const longest = (names: readonly string[]) =>
    Math.min(MAX_NAME, Math.max(4, ...names.map((name) => [...name].length)));
  const marginLeft = 30 + 6.6 * longest(truths);
  const columnWidth = Math.max(CELL.width, 7 * longest(answers) + 8);
  const nameTicks = (names: readonly string[]) => (place: string) =>
    shortened(names[Number(place)]!, MAX_NAME);
  return svgChart(document, {
    title: 'Truth (rows) by answer (columns)',
    description: truths
      .map((truth, r) => `${visibleText(truth)}: ${rowText(answers, counts[r]!)}.`)
      .join(' '),
    width: Math.ceil(marginLeft + answers.length * columnWidth + 14),
    height: truths.length * CELL.height + 74,
    marginTop: 26,
    marginLeft,
    x: { type: 'band', domain: answers.map((_, c) => String(c)), padding: 0.04 },
    y: { type: 'band', domain: truths.map((_, r) => String(r)), padding: 0.04, axis: null },
    marks: [
      Plot.axisX({
        label: 'answer',
        labelAnchor: 'center',
        labelArrow: 'none',
        tickSize: 0,
        tickFormat: nameTicks(answers),
      }),
      Plot.axisY({ label: null, tickSize: 0, tickFormat: nameTicks(truths) }),
      Plot.text(['truth'], { frameAnchor: 'top-left', textAnchor: 'end', dx: -10, dy: -14 }),
      Plot.cell(cells, { x: 'column', y: 'row', fill: color, fillOpacity: 'opacity', stroke: FAINT }),
      Plot.cell(
        cells.filter(({ isRight }) => isRight),
        { x: 'column', y: 'row', fill: 'none', stroke: MUTED, strokeWidth: 2 },
      ),
      Plot.text(cells, {
        ...SMALL,
        fill: 'currentColor',
        x: 'column',
        y: 'row',
        text: ({ n }: { n: number }) => whole(n),
      }),
    ],
    opacity: { type: 'identity' },
  });
}

function rowText(answers: readonly string[], counts: readonly number[]): string {
  const total = counts.reduce((sum, n) => sum + n, 0);
  const parts = counts.flatMap((n, c) =>
    n === 0 ? [] : [`${visibleText(answers[c]!)} ${casesText(n)} (${percent(n / total)})`],
  );
  return parts.length === 0 ? 'no rows' : parts.join(', ');
}
