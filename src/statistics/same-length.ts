import { argumentError } from '../core/index.ts';

/** Throws unless both lists have one entry per record: a shifted pairing would give plausible numbers. */
export function assertSameLength(lists: Readonly<Record<string, ArrayLike<unknown>>>): void {
  const [[nameA, a], [nameB, b]] = Object.entries(lists) as [Named, Named];
  if (a.length === b.length) return;
  throw argumentError(
    `${nameA} has ${a.length} entries and ${nameB} has ${b.length}; expected one of each per record, in the same order`,
    [a.length, b.length],
  );
}

type Named = [name: string, list: ArrayLike<unknown>];
