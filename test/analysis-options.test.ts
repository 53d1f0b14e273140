import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { compareRuns } from '../src/analyses/comparison/compare-runs.ts';
import { runDrift } from '../src/analyses/drift/run-drift.ts';
import { readRun } from '../src/runs/read-run.ts';
import { krisis } from './krisis.ts';
import { startView } from './view-process.ts';

/** One definition of an analysis's options is a flag, a key of the config file and a query string of the viewer. */
const folder = mkdtempSync(join(tmpdir(), 'krisis-analysis-options-'));
afterAll(() => rmSync(folder, { recursive: true }));
beforeAll(async () => {
  for (const [model, path] of [
    ['careful', 'run.db'],
    ['overconfident', 'other.db'],
    ['careful', 'later.db'],
  ]) {
    const args = `run ckd/staging --model simulated/${model} --n-records 60 --bootstrap 0 --run ${path}`;
    expect((await krisis(args.split(' '), { cwd: folder })).code).toBe(0);
  }
});

const reported = async (...args: readonly string[]) => {
  const { code, stdout, stderr } = await krisis([...args, '--format', 'json'], { cwd: folder });
  expect(stderr).toBe('');
  expect(code).toBe(0);
  return JSON.parse(stdout);
};
const prevalences = (report: { decisions_at_prevalence: { from: string; prevalence: number }[] }) =>
  report.decisions_at_prevalence.flatMap(({ from, prevalence }) => (from === 'stated' ? [prevalence] : []));
const config = (text: string) => writeFileSync(join(folder, 'krisis.config.yaml'), text);

it('takes them from the config file, and a flag wins', async () => {
  config('analyses:\n  decisionsAtPrevalence: { prevalence: 0.3 }\n  threshold: { risk: 0.2 }\n');
  expect(prevalences(await reported('report', 'run.db'))).toEqual([0.3]);
  expect(prevalences(await reported('report', 'run.db', '--prevalence', '0.4'))).toEqual([0.4]);
  expect((await reported('threshold', 'run.db')).risk).toBe(0.2);
  expect((await reported('threshold', 'run.db', '--risk', '0.15')).risk).toBe(0.15);
  config('analyses:\n  threshold: { risks: 0.2 }\n');
  const refused = await krisis(['report', 'run.db'], { cwd: folder });
  expect(refused).toMatchObject({ code: 2, stdout: '' });
  expect(refused.stderr).toContain('analyses.threshold.risks: no such key; did you mean risk?');
});

it('takes those of analyses of several runs from the config file, and a flag wins', async () => {
  config('analyses:\n  comparison: { level: 0.9, resamples: 100, seed: 7 }\n  drift: { alpha: 0.01 }\n');
  const compared = async (...flags: readonly string[]) =>
    (await reported('compare', 'run.db', 'other.db', ...flags)).method;
  expect(await compared()).toMatchObject({ level: 0.9, resamples: 100, seed: 7 });
  expect(await compared('--level', '0.8', '--bootstrap', '50')).toMatchObject({
    level: 0.8,
    resamples: 50,
    seed: 7,
  });
  const drifted = async (...flags: readonly string[]) =>
    (await reported('drift', 'run.db', 'later.db', '--look', '1', ...flags)).alpha;
  expect(await drifted()).toBe(0.01);
  expect(await drifted('--alpha', '0.02')).toBe(0.02);
  config('');
});

it('takes them as options of functions', () => {
  const paths = ['run.db', 'other.db', 'later.db'].map((name) => join(folder, name));
  const [run, other] = paths.map((path) => readRun(path, { resamples: 0, prevalence: 0.3 }));
  try {
    expect(prevalences({ decisions_at_prevalence: [...run!.decisionsAtPrevalence] })).toEqual([0.3]);
    expect(run!.analyse('threshold', { risk: 0.2 })).toMatchObject({ risk: 0.2 });
    expect(compareRuns([run!, other!], { level: 0.9, resamples: 50 }).method).toMatchObject({
      level: 0.9,
      resamples: 50,
    });
    expect(runDrift([paths[0]!, paths[2]!], { alpha: 0.02, look: 1 })).toMatchObject({ alpha: 0.02 });
  } finally {
    for (const result of [run, other]) result?.close();
  }
});

it('does not run a program that it merely found', async () => {
  config('');
  writeFileSync(join(folder, 'krisis.config.ts'), 'process.exit(9)');
  const env = { ...process.env, KRISIS_TRUST_CONFIG: undefined };
  const { code, stderr } = await krisis(['report', 'run.db'], { cwd: folder, env });
  expect(code, stderr).toBe(0);
  expect(stderr).toContain('krisis.config.ts in this folder is a program');
  expect(stderr).toContain('its options of analyses are not used');
  rmSync(join(folder, 'krisis.config.ts'));
});

it('takes them from the address of a page', async () => {
  const view = await startView(folder, folder);
  try {
    const ask = async (query: string) => (await view.fetch(`api/runs/run${query}`)).text();
    const plain = await ask('');
    const asked = await ask('?threshold.risk=0.2');
    expect(plain).toContain('at or below 5 %');
    expect(asked).toContain('at or below 20 %');
    expect(await ask('?threshold.risk=2')).toContain('expected a number between 0 and 1');
    const compare = async (query: string) =>
      (await view.fetch(`api/compare?runs=run&runs=other${query}`)).text();
    expect(await compare('')).toContain('Intervals: 95 %');
    expect(await compare('&comparison.level=0.9')).toContain('Intervals: 90 %');
    expect(await compare('&comparison.levels=0.9')).toContain('comparison.levels: there is no such option');
  } finally {
    await view.stop();
  }
});
