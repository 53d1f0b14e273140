import { Deferred, Interrupted } from '../transports/transport.ts';

/**
 * Works on items, several at a time: each worker takes the next. Where `nWorkers` is a function, their number follows it. When one worker fails, all stop: they finish calls in flight,
 * start nothing new, and do not wait for retries. Then the first error is thrown. Returns the items whose work has to wait for replies that are not here yet.
 */
export async function runWorkers<T>(
  items: Iterable<T>,
  nWorkers: number | (() => number),
  given: AbortSignal | undefined,
  work: (item: T, signal: AbortSignal) => Promise<void>,
): Promise<T[]> {
  const deferred: T[] = [];
  const halt = new AbortController();
  const signal = given ? AbortSignal.any([given, halt.signal]) : halt.signal;
  const errors: unknown[] = [];
  // One iterator for all; a for-of loop would close it when its worker returns.
  const iterator = items[Symbol.iterator]();
  const wanted = typeof nWorkers === 'function' ? nWorkers : () => nWorkers;
  const workers: Promise<void>[] = [];
  let nRunning = 0;
  let isFilling = false;
  const fill = () => {
    // A worker fills up as soon as it starts: without the mark, each would be started by the one before.
    if (isFilling) return;
    isFilling = true;
    while (nRunning < wanted() && !isExhausted && !signal.aborted) workers.push(worker());
    isFilling = false;
  };
  let isExhausted = false;
  const worker = async () => {
    nRunning += 1;
    try {
      while (!signal.aborted && nRunning <= wanted()) {
        const next = iterator.next();
        isExhausted = next.done === true;
        if (next.done) break;
        fill();
        await work(next.value, signal).catch((error: unknown) => {
          if (!(error instanceof Deferred)) throw error;
          deferred.push(next.value as T);
        });
      }
    } catch (error) {
      if (!(error instanceof Interrupted)) errors.push(error);
      halt.abort();
    } finally {
      nRunning -= 1;
    }
  };
  fill();
  // Others may be started while these are waited for.
  for (const started of workers) await started;
  if (errors.length > 0) throw errors[0];
  return deferred;
}
