import * as Plot from '@observablehq/plot';
import type { GroupDot } from '../../metrics/index.ts';
import { type ChartLink, linkMarks } from './chart-links.ts';
import { shortened } from './legend.ts';
import { decimals, rowsOf, whole } from './number-text.ts';
import { FAINT, MUTED, seriesStyle } from './series-style.ts';
import { CHART_WIDTH, type ChartDocument, svgChart } from './svg-chart.ts';

interface DotPlot {
  /** What the dots measure, in words. */
  readonly title: string;
  readonly dots: readonly Pick<GroupDot, 'group' | 'n' | 'value' | 'lower' | 'upper'>[];
  /** The same measure over all rows, drawn as a line to read the groups against. */
  readonly overall: number | null;
}

const ROW_HEIGHT = 24;
const MAX_NAME = 18;

/**
 * A share in each group, with its interval and n. Groups keep their order; one without a value keeps its line, and says so.
 *
 * @param linkOf where a group leads; it is given the dot and its line from 0.
 */
export function dotPlot(
  { title, dots, overall }: DotPlot,
  document: ChartDocument,
  linkOf?: (dot: DotPlot['dots'][number], line: number) => ChartLink | null,
): string {
  const { color } = seriesStyle(0);
  // Two groups whose names begin alike stay two lines.
  const rows = dots.map((dot, line) => ({ ...dot, line: String(line) }));
  const known = rows.filter(({ value }) => value !== null);
  const domain = domainOf(dots, overall);
  const marginLeft =
    22 + 6.6 * Math.min(MAX_NAME, Math.max(4, ...dots.map(({ group }) => [...group].length)));
  return svgChart(
    {
      width: CHART_WIDTH,
      height: dots.length * ROW_HEIGHT + 62,
      marginTop: 20,
      marginBottom: 42,
      marginLeft,
      marginRight: 62,
      x: { domain },
      y: { type: 'band', domain: rows.map(({ line }) => line), padding: 0.2, axis: null },
      marks: [
        Plot.gridX({ ticks: 5, stroke: FAINT, strokeOpacity: 1 }),
        Plot.axisX({ ticks: 5, label: title, labelAnchor: 'center', labelArrow: 'none' }),
        ...(overall === null
          ? []
          : [
              Plot.ruleX([overall], { stroke: MUTED, strokeDasharray: '3 3', strokeWidth: 1.5 }),
              Plot.text([`all ${decimals(overall)}`], {
                x: overall,
                frameAnchor: 'top',
                dy: -10,
                fill: MUTED,
                fontSize: 11,
              }),
            ]),
        Plot.text(rows, {
          y: 'line',
          frameAnchor: 'left',
          textAnchor: 'end',
          dx: -10,
          text: ({ group }: GroupDot) => shortened(group, MAX_NAME),
        }),
        Plot.ruleY(
          known.filter(({ lower, upper }) => lower !== null && upper !== null),
          { y: 'line', x1: 'lower', x2: 'upper', stroke: color, strokeWidth: 2 },
        ),
        Plot.dot(known, { x: 'value', y: 'line', fill: color, r: 5 }),
        Plot.text(
          rows.filter(({ value }) => value === null),
          {
            y: 'line',
            frameAnchor: 'left',
            textAnchor: 'start',
            dx: 8,
            text: () => 'no value',
            fill: MUTED,
            fontStyle: 'italic',
          },
        ),
        Plot.text(rows, {
          y: 'line',
          frameAnchor: 'right',
          textAnchor: 'start',
          dx: 8,
          text: ({ n }: GroupDot) => `n = ${whole(n)}`,
          fill: MUTED,
          fontSize: 11,
        }),
        ...linkMarks(
          rows,
          linkOf && ((row) => linkOf(row, Number(row.line))),
          ({ line }, { y, band, frame }) => ({
            x1: 0,
            x2: frame.x2,
            y1: y(line),
            y2: y(line) + band,
          }),
        ),
      ],
    },
    { title: `${title}, by group`, description: inWords(dots, overall) },
    document,
  );
}

/** From 0 to 1, unless all lies in one half: differences between good groups must be seen. */
function domainOf(dots: DotPlot['dots'], overall: number | null): [number, number] {
  const ends = [...dots.flatMap(({ value, lower, upper }) => [value, lower, upper]), overall].filter(
    (end) => end !== null,
  );
  const low = Math.min(1, ...ends);
  const high = Math.max(0, ...ends);
  if (low >= 0.5 && high <= 1) return [0.5, 1];
  if (low >= 0 && high <= 0.5) return [0, 0.5];
  return [Math.min(0, low), Math.max(1, high)];
}

function inWords(dots: DotPlot['dots'], overall: number | null): string {
  const groups = dots.map(({ group, n, value, lower, upper }) => {
    if (value === null) return `${group}: no value, ${rowsOf(n)}`;
    const interval = lower === null || upper === null ? '' : ` (${decimals(lower)} to ${decimals(upper)})`;
    return `${group}: ${decimals(value)}${interval}, ${rowsOf(n)}`;
  });
  return `${groups.join('; ')}.${overall === null ? '' : ` All rows: ${decimals(overall)}.`}`;
}
