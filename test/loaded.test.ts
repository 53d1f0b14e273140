import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, it } from 'vitest';
import { sourceCoverage } from './source-coverage.ts';

/** How much of src a command touches: the number of files a reader has to follow, and most of the time of a short command. */
const folder = mkdtempSync(join(tmpdir(), 'krisis-loaded-'));
afterAll(() => rmSync(folder, { recursive: true }));

it('score loads a fraction of the files', () => {
  writeFileSync(join(folder, 'a.csv'), 'prediction,ground_truth,confidence\n1,1,0.9\n1,0,0.7\n');
  const { ran, loaded } = sourceCoverage([['score', 'a.csv']], folder);
  expect(ran[0]).toMatchObject({ code: 0, stderr: '' });
  expect(loaded).toContain('src/cli/score.ts');
  expect(loaded.size).toBeLessThanOrEqual(200);
});

it('a run of 8 records executes functions in few files', () => {
  const command = 'run ckd/staging --model simulated/careful --n-records 8 --bootstrap 100';
  const { ran, executed } = sourceCoverage([command.split(' ')], folder);
  expect(ran[0]!.code).toBe(0);
  expect(executed).toContain('src/cli/run.ts');
  expect(executed.size).toBeLessThanOrEqual(309);
});
