import type { Figures } from '../../metrics/figures.ts';
import { paragraph, section } from '../../reports/document/blocks.ts';
import type { Block, Section, SectionHead } from '../../reports/document/document.ts';
import type { RunResult } from '../run-result.ts';

/** A section that is drawn from rows. Of a run that was imported without them, `drawPublished` draws what the file states; where it states nothing, the section says so. */
export function rowSection(
  head: SectionHead,
  { figures, published }: Pick<RunResult, 'figures'> & Partial<Pick<RunResult, 'published'>>,
  draw: (figures: Figures) => readonly Block[],
  drawPublished: (published: NonNullable<RunResult['published']>) => readonly Block[] = () => [],
): Section {
  if (figures !== null) return section(head, draw(figures));
  const drawn = published ? drawPublished(published) : [];
  const missing = paragraph('This run came without its cases, so there is nothing to draw here.');
  return section(head, drawn.length === 0 ? [missing] : drawn);
}
