import { type Label, type LabelKey, labelKey } from '../../core/label.ts';
import { quoted } from '../../core/plain-text.ts';
import { type FileProblem, fileProblem } from '../file-problem.ts';

const INTEGER = /^-?(0|[1-9]\d*)$/;
const MAX_LABELS = 50;
/** A column of more different values is not counted to the end. */
const MAX_COUNTED = 10_000;

/**
 * Surveys a column of labels. Spellings that differ in letter case are one label, and `2.0`, as data frames write it, is 2. `keepRows` keeps a number for each row, to split by.
 *
 * @example
 * ```ts
 * const survey = labelSurvey((cell) => cell === '');
 * for (const cell of ['Yes', 'no', 'yes', '']) survey.add(cell);
 * survey.labels() // => ['Yes', 'no']
 * ```
 */
export function labelSurvey(
  isMissing: (cell: string) => boolean,
  given?: readonly Label[],
  keepRows = false,
) {
  const numbers = new Map<LabelKey, number>(given?.map((label, i) => [labelKey(label), i]));
  const spellings: string[] = [];
  let strata = new Int32Array(keepRows ? 1024 : 0);
  let n = 0;
  const numberLabel = (cell: string): number => {
    const text = plainLabel(cell);
    const key = labelKey(text);
    const known = numbers.get(key);
    if (known !== undefined) return known;
    if (given !== undefined || isMissing(text) || spellings.length === MAX_COUNTED) return -1;
    numbers.set(key, spellings.length);
    return spellings.push(text) - 1;
  };
  const labels = (): readonly Label[] => {
    if (given !== undefined) return given;
    const isWhole = spellings.every((text) => INTEGER.test(text) && Number.isSafeInteger(Number(text)));
    return isWhole ? spellings.map(Number) : spellings;
  };
  return {
    add(cell: string): void {
      const number = numberLabel(cell);
      if (!keepRows) return;
      if (n === strata.length) {
        const grown = new Int32Array(2 * n);
        grown.set(strata);
        strata = grown;
      }
      strata[n++] = number;
    },
    /** The label space: as given, or as found in order of first appearance, then whole numbers when all are written so. */
    labels,
    /** Why labels found in the column make no label space; null where they do. */
    problem: (column: string): FileProblem | null => {
      const unusable = given === undefined ? wrongLabelSpace(labels()) : null;
      return unusable && fileProblem(unusable[1], { column, found: unusable[0] });
    },
    /** The stratum of each row, where rows are kept: equal numbers, equal labels. */
    strata: () => strata.subarray(0, n),
  };
}

/** Why labels found in a column make no label space: what was found, and what was expected. */
function wrongLabelSpace(labels: readonly Label[]): [found: string, expected: string] | null {
  if (labels.length === 0) return ['no label', 'at least two labels'];
  if (labels.length === 1) return [`only the label ${labelList(labels)}`, 'at least two labels'];
  const expected = 'a column of a few labels; if all these are meant, list them in labels';
  const n = labels.length === MAX_COUNTED ? `${MAX_COUNTED} or more` : labels.length;
  return labels.length > MAX_LABELS ? [`${n} different values`, expected] : null;
}

/** A label as a data frame writes it: 2.0 is 2. */
function plainLabel(cell: string): string {
  return cell.replace(/^(-?\d+)\.0+$/, '$1');
}

/** Labels as they may be printed. */
export function labelList(labels: readonly Label[]): string {
  return labels.map((label) => (typeof label === 'string' ? quoted(label) : label)).join(', ');
}

/** Reads cells as labels, spelled as in the label space: null for a cell without one, undefined for anything else. A label that looks like a marker of "not measured" is a label when it is given. */
export function labelReader(
  labels: readonly Label[],
  isMissing: (cell: string) => boolean,
): (cell: string) => Label | null | undefined {
  const byKey = new Map(labels.map((label) => [labelKey(label), label]));
  const known = new Map<string, Label | null | undefined>();
  return (cell) => {
    if (known.has(cell)) return known.get(cell);
    const text = plainLabel(cell);
    const found = byKey.get(labelKey(text));
    const label = found === undefined && isMissing(text) ? null : found;
    // A label has a few spellings; what has many is not a label.
    if (known.size < MAX_COUNTED) known.set(cell, label);
    return label;
  };
}
