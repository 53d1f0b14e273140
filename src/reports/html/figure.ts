import { type Content, html, type Markup, raw } from './html.ts';

interface Figure {
  /** The text of the SVG element, as charts give it. */
  readonly svg: string;
  readonly caption: Content;
  /** The same data to read and to copy. */
  readonly data: Content;
  /** Words beside the chart instead of below, where there is room. */
  readonly side?: boolean;
}

export function figure({ svg, caption, data, side = false }: Figure): Markup {
  return html`<figure${side ? html` class="side"` : null}>${raw(svg)}<div><figcaption>${caption}</figcaption>${dataDetails('The data as a table', data)}</div></figure>`;
}

export function dataDetails(summary: string, content: Content): Markup {
  return html`<details><summary>${summary}</summary>${content}</details>`;
}
