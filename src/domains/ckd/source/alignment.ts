import type { FileProblem } from '../../../suites/file-problem.ts';
import { UCI_CLASSES, type UciClass, type UciFeature, type UciValue } from './columns.ts';
import type { Slot } from './header.ts';
import rows from './published-rows.json' with { type: 'json' };
import { isMissing, type ReadRow, readRow } from './row.ts';

/** A change to the fields of a row, so that each is under its own column again. */
export interface UciRepair {
  readonly line: number;
  readonly id: string | null;
  readonly kind: 'trailing_empty_field' | 'doubled_comma' | 'shifted_left' | 'shifted_right';
  /** Where the field was taken out or put in; null at the end of the row. */
  readonly column: Slot;
  readonly message: string;
}

type Candidate = Pick<UciRepair, 'kind' | 'message'> & {
  readonly at: number;
  readonly fields: readonly string[];
};

export type Aligned =
  | { readonly row: ReadRow; readonly repair: UciRepair | null; readonly fields: readonly string[] }
  | { readonly problem: FileProblem };

/**
 * Reads a row after putting its fields where they belong. A row with the right number of fields that reads well is
 * taken as it is. Otherwise an empty field is taken out (one too many), put in (shifted left) or taken out with the
 * class restored (shifted right and cut off), but only when every cell of the outcome is valid and there is exactly
 * one such outcome, or exactly one that the published file confirms. No cell is ever blanked to make a row fit.
 *
 * @example
 * ```ts
 * align(['48', '', 'ckd'], ['age', 'class'], 2).repair.kind // => 'doubled_comma'
 * align(['48', 'ckd', ''], ['age', 'class'], 2).repair.kind // => 'trailing_empty_field'
 * align(['48'], ['age', 'class'], 2).problem.expected // => '2 fields, as in the header'
 * ```
 */
export function align(given: readonly string[], slots: readonly Slot[], line: number): Aligned {
  const width = slots.length;
  let fields = given;
  while (fields.length > width + 1 && isEmpty(fields.at(-1)!)) fields = fields.slice(0, -1);
  if (fields.length !== width && fields.length !== width + 1) return wrongWidth(given.length);

  const asIs = fields.length === width ? readRow(fields, slots, line) : null;
  if (asIs?.problems.length === 0) return { row: asIs, repair: null, fields };

  const outcomes = distinct(asIs === null ? oneTaken(fields) : shiftUndone(fields, slots))
    .map((candidate) => ({ candidate, row: readRow(candidate.fields, slots, line) }))
    .filter(({ row }) => row.problems.length === 0);
  const published = outcomes.filter(({ row }) => isAsPublished(row.values, row.class));
  const chosen = outcomes.length === 1 ? outcomes[0] : published.length === 1 ? published[0] : undefined;
  if (chosen !== undefined) {
    const { at, kind, message } = chosen.candidate;
    const repair = { line, id: chosen.row.id, kind, column: slots[at] ?? null, message };
    return { row: chosen.row, repair, fields: chosen.candidate.fields };
  }
  if (outcomes.length > 1) {
    const expected = `each value under its column; this row is shifted by one and can be repaired in ${outcomes.length} ways`;
    return { problem: { line, column: null, value: `${given.length} fields`, expected } };
  }
  if (asIs !== null) return { row: asIs, repair: null, fields };
  // An empty field at the end is surely too many: say what else is wrong with the row.
  const shorter = fields.slice(0, width);
  return isEmpty(fields.at(-1)!)
    ? { row: readRow(shorter, slots, line), repair: null, fields: shorter }
    : wrongWidth(given.length);

  function wrongWidth(found: number): Aligned {
    const expected = `${width} fields, as in the header`;
    return { problem: { line, column: null, value: `${found} fields`, expected } };
  }
}

/** One field too many: every way to take an empty one out. */
function oneTaken(fields: readonly string[]): Candidate[] {
  const last = fields.length - 1;
  return emptyAt(fields, isEmpty).map((at) => ({
    at,
    fields: fields.toSpliced(at, 1),
    ...(at === last
      ? { kind: 'trailing_empty_field' as const, message: 'took out the empty field at the end' }
      : { kind: 'doubled_comma' as const, message: 'took out the empty field that a doubled comma makes' }),
  }));
}

/** The right number of fields in the wrong places: every way to move a part of the row by one. */
function shiftUndone(fields: readonly string[], slots: readonly Slot[]): Candidate[] {
  const candidates: Candidate[] = [];
  if (isEmpty(fields.at(-1)!)) {
    const kind = 'shifted_left' as const;
    const message = 'put back the empty field that was taken out here, and took out the one at the end';
    fields.forEach((_, at) => {
      candidates.push({ at, kind, message, fields: fields.slice(0, -1).toSpliced(at, 0, '') });
    });
  }
  // The class has been pushed out of the row. Both are tried: only the published file can decide between them.
  if (slots.at(-1) === 'class' && !isMissing(fields.at(-1)!)) {
    const kind = 'shifted_right' as const;
    const message =
      'took out the empty field that a doubled comma makes, and restored the class as published';
    for (const at of emptyAt(fields, isMissing)) {
      for (const label of UCI_CLASSES) {
        candidates.push({ at, kind, message, fields: [...fields.toSpliced(at, 1), label] });
      }
    }
  }
  return candidates;
}

/** Taking out either of two neighbouring empty fields is the same repair; keep the first. */
function distinct(candidates: readonly Candidate[]): Candidate[] {
  const reading = (one: Candidate) =>
    JSON.stringify(one.fields.map((cell) => (isMissing(cell) ? '' : cell.trim())));
  return [...new Map(candidates.toReversed().map((one) => [reading(one), one])).values()];
}

function emptyAt(fields: readonly string[], test: (cell: string) => boolean): number[] {
  return fields.flatMap((field, i) => (test(field) ? [i] : []));
}

function isEmpty(cell: string): boolean {
  return cell.trim() === '';
}

/**
 * The three rows of the published file with a field too many (data rows 70, 73 and 370). Copies exist in which a wrong
 * comma was taken out, or the last field was cut off; the row alone then no longer shows its original content.
 */
const ROWS_WITH_A_FIELD_TOO_MANY = rows as readonly {
  /** Enough values to identify the row; the defect moves none of them. */
  readonly known: Partial<Record<UciFeature, UciValue>>;
  /** What the published file says where damaged copies leave a choice. */
  readonly says: Partial<Record<UciFeature, UciValue>> & { readonly class: UciClass };
}[];

/**
 * Whether a row is one of the published rows with a field too many, read as the published file has it.
 *
 * @example
 * ```ts
 * isAsPublished({ age: 26 }, 'ckd') // => false
 * ```
 */
export function isAsPublished(
  values: Readonly<Partial<Record<UciFeature, UciValue>>>,
  label: UciClass | null,
): boolean {
  return ROWS_WITH_A_FIELD_TOO_MANY.some(({ known, says }) =>
    Object.entries({ ...known, ...says }).every(([column, value]) =>
      column === 'class' ? label === value : values[column as UciFeature] === value,
    ),
  );
}
