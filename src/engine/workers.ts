import { Deferred } from './bulk/deferred.ts';
import { Interrupted } from './call.ts';

/**
 * Works on items, several at a time: each worker takes the next. When one worker fails, all stop: they finish calls in flight, start nothing new, and do not wait for retries. Then the first
 * error is thrown. Returns the items whose work has to wait for replies that are not here yet.
 */
export async function runWorkers<T>(
  items: Iterable<T>,
  nWorkers: number,
  given: AbortSignal | undefined,
  work: (item: T, signal: AbortSignal) => Promise<void>,
): Promise<T[]> {
  const deferred: T[] = [];
  const halt = new AbortController();
  const signal = given ? AbortSignal.any([given, halt.signal]) : halt.signal;
  const errors: unknown[] = [];
  // One iterator for all; a for-of loop would close it when its worker returns.
  const iterator = items[Symbol.iterator]();
  const worker = async () => {
    try {
      for (let next = iterator.next(); !next.done && !signal.aborted; next = iterator.next())
        await work(next.value, signal).catch((error: unknown) => {
          if (!(error instanceof Deferred)) throw error;
          deferred.push(next.value as T);
        });
    } catch (error) {
      if (!(error instanceof Interrupted)) errors.push(error);
      halt.abort();
    }
  };
  await Promise.all(Array.from({ length: nWorkers }, worker));
  if (errors.length > 0) throw errors[0];
  return deferred;
}
