import { describe, expect, it } from 'vitest';
import { withoutKeys } from './without-keys.ts';

describe('withoutKeys', () => {
  it.each([
    ['key clé-of-4711 is wrong', 'key [key] is wrong'],
    ['KEY CLÉ-OF-4711 and cle\u0301-of-4711', 'KEY [key] and [key]'],
    ['cl é-o\nf-47\u200b11.', '[key].'],
    ['sent xcle\u0301of4711y', 'sent x[key]y'],
    ['{"a":"cl\\u00e9\\n-of\\n4711"}', '{"a":"[key]"}'],
    ['nothing here', 'nothing here'],
  ])('%j -> %j', (text, clean) => {
    expect(withoutKeys(text, ['clé-of-4711', '', 'abc'])).toBe(clean);
  });

  it('finds several keys in one text', () => {
    expect(withoutKeys('b-second, a-first, b-second', ['a-first', 'b-second'])).toBe('[key], [key], [key]');
    expect(withoutKeys('<abcdefgh> rest', ['abcdefgh', 'cdef', 'abcdefgh'])).toBe('<[key]> rest');
  });
});
