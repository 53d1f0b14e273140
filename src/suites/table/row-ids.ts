import { contentHash, type PatientRecord } from '../../core/index.ts';
import type { FileProblem } from '../file-problem.ts';
import type { Column } from './roles.ts';
import type { TableRow } from './table.ts';

/** The ids in a column: there must be one in every row, and no two the same. */
export function idsInColumn(
  rows: readonly TableRow[],
  { name, index }: Column,
): { readonly ids: readonly string[]; readonly problems: readonly FileProblem[] } {
  const seen = new Map<string, number>();
  const problems: FileProblem[] = [];
  const ids = rows.map(({ line, cells }) => {
    const id = cells[index]!;
    const before = seen.get(id);
    if (id === '') problems.push({ line, column: name, value: null, expected: 'an id in every row' });
    else if (before === undefined) seen.set(id, line);
    else {
      const expected = `a different id in every row; line ${before} has this one`;
      problems.push({ line, column: name, value: id, expected });
    }
    return id;
  });
  return { ids, problems };
}

/**
 * Ids from what is shown: rows can be put in another order, or others added, and a case keeps its id. Of rows that show the same, each has its own by counting.
 *
 * @example
 * ```ts
 * const [a, b, again] = idsFromContent([{ age: 61 }, { age: 50 }, { age: 61 }]);
 * [a.length, a === again] // => [16, false]
 * idsFromContent([{ age: 50 }, { age: 61 }])[1] === a // => true
 * ```
 */
export function idsFromContent(features: readonly PatientRecord['features'][]): string[] {
  const occurrences = new Map<string, number>();
  return features.map((shown) => {
    const content = contentHash(shown);
    const occurrence = (occurrences.get(content) ?? 0) + 1;
    occurrences.set(content, occurrence);
    return contentHash({ features: content, occurrence }).slice(0, 16);
  });
}
