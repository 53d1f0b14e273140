import { expect, it } from 'vitest';
import { differenceLooks } from './track-gate.ts';

it('cannot decide a difference when all records are in and neither side is shown', () => {
  const looksOf = (nUnits: number) =>
    differenceLooks(0.2, {
      alphaSide: 0.025,
      minN: 30,
      nUnits,
      nRows: nUnits,
      suiteSize: nUnits,
      evidence: 'mean',
    });
  const [tie, loss] = [
    { low: 0.5, high: 0.5 },
    { low: 0, high: 0 },
  ];
  const long = looksOf(1000);
  while (long.add([tie]) === 'undecided');
  const { status, rowsLookedAt } = long.verdict();
  expect(status).toBe('pass');
  // The last record decides, and it is a loss.
  const short = looksOf(rowsLookedAt);
  for (let row = 1; row < rowsLookedAt; row++) expect(short.add([tie])).toBe('undecided');
  expect(short.add([loss])).toBe('undecided');
  expect(short.verdict()).toMatchObject({ status: 'undecided', rowsLookedAt });
});
