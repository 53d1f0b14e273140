import { parseHTML } from 'linkedom';
import type { ChartDocument } from '../../../src/reports/charts/svg-chart.ts';
import { xmlText } from '../../../src/reports/xml-text.ts';

/** Colours for a white ground, the same as in the charts of reports. */
export const INK = '#1b2430';
export const QUIET = '#566273';
export const FAINT = '#d5dae1';
export const RIGHT = '#0072b2';
export const WRONG = '#d55e00';
export const DEFERRED = '#8a5200';

const WIDTH = 760;

const MARGIN = 20;

/** What charts make their elements with. */
export const { document } = parseHTML('<!doctype html><html></html>') as unknown as {
  document: ChartDocument;
};

interface Picture {
  readonly title: string;
  readonly height: number;
  /** SVG elements, as the functions below give them. */
  readonly parts: readonly string[];
}

/** A whole picture. Its ground is white and its words are dark whatever page it stands on; variables of a page do not reach into it. */
export function picture({ title, height, parts }: Picture): string {
  const ground = `<rect x="0.5" y="0.5" width="${WIDTH - 1}" height="${height - 1}" rx="8" fill="#ffffff" stroke="${FAINT}"/>`;
  const body = parts
    .join('\n')
    .replace(/var\(--[\w-]+, (#[0-9a-f]{6})\)/g, '$1')
    .replaceAll('currentColor', INK);
  return `<svg xmlns="http://www.w3.org/2000/svg" width="${WIDTH}" height="${height}" viewBox="0 0 ${WIDTH} ${height}" role="img" fill="${INK}" font-family="system-ui, -apple-system, 'Segoe UI', Helvetica, Arial, sans-serif" font-size="13">
<title>${xmlText(title)}</title>
${ground}
${heading(MARGIN, 32, title, 17)}
${body}
</svg>
`;
}

interface TextLook {
  readonly anchor?: 'start' | 'middle' | 'end';
  readonly fill?: string;
  readonly size?: number;
  readonly weight?: number;
}

export function text(x: number, y: number, words: string, look: TextLook = {}): string {
  const { anchor = 'start', fill, size, weight } = look;
  const attributes = [
    anchor === 'start' ? '' : ` text-anchor="${anchor}"`,
    fill === undefined ? '' : ` fill="${fill}"`,
    size === undefined ? '' : ` font-size="${size}"`,
    weight === undefined ? '' : ` font-weight="${weight}"`,
  ];
  return `<text x="${short(x)}" y="${short(y)}"${attributes.join('')}>${xmlText(words)}</text>`;
}

export function heading(x: number, y: number, words: string, size = 14): string {
  return text(x, y, words, { size, weight: 600 });
}

export function box(
  x: number,
  y: number,
  width: number,
  height: number,
  look: { fill: string; opacity?: number; stroke?: string; dash?: string },
): string {
  const opacity = look.opacity === undefined ? '' : ` fill-opacity="${short(look.opacity)}"`;
  const stroke = look.stroke === undefined ? '' : ` stroke="${look.stroke}"`;
  const dash = look.dash === undefined ? '' : ` stroke-dasharray="${look.dash}"`;
  return `<rect x="${short(x)}" y="${short(y)}" width="${short(width)}" height="${short(height)}" fill="${look.fill}"${opacity}${stroke}${dash}/>`;
}

export function line(
  [x1, y1]: readonly [number, number],
  [x2, y2]: readonly [number, number],
  look: { stroke: string; width?: number; dash?: string },
): string {
  const dash = look.dash === undefined ? '' : ` stroke-dasharray="${look.dash}"`;
  return `<path d="M${short(x1)},${short(y1)}L${short(x2)},${short(y2)}" stroke="${look.stroke}" stroke-width="${look.width ?? 1}"${dash}/>`;
}

/** A chart of the reports, drawn smaller or larger inside a picture. It keeps its words for those who do not see it. */
export function chart(svg: string, x: number, y: number, width: number, height?: number): string {
  const size = /viewBox="0 0 ([\d.]+) ([\d.]+)"/.exec(svg)!;
  const scaled = height ?? (width * Number(size[2])) / Number(size[1]);
  return svg
    .replace(/ role="img"| class="krisis-chart"/g, '')
    .replace(/ width="[^"]*"/, ` x="${short(x)}" y="${short(y)}" width="${short(width)}"`)
    .replace(/ height="[^"]*"/, ` height="${short(scaled)}"`);
}

/** A share as a bar with its name before and its value after it. */
export function shareBar(
  x: number,
  y: number,
  { name, value, bold = false, fill = RIGHT }: { name: string; value: number; bold?: boolean; fill?: string },
  { nameWidth = 140, barWidth = 130 } = {},
): string {
  const weight = bold ? { weight: 650 } : {};
  return [
    text(x, y + 11, name, weight),
    box(x + nameWidth, y, barWidth, 14, { fill: FAINT, opacity: 0.6 }),
    box(x + nameWidth, y, barWidth * value, 14, { fill }),
    text(x + nameWidth + barWidth + 46, y + 11, value.toFixed(3), { anchor: 'end', ...weight }),
  ].join('\n');
}

/** A hundredth of a pixel is enough. */
function short(length: number): string {
  return String(Math.round(length * 100) / 100);
}
