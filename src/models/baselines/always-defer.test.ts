import { expect, it } from 'vitest';
import { alwaysDefer } from './always-defer.ts';

it('abstains whatever is shown, without an answer or a confidence', () => {
  expect(alwaysDefer()({ id: 'a', features: { age: 61 } })).toEqual({
    prediction: null,
    abstained: true,
    says: 'always defers',
  });
});
