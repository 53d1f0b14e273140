/**
 * A function that computes its result once for each object, and forgets it with the object.
 *
 * @example
 * ```ts
 * let calls = 0;
 * const size = oncePer((list: readonly number[]) => (++calls, list.length));
 * const list = [1, 2];
 * [size(list), size(list), calls] // => [2, 2, 1]
 * ```
 */
export function oncePer<Key extends object, Value extends object>(
  compute: (key: Key) => Value,
): (key: Key) => Value {
  const known = new WeakMap<Key, Value>();
  return (key) => {
    const value = known.get(key) ?? compute(key);
    known.set(key, value);
    return value;
  };
}

/**
 * The named fields of an object, in the order named.
 *
 * @example
 * ```ts
 * pick({ id: 'a', label: 1, note: '' }, ['label', 'id']) // => { label: 1, id: 'a' }
 * ```
 */
export function pick<T extends object, const Keys extends readonly (keyof T)[]>(object: T, keys: Keys) {
  return Object.fromEntries(keys.map((key) => [key, object[key]])) as Pick<T, Keys[number]>;
}

/**
 * Numbers 0 to n - 1 in groups: those that a link names together are in one group, directly or through others. Gives the group of each number;
 * groups are counted by their first member.
 *
 * @example
 * ```ts
 * connected(5, [[0, 2], [2, 4]]).join(' ') // => '0 1 0 2 0'
 * ```
 */
export function connected(n: number, links: Iterable<readonly number[]>): Int32Array {
  const parent = Int32Array.from({ length: n }, (_, i) => i);
  const root = (i: number): number => {
    while (parent[i] !== i) {
      parent[i] = parent[parent[i]!]!;
      i = parent[i]!;
    }
    return i;
  };
  for (const link of links) {
    for (const other of link) {
      const [a, b] = [root(link[0]!), root(other)];
      parent[Math.max(a, b)] = Math.min(a, b);
    }
  }
  const numbers = new Map<number, number>();
  return parent.map((_, i) => {
    const group = root(i);
    if (!numbers.has(group)) numbers.set(group, numbers.size);
    return numbers.get(group)!;
  });
}

/** Whether a value is an object and no list. */
export function isObject(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** Whether two lists of one length hold the same texts in the same order. */
export function hasSameItems(a: readonly string[], b: readonly string[]): boolean {
  for (let i = 0; i < a.length; i++) if (a[i] !== b[i]) return false;
  return true;
}
