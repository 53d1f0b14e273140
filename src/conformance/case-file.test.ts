import { expect, it } from 'vitest';
import { readCaseFile } from './case-file.ts';
import { rowFunction } from './row-functions.ts';
import { runCases } from './run-cases.ts';

it('has a code for a file that cannot be read', async () => {
  await expect(readCaseFile('absent.json')).rejects.toMatchObject({ code: 'ERR_CASE_FILE' });
});

it('fails a case whose metric is unknown', () => {
  const [outcome] = runCases([
    { id: 'a', metric: 'subgroup_gap', rows: [], params: { metric: 'nothing', by: 'sex' }, expected: null },
  ]);
  expect(outcome).toMatchObject({ passed: false, got: 'throws: no metric "nothing"' });
});

it('has a code for an unknown metric', () => {
  expect(() => rowFunction('subgroup_gap')!([], { metric: 'nothing', by: 'sex' })).toThrow(
    expect.objectContaining({ code: 'ERR_METRIC_NOT_FOUND' }),
  );
});
