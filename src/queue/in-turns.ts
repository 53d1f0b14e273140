/** Gathers what comes in one turn of the event loop, and works on it together. */
export interface Gathered<T> {
  (item: T): void;
  /** Resolves when everything given so far is done. */
  done(): Promise<void>;
}

/** Errors are left to later looks: what was not added is added then, and what was not removed expires. */
export function inTurns<T>(work: (items: readonly T[]) => Promise<void>): Gathered<T> {
  let items: T[] = [];
  let last: Promise<void> = Promise.resolve();
  const flush = () => {
    const given = items;
    items = [];
    if (given.length === 0) return;
    const current = work(given).catch(() => {});
    last = Promise.all([last, current]).then(() => {});
  };
  const gather = (item: T) => {
    if (items.push(item) === 1) setImmediate(flush);
  };
  const done = async () => {
    flush();
    await last;
  };
  return Object.assign(gather, { done });
}
