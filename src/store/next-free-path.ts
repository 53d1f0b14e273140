import { lstatSync } from 'node:fs';

/** The first path of this name that does not exist: `x.db`, `x-2.db`, `x-3.db`. */
export function nextFreePath(path: string): string {
  for (let n = 1; ; n++) {
    const candidate = n === 1 ? path : path.replace(/\.db$/, `-${n}.db`);
    if (lstatSync(candidate, { throwIfNoEntry: false }) === undefined) return candidate;
  }
}
