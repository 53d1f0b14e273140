import { describe, expect, it } from 'vitest';
import { errorKind, withoutText } from './errors.ts';

describe('errorKind', () => {
  it("is the name of the language's own errors, and of no other", () => {
    expect([new TypeError('x'), new RangeError('x'), new Error('x')].map(errorKind)).toEqual([
      'TypeError',
      'RangeError',
      'Error',
    ]);
    expect(errorKind(Object.assign(new Error('x'), { name: 'Quibblewick' }))).toBe('Error');
    expect(errorKind('Quibblewick')).toBe('Error');
  });
});

describe('withoutText', () => {
  it('keeps the kind and the places in the code', () => {
    const bare = withoutText(new TypeError('Quibblewick\n    at Quibblewick (file:///zoltan)'));
    expect(bare.message).toBe('TypeError; its text is withheld, because the data are protected');
    expect(bare.stack).toMatch(/\n {4}at .*error-kind\.test\.ts/);
    expect(bare.stack).not.toMatch(/quibblewick|zoltan/i);
    expect(bare.cause).toBeUndefined();
  });

  it('takes anything that can be thrown', () => {
    expect(withoutText('Quibblewick').stack).toBe(
      'Error; its text is withheld, because the data are protected',
    );
  });
});
