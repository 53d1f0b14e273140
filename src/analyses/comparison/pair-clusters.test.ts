import { describe, expect, it } from 'vitest';
import { rowsFrom } from '../../../test/compare-fixture.ts';
import { pairRecords } from './pair-records.ts';
import { scoredRun } from './scored-run.ts';

const run = (calls: readonly (string | null)[], patients: readonly (number | null)[] = []) =>
  scoredRun(
    rowsFrom('+'.repeat(calls.length)).map((row, i) => ({
      ...row,
      call: calls[i]!,
      metadata: { ...row.metadata, patient: patients[i] ?? null },
    })),
    { keep: ['patient'] },
  );
const clusters = (...given: Parameters<typeof pairRecords>) => {
  const found = pairRecords(...given).clusters;
  return found && [found.key, found.n, [...found.of].join('')];
};

describe('pairClusters', () => {
  it('joins records that are connected through a call of either run', () => {
    const ours = run(['a', 'a', 'b', 'b', null, null]);
    const theirs = run([null, 'x', 'x', null, 'y', 'y']);
    expect(clusters(ours, theirs)).toEqual(['call', 2, '000011']);
    expect(clusters(run([null, null]), run([null, null]))).toBeNull();
  });

  it('takes a wider key in place of the call, and the call in place of a narrower one', () => {
    const calls = ['a', 'a', 'b', 'b', 'c', 'c'];
    const wide = run(calls, [1, 1, 1, 1, 2, 2]);
    expect(clusters(wide, wide, 'patient')).toEqual(['patient', 2, '000011']);
    const narrow = run(calls, [1, 1, 2, 3, 4, 5]);
    expect(clusters(narrow, narrow, 'patient')).toEqual(['call', 3, '001122']);
    expect(clusters(narrow, narrow, 'id')).toEqual(['call', 3, '001122']);
  });

  it('leaves records without the key alone, and refuses a key that no record has', () => {
    const some = run([null, null, null], [1, null, 1]);
    expect(clusters(some, some, 'patient')).toEqual(['patient', 2, '010']);
    expect(() => pairRecords(run([null]), run([null]), 'patient')).toThrow(
      expect.objectContaining({ code: 'ERR_METADATA_KEY_MISSING' }),
    );
  });
});
