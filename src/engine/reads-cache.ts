import type { RunOptions } from './run-options.ts';

/** Whether a run takes known replies from the cache, those of its judges included. A new run, repeats and conditions are about what the model answers now, so these ask unless told otherwise. */
export function readsCache({
  readCache,
  startNew = false,
  repeats = 1,
  hasConditions = false,
  stopEarly,
}: Pick<RunOptions, 'readCache' | 'startNew' | 'repeats' | 'hasConditions' | 'stopEarly'>): boolean {
  return readCache ?? !(startNew || repeats > 1 || hasConditions || stopEarly !== undefined);
}
