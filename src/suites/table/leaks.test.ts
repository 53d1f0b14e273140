import { expect, it } from 'vitest';
import type { Label } from '../../core/label.ts';
import { leakWatch } from './check-table.ts';

type Values = readonly (string | number | null)[];
const watched = (values: Values, labels: readonly (Label | null)[]) => {
  const watch = leakWatch();
  values.forEach((value, i) => {
    watch.add(value, labels[i]!);
  });
  return watch;
};
const isTheLabel = (...columns: Parameters<typeof watched>) => watched(...columns).isTheLabel();
const isARecoding = (...columns: Parameters<typeof watched>) => watched(...columns).isARecoding();

it('knows the label in any spelling, also with gaps', () => {
  expect(isTheLabel(['Yes', 'no', 'yes'], ['yes', 'no', 'yes'])).toBe(true);
  expect(isTheLabel([1, 2, null, 2], [1, 2, 1, null])).toBe(true);
  expect(isTheLabel([1, null, null, null, 2], [1, 2, 1, 2, 2])).toBe(false); // two of five: it may be chance
  expect(isTheLabel([null, null], ['a', 'b'])).toBe(false);
});

it('knows the label in other words', () => {
  expect(isARecoding(['x', 'y', 'x', 'y'], ['a', 'b', 'a', 'b'])).toBe(true);
  expect(isARecoding(['x', 'y', 'z', 'y'], ['a', 'b', 'a', 'b'])).toBe(false);
  expect(isARecoding(['x', 'y', null, 'y'], ['a', 'b', 'a', 'b'])).toBe(false);
  expect(isARecoding(['x', 'y'], ['a', 'b'])).toBe(false);
  expect(isARecoding(['x', 'x', 'x', 'x'], ['a', 'a', 'a', 'a'])).toBe(false);
});
