import { expect, test } from 'vitest';
import { assertSameLength } from './samples.ts';

test('says which list has how many', () => {
  expect(() => assertSameLength({ scoresA: [1, 2], scoresB: [1] })).toThrow(
    'scoresA has 2 entries and scoresB has 1; expected one of each per record, in the same order',
  );
  expect(() => assertSameLength({ scoresA: [], scoresB: [] })).not.toThrow();
});
