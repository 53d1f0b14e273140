import * as Plot from '@observablehq/plot';
import type { SeriesStyle } from './series-style.ts';

export interface LegendEntry extends Partial<SeriesStyle> {
  readonly name: string;
  readonly color: string;
}

const LINE_HEIGHT = 18;
/** Longer names are cut here; the text alternative and the table have them in full. */
const MAX_NAME = 46;

/** The space that a legend and the label of the upright axis take above the frame. */
export function legendHeight(entries: readonly LegendEntry[]): number {
  return entries.length * LINE_HEIGHT + 38;
}

/** One line for each entry above the frame: a stretch of its line, its symbol, its name. */
export function legendMarks(entries: readonly LegendEntry[], gap = 34): Plot.Markish[] {
  return entries.flatMap((entry, i) => {
    const dy = -gap - LINE_HEIGHT * (entries.length - i - 0.5);
    return [
      ...(entry.dash === undefined ? [] : [lineSample(entry, dy)]),
      ...(entry.symbol === undefined
        ? []
        : [
            Plot.dot([0], {
              frameAnchor: 'top-left',
              dx: 14,
              dy,
              r: 4,
              symbol: entry.symbol,
              fill: entry.color,
              stroke: entry.color,
            }),
          ]),
      Plot.text([shortened(entry.name)], {
        frameAnchor: 'top-left',
        textAnchor: 'start',
        lineAnchor: 'middle',
        dx: 36,
        dy,
      }),
    ];
  });
}

/** The label of the upright axis: lying, above the frame and below the legend, where it crosses neither. */
export function upLabel(text: string): Plot.Markish {
  return Plot.text([text], {
    frameAnchor: 'top-left',
    textAnchor: 'start',
    lineAnchor: 'middle',
    dx: -44,
    dy: -20,
  });
}

function lineSample({ color, dash }: LegendEntry, dy: number): Plot.RenderFunction {
  return (_index, _scales, _values, { marginLeft, marginTop }, { document }) => {
    const line = document.createElementNS('http://www.w3.org/2000/svg', 'path');
    line.setAttribute('d', `M${marginLeft},${marginTop + dy}h28`);
    line.setAttribute('stroke', color);
    line.setAttribute('stroke-width', '2');
    if (dash !== 'none') line.setAttribute('stroke-dasharray', dash ?? '');
    return line;
  };
}

export function shortened(name: string, length = MAX_NAME): string {
  const characters = [...name];
  return characters.length <= length ? name : `${characters.slice(0, length - 1).join('')}…`;
}
