import * as Plot from '@observablehq/plot';

/** The document that elements are made with: the browser's own, or a stand-in where there is none. */
export type ChartDocument = NonNullable<Plot.PlotOptions['document']>;

/** What a reader hears who does not see the chart. */
export interface ChartText {
  readonly title: string;
  /** The numbers in words. */
  readonly description: string;
}

/** Wide enough for its text to be read on a telephone, where the chart is drawn smaller. */
export const CHART_WIDTH = 400;

const FONT_SIZE = '12';
const CLASS_NAME = 'krisis-chart';
/** Links over marks, drawn by chart-links.ts. */
const CHART_LINK = '[data-chart-link]';
/** Attributes that hold coordinates. */
const GEOMETRY = [
  'd',
  'transform',
  'x',
  'y',
  'x1',
  'x2',
  'y1',
  'y2',
  'dx',
  'dy',
  'cx',
  'cy',
  'r',
  'width',
  'height',
];

/**
 * Draws a plot as the text of an SVG element. The text is the same wherever and however often it is drawn, and brings no style of its own: a page
 * with a strict content-security policy shows it as it is. Marks that are clipped or carry line markers would be numbered across the whole process, so
 * charts here use neither.
 */
export function svgChart(options: Plot.PlotOptions, text: ChartText, document: ChartDocument): string {
  const svg = Plot.plot({ width: CHART_WIDTH, ...options, className: CLASS_NAME, document });
  svg.querySelector('style')?.remove();
  const hasLinks = svg.querySelector(CHART_LINK) !== null;
  svg.setAttribute('role', hasLinks ? 'group' : 'img');
  svg.setAttribute('font-size', FONT_SIZE);
  svg.prepend(textElement(document, 'title', text.title), textElement(document, 'desc', text.description));
  for (const element of svg.querySelectorAll('*')) {
    // An image is read as one: its title and description, not the names of its parts.
    if (!element.matches(CHART_LINK)) element.removeAttribute('aria-label');
    element.removeAttribute('aria-hidden');
    for (const name of GEOMETRY) {
      const value = element.getAttribute(name);
      if (value !== null) element.setAttribute(name, rounded(value));
    }
  }
  // Where there are links the parts are read one by one, and those that are none would only be noise.
  if (hasLinks)
    for (const part of svg.querySelectorAll(':scope > g, :scope > text, :scope > path'))
      if (part.querySelector(CHART_LINK) === null) part.setAttribute('aria-hidden', 'true');
  return svg.outerHTML;
}

function textElement(document: ChartDocument, name: 'title' | 'desc', content: string) {
  const element = document.createElementNS('http://www.w3.org/2000/svg', name);
  element.textContent = content;
  return element;
}

/** A hundredth of a pixel is enough; what lies below differs between machines and only takes room. */
function rounded(coordinates: string): string {
  return coordinates.replace(/-?\d*\.\d+(?:e[+-]?\d+)?|-?\d+e[+-]?\d+/g, (number) =>
    String(Math.round(Number(number) * 100) / 100 || 0),
  );
}
