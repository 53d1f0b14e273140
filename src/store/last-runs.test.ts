import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { krisis } from '../../test/krisis.ts';
import { lastRuns } from './find-run.ts';

const cwd = mkdtempSync(join(tmpdir(), 'krisis-last-'));
afterAll(() => rmSync(cwd, { recursive: true }));
const folder = join(cwd, '.krisis/runs');
const run = async (suite: string, models: string, ...more: string[]) => {
  const args = ['run', suite, '--model', models, '--limit', '20', '--bootstrap', '0', ...more];
  expect((await krisis(args, { cwd })).code).toBe(0);
};
const names = () => lastRuns(folder).map((path) => path.replace(/^.*runs\/(.*?)_[0-9a-f]{8}/, '$1'));

describe('lastRuns', () => {
  it('is empty where there are no runs', () => {
    expect(lastRuns(folder)).toEqual([]);
  });

  it('has the runs of the suite that was run last, the newest of each model, oldest first', async () => {
    await run('ckd/staging', 'baseline/guideline,simulated/careful');
    await run('ckd/detection', 'simulated/careful,baseline/guideline');
    expect(names()).toEqual(['ckd-detection_simulated-careful.db', 'ckd-detection_baseline-guideline.db']);
    await run('ckd/detection', 'simulated/careful', '--new');
    expect(names()).toEqual(['ckd-detection_baseline-guideline.db', 'ckd-detection_simulated-careful-2.db']);
  });
});
