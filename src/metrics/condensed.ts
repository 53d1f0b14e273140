import { pickRows } from './columns.ts';
import { Sample } from './sample.ts';

/** Rows that no built-in metric can distinguish, as one row with a count, so that thousands of resamples work on as few rows as possible. */
export interface Condensed {
  readonly sample: Sample;
  /** The condensed row of each original row. */
  readonly place: Int32Array;
  /** How many original rows each condensed row represents. */
  readonly times: Uint32Array;
}

export function condensed(sample: Sample): Condensed {
  const { patterns: place } = sample;
  const firstRows: number[] = [];
  const times: number[] = [];
  place.forEach((pattern, row) => {
    if (pattern === firstRows.length) {
      firstRows.push(row);
      times.push(0);
    }
    times[pattern]! += 1;
  });
  return { sample: Sample.from(pickRows(sample.columns, firstRows)), place, times: Uint32Array.from(times) };
}

/** For metrics that read single rows: every row represents itself. */
export function uncondensed(sample: Sample): Condensed {
  const { n } = sample.columns;
  return {
    sample,
    place: Int32Array.from({ length: n }, (_, row) => row),
    times: new Uint32Array(n).fill(1),
  };
}
