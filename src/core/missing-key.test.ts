import { expect, it } from 'vitest';
import { missingKeyText } from './near-names.ts';

it.each([
  ['sexx', ['sex', 'age'], 'no record has metadata.sexx; did you mean sex? The keys are: age, sex'],
  ['height', ['sex', 'age'], 'no record has metadata.height; the keys are: age, sex'],
  ['sex', [], 'no record has metadata.sex; records have no metadata'],
])('lists the keys there are when there is no %s', (key, keys, text) => {
  expect(missingKeyText('record', key, keys)).toBe(text);
});
