import type { FileProblem } from '../../../suites/file-problem.ts';
import { isMissing, isPossible, readCell } from './cell.ts';
import {
  allowedText,
  UCI_CLASSES,
  type UciClass,
  type UciExtra,
  type UciFeature,
  type UciValue,
  uciColumn,
} from './columns.ts';
import type { Slot } from './header.ts';
import { implausibleCells, type ScreenedCell } from './screening.ts';

/** One row, read as far as it can be. */
export interface ReadRow {
  readonly id: string | null;
  readonly values: Partial<Record<UciFeature | UciExtra, UciValue>>;
  readonly class: UciClass | null;
  readonly screened: readonly ScreenedCell[];
  readonly problems: readonly FileProblem[];
}

const OR_MISSING = ', or ? or nothing for missing';

/**
 * Reads the fields of one row, each as what its column says. Known implausible cells become null first; what is
 * still impossible after that is a problem.
 *
 * @example
 * ```ts
 * readRow(['48', '\tyes', 'ckd\t'], ['age', 'dm', 'class'], 2).values // => { age: 48, dm: 'yes' }
 * readRow(['480'], ['age'], 2).problems[0].expected // => 'a number from 0 to 120 (years), or ? or nothing for missing'
 * ```
 */
export function readRow(fields: readonly string[], slots: readonly Slot[], line: number): ReadRow {
  const values: Partial<Record<UciFeature | UciExtra, UciValue>> = {};
  const problems: FileProblem[] = [];
  let id: string | null = null;
  let label: UciClass | null = null;
  slots.forEach((slot, i) => {
    const cell = fields[i] ?? '';
    if (slot === null) return;
    if (slot === 'id') {
      if (isMissing(cell)) problems.push(wrong('id', cell, 'an id in every row'));
      else id = cell.trim();
    } else if (slot === 'class') {
      label = UCI_CLASSES.find((known) => known === cell.trim().toLowerCase()) ?? null;
      if (label === null) problems.push(wrong('class', cell, `one of ${UCI_CLASSES.join(', ')}`));
    } else {
      const value = readCell(cell, uciColumn(slot));
      if (value === undefined) problems.push(wrong(slot, cell, allowedText(uciColumn(slot)) + OR_MISSING));
      else values[slot] = value;
    }
  });

  const screened = implausibleCells(values).map((cell) => ({ line, id, ...cell }));
  for (const { column } of screened) values[column] = null;
  slots.forEach((slot, i) => {
    if (slot === null || slot === 'id' || slot === 'class') return;
    const value = values[slot];
    if (value === undefined || isPossible(value, uciColumn(slot))) return;
    problems.push(wrong(slot, fields[i]!, allowedText(uciColumn(slot)) + OR_MISSING));
  });
  return { id, values, class: label, screened, problems };

  function wrong(column: string, cell: string, expected: string): FileProblem {
    return { line, column, value: shown(cell), expected };
  }
}

function shown(cell: string): string | null {
  return cell.trim() === '' ? null : cell.trim();
}
