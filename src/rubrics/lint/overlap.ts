/** Words that introduce a claim, or say nothing of what it is about. */
const EMPTY = new Set(
  'a an and answer are as at be by claims describes discusses explains for gives has have in includes is it its mentions names notes of on or references says states that the their this to was with'.split(
    ' ',
  ),
);
const MUCH = 0.75;

/**
 * Pairs of lines that one sentence of an answer would satisfy: at least three quarters of their words are shared (Jaccard), and both have the same numbers.
 *
 * @example
 * ```ts
 * overlappingPairs(['Mentions BCL2', 'Discusses BCL2', 'States that BCL2 is on chromosome 18']) // => [[0, 1]]
 * overlappingPairs(['Stops metformin below eGFR 30', 'Stops metformin below eGFR 45']) // => []
 * ```
 */
export function overlappingPairs(lines: readonly string[]): [number, number][] {
  const words = lines.map(wordsOf);
  return words.flatMap((a, i) =>
    words.slice(i + 1).flatMap((b, k): [number, number][] => {
      const all = new Set([...a, ...b]);
      const shared = a.size + b.size - all.size;
      const numbersDiffer = [...all].some((word) => /\d/.test(word) && !(a.has(word) && b.has(word)));
      return !numbersDiffer && all.size > 0 && shared / all.size >= MUCH ? [[i, i + 1 + k]] : [];
    }),
  );
}

function wordsOf(line: string): Set<string> {
  const words = line.toLowerCase().match(/[\p{L}\p{N}]+(?:[.,]\p{N}+)*/gu) ?? [];
  return new Set(words.filter((word) => !EMPTY.has(word)));
}
