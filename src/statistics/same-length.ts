import { argumentError } from '../core/index.ts';

/** Throws unless both lists have one entry per record: a shifted pairing would give plausible numbers. */
export function assertSameLength(
  nameA: string,
  a: ArrayLike<unknown>,
  nameB: string,
  b: ArrayLike<unknown>,
): void {
  if (a.length !== b.length) {
    throw argumentError(
      `${nameA} has ${a.length} entries and ${nameB} has ${b.length}; expected one of each per record, in the same order`,
      [a.length, b.length],
    );
  }
}
