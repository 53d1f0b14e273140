import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { normalised } from './normalised-text.ts';

// Without Markdown, which depends on what follows.
const ascii = fc.string({ unit: 'binary-ascii', maxLength: 60 }).map((t) => t.replace(/[*_~`|#+.)-]/g, 'x'));
const blanks = fc.constantFrom(' ', '\t', '\r\n', '\n\n', '\v\f', 'a', 'B', '.');
const text = fc.oneof(
  ascii,
  fc.array(blanks, { maxLength: 30 }).map((parts) => parts.join('')),
);

describe('normalised', () => {
  it.each([
    ['≤ 5 ≥', '<= 5 >='],
    ['½ 1⁄2', '1/2 1/2'],
    ['37 ℃, 5 µg', '37 °c, 5 μg'],
  ])('folds %j to %j', (original, folded) => {
    const { text, borders } = normalised(original);
    expect(text).toBe(folded);
    expect(borders).toHaveLength(text.length + 1);
  });

  it('gives ASCII what any other text gets', () => {
    fc.assert(
      fc.property(text, (original) => {
        // One letter beyond ASCII sends the whole text the long way.
        const other = normalised(`${original}é`);
        const { text, starts, ends, borders } = normalised(original);
        expect(text).toBe(other.text.slice(0, -1));
        expect([...starts]).toEqual([...other.starts.slice(0, -1)]);
        expect([...ends]).toEqual([...other.ends.slice(0, -1)]);
        expect([...borders]).toEqual([...other.borders.slice(0, -1)]);
      }),
    );
  });
});
