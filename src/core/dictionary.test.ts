import fc from 'fast-check';
import { expect, it } from 'vitest';
import { Dictionary, hashText } from './dictionary.ts';

it('gives equal texts one code, in the order of first appearance', () => {
  fc.assert(
    fc.property(fc.array(fc.string({ maxLength: 3 }), { maxLength: 200 }), (texts) => {
      const dictionary = new Dictionary();
      const distinct = [...new Set(texts)];
      expect(texts.map((text) => dictionary.code(text))).toEqual(texts.map((text) => distinct.indexOf(text)));
      expect(dictionary.values).toEqual(distinct);
    }),
  );
});

it('keeps its codes while it grows', () => {
  const dictionary = new Dictionary();
  const ids = Array.from({ length: 10_000 }, (_, i) => `record-${i}`);
  for (const id of ids) dictionary.code(id);
  expect(ids.map((id) => dictionary.code(id))).toEqual(ids.map((_, i) => i));
});

it('hashes texts to the same number in every process', () => {
  expect([hashText(''), hashText('r1'), hashText('r2')]).toEqual([-1421968373, 1842209694, -1592487698]);
});
