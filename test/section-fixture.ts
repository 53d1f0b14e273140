import type { Block } from '../src/reports/document/document.ts';
import { markupText } from '../src/reports/formats/html/html.ts';
import { blockMarkup } from '../src/reports/formats/html/render-html.ts';

/** Parts of a report as HTML, without the page around them. */
export function htmlOf(blocks: readonly Block[]): string {
  return blocks.map((block) => markupText(blockMarkup(block))).join('\n');
}
