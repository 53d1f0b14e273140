import type { UciClass, UciFeature, UciValue } from './columns.ts';
import rows from './published-rows.json' with { type: 'json' };

interface PublishedRow {
  /** Enough values to identify the row; the defect moves none of them. */
  readonly known: Partial<Record<UciFeature, UciValue>>;
  /** What the published file says where damaged copies leave a choice. */
  readonly says: Partial<Record<UciFeature, UciValue>> & { readonly class: UciClass };
}

/**
 * The three rows of the published file with a field too many (data rows 70, 73 and 370). Copies exist in which a wrong
 * comma was taken out, or the last field was cut off; the row alone then no longer shows its original content.
 */
const ROWS_WITH_A_FIELD_TOO_MANY = rows as readonly PublishedRow[];

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
