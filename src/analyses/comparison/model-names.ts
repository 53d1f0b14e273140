import { basename } from 'node:path';

/**
 * A name for each run: its backend's, with the arm or the suite, else the run file, where that is not enough, and a number where even the file is the same.
 *
 * @example
 * ```ts
 * modelNames([{ backendName: 'a', path: 'x/1.db' }, { backendName: 'a', path: 'x/2.db' }, { backendName: 'b', path: null }])
 * // => ['a (1.db)', 'a (2.db)', 'b']
 * ```
 */
export function modelNames(
  runs: readonly {
    readonly backendName: string;
    readonly path: string | null;
    readonly arm?: string | null;
    readonly suiteName?: string;
  }[],
): string[] {
  const sameBackend = Map.groupBy(runs, ({ backendName }) => backendName);
  const names = runs.map((run) => {
    const { backendName, path } = run;
    const same = sameBackend.get(backendName)!;
    if (same.length === 1) return backendName;
    for (const key of ['arm', 'suiteName'] as const)
      if (run[key] != null && new Set(same.map((other) => other[key])).size === same.length)
        return `${backendName} (${run[key]})`;
    return path === null ? backendName : `${backendName} (${basename(path)})`;
  });
  const sameName = Map.groupBy(names, (name) => name);
  const seen = new Map<string, number>();
  return names.map((name) => {
    if (sameName.get(name)!.length === 1) return name;
    seen.set(name, (seen.get(name) ?? 0) + 1);
    return `${name} #${seen.get(name)}`;
  });
}
