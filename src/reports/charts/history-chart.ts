import * as Plot from '@observablehq/plot';
import { GRID, upLabel } from './axes.ts';
import { type ChartLink, linkMarks } from './chart-links.ts';
import { bracketed, decimals, whole } from './number-text.ts';
import { CONTROL, MUTED, SMALL, seriesStyle } from './series-style.ts';
import { type ChartDocument, svgChart } from './svg-chart.ts';

/** A score of one run in a series of runs. */
export interface HistoryPoint {
  /** When the run started, as the axis shows it: `2026-03-01`. */
  readonly date: string;
  /** Null where the run has no value; its place stays empty. */
  readonly value: number | null;
  readonly lower: number | null;
  readonly upper: number | null;
  readonly n: number;
  /** Whether to mark the run, such as one beyond the limits. Default: false. */
  readonly isAlarm?: boolean;
  /** Where the run opens. Default: nowhere. */
  readonly link?: ChartLink;
}

interface History {
  /** What is drawn, in words. */
  readonly title: string;
  /** In the order of time. */
  readonly points: readonly HistoryPoint[];
  /** Lines to read the runs against: limits of a control chart, or a reference value. Default: none. */
  readonly limits?: readonly { readonly name: string; readonly value: number }[];
}

/** More dates than this would run into each other. */
const MAX_DATES = 4;
/** The least height of the axis: random differences must not fill the chart. */
const MIN_SPAN = 0.1;

/** A score over runs in the order of time, each with its interval. Runs are evenly spaced: what counts is their order. */
export function historyChart({ title, points, limits = [] }: History, document: ChartDocument): string {
  const { color } = seriesStyle(0);
  const placed: (HistoryPoint & { readonly place: number })[] = points.map((point, place) => ({
    ...point,
    place,
  }));
  const known = placed.filter(({ value }) => value !== null);
  const last = Math.max(1, points.length - 1);
  const step = Math.max(1, Math.ceil(points.length / MAX_DATES));
  const hasLinks = points.some(({ link }) => link !== undefined);
  const dated = placed.filter(({ place }) => place % step === 0);
  return svgChart(document, {
    title: `${title}, over ${points.length} runs`,
    description: inWords(placed, limits),
    height: 260,
    marginTop: 36,
    x: { domain: [-0.5, last + 0.5] },
    y: { domain: findDomain(points, limits) },
    marks: [
      Plot.gridY(GRID),
      Plot.axisX(
        dated.map(({ place }) => place),
        {
          label: 'runs by start',
          labelAnchor: 'center',
          labelArrow: 'none',
          tickFormat: (place: number) => points[place]?.date ?? '',
        },
      ),
      Plot.axisY({ ticks: 5, label: null }),
      limits.map(({ name, value }) => [
        Plot.ruleY([value], CONTROL),
        Plot.text([name], { ...SMALL, y: value, frameAnchor: 'right', textAnchor: 'end', dy: -7 }),
      ]),
      Plot.line(known, { x: 'place', y: 'value', stroke: MUTED, strokeWidth: 1.5 }),
      Plot.ruleX(
        known.filter(({ lower, upper }) => lower !== null && upper !== null),
        { x: 'place', y1: 'lower', y2: 'upper', stroke: color, strokeWidth: 2 },
      ),
      Plot.dot(
        known.filter(({ isAlarm }) => isAlarm !== true),
        { x: 'place', y: 'value', fill: color, r: 4.5, title: describePoint },
      ),
      Plot.dot(
        known.filter(({ isAlarm }) => isAlarm === true),
        {
          x: 'place',
          y: 'value',
          symbol: 'diamond',
          fill: 'var(--bad, #b3261e)',
          r: 6,
          title: describePoint,
        },
      ),
      upLabel(title),
      ...linkMarks(placed, hasLinks ? ({ link }) => link ?? null : undefined, ({ place }, { x, frame }) => ({
        x1: Math.max(frame.x1, x(place - 0.5)),
        x2: Math.min(frame.x2, x(place + 0.5)),
        y1: frame.y1,
        y2: frame.y2,
      })),
    ],
  });
}

/** Around all values, intervals and limits. */
function findDomain(points: History['points'], limits: NonNullable<History['limits']>): [number, number] {
  const ends = [
    ...points.flatMap(({ value, lower, upper }) => [value, lower, upper]),
    ...limits.map(({ value }) => value),
  ].filter((end) => end !== null);
  if (ends.length === 0) return [0, 1];
  const [low, high] = [Math.min(...ends), Math.max(...ends)];
  const beyond = Math.max(0.05 * (high - low), (MIN_SPAN - (high - low)) / 2);
  const isShare = low >= 0 && high <= 1;
  return isShare ? [Math.max(0, low - beyond), Math.min(1, high + beyond)] : [low - beyond, high + beyond];
}

function describePoint({ date, value, lower, upper, n, isAlarm }: HistoryPoint): string {
  return `${date}: ${value === null ? 'no value' : `${decimals(value)}${bracketed({ lower, upper })}`}, n = ${whole(n)}${isAlarm ? ', alarm' : ''}`;
}

function inWords(
  points: readonly (HistoryPoint & { readonly place: number })[],
  limits: NonNullable<History['limits']>,
): string {
  const runs = points.map(describePoint);
  const lines = limits.map(({ name, value }) => ` ${name}: ${decimals(value)}.`);
  return `${runs.join('; ')}.${lines.join('')}`;
}
