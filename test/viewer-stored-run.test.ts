import { createHash } from 'node:crypto';
import { chmodSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { pick } from '../src/core/collections.ts';
import { readRun } from '../src/runs/read-run.ts';
import { viewedRuns } from '../src/viewer/viewed-runs.ts';
import { krisis } from './krisis.ts';
import { asStored, chartsOf } from './section-charts.ts';

const cwd = mkdtempSync(join(tmpdir(), 'krisis-viewer-'));
const folder = join(cwd, '.krisis/runs');
beforeAll(async () => {
  const settings = ['--bootstrap', '200', '--repeat', '2', '--group-by', 'sex,origin'];
  for (const model of ['simulated/overconfident', 'simulated/flaky?malformed=0.2'])
    await krisis(['run', 'ckd/staging', '--model', model, '--n-records', '150', ...settings], { cwd });
});
afterAll(() => rmSync(cwd, { recursive: true }));

describe('a run that has ended', () => {
  it('stores what its page would have to count', () => {
    const runs = viewedRuns({ folder });
    const ids = runs.get('runs', {}).runs.map(({ id }) => id);
    expect(ids).toHaveLength(2);
    const stored = ids.map((id) => runs.quick('runs/:id', { id }));
    const rows = ids.map((id) => runs.get('runs/:id/records', { id, limit: 5000 }));
    for (const id of ids) {
      const db = new DatabaseSync(join(folder, `${id}.db`));
      db.exec('DELETE FROM report');
      db.close();
    }
    expect(chartsOf(stored[0]!.sections).riskCoverage![0]!.references!.map(({ name }) => name)).toContain(
      'baseline/guideline-defer',
    );
    const counted = ids.map((id) => asStored(runs.get('runs/:id', { id })));
    // The test has edited the files.
    const edited = {
      verdict: 'unverified',
      checked: 'everything',
      text: expect.stringContaining('the stored report is not the one that was sealed'),
      notice: expect.objectContaining({ title: 'This run file is unverified' }),
    };
    expect(counted.map(({ verification }) => verification)).toEqual([edited, edited]);
    expect(stored).toEqual(
      counted.map((payload) => ({
        ...payload,
        // Lists show scores only where the end of the run stored them.
        run: expect.objectContaining(pick(payload.run, ['id', 'status', 'n', 'ledger', 'decision_classes'])),
        verification: expect.objectContaining({ verdict: 'verified' }),
      })),
    );
    expect(ids.map((id) => runs.quick('runs/:id', { id }))).toEqual([null, null]);
    const again = ids.map((id) => runs.get('runs/:id/records', { id, limit: 5000 }));
    expect(rows).toEqual(again.map((page) => ({ ...page, version: expect.any(String) })));
    runs.close();
  });

  it('shows the sources of its confidence, where it has several', async () => {
    const own = mkdtempSync(join(tmpdir(), 'krisis-viewer-'));
    const settings = ['--n-records', '40', '--bootstrap', '50', '--repeat', '3'];
    const { code, stderr } = await krisis(['run', 'ckd/staging', '-m', 'simulated/careful', ...settings], {
      cwd: own,
    });
    expect(code, stderr).toBe(0);
    const runs = viewedRuns({ folder: join(own, '.krisis/runs') });
    const { id } = runs.get('runs', {}).runs[0]!;
    const payload = runs.quick('runs/:id', { id })!;
    expect(payload.sections.map((section) => section.id)).toContain('sources');
    runs.close();
    rmSync(own, { recursive: true });
  });

  it('is read without changing its folder, even if that is read-only', async () => {
    for (const name of readdirSync(folder)) if (/-(wal|shm)$/.test(name)) rmSync(join(folder, name));
    const state = () =>
      readdirSync(folder).map((name) => [
        name,
        createHash('sha256')
          .update(readFileSync(join(folder, name)))
          .digest('hex'),
      ]);
    const before = state();
    chmodSync(folder, 0o555);
    try {
      const runs = viewedRuns({ folder });
      for (const { id } of runs.get('runs', {}).runs) {
        runs.get('runs/:id', { id });
        runs.get('runs/:id/records', { id, sort: 'id' });
        readRun(join(folder, `${id}.db`)).close();
      }
      runs.close();
      expect((await krisis(['list'], { cwd })).code).toBe(0);
      expect(state()).toEqual(before);
    } finally {
      chmodSync(folder, 0o755);
    }
  });
});
