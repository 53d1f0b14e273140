import * as Plot from '@observablehq/plot';
import { visibleText } from '../../core/browser.ts';

/** The document that elements are made with: the browser's own, or a replacement where there is none. */
export type ChartDocument = NonNullable<Plot.PlotOptions['document']>;

/** A plot with its text alternative. */
interface ChartOptions extends Omit<Plot.PlotOptions, 'title'> {
  readonly title: string;
  /** The numbers in words. */
  readonly description: string;
}

/** The frame of a chart; a chart sets what differs. The width keeps text above 11 pixels on a phone, where the chart is drawn smaller. */
const FRAME = { width: 380, marginLeft: 46, marginRight: 14, marginBottom: 42 };
const FONT_SIZE = '12';
const CLASS_NAME = 'krisis-chart';
/** Links over marks, drawn by chart-links.ts. */
const CHART_LINK = '[data-chart-link]';
/** Attributes that hold coordinates. */
const GEOMETRY = 'd transform x y x1 x2 y1 y2 dx dy cx cy r width height'.split(' ');
const SVG = 'http://www.w3.org/2000/svg';

/**
 * Draws a plot as the text of an SVG element. The same data give the same text on every machine, and the element has no style sheet of its own: a page
 * with a strict content-security policy shows it unchanged. Plot numbers clipped marks and line markers across the whole process, so
 * charts use neither.
 */
export function svgChart(document: ChartDocument, { title, description, ...options }: ChartOptions): string {
  const svg = Plot.plot({ ...FRAME, ...options, className: CLASS_NAME, document });
  svg.querySelector('style')?.remove();
  const hasLinks = svg.querySelector(CHART_LINK) !== null;
  svg.setAttribute('role', hasLinks ? 'group' : 'img');
  svg.setAttribute('font-size', FONT_SIZE);
  svg.prepend(svgElement(document, 'title', {}, title), svgElement(document, 'desc', {}, description));
  for (const element of svg.querySelectorAll('*')) {
    // A screen reader reads an image as a whole: its title and description, not the names of its parts.
    if (!element.matches(CHART_LINK)) element.removeAttribute('aria-label');
    element.removeAttribute('aria-hidden');
    for (const name of GEOMETRY) {
      const value = element.getAttribute(name);
      if (value !== null) element.setAttribute(name, rounded(value));
    }
  }
  // A chart with links is read part by part; parts without a link would only be noise.
  if (hasLinks)
    for (const part of svg.querySelectorAll(':scope > g, :scope > text, :scope > path'))
      if (part.querySelector(CHART_LINK) === null) part.setAttribute('aria-hidden', 'true');
  return svg.outerHTML;
}

export function svgElement(
  document: ChartDocument,
  name: string,
  attributes: Readonly<Record<string, string | number>>,
  text?: string,
) {
  const element = document.createElementNS(SVG, name);
  for (const [key, value] of Object.entries(attributes)) element.setAttribute(key, String(value));
  if (text !== undefined) element.textContent = visibleText(text);
  return element;
}

/** Rounds to a hundredth of a pixel: finer digits differ between machines and only take room. */
function rounded(coordinates: string): string {
  return coordinates.replace(/-?\d*\.\d+(?:e[+-]?\d+)?|-?\d+e[+-]?\d+/g, (number) =>
    String(Math.round(Number(number) * 100) / 100 || 0),
  );
}
