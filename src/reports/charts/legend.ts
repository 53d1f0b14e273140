import * as Plot from '@observablehq/plot';
import { visibleText } from '../../core/browser.ts';
import { TOP_LEFT } from './axes.ts';
import type { SeriesStyle } from './series-style.ts';
import { svgElement } from './svg-chart.ts';

export interface LegendEntry extends Partial<SeriesStyle> {
  readonly name: string;
  readonly color: string;
}

const LINE_HEIGHT = 18;
/** Longer names are cut here; the text alternative and the table have them in full. */
const MAX_NAME = 46;

/** The space above the frame for a legend and the label of the upright axis. */
export function legendHeight(entries: readonly LegendEntry[]): number {
  return entries.length * LINE_HEIGHT + 38;
}

/** One line for each entry above the frame: a stretch of its line, its symbol, its name. */
export function legendMarks(entries: readonly LegendEntry[], gap = 34): Plot.Markish[] {
  return entries.flatMap((entry, i) => {
    const { symbol, color } = entry;
    const dy = -gap - LINE_HEIGHT * (entries.length - i - 0.5);
    const dot = { frameAnchor: 'top-left', dx: 14, dy, r: 4, fill: color, stroke: color } as const;
    return [
      ...(entry.dash === undefined ? [] : [lineSample(entry, dy)]),
      ...(symbol === undefined ? [] : [Plot.dot([0], { ...dot, symbol })]),
      Plot.text([shortened(entry.name)], { ...TOP_LEFT, dx: 36, dy }),
    ];
  });
}

function lineSample({ color, dash = 'none' }: LegendEntry, dy: number): Plot.RenderFunction {
  return (_index, _scales, _values, { marginLeft, marginTop }, { document }) =>
    svgElement(document, 'path', {
      d: `M${marginLeft},${marginTop + dy}h28`,
      stroke: color,
      'stroke-width': 2,
      ...(dash !== 'none' && { 'stroke-dasharray': dash }),
    });
}

export function shortened(given: string, length = MAX_NAME): string {
  const name = visibleText(given);
  const characters = [...name];
  return characters.length <= length ? name : `${characters.slice(0, length - 1).join('')}…`;
}
