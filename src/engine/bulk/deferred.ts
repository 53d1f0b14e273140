/** Thrown in place of a call whose reply is not here yet: the walk goes on with the next. */
export class Deferred extends Error {
  override readonly name = 'Deferred';
}

/** Does all the work although some of it must wait; then says so. */
export async function doAll<T>(items: Iterable<T>, work: (item: T) => Promise<void>): Promise<void> {
  let deferred: Deferred | null = null;
  for (const item of items)
    try {
      await work(item);
    } catch (error) {
      if (!(error instanceof Deferred)) throw error;
      deferred = error;
    }
  if (deferred !== null) throw deferred;
}
