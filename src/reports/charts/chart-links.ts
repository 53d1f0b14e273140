import type * as Plot from '@observablehq/plot';
import { svgElement } from './svg-chart.ts';

/** Where a part of a chart leads, and its text alternative. */
export interface ChartLink {
  readonly href: string;
  readonly label: string;
}

type Box = Readonly<Record<'x1' | 'x2' | 'y1' | 'y2', number>>;

/** Positions of the chart: its scales in pixels, and its frame. */
interface Places {
  readonly x: (value: number) => number;
  readonly y: (value: number | string) => number;
  readonly band: number;
  readonly frame: Box;
}

/**
 * Links over the marks of a chart. A link is larger than its mark, so that it is easy to hit: the whole column of a bin, the whole line of a group. Without
 * `linkOf` nothing is drawn: reports have no links.
 */
export function linkMarks<T>(
  data: readonly T[],
  linkOf: ((datum: T) => ChartLink | null) | undefined,
  boxOf: (datum: T, places: Places) => Box,
): Plot.Markish[] {
  if (linkOf === undefined) return [];
  const render: Plot.RenderFunction = (_index, scales, _values, dimensions, { document }) => {
    const { width, height, marginLeft, marginRight, marginTop, marginBottom } = dimensions;
    const x = scales.x as Places['x'];
    const y = scales.y as Places['y'] & { bandwidth?: () => number };
    const frame = { x1: marginLeft, x2: width - marginRight, y1: marginTop, y2: height - marginBottom };
    const group = svgElement(document, 'g', {});
    for (const datum of data) {
      const target = linkOf(datum);
      if (target === null) continue;
      const { x1, x2, y1, y2 } = boxOf(datum, { x, y, band: y.bandwidth?.() ?? 0, frame });
      const link = svgElement(document, 'a', {
        href: target.href,
        'aria-label': target.label,
        'data-chart-link': '',
      });
      const area = {
        x: Math.min(x1, x2),
        y: Math.min(y1, y2),
        width: Math.abs(x2 - x1),
        height: Math.abs(y2 - y1),
        fill: 'transparent',
      };
      link.append(svgElement(document, 'title', {}, target.label), svgElement(document, 'rect', area));
      group.append(link);
    }
    return group;
  };
  return [render];
}
