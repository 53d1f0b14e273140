import { describe, expect, it } from 'vitest';
import { rowsFrom, runOf } from '../../../test/compare-fixture.ts';
import { whyDifferentRecords } from './comparison-warnings.ts';
import { recordSets } from './record-sets.ts';

const whole = runOf(rowsFrom('+-+-'), { nRecords: 4 });
const other = { ...whole, suiteHash: 'other', nRecords: 9 };
const unknown = { ...whole, suiteHash: null };
const stopped = (word: string) => runOf(rowsFrom(word), { nRecords: 4 });
const places = (...runs: Parameters<typeof recordSets>[0]) => recordSets(runs).map((set) => set.runs);

describe('recordSets', () => {
  it('puts runs with one suite hash together, whatever became of their records', () => {
    expect(recordSets([whole, runOf(rowsFrom('xo!+'), { nRecords: 4 })])).toEqual([
      { runs: [0, 1], suiteName: 'ckd/staging', suiteHash: whole.suiteHash, nAsked: 4 },
    ]);
  });

  it('keeps other versions apart, and each run whose records are not known', () => {
    expect(places(whole, other, unknown, whole, unknown, other)).toEqual([[0, 3], [1, 5], [2], [4]]);
    expect(recordSets([whole, other]).map(({ nAsked }) => nAsked)).toEqual([4, 9]);
  });

  it('keeps a run apart that was asked about some of the records only', () => {
    expect(places(whole, stopped('+-??'), whole, stopped('oo??'), stopped('??++'))).toEqual([
      [0, 2],
      [1, 3],
      [4],
    ]);
    expect(recordSets([whole, stopped('+-??')])[1]).toMatchObject({ nAsked: 2 });
    expect(places(whole, runOf(rowsFrom('+-'), { nRecords: 2 }))).toEqual([[0], [1]]);
  });
});

describe('whyDifferentRecords', () => {
  const run = (suiteName: string, suiteHash: string | null) => ({ suiteName, suiteHash });

  it.each([
    ['the runs have different cases of ckd/staging', [run('ckd/staging', 'a'), run('ckd/staging', 'b')]],
    ['the runs are of different suites (a, b)', [run('a', '1'), run('b', '2'), run('a', '3')]],
    ['it is not known whether the runs have the same cases', [run('a', '1'), run('a', null)]],
  ])('says that %s', (text, runs) => {
    expect(whyDifferentRecords(runs)).toBe(text);
  });
});
