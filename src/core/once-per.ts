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
