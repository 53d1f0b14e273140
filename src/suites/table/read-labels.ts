import { type Label, labelKey, quoted } from '../../core/index.ts';
import { type FileProblem, fileProblem } from '../file-problem.ts';
import type { Column } from './roles.ts';
import type { TableRow } from './table.ts';

const INTEGER = /^-?(0|[1-9]\d*)$/;
const MOST_LABELS = 50;

export interface LabelColumn {
  /** The label space. */
  readonly labels: readonly Label[];
  /** One per row, spelled as in the label space; null where there is none. */
  readonly values: readonly (Label | null)[];
  readonly problems: readonly FileProblem[];
}

/**
 * The labels of the rows and the label space: as given, or as found in order of first appearance, then whole numbers when all are written so. Spellings that
 * differ in letter case are one label, and `2.0`, as data frames write it, is 2. A label that looks like a marker of "not measured" is a label when it is given.
 *
 * @example
 * ```ts
 * const rows = ['Yes', 'no', 'yes', ''].map((cell, i) => ({ line: i + 2, cells: [cell] }));
 * readLabels(rows, { name: 'ill', index: 0 }, (cell) => cell === '').values // => ['Yes', 'no', 'Yes', null]
 * ```
 */
export function readLabels(
  rows: readonly TableRow[],
  { name, index }: Column,
  isMissing: (cell: string) => boolean,
  given?: readonly Label[],
): LabelColumn {
  const cells = rows.map((row) => row.cells[index]!.replace(/^(-?\d+)\.0+$/, '$1'));
  const labels = given ?? foundLabels(cells.filter((cell) => !isMissing(cell)));
  const byKey = new Map(labels.map((label) => [labelKey(label), label]));
  const unusable = (found: string, expected: string) => ({
    labels,
    values: [],
    problems: [fileProblem(expected, { column: name, found })],
  });
  if (given === undefined && labels.length < 2)
    return unusable(
      labels.length === 0 ? 'no label' : `only the label ${labelList(labels)}`,
      'at least two labels',
    );
  if (given === undefined && labels.length > MOST_LABELS)
    return unusable(
      `${labels.length} different values`,
      'a column of a few labels; if all these are meant, list them in labels',
    );
  const problems: FileProblem[] = [];
  const values = cells.map((cell, i) => {
    const label = byKey.get(labelKey(cell));
    if (label === undefined && !isMissing(cell)) {
      const { line, cells } = rows[i]!;
      problems.push({ line, column: name, value: cells[index]!, expected: `one of ${labelList(labels)}` });
    }
    return label ?? null;
  });
  return { labels, values, problems };
}

/** Labels as they may be printed. */
export function labelList(labels: readonly Label[]): string {
  return labels.map((label) => (typeof label === 'string' ? quoted(label) : label)).join(', ');
}

function foundLabels(cells: readonly string[]): Label[] {
  const first = new Map<string | number, string>();
  for (const cell of cells) if (!first.has(labelKey(cell))) first.set(labelKey(cell), cell);
  const spellings = [...first.values()];
  const whole = spellings.every((text) => INTEGER.test(text) && Number.isSafeInteger(Number(text)));
  return whole ? spellings.map(Number) : spellings;
}
