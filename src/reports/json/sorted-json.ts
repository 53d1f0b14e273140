/**
 * Strict JSON with the keys of every object sorted by their characters, so that equal content is equal text. What has no JSON form (NaN, an infinity) is null.
 * With `depth`, in lines of their own and indented by two blanks from that depth on; without, in one line.
 *
 * @example
 * ```ts
 * sortedJson({ b: Number.NaN, a: { '10': 1, '2': 2 } }) // => '{"a":{"10":1,"2":2},"b":null}'
 * ```
 */
export function sortedJson(value: unknown, depth: number | null = null): string {
  if (typeof value === 'bigint') return JSON.stringify(String(value));
  if (typeof value !== 'object' || value === null) return JSON.stringify(value) ?? 'null';
  if ('toJSON' in value && typeof value.toJSON === 'function') return sortedJson(value.toJSON(), depth);
  const inner = depth === null ? null : depth + 1;
  if (Array.isArray(value))
    return enclosed(
      '[',
      value.map((entry) => sortedJson(entry, inner)),
      ']',
      depth,
    );
  const colon = depth === null ? ':' : ': ';
  const entries = Object.entries(value)
    .filter(([, entry]) => entry !== undefined && typeof entry !== 'function')
    // Not an object with sorted keys: keys that look like numbers would come first in it, by size.
    .sort(([a], [b]) => (a < b ? -1 : 1))
    .map(([key, entry]) => `${JSON.stringify(key)}${colon}${sortedJson(entry, inner)}`);
  return enclosed('{', entries, '}', depth);
}

function enclosed(open: string, entries: readonly string[], close: string, depth: number | null): string {
  if (depth === null || entries.length === 0) return `${open}${entries.join(',')}${close}`;
  const blanks = '  '.repeat(depth);
  return `${open}\n${entries.map((entry) => `${blanks}  ${entry}`).join(',\n')}\n${blanks}${close}`;
}
