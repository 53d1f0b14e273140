/** One column of a regression's table: a readable name, and how a value becomes a number. */
export interface Column<Value> {
  readonly name: string;
  readonly read: (value: Value) => number;
}

/**
 * Columns of a value, applied to something that value is taken from.
 *
 * @example
 * ```ts
 * const columns = columnsThrough([{ name: 'double', read: (x) => 2 * x }], (text) => text.length);
 * columns[0].read('four') // => 8
 * ```
 */
export function columnsThrough<Outer, Inner>(
  columns: readonly Column<Inner>[],
  take: (outer: Outer) => Inner,
): Column<Outer>[] {
  return columns.map(({ name, read }) => ({ name, read: (outer) => read(take(outer)) }));
}
