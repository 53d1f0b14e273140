import { type MouseEvent, useRef, useState } from 'react';
import { CopyButton } from './copy-button.tsx';
import { saveBlob } from './save-blob.ts';

/** How a picture is larger than on the screen, so that it can be printed. */
const PNG_SCALE = 2;
/** What the style sheet gives to the parts of a chart. */
const STYLES = [
  'fill',
  'fill-opacity',
  'stroke',
  'stroke-opacity',
  'stroke-width',
  'stroke-dasharray',
  'opacity',
  'font-family',
  'font-size',
  'font-weight',
  'text-anchor',
] as const;

/** Copies or saves the table beside it: closed, it is one tab stop. */
export function TakeTable({ name }: { name: string }) {
  const box = useRef<HTMLDetailsElement>(null);
  const rows = () => cellsIn(box.current?.parentElement?.querySelector('table') ?? null);
  const save = () =>
    saveBlob(`${fileName(name)}.csv`, new Blob([rows().map(csvLine).join('')], { type: 'text/csv' }));
  return (
    <details className="take" ref={box}>
      <summary>Copy or save</summary>
      <CopyButton
        text={() =>
          rows()
            .map((row) => row.join('\t'))
            .join('\n')
        }
        label="Copy table"
      />{' '}
      <button type="button" className="copy" onClick={save}>
        CSV
      </button>
    </details>
  );
}

/** Saves the chart of the figure that it stands in. */
export function TakeChart({ name }: { name: string }) {
  const [problem, setProblem] = useState<string | null>(null);
  const save = (type: 'svg' | 'png') => async (event: MouseEvent<HTMLElement>) => {
    const svg = event.currentTarget.closest('.with-chart')?.querySelector<SVGSVGElement>('.drawing svg');
    if (!svg) return;
    try {
      const text = standalone(svg);
      const blob = type === 'svg' ? new Blob([text], { type: 'image/svg+xml' }) : await picture(svg, text);
      saveBlob(`${fileName(name)}.${type}`, blob);
      setProblem(null);
    } catch (error) {
      setProblem(`not saved: ${(error as Error).message}`);
    }
  };
  return (
    <details className="take">
      <summary>Save this chart</summary>
      <button type="button" className="copy" onClick={save('svg')}>
        SVG
      </button>{' '}
      <button type="button" className="copy" onClick={save('png')}>
        PNG
      </button>
      {problem !== null && (
        <span className="small" role="alert">
          {problem}
        </span>
      )}
    </details>
  );
}

/** The texts of a table as they are seen. */
function cellsIn(table: HTMLTableElement | null): string[][] {
  return [...(table?.rows ?? [])].map((row) => [...row.cells].map(cellText));
}

function cellText(cell: HTMLElement): string {
  const copy = cell.cloneNode(true) as HTMLElement;
  for (const part of copy.querySelectorAll('.unseen')) part.remove();
  // A new line in a cell is a word boundary in a table of texts.
  for (const part of copy.querySelectorAll('br, .line')) part.before(' ');
  return (copy.textContent ?? '').replace(/\s+/g, ' ').trim();
}

function csvLine(cells: readonly string[]): string {
  return `${cells.map((cell) => (/[",]|^[=+@-]\D/.test(cell) ? `"${cell.replaceAll('"', '""')}"` : cell)).join(',')}\r\n`;
}

/** The chart as a file of its own: with the styles of the page, without its links. */
function standalone(svg: SVGSVGElement): string {
  const copy = svg.cloneNode(true) as SVGSVGElement;
  const [from, to] = [svg.querySelectorAll('*'), copy.querySelectorAll('*')];
  for (const [i, part] of [...to].entries()) {
    const style = getComputedStyle(from[i]!);
    for (const name of STYLES) part.setAttribute(name, style.getPropertyValue(name));
    part.removeAttribute('class');
    part.removeAttribute('href');
  }
  const { width, height } = svg.getBoundingClientRect();
  copy.setAttribute('width', String(width));
  copy.setAttribute('height', String(height));
  copy.removeAttribute('class');
  copy.style.color = getComputedStyle(svg).color;
  copy.setAttribute('xmlns', 'http://www.w3.org/2000/svg');
  const ground = document.createElementNS('http://www.w3.org/2000/svg', 'rect');
  const { x, y, width: w, height: h } = svg.viewBox.baseVal;
  for (const [name, value] of Object.entries({ x, y, width: w || width, height: h || height }))
    ground.setAttribute(name, String(value));
  ground.setAttribute('fill', getComputedStyle(document.body).backgroundColor);
  copy.prepend(ground);
  return new XMLSerializer().serializeToString(copy);
}

function picture(svg: SVGSVGElement, text: string): Promise<Blob> {
  const { width, height } = svg.getBoundingClientRect();
  return new Promise((found, failed) => {
    const image = new Image();
    image.onerror = () => failed(new Error('the browser cannot draw this chart'));
    image.onload = () => {
      const canvas = document.createElement('canvas');
      [canvas.width, canvas.height] = [width * PNG_SCALE, height * PNG_SCALE];
      canvas.getContext('2d')!.drawImage(image, 0, 0, canvas.width, canvas.height);
      canvas.toBlob((blob) => (blob ? found(blob) : failed(new Error('the picture is too large'))));
    };
    image.src = `data:image/svg+xml;charset=utf-8,${encodeURIComponent(text)}`;
  });
}

function fileName(title: string): string {
  const name = title.toLowerCase().replace(/[^a-z0-9]+/g, '-');
  return name.replace(/^-|-$/g, '').slice(0, 60) || 'krisis';
}
