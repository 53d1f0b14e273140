import type { ProblemCode } from './judge-problem.ts';

/** Why an entry cannot be used. */
export type Faulty = { readonly problem: ProblemCode };

/** Goes through a list of entries. Of an id that comes twice neither entry is taken, even if they agree: a judge that lost count is asked again. */
export function oneEntryEach<T>(
  entries: readonly unknown[],
  {
    wanted,
    keyOf,
    read,
    report,
  }: {
    /** What is asked for, by key, under the name it is stored by. */
    readonly wanted: ReadonlyMap<string, string>;
    readonly keyOf: (entry: object) => string | undefined;
    readonly read: (entry: object, key: string) => T | Faulty;
    readonly report: (code: ProblemCode, name: string | null) => void;
  },
): Map<string, T> {
  const byKey = Map.groupBy(entries, (entry) =>
    typeof entry === 'object' && entry !== null ? keyOf(entry) : undefined,
  );
  const values = new Map<string, T>();
  for (const [key, name] of wanted) {
    const [entry, ...others] = byKey.get(key) ?? [];
    const value: T | Faulty =
      entry === undefined
        ? { problem: 'missing' }
        : others.length > 0
          ? { problem: 'duplicate' }
          : read(entry as object, key);
    if (isFaulty(value)) report(value.problem, name);
    else values.set(name, value);
  }
  for (const key of byKey.keys()) {
    if (key === undefined) report('bad_entry', null);
    else if (!wanted.has(key)) report('extra', key);
  }
  return values;
}

function isFaulty(value: unknown): value is Faulty {
  return typeof value === 'object' && value !== null && 'problem' in value;
}
