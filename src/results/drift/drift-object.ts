import { basename } from 'node:path';
import { snakeKeys } from '../../core/index.ts';
import type { RunDrift } from './run-drift.ts';

/** Drift in the keys of the JSON reports; files by their names. */
export function driftObject({ reference, runs, limits, leftOut, ...drift }: RunDrift) {
  const named = <T extends { readonly path: string }>({ path, ...rest }: T) => ({
    run_file: basename(path),
    ...snakeKeys(rest),
  });
  return {
    ...snakeKeys(drift),
    reference: named(reference),
    limits,
    runs: runs.map(named),
    left_out: leftOut.map(named),
  };
}
