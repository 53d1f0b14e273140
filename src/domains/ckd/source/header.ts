import type { FileProblem } from '../../../suites/file-problem.ts';
import { UCI_EXTRAS, UCI_FEATURES, type UciExtra, type UciFeature } from './columns.ts';

/** What a field of a row is; null for a column we do not know (it has been reported). */
export type Slot = UciFeature | UciExtra | 'id' | 'class' | null;

const REQUIRED: readonly Exclude<Slot, null>[] = [...UCI_FEATURES.map(({ name }) => name), 'class'];
const OPTIONAL: readonly Exclude<Slot, null>[] = ['id', ...UCI_EXTRAS.map(({ name }) => name)];
const NAMES = new Map<string, Exclude<Slot, null>>([
  ...[...REQUIRED, ...OPTIONAL].map((name) => [name, name] as const),
  ['wc', 'wbcc'],
  ['rc', 'rbcc'],
  ['classification', 'class'],
]);
// What spreadsheets and data frames call a column that exists only because a row had a field too many.
const NAMELESS = /^(unnamed: \d+)?$/;

export interface Header {
  /** One per field of a row. */
  readonly slots: readonly Slot[];
  /** How many empty fields may follow, because the header itself ends with nameless columns. */
  readonly nameless: number;
  readonly problems: readonly FileProblem[];
}

/**
 * What each column of a file is. Known variants are `wc`, `rc` and `classification`; letter case and blanks around a
 * name do not matter, nor does the order. `id`, `sex` and `acr` may be there; everything else must.
 *
 * @example
 * ```ts
 * readHeader(['ID', ' Age ', 'wc'], 1).slots // => ['id', 'age', 'wbcc']
 * ```
 */
export function readHeader(names: readonly string[], line: number): Header {
  const words = names.map((name) => name.trim().toLowerCase());
  const named = words.findLastIndex((word) => !NAMELESS.test(word)) + 1;
  const slots = words.slice(0, named).map((word) => NAMES.get(word) ?? null);
  if (!slots.some((slot) => slot !== null)) return { slots, nameless: 0, problems: [noHeader(names, line)] };

  const problems: FileProblem[] = [];
  slots.forEach((slot, i) => {
    const name = names[i]!.trim();
    if (slot === null) {
      const expected = `only known columns: ${REQUIRED.join(', ')}; optional: ${OPTIONAL.join(', ')}`;
      problems.push({ line, column: name, value: name, expected });
    } else if (slots.indexOf(slot) < i) {
      const expected = `one such column; the file has "${names[slots.indexOf(slot)]!.trim()}" already`;
      problems.push({ line, column: slot, value: name, expected });
      slots[i] = null;
    }
  });
  for (const column of REQUIRED) {
    const expected = `a column named ${listNames(column).join(' or ')}`;
    if (!slots.includes(column)) problems.push({ line, column, value: null, expected });
  }
  return { slots, nameless: words.length - named, problems };
}

function listNames(slot: Slot): string[] {
  return [...NAMES].filter(([, known]) => known === slot).map(([name]) => name);
}

function noHeader(names: readonly string[], line: number): FileProblem {
  const other = [';', '\t'].find((mark) => names.length === 1 && names[0]!.includes(mark));
  return {
    line,
    column: null,
    value: names.join(','),
    expected:
      other === undefined
        ? `column names: ${REQUIRED.join(', ')}`
        : `fields separated by commas, not by ${other === ';' ? 'semicolons' : 'tabs'}`,
  };
}
