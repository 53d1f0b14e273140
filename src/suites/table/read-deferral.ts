import type { FileProblem } from '../file-problem.ts';
import { readYesNo } from './cell.ts';
import type { Roles } from './roles.ts';
import type { TableRow } from './table.ts';

export interface Deferral {
  /** Per row, what goes into its metadata; null is unlabelled. */
  readonly metadata: readonly {
    readonly should_abstain?: boolean | null;
    readonly should_abstain_reasons?: string[];
  }[];
  readonly problems: readonly FileProblem[];
}

/** Whether deferring is right in each row, and why. Without such columns nothing is said of it. */
export function readDeferral(
  rows: readonly TableRow[],
  { shouldAbstain, reasons }: Pick<Roles, 'shouldAbstain' | 'reasons'>,
  isMissing: (cell: string) => boolean,
): Deferral {
  if (shouldAbstain === null) return { metadata: rows.map(() => ({})), problems: [] };
  const problems: FileProblem[] = [];
  const metadata = rows.map(({ line, cells }) => {
    const cell = cells[shouldAbstain.index]!;
    const answer = readYesNo(cell);
    if (answer === undefined && !isMissing(cell)) {
      const expected = 'true, false, yes, no, 1, 0, or nothing for unlabelled';
      problems.push({ line, column: shouldAbstain.name, value: cell, expected });
    }
    const deferral = { should_abstain: answer ?? null };
    return reasons === null
      ? deferral
      : { ...deferral, should_abstain_reasons: reasonList(cells[reasons.index]!, isMissing) };
  });
  return { metadata, problems };
}

function reasonList(cell: string, isMissing: (cell: string) => boolean): string[] {
  if (isMissing(cell)) return [];
  return cell
    .split(';')
    .map((reason) => reason.trim())
    .filter((reason) => reason !== '');
}
