import { expect, it } from 'vitest';
import { missingKeyText } from './near-names.ts';

it.each([
  ['sexx', ['sex', 'age'], 'no case has metadata.sexx; did you mean sex? The keys are: age, sex'],
  ['height', ['sex', 'age'], 'no case has metadata.height; the keys are: age, sex'],
  ['sex', [], 'no case has metadata.sex; cases have no metadata'],
])('lists the keys there are when there is no %s', (key, keys, text) => {
  expect(missingKeyText('case', key, keys)).toBe(text);
});
