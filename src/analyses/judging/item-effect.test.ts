import { expect, it } from 'vitest';
import { itemEffect } from './item-effect.ts';

it.each([
  ['required', 'present', 'for'],
  ['required', 'absent', 'against'],
  ['required', 'contradicted', 'against'],
  ['forbidden', 'present', 'against'],
  ['forbidden', 'absent', 'for'],
  ['forbidden', 'contradicted', 'for'],
])('a %s item that is %s speaks %s the answer', (kind, verdict, effect) => {
  expect(itemEffect({ isScored: true, kind, verdict })).toBe(effect);
  expect(itemEffect({ isScored: false, kind, verdict })).toBe('open');
});
