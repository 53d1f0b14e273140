import type { Columns } from '../../metrics/columns.ts';

/** The rows of each paired record in one run: those of record r are `rows[start[r]]` up to `rows[start[r + 1]]`. */
export interface RecordRows {
  readonly columns: Columns;
  readonly start: Int32Array;
  readonly rows: Int32Array;
}
