import type { Figures } from '../../metrics/index.ts';
import type { RunResult } from '../../results/index.ts';
import { type Block, paragraph } from '../document/document.ts';

/** What can be drawn from rows; a run that was imported without them says so. */
export function needsRows(
  { figures }: Pick<RunResult, 'figures'>,
  draw: (figures: Figures) => readonly Block[],
): readonly Block[] {
  return figures === null
    ? [paragraph('This run came without rows, so there is nothing to draw here.')]
    : draw(figures);
}
