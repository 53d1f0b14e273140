import type { Figures } from '../../metrics/index.ts';
import type { RunResult } from '../../results/index.ts';
import { paragraph, section } from '../document/blocks.ts';
import type { Block, Section, SectionHead } from '../document/document.ts';

/** A section that is drawn from rows; a run that was imported without them says so. */
export function rowSection(
  head: SectionHead,
  { figures }: Pick<RunResult, 'figures'>,
  draw: (figures: Figures) => readonly Block[],
): Section {
  const missing = paragraph('This run came without rows, so there is nothing to draw here.');
  return section(head, figures === null ? [missing] : draw(figures));
}
