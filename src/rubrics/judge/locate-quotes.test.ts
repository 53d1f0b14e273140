import { describe, expect, it } from 'vitest';
import { locateQuotes } from './judge-outcome.ts';

const answer = 'Avoid NSAIDs. Again: avoid  NSAIDs.';

describe('locateQuotes', () => {
  it('gives offsets into the answer, and none for what is not there', () => {
    expect(locateQuotes(answer, ['avoid nsaids', 'take NSAIDs'])).toEqual([
      { text: 'avoid nsaids', start: 0, end: 12 },
      { text: 'take NSAIDs', start: null, end: null },
    ]);
  });

  it('takes a quote given again for the next place, and not for the same one twice', () => {
    const places = locateQuotes(answer, ['Avoid NSAIDs', 'Avoid NSAIDs', 'Avoid NSAIDs'], true);
    expect(places.map(({ start, end }) => [start, end])).toEqual([
      [0, 12],
      [21, 34],
      [null, null],
    ]);
    expect(answer.slice(21, 34)).toBe('avoid  NSAIDs');
  });

  it('takes places without a negation first, and those with one after them', () => {
    const places = locateQuotes('No salt. Less salt.', ['salt', 'salt', 'salt'], true);
    expect(places.map(({ start }) => start)).toEqual([14, 3, null]);
    expect(locateQuotes('No salt. Less salt.', ['salt'])[0]!.start).toBe(14);
  });

  it('looks up a repeat once where one quote is enough', () => {
    expect(locateQuotes(answer, ['Again', 'Again'])).toEqual([{ text: 'Again', start: 14, end: 19 }]);
  });
});
