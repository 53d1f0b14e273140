import { expect, it } from 'vitest';
import { columnsThrough } from './column.ts';

it('keeps names and order', () => {
  const columns = columnsThrough(
    [
      { name: 'itself', read: (x: number) => x },
      { name: 'negative', read: (x: number) => -x },
    ],
    (text: string) => Number(text),
  );
  expect(columns.map(({ name, read }) => [name, read('7')])).toEqual([
    ['itself', 7],
    ['negative', -7],
  ]);
});
