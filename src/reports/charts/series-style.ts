/** How one series looks: a colour of the Okabe-Ito palette, a dash and a symbol, so that colour is never the only difference. */
export interface SeriesStyle {
  readonly color: string;
  readonly dash: string;
  readonly symbol: 'circle' | 'square' | 'triangle' | 'diamond' | 'times' | 'plus' | 'star' | 'wye';
}

/** A page may set the variables to fit a dark ground; the colours beside them are for a light one. */
const COLORS = [
  'var(--series-1, #0072b2)',
  'var(--series-2, #d55e00)',
  'var(--series-3, #009e73)',
  'var(--series-4, #cc79a7)',
  'var(--series-5, #e69f00)',
  'var(--series-6, #56b4e9)',
];
const DASHES = ['none', '7 3', '2 3', '9 3 2 3', '12 4', '4 2'];
const SYMBOLS: readonly SeriesStyle['symbol'][] = [
  'circle',
  'square',
  'triangle',
  'diamond',
  'times',
  'plus',
  'star',
  'wye',
];

/** Six colours and eight symbols repeat together only after 24 series. */
export function seriesStyle(index: number): SeriesStyle {
  return {
    color: COLORS[index % COLORS.length]!,
    dash: DASHES[index % DASHES.length]!,
    symbol: SYMBOLS[index % SYMBOLS.length]!,
  };
}

/** Controls, grids and everything else that is not what was measured. */
export const MUTED = 'var(--muted, #5f6b7a)';
export const FAINT = 'var(--faint, #d5dae1)';
/** Ground under parts of a chart where nothing can be drawn. */
export const SHADE = 'var(--shade, #eef1f5)';
