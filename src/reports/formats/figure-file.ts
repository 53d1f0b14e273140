import { KrisisError } from '../../core/errors.ts';
import type { Chart } from '../charts/chart.ts';
import { allowedInXml } from '../xml-text.ts';

/** Without quotation marks, which the renderer does not read in a list. */
const FONT = 'Helvetica, Arial, Liberation Sans, DejaVu Sans, sans-serif';
/** The colour of text and lines that a page would set. */
const INK = '#1b2430';
/** Pixels of a picture for each unit of the drawing: 400 units give a figure of 1600 pixels. */
const SCALE = 4;
const PACKAGE = '@resvg/resvg-js';

/** A chart as a picture file that needs no page around it: black on white, with its text alternative. */
export async function drawFigure(chart: Chart, image: 'svg' | 'png'): Promise<string | Uint8Array> {
  const [{ drawChart }, { parseHTML }] = await Promise.all([
    import('../charts/chart.ts'),
    import('linkedom'),
  ]);
  const { document } = parseHTML('<!doctype html><html><body></body></html>');
  const svg = standalone(drawChart(chart, document));
  return image === 'svg' ? svg : drawPixels(svg);
}

/** The text of an SVG file: with a namespace, a background, and colours and fonts that no page has to state. */
function standalone(svg: string): string {
  const [, width, height] = /viewBox="0 0 ([\d.]+) ([\d.]+)"/.exec(svg)!;
  const open = `<svg xmlns="http://www.w3.org/2000/svg" color="${INK}" `;
  const background = `<rect width="${width}" height="${height}" fill="#ffffff"/>`;
  return `${allowedInXml(svg)
    .replace(/var\(--[\w-]+, (#[0-9a-f]+)\)/g, '$1')
    .replaceAll('currentColor', INK)
    .replaceAll('font-family="system-ui, sans-serif"', `font-family="${FONT}"`)
    .replace('<svg ', open)
    .replace('</desc>', `</desc>${background}`)}\n`;
}

async function drawPixels(svg: string): Promise<Uint8Array> {
  const { Resvg } = await loadResvg();
  const options = {
    fitTo: { mode: 'zoom', value: SCALE },
    font: { loadSystemFonts: true, defaultFontFamily: 'DejaVu Sans' },
  } as const;
  const letters = '<svg xmlns="http://www.w3.org/2000/svg" width="9" height="9"><text y="9">n</text></svg>';
  // A machine without fonts would draw figures without a word.
  if (new Resvg(letters, options).getBBox() === undefined)
    throw new KrisisError(
      'PNG: this machine has no font, so the figures would have no text; install one (such as fonts-dejavu), or write SVG: --format svg',
      { code: 'ERR_FORMAT_NOT_AVAILABLE', value: 'png' },
    );
  return new Resvg(svg, options).render().asPng();
}

async function loadResvg() {
  try {
    return await import('@resvg/resvg-js');
  } catch (cause) {
    throw new KrisisError(
      `PNG needs the package ${PACKAGE}: npm install ${PACKAGE}@2, or write SVG: --format svg`,
      { code: 'ERR_PACKAGE_MISSING', value: PACKAGE, cause },
    );
  }
}
