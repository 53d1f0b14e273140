import type { Figures } from '../../metrics/figures.ts';

/** One of the runs in a chart. */
export interface Series<Drawn extends keyof Figures = keyof Figures> {
  readonly name: string;
  readonly figures: Pick<Figures, Drawn>;
  /** Rules that need no model, as points of a risk-coverage chart. Default: none. */
  readonly references?: readonly RiskReference[];
}

/** What share of rows a rule answers, and how many of its answers are wrong. */
export interface RiskReference {
  readonly name: string;
  readonly coverage: number;
  readonly risk: number;
}

/** A page may set the variables to suit a dark background; the colours beside them are for a light one. */
const COLORS = [
  'var(--series-1, #0072b2)',
  'var(--series-2, #d55e00)',
  'var(--series-3, #009e73)',
  'var(--series-4, #cc79a7)',
  'var(--series-5, #e69f00)',
  'var(--series-6, #56b4e9)',
];
const DASHES = ['none', '7 3', '2 3', '9 3 2 3', '12 4', '4 2'];
const SYMBOLS = ['circle', 'square', 'triangle', 'diamond', 'times', 'plus', 'star', 'wye'] as const;

/** How one series looks: a colour of the Okabe-Ito palette, a dash and a symbol, so that colour is never the only difference. */
export interface SeriesStyle {
  readonly color: string;
  readonly dash: string;
  readonly symbol: (typeof SYMBOLS)[number];
}

/** Six colours and eight symbols repeat together only after 24 series. */
export function seriesStyle(index: number): SeriesStyle {
  return {
    color: COLORS[index % COLORS.length]!,
    dash: DASHES[index % DASHES.length]!,
    symbol: SYMBOLS[index % SYMBOLS.length]!,
  };
}

/** Controls, grids and everything else that was not measured. */
export const MUTED = 'var(--muted, #5f6b7a)';
export const FAINT = 'var(--faint, #d5dae1)';
/** Background of parts of a chart where nothing can be drawn. */
export const SHADE = 'var(--shade, #eef1f5)';
/** A line to read the measured values against. */
export const CONTROL = { stroke: MUTED, strokeDasharray: '3 3', strokeWidth: 1.5 };
/** A curve over fewer cases is noise, and is not drawn. */
export const MIN_CURVE_CASES = 20;
/** Small print in a chart. */
export const SMALL = { fill: MUTED, fontSize: 12 };
