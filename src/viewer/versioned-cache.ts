/** A cache of the most recently used values. Recomputes a value when its version changes. */
export function versionedCache<T>(max: number, dispose: (value: T) => void = () => {}) {
  const values = new Map<string, { readonly version: string; readonly value: T }>();
  const drop = (key: string) => {
    const old = values.get(key);
    values.delete(key);
    if (old !== undefined) dispose(old.value);
  };
  return {
    /** The value of this version, made if it is not cached. */
    get(key: string, version: string, make: () => T): T {
      const known = values.get(key);
      if (known?.version === version) {
        // The map is in order of use: the last entry is the most recent.
        values.delete(key);
        values.set(key, known);
        return known.value;
      }
      const value = make();
      drop(key);
      values.set(key, { version, value });
      if (values.size > max) drop(values.keys().next().value!);
      return value;
    },
    clear: () => {
      for (const key of [...values.keys()]) drop(key);
    },
  };
}
