import { expect, it } from 'vitest';
import { hashSet } from './row-ids.ts';

it('holds what was added, however much', () => {
  const seen = hashSet();
  const texts = Array.from({ length: 5000 }, (_, i) => `record ${i}`);
  expect(texts.every((text) => seen.add(text))).toBe(true);
  expect(texts.some((text) => seen.add(text))).toBe(false);
  expect(seen.size).toBe(5000);
});
