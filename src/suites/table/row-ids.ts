import { hash } from 'node:crypto';
import { contentHash } from '../../core/canonical-json.ts';
import type { PatientRecord } from '../../core/patient-record.ts';
import { type FileProblem, placeText } from '../file-problem.ts';

/** Finds ids that may occur twice, by their hashes; which of them really do is for {@link idReader}. */
export function idSurvey() {
  const seen = hashSet();
  const repeated = new Set<number>();
  const add = (id: string) => {
    if (!seen.add(id)) repeated.add(shortHash(id));
  };
  return { add, repeated: repeated as ReadonlySet<number> };
}

/** Checks the ids of a column row by row: there must be one in every row, and no two the same. */
export function idReader(
  column: string,
  repeated: ReadonlySet<number>,
): (id: string, line: number, row?: number) => FileProblem | null {
  const firstPlaces = new Map<string, string>();
  return (id, line, row) => {
    if (id === '') return { line, column, value: null, expected: 'an id in every row' };
    if (repeated.size === 0 || !repeated.has(shortHash(id))) return null;
    const before = firstPlaces.get(id);
    if (before === undefined) {
      firstPlaces.set(id, placeText(line, row));
      return null;
    }
    const expected = `a different id in every row; ${before} has this one`;
    return { line, column, value: id, expected };
  };
}

/**
 * Ids from what is shown: rows can be put in another order, or others added, and a case keeps its id. Of rows that show the same, each has its own by counting. Call it for the rows in order.
 *
 * @example
 * ```ts
 * const toId = contentIds();
 * const [a, b, again] = [{ age: 61 }, { age: 50 }, { age: 61 }].map((shown) => toId(shown));
 * [a.length, a === again] // => [16, false]
 * contentIds()({ age: 61 }) === a // => true
 * ```
 */
export function contentIds(): (features: PatientRecord['features']) => string {
  const seen = hashSet();
  const occurrences = new Map<string, number>();
  return (features) => {
    const content = contentHash(features);
    let occurrence = 1;
    if (!seen.add(content)) {
      occurrence = (occurrences.get(content) ?? 1) + 1;
      occurrences.set(content, occurrence);
    }
    return contentHash({ features: content, occurrence }).slice(0, 16);
  };
}

const SMALLEST = 1024;

/**
 * A set for so many texts that a `Set` of them would fill the memory: it keeps 52 bits of the hash of each, in 16 bytes or less. Among a million texts, one in
 * 9,000 such sets takes two for the same.
 *
 * @example
 * ```ts
 * const seen = hashSet();
 * [seen.add('a'), seen.add('b'), seen.add('a'), seen.size] // => [true, true, false, 2]
 * ```
 */
export function hashSet() {
  // Open addressing: 0 is a free place, so that a hash of 0 becomes 1.
  let places = new Float64Array(SMALLEST);
  let size = 0;
  const insert = (value: number): boolean => {
    let i = value % places.length;
    while (places[i] !== 0) {
      if (places[i] === value) return false;
      i = i + 1 === places.length ? 0 : i + 1;
    }
    places[i] = value;
    return true;
  };
  return {
    get size() {
      return size;
    },
    /** Adds a text; whether it is new. */
    add(text: string): boolean {
      if (!insert(shortHash(text))) return false;
      size += 1;
      if (size * 2 > places.length) {
        const before = places;
        places = new Float64Array(2 * before.length);
        for (const value of before) if (value !== 0) insert(value);
      }
      return true;
    },
  };
}

/** The first 52 bits of a hash of a text; never 0. */
function shortHash(text: string): number {
  return Number.parseInt(hash('sha256', text).slice(0, 13), 16) || 1;
}
