/** Keeps what was made from a version of something, for the few that were asked for last; makes it again when the version is another. */
export function kept<T>(most: number, dispose: (value: T) => void = () => {}) {
  const values = new Map<string, { readonly version: string; readonly value: T }>();
  const drop = (key: string) => {
    const old = values.get(key);
    values.delete(key);
    if (old !== undefined) dispose(old.value);
  };
  return {
    get(key: string, version: string, make: () => T): T {
      const known = values.get(key);
      if (known?.version === version) {
        // The last in the map is the last that was asked for.
        values.delete(key);
        values.set(key, known);
        return known.value;
      }
      const value = make();
      drop(key);
      values.set(key, { version, value });
      if (values.size > most) drop(values.keys().next().value!);
      return value;
    },
    clear: () => {
      for (const key of [...values.keys()]) drop(key);
    },
  };
}
