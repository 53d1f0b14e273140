import { cpSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { viewedRuns } from '../src/viewer/viewed-runs.ts';
import { krisis } from './krisis.ts';

/** The runs of a team: two people who ran the same, each in a folder of their own. */
const cwd = mkdtempSync(join(tmpdir(), 'krisis-folders-'));
afterAll(() => rmSync(cwd, { recursive: true }));
beforeAll(async () => {
  const args = ['run', 'ckd/staging', '-m', 'simulated/careful', '--n-records', '40', '--bootstrap', '0'];
  expect((await krisis(args, { cwd })).code).toBe(0);
  for (const name of ['anna', 'ben']) cpSync(join(cwd, '.krisis/runs'), join(cwd, name), { recursive: true });
});

describe('several folders of runs', () => {
  it('are listed together', async () => {
    const { stdout } = await krisis(['list', 'anna', 'ben', '--json'], { cwd });
    const files = JSON.parse(stdout).runs.map(({ run_file }: { run_file: string }) => run_file);
    expect(files).toEqual([expect.stringMatching(/^anna\//), expect.stringMatching(/^ben\//)]);
    expect((await krisis(['list', 'none', 'nothing'], { cwd })).stdout).toContain(
      'no runs in none and nothing',
    );
  });

  it('are viewed together, each run under an id of its own', () => {
    const runs = viewedRuns({ folder: join(cwd, 'anna'), more: [join(cwd, 'ben')] });
    try {
      const [first, second] = runs.get('runs', {}).runs.map(({ id }) => id);
      expect(second).toBe(`2~${first}`);
      expect(runs.get('runs/:id', { id: second! })).toMatchObject({ run: { id: second } });
      expect(runs.files.find(second!).path).toContain(join('ben', first!));
      expect(() => runs.get('runs/:id', { id: `3~${first}` })).toThrow('no such run in the folder');
    } finally {
      runs.close();
    }
  });

  it('are exported together, and a run among them is refused', async () => {
    const { code, stderr } = await krisis(['view', 'anna', 'ben', '--export', 'site'], { cwd });
    expect(code, stderr).toBe(0);
    const mixed = await krisis(['view', 'anna', 'latest', '--export', 'other'], { cwd });
    expect([mixed.code, mixed.stderr]).toEqual([2, expect.stringContaining('latest: not a folder')]);
  });
});
