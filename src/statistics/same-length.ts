import { KrisisError } from '../core/index.ts';

/** Throws unless both lists have one entry per record: a shifted pairing would give numbers that look right. */
export function assertSameLength(
  nameA: string,
  a: ArrayLike<unknown>,
  nameB: string,
  b: ArrayLike<unknown>,
): void {
  if (a.length !== b.length) {
    throw new KrisisError(
      `${nameA} has ${a.length} entries and ${nameB} has ${b.length}; expected one of each per record, in one order`,
      { value: [a.length, b.length] },
    );
  }
}
