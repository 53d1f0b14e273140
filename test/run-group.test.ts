import { mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { krisis } from './krisis.ts';

let cwd: string;
beforeEach(() => {
  cwd = mkdtempSync(join(tmpdir(), 'krisis-group-'));
});
afterEach(() => rmSync(cwd, { recursive: true }));
const runFiles = () => readdirSync(join(cwd, '.krisis/runs')).filter((name) => name.endsWith('.db'));
const guideline = ['-m', 'baseline/guideline-defer'];

describe('krisis run DOMAIN', () => {
  it('runs all tasks, a file each, and prints one table with what the tasks share', async () => {
    const { code, stdout } = await krisis(['run', 'hypertension', ...guideline, '--n-records', '20'], {
      cwd,
    });
    expect(code).toBe(0);
    expect(runFiles()).toHaveLength(4);
    expect(stdout).toMatch(/^hypertension, baseline\/guideline-defer$/m);
    for (const task of ['classification', 'phenotype', 'treatment', 'follow_up'])
      expect(stdout).toMatch(new RegExp(`^${task} `, 'm'));
    expect(stdout.replaceAll('\n', ' ')).toContain('classification and treatment the whole cohort');
    expect(stdout).not.toMatch(/average|mean of|overall/i);
  });

  it('has a column of models where there are several', async () => {
    const models = 'baseline/guideline,baseline/always-defer';
    const { stdout } = await krisis(['run', 'ckd', '-m', models, '--n-records', '10'], { cwd });
    expect(stdout).toMatch(/^task +model /m);
    expect(runFiles()).toHaveLength(6);
  });

  it('lists a task that does not take an option as skipped', async () => {
    const args = ['run', 'hypertension', ...guideline, '--n-records', '10', '--guideline', 'esc_2024'];
    const { code, stdout, stderr } = await krisis([...args, '--json'], { cwd });
    expect(code).toBe(0);
    const { runs, skipped } = JSON.parse(stdout);
    expect(runs).toHaveLength(3);
    expect(skipped).toEqual([
      { suite: 'hypertension/treatment', reason: expect.stringContaining('acc_aha_2025 only') },
    ]);
    expect(stderr).toBe('');
  });

  it('ends with the worst exit code: one failed condition is enough', async () => {
    const args = ['run', 'hypertension', '-m', 'baseline/one-look', '--n-records', '60'];
    const { code, stdout } = await krisis([...args, '--assert', 'decision_accuracy >= 0.6'], { cwd });
    expect(code).toBe(1);
    expect(stdout).toMatch(/pass/i);
    expect(stdout).toMatch(/fail/i);
  });

  it.each([
    [['--run', 'a.db'], '--run names one file'],
    [['--data', 'a.csv'], '--data belongs to one suite'],
    [['--dry-run', '--json'], 'prints one object'],
    [[], 'no model named'],
  ])('%j: %s', async (more, message) => {
    const model = more.length === 0 ? [] : guideline;
    const { code, stdout, stderr } = await krisis(['run', 'hypertension', ...model, ...more], { cwd });
    expect([code, stdout]).toEqual([2, '']);
    expect(stderr).toContain(message);
  });
});

describe('krisis run all', () => {
  const args = ['run', 'all', '--n-records', '8', '--limit', '4'];

  it('runs every suite with labels and says which it skipped', async () => {
    const { code, stdout, stderr } = await krisis([...args, ...guideline], { cwd });
    expect(code).toBe(0);
    expect(stdout).toMatch(/^ckd, /m);
    expect(stdout).toMatch(/^hypertension, /m);
    expect(stderr).toContain('skipped open/clinical: open questions need a judge');
  });

  it('runs open questions too with a judge', async () => {
    const { stdout } = await krisis(
      [...args, '-m', 'simulated/careful,baseline/reference', '--judge', 'baseline/lexical', '--json'],
      { cwd },
    );
    const suites = JSON.parse(stdout).runs.map(({ suite }: { suite: string | { name: string } }) =>
      typeof suite === 'string' ? suite : suite.name,
    );
    expect(suites).toContain('ckd/staging');
    expect(suites).toContain('open/clinical');
  });
});
