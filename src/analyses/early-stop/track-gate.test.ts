import { expect, it } from 'vitest';
import { differenceLooks } from './track-gate.ts';

it('cannot decide a difference when all records are in and neither side is shown', () => {
  const looksOf = (nUnits: number, isLowerBetter = false) =>
    differenceLooks(0.2, isLowerBetter, {
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
  // Losses are a lower accuracy, or a higher rate of unsafe answers.
  for (const [isLowerBetter, value] of [
    [false, -1],
    [true, 1],
  ] as const) {
    const lost = looksOf(100, isLowerBetter);
    while (lost.add([loss]) === 'undecided');
    const { lower, upper, ...found } = lost.verdict();
    expect(found).toMatchObject({ status: 'fail_shown', value });
    expect(lower! <= value && value <= upper! && lower! < upper!).toBe(true);
  }
});
