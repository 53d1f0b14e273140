import { readNumber } from '../../../core/delimited/decimal.ts';
import type { FileProblem } from '../../../suites/file-problem.ts';
import {
  allowedText,
  UCI_CLASSES,
  type UciClass,
  type UciColumn,
  type UciExtra,
  type UciFeature,
  type UciValue,
  uciColumn,
} from './columns.ts';
import type { Slot } from './header.ts';
import rules from './implausible-cells.json' with { type: 'json' };

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

/**
 * Whether a cell says "not measured": nothing, blanks, or a question mark.
 *
 * @example
 * ```ts
 * isMissing('\t?') // => true
 * isMissing('0') // => false
 * ```
 */
export function isMissing(cell: string): boolean {
  const text = cell.trim();
  return text === '' || text === '?';
}

/**
 * The value of a cell, null for missing, or undefined when it cannot be one of this column. Blanks and tabs around it
 * do not matter, nor does letter case. A number may lie outside the column's range: see `isPossible`.
 *
 * @example
 * ```ts
 * readCell(' yes', { kind: 'categorical', allowed: ['yes', 'no'] }) // => 'yes'
 * readCell('1.02', { kind: 'ordinal', allowed: [1.015, 1.02] }) // => 1.02
 * readCell('?', { kind: 'numeric' }) // => null
 * readCell('12 mg', { kind: 'numeric' }) // => undefined
 * ```
 */
export function readCell(cell: string, column: UciColumn): UciValue | undefined {
  if (isMissing(cell)) return null;
  const text = cell.trim().toLowerCase();
  if (column.kind === 'categorical') {
    const { allowed, synonyms = {} } = column;
    const word = Object.hasOwn(synonyms, text) ? synonyms[text]! : text;
    return allowed.includes(word) ? word : undefined;
  }
  const value = readNumber(text);
  if (value === null) return undefined;
  return column.kind === 'numeric' || column.allowed.includes(value) ? value : undefined;
}

/**
 * Whether a value that was read is one a living person can have.
 *
 * @example
 * ```ts
 * isPossible(39, { kind: 'numeric', range: [1, 15] }) // => false
 * isPossible(null, { kind: 'numeric', range: [1, 15] }) // => true
 * ```
 */
export function isPossible(value: UciValue, column: UciColumn): boolean {
  if (column.kind !== 'numeric' || typeof value !== 'number') return true;
  return value >= column.range[0] && value <= column.range[1];
}

/** A value of the file that is not used. */
export interface ScreenedCell {
  readonly line: number;
  readonly id: string | null;
  readonly column: UciFeature;
  readonly value: number;
  readonly reason: string;
}

/**
 * The implausible cells of the published file. Each is identified by its values, so that a copy with other row
 * numbers, or with rows left out, is screened too.
 */
const RULES = rules as readonly {
  /** The values that identify the cell; all must match. */
  readonly when: Partial<Record<UciFeature, number>>;
  /** The cells that become missing. */
  readonly drop: readonly UciFeature[];
  readonly reason: string;
}[];

/**
 * The cells of one row that are known to be implausible, with the reason.
 *
 * @example
 * ```ts
 * implausibleCells({ pot: 39, sod: 163 })[0].column // => 'pot'
 * implausibleCells({ sc: 24, bu: 300 }) // => []
 * ```
 */
export function implausibleCells(
  values: Readonly<Partial<Record<UciFeature, UciValue>>>,
): Pick<ScreenedCell, 'column' | 'value' | 'reason'>[] {
  return RULES.filter(({ when }) =>
    Object.entries(when).every(([column, value]) => values[column as UciFeature] === value),
  ).flatMap(({ drop, reason }) =>
    drop.map((column) => ({ column, value: values[column] as number, reason })),
  );
}
