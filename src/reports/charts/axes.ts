import * as Plot from '@observablehq/plot';
import { FAINT } from './series-style.ts';

/** Ticks of a share. */
export const TICKS = [0, 0.2, 0.4, 0.6, 0.8, 1];

/** The lower axis, its label in the middle. */
export function axisBelow(label: string, ticks: readonly number[] | null = TICKS): Plot.Markish {
  const options = { label, labelAnchor: 'center', labelArrow: 'none' } as const;
  return ticks === null ? Plot.axisX({ ...options, ticks: 5 }) : Plot.axisX(ticks, options);
}

/** Faint lines across the frame. */
export const GRID = { stroke: FAINT, strokeOpacity: 1, ticks: 5 };

/** The label of the upright axis: horizontal, above the frame and below the legend, so that it crosses neither. */
export function upLabel(text: string): Plot.Markish {
  return Plot.text([text], { ...TOP_LEFT, dx: -44, dy: -20 });
}

/** Text that begins at a distance from the upper left corner of the frame. */
export const TOP_LEFT = { frameAnchor: 'top-left', textAnchor: 'start', lineAnchor: 'middle' } as const;
