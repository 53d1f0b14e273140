import type { UciClass, UciFeature, UciValue } from './columns.ts';

interface PublishedRow {
  /** Enough values to know the row by; none of them is moved by the defect. */
  readonly known: Partial<Record<UciFeature, UciValue>>;
  /** What the published file says where damaged copies leave a choice. */
  readonly says: Partial<Record<UciFeature, UciValue>> & { readonly class: UciClass };
}

/**
 * The three rows of the published file with a field too many (data rows 70, 73 and 370). Copies exist in which a wrong
 * comma was taken out, or the last field was cut off; the row alone then no longer tells what it said.
 */
const ROWS_WITH_A_FIELD_TOO_MANY: readonly PublishedRow[] = [
  {
    known: { age: 26, bp: 70, sg: 1.015, su: 4, bgr: 250, bu: 20, sc: 1.1, hemo: 15.6, wbcc: 6900 },
    says: { rbc: null, pc: 'normal', class: 'ckd' },
  },
  {
    known: { age: 64, bp: 90, sg: 1.01, al: 3, su: 3, bu: 35, sc: 1.3, hemo: 10.3, pe: 'yes' },
    says: { rbc: null, pc: 'abnormal', class: 'ckd' },
  },
  {
    known: { age: 75, bp: 70, sg: 1.02, bgr: 107, bu: 48, sc: 0.8, sod: 144, hemo: 13.6, wbcc: 10300 },
    says: { htn: 'no', dm: 'no', cad: 'no', class: 'notckd' },
  },
];

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
