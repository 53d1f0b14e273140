import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { isBlank, labelKey, sameLabel } from './label.ts';

describe('labelKey', () => {
  it('reads booleans as 0 and 1, and text written as an integer as that integer', () => {
    expect([true, false, '1', '+1', ' 01 ', 1].map(labelKey)).toEqual([1, 0, 1, 1, 1, 1]);
  });

  it('never truncates, and takes text that is no integer as text', () => {
    expect(labelKey(3.7)).toBe(3.7);
    expect(labelKey('3.7')).toBe('3.7');
    expect(labelKey(' G3A ')).toBe('g3a');
    expect(labelKey('true')).toBe('true');
  });

  it('keeps -0 and "-0" equal to 0', () => {
    expect(sameLabel(-0, 0)).toBe(true);
    expect(Object.is(labelKey('-0'), 0)).toBe(true);
  });

  it('does not let two long codes meet by rounding', () => {
    expect(sameLabel('9007199254740993', '9007199254740992')).toBe(false);
  });

  it('is the key of itself', () => {
    fc.assert(
      fc.property(fc.oneof(fc.string(), fc.integer(), fc.boolean()), (label) =>
        sameLabel(labelKey(label), label),
      ),
    );
  });

  it('knows what is no answer, and that 0 is one', () => {
    expect([null, undefined, '', ' \t'].every(isBlank)).toBe(true);
    expect([0, false, '0'].some(isBlank)).toBe(false);
  });
});
