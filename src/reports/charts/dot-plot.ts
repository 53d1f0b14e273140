import * as Plot from '@observablehq/plot';
import { visibleText } from '../../core/browser.ts';
import type { GroupDot } from '../../metrics/figures/group-dots.ts';
import type { RecordFilter } from '../../store/browser.ts';
import { axisBelow, GRID } from './axes.ts';
import { type ChartLink, linkMarks } from './chart-links.ts';
import { shortened } from './legend.ts';
import { bracketed, casesText, decimals, restsOn, whole } from './number-text.ts';
import { CONTROL, MUTED, SMALL, seriesStyle } from './series-style.ts';
import { type ChartDocument, svgChart } from './svg-chart.ts';

export interface DotPlot {
  /** What the dots measure, in words. */
  readonly title: string;
  /** What the axis says. Default: the title. */
  readonly axis?: string;
  readonly dots: readonly (Pick<GroupDot, 'group' | 'n' | 'n_successes' | 'value' | 'lower' | 'upper'> & {
    /** The rows that the share rests on. Default: they cannot be listed. */
    readonly records?: RecordFilter | null;
  })[];
  /** The same measure over all rows, drawn as a line to read the groups against. */
  readonly overall: number | null;
  /** What `overall` is called. Default: `all`. */
  readonly overallName?: string;
  /** Ends of the axis, which plots beside each other share. Default: from 0 to 1, or the half that holds all values. */
  readonly domain?: readonly [number, number];
  /** Whether the plot is as wide as its longest name and its title need, as in a file of its own. Default: false, names are cut. */
  readonly isRoomy?: boolean;
}

const ROW_HEIGHT = { single: 24, double: 34 };
const MAX_NAME = { narrow: 24, roomy: 60 };
const CHARACTER = 6.6;
const FRAME = { width: 190, marginRight: 70 };
/** Text in the line of a group, right of the edge of the frame. */
const BESIDE = { y: 'line', frameAnchor: 'left', textAnchor: 'start', dx: 8 } as const;

/**
 * A share in each group, with its interval and n. Groups keep their order; a group without a value keeps its line and says so.
 *
 * @param linkOf where a group leads.
 */
export function dotPlot(
  plot: DotPlot,
  document: ChartDocument,
  linkOf?: (dot: DotPlot['dots'][number], words: string) => ChartLink | null,
): string {
  const {
    title,
    axis = title,
    dots,
    overall,
    overallName = 'all',
    domain = findDomain([plot]),
    isRoomy = false,
  } = plot;
  const { color } = seriesStyle(0);
  // Two groups whose names begin alike stay two lines.
  const rows = dots.map((dot, line) => ({ ...dot, line: String(line) }));
  const known = rows.filter(({ value }) => value !== null);
  const all = overall === null ? [] : [overall];
  const maxName = MAX_NAME[isRoomy ? 'roomy' : 'narrow'];
  const names = dots.map(({ group }) => nameLines(group, maxName));
  const longest = Math.max(4, ...names.flat().map((part) => [...part].length));
  const rowHeight = ROW_HEIGHT[names.some(({ length }) => length > 1) ? 'double' : 'single'];
  const marginLeft = 22 + CHARACTER * longest;
  const frame = Math.max(FRAME.width, CHARACTER * [...axis].length);
  return svgChart(document, {
    title: `${title}, by group`,
    description: inWords(plot),
    ...(isRoomy && { width: Math.ceil(marginLeft + frame + FRAME.marginRight) }),
    height: dots.length * rowHeight + 62,
    marginTop: 20,
    marginLeft,
    marginRight: FRAME.marginRight,
    x: { domain },
    y: { type: 'band', domain: rows.map(({ line }) => line), padding: 0.2, axis: null },
    marks: [
      Plot.gridX(GRID),
      axisBelow(axis, null),
      all.map((value) => [
        Plot.ruleX([value], CONTROL),
        Plot.text([`${overallName} ${decimals(value)}`], { ...SMALL, x: value, frameAnchor: 'top', dy: -10 }),
      ]),
      Plot.text(rows, {
        ...BESIDE,
        textAnchor: 'end',
        dx: -10,
        text: (_: GroupDot, i: number) => names[i]!.join('\n'),
        title: ({ group }: GroupDot, i: number) => (names[i]!.join(' ') === group ? null : group),
      }),
      Plot.ruleY(
        known.filter(({ lower, upper }) => lower !== null && upper !== null),
        { y: 'line', x1: 'lower', x2: 'upper', stroke: color, strokeWidth: 2, title: describeDot },
      ),
      Plot.dot(known, { x: 'value', y: 'line', fill: color, r: 5, title: describeDot }),
      Plot.text(
        rows.filter(({ value }) => value === null),
        { ...BESIDE, text: () => 'no value', fill: MUTED, fontStyle: 'italic' },
      ),
      Plot.text(rows, {
        ...BESIDE,
        ...SMALL,
        frameAnchor: 'right',
        text: ({ n_successes: successes, n }: GroupDot) =>
          successes == null ? `n = ${whole(n)}` : restsOn(successes, n),
      }),
      ...linkMarks(
        rows,
        linkOf && ((row) => linkOf(row, describeDot(row))),
        ({ line }, { y, band, frame }) => ({
          x1: 0,
          x2: frame.x2,
          y1: y(line),
          y2: y(line) + band,
        }),
      ),
    ],
  });
}

/** A name in one line or, broken between words, in two; what does not fit is cut. */
function nameLines(group: string, most: number): string[] {
  const name = visibleText(group);
  if ([...name].length <= most) return [name];
  const space = name.lastIndexOf(' ', most);
  return space <= 0
    ? [shortened(name, most)]
    : [name.slice(0, space), shortened(name.slice(space + 1), most)];
}

/** The axis that all values of plots fit on: from 0 to 1, or the half that holds them, since differences between good groups must be visible. */
export function findDomain(plots: readonly Pick<DotPlot, 'dots' | 'overall'>[]): [number, number] {
  const ends = plots
    .flatMap(({ dots, overall }) => [
      ...dots.flatMap(({ value, lower, upper }) => [value, lower, upper]),
      overall,
    ])
    .filter((end) => end !== null);
  const low = ends.reduce((least, end) => Math.min(least, end), 1);
  const high = ends.reduce((most, end) => Math.max(most, end), 0);
  if (low >= 0.5 && high <= 1) return [0.5, 1];
  if (low >= 0 && high <= 0.5) return [0, 0.5];
  return [Math.min(0, low), Math.max(1, high)];
}

function describeDot({
  group,
  n,
  n_successes: successes,
  value,
  lower,
  upper,
}: DotPlot['dots'][number]): string {
  if (value === null) return `${group}: no value, ${casesText(n)}`;
  const rows = successes == null ? casesText(n) : `${whole(successes)} of ${casesText(n)}`;
  return `${group}: ${decimals(value)}${bracketed({ lower, upper })}, ${rows}`;
}

function inWords({ dots, overall, overallName = 'All cases' }: DotPlot): string {
  return `${dots.map(describeDot).join('; ')}.${overall === null ? '' : ` ${overallName}: ${decimals(overall)}.`}`;
}
