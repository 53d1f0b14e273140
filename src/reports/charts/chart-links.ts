import type * as Plot from '@observablehq/plot';

/** Where a part of a chart leads, and what a reader hears who does not see it. */
export interface ChartLink {
  readonly href: string;
  readonly label: string;
}

interface Box {
  readonly x1: number;
  readonly x2: number;
  readonly y1: number;
  readonly y2: number;
}

/** Positions of the chart: its scales in pixels, and its frame. */
interface Places {
  readonly x: (value: number) => number;
  readonly y: (value: number | string) => number;
  readonly band: number;
  readonly frame: Box;
}

const SVG = 'http://www.w3.org/2000/svg';

/**
 * Links that lie over the marks of a chart. A link is as large as the reader's aim needs, not as the mark: the whole column of a bin, the whole line of a group. Without
 * `linkOf` nothing is drawn, so a report stays as it was.
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
    const group = document.createElementNS(SVG, 'g');
    for (const datum of data) {
      const target = linkOf(datum);
      if (target === null) continue;
      const { x1, x2, y1, y2 } = boxOf(datum, { x, y, band: y.bandwidth?.() ?? 0, frame });
      const link = document.createElementNS(SVG, 'a');
      link.setAttribute('href', target.href);
      link.setAttribute('aria-label', target.label);
      link.setAttribute('data-chart-link', '');
      const tip = document.createElementNS(SVG, 'title');
      tip.textContent = target.label;
      const area = document.createElementNS(SVG, 'rect');
      const numbers = {
        x: Math.min(x1, x2),
        y: Math.min(y1, y2),
        width: Math.abs(x2 - x1),
        height: Math.abs(y2 - y1),
      };
      for (const [name, value] of Object.entries(numbers)) area.setAttribute(name, String(value));
      area.setAttribute('fill', 'transparent');
      link.append(tip, area);
      group.append(link);
    }
    return group;
  };
  return [render];
}
