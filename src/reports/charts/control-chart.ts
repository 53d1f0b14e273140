import * as Plot from '@observablehq/plot';
import { GRID, upLabel } from './axes.ts';
import { decimals } from './number-text.ts';
import { CONTROL, FAINT, MUTED, SHADE, SMALL, seriesStyle } from './series-style.ts';
import { type ChartDocument, svgChart } from './svg-chart.ts';

interface ControlChart {
  /** What the points measure, in words. */
  readonly title: string;
  readonly centre: number;
  readonly warning: readonly [number, number];
  readonly action: readonly [number, number];
  /** In order of time, the reference first. */
  readonly points: readonly { readonly name: string; readonly value: number; readonly state: string }[];
}

/** A share over time within warning and action limits around the reference. Shape and words mark a run outside of them, not colour alone. */
export function controlChart(
  { title, centre, warning, action, points }: ControlChart,
  document: ChartDocument,
): string {
  const { color } = seriesStyle(0);
  const alarm = seriesStyle(1).color;
  const rows = points.map((point, i) => ({ ...point, x: i, isOut: OUT.includes(point.state) }));
  const values = [...action, ...points.map(({ value }) => value)];
  const room = 0.02;
  const last = Math.max(1, points.length - 1);
  const band = ([low, high]: readonly [number, number], fill: string) =>
    Plot.rect([0], { x1: -0.4, x2: last + 0.4, y1: low, y2: high, fill, stroke: FAINT });
  return svgChart(document, {
    title: `${title}, run by run`,
    description: inWords({ title, centre, warning, action, points }),
    height: 260,
    marginTop: 34,
    marginRight: 58,
    x: { domain: [-0.4, last + 0.4], axis: null },
    y: { domain: [Math.max(0, Math.min(...values) - room), Math.min(1, Math.max(...values) + room)] },
    marks: [
      band(action, 'none'),
      band(warning, SHADE),
      Plot.gridY(GRID),
      Plot.axisY({ label: null, ticks: 5 }),
      upLabel(title),
      Plot.ruleY([centre], CONTROL),
      ...[
        { value: centre, text: 'reference' },
        { value: warning[0], text: 'warning' },
        { value: action[0], text: 'action' },
      ].map(({ value, text }) =>
        Plot.text([text], { ...SMALL, y: value, frameAnchor: 'right', textAnchor: 'start', dx: 5 }),
      ),
      Plot.line(rows, { x: 'x', y: 'value', stroke: MUTED }),
      Plot.dot(
        rows.filter(({ isOut }) => !isOut),
        { x: 'x', y: 'value', fill: color, r: 4 },
      ),
      Plot.dot(
        rows.filter(({ isOut }) => isOut),
        { x: 'x', y: 'value', stroke: alarm, strokeWidth: 2.5, r: 5, symbol: 'times' },
      ),
      Plot.text(rows, {
        ...SMALL,
        x: 'x',
        frameAnchor: 'bottom',
        dy: 16,
        text: ({ x }) => (x === 0 ? 'ref' : String(x)),
      }),
    ],
  });
}

const OUT = ['action', 'two_of_three', 'warning'];

function inWords({ centre, warning, action, points }: ControlChart): string {
  const runs = points.map(
    ({ name, value, state }) => `${name}: ${decimals(value)} (${state.replaceAll('_', ' ')})`,
  );
  return `Reference ${decimals(centre)}; warning limits ${decimals(warning[0])} to ${decimals(warning[1])}, action limits ${decimals(action[0])} to ${decimals(action[1])}. ${runs.join('; ')}.`;
}
