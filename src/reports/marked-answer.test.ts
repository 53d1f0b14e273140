import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { markedAnswer, markedText } from './marked-answer.ts';

const item = (number: number, ...places: [number | null, number | null][]) => ({
  number,
  class: 'present',
  quotes: places.map(([start, end]) => ({ text: 'q', start, end })),
});

describe('markedAnswer', () => {
  it('leaves out quotes that do not stand in the answer', () => {
    const items = [item(1, [null, null]), item(2, [3, 3]), item(3, [-1, 2]), item(4, [2, 99])];
    expect(markedAnswer('abc', items)).toEqual([{ text: 'abc', items: [], starts: [], ends: [] }]);
  });

  it('has no pieces for an empty answer', () => {
    expect(markedAnswer('', [item(1, [0, 0])])).toEqual([]);
  });

  it('is the answer again, each piece with exactly the items that quote it', () => {
    const places = fc.array(fc.tuple(fc.nat(12), fc.nat(12)), { maxLength: 5 });
    fc.assert(
      fc.property(fc.string({ maxLength: 12, unit: 'binary' }), places, (answer, given) => {
        const items = given.map((place, i) => item(i + 1, place));
        const pieces = markedAnswer(answer, items);
        expect(pieces.map(({ text }) => text).join('')).toBe(answer);
        let at = 0;
        for (const piece of pieces) {
          const quoting = items.filter(({ quotes: [quote] }) => {
            const { start, end } = quote as { start: number; end: number };
            return start < end && end <= answer.length && start <= at && at < end;
          });
          expect(piece.items).toEqual(quoting);
          at += piece.text.length;
        }
      }),
    );
  });
});

describe('markedText', () => {
  it('shows where quotes that overlap begin and end', () => {
    expect(markedText('abcdef', [item(1, [0, 4]), item(2, [2, 6])])).toBe(
      '[1>ab[2>cd<1 present]ef<2 present]',
    );
  });

  it('makes every part safe', () => {
    expect(markedText('a*b', [item(1, [0, 1])], (text) => text.replaceAll(/[*[\]]/g, '\\$&'))).toBe(
      '\\[1>a<1 present\\]\\*b',
    );
  });
});
