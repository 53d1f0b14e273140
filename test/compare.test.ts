import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { krisis } from './krisis.ts';

const cwd = mkdtempSync(join(tmpdir(), 'krisis-compare-'));
afterAll(() => rmSync(cwd, { recursive: true }));

const suite = ['ckd/staging', '--n-records', '80', '--bootstrap', '50'];
const run = (name: string, model: string, ...more: string[]) =>
  krisis(['run', ...suite, '--model', model, '--run', `${name}.db`, ...more], { cwd });
const compare = (...args: string[]) => krisis(['compare', ...args], { cwd });

beforeAll(async () => {
  for (const [name, model, ...more] of [
    ['careful', 'simulated/careful'],
    ['bold', 'simulated/overconfident'],
    ['rule', 'baseline/guideline-defer'],
    ['some', 'simulated/overconfident', '--limit', '30'],
    ['thrice', 'simulated/careful', '--repeat', '3'],
    ['arm', 'simulated/careful', '--arm', 'egfr_shown'],
    ['other', 'simulated/careful', '--seed', '7'],
    ['poisoned', 'simulated/careful?poisoned=0.1', '--fail-on-error', '1'],
  ] as const)
    expect([name, (await run(name, model, ...more)).code]).toEqual([name, 0]);
});

describe('krisis compare', () => {
  it('prints a comparison that a newcomer can read', async () => {
    const { code, stdout, stderr } = await compare('careful.db', 'bold.db', 'rule.db', '--full');
    expect([code, stderr]).toEqual([0, '']);
    expect(stdout).toContain('3 models');
    expect(stdout).toContain('simulated/overconfident against simulated/careful');
    expect(stdout).toMatch(
      /80 cases scored in both runs, \d+ of them with a verdict by decision accuracy; none left out/,
    );
    expect(stdout).toMatch(/Decision Accuracy \(primary endpoint\) .*points/);
    expect(stdout).toContain('! Simulated, so made up');
    expect(stdout).toContain('comparing models takes at least 400');
    expect(stdout).not.toMatch(/ +$/m);
  });

  it('prints one JSON object with paired statistics', async () => {
    const { stdout } = await compare('careful.db', 'bold.db', 'rule.db', '--json');
    const { comparisons, models, baseline, method } = JSON.parse(stdout);
    expect([baseline, models.length, method.resamples]).toEqual(['simulated/careful', 3, 2000]);
    const { accuracy, augrc_strict: augrc } = comparisons[0].endpoints;
    expect(accuracy.model_value - accuracy.baseline_value).toBeCloseTo(accuracy.difference, 12);
    // One of the 80 records is an emergency without a label.
    expect(accuracy.n).toBe(79);
    expect(accuracy.difference).toBeCloseTo((accuracy.mcnemar.c - accuracy.mcnemar.b) / 79, 12);
    expect(accuracy.p_holm).toBeGreaterThanOrEqual(accuracy.p);
    const { mcnemar } = comparisons[0].endpoints.decision_accuracy;
    expect(comparisons[0].flips).toMatchObject({
      by: 'decision_accuracy',
      n_only_baseline_right: mcnemar.b,
      n_only_model_right: mcnemar.c,
    });
    expect(accuracy.interval.method).toBe('paired_score');
    expect(augrc).toMatchObject({ kind: 'resampled', p: null, interval: { level: 0.95, method: 'bca' } });
    expect(models[0].metrics.accuracy.value).toBe(accuracy.baseline_value);
  });

  it('is the same to the byte when run again', async () => {
    for (const format of ['text', 'json', 'md', 'html'])
      expect((await compare('careful.db', 'bold.db', '--format', format)).stdout).toBe(
        (await compare('careful.db', 'bold.db', '--format', format)).stdout,
      );
  });

  it('shows no difference between a run and itself', async () => {
    const { comparisons } = JSON.parse((await compare('careful.db', 'careful.db', '--json')).stdout);
    expect(comparisons[0].model).toBe('simulated/careful (careful.db) #2');
    for (const endpoint of Object.values<{ difference: number; p: number | null }>(comparisons[0].endpoints))
      expect([endpoint.difference, endpoint.p ?? 1]).toEqual([0, 1]);
  });

  it('is turned around by --baseline', async () => {
    const there = JSON.parse((await compare('careful.db', 'bold.db', '--json')).stdout);
    const back = JSON.parse(
      (await compare('careful.db', 'bold.db', '--baseline', 'bold.db', '--json')).stdout,
    );
    const alone = JSON.parse((await compare('careful.db', '--baseline', 'bold.db', '--json')).stdout);
    expect(back.baseline).toBe('simulated/overconfident');
    expect(alone.comparisons).toEqual(back.comparisons);
    const [one, other] = [there, back].map(({ comparisons }) => comparisons[0].endpoints.accuracy);
    expect(other.difference).toBeCloseTo(-one.difference, 12);
    expect([other.mcnemar.b, other.p]).toEqual([one.mcnemar.c, one.p]);
  });

  it('pairs what a smaller run has, and says so', async () => {
    const { stdout } = await compare('careful.db', 'some.db', '--full');
    expect(stdout).toMatch(
      /30 cases scored in both runs, \d+ of them with a verdict by decision accuracy; left out: 50 only in the baseline/,
    );
  });

  it('counts a repeated record once, by the mean of its repeats', async () => {
    const { comparisons } = JSON.parse((await compare('careful.db', 'thrice.db', '--json')).stdout);
    expect(comparisons[0]).toMatchObject({ n_paired: 80, repeats_averaged: true });
    expect(comparisons[0].endpoints.accuracy).toMatchObject({
      n: 79,
      // The repeats of a simulated model agree, so pairs are whole.
      mcnemar: { p_exact: expect.any(Number) },
      interval: { method: 'paired_score_clustered' },
      sign_flip: { p: expect.any(Number) },
    });
  });

  it('says when the question was put differently', async () => {
    expect((await compare('careful.db', 'arm.db')).stdout).toContain('arms natural, egfr_shown');
  });

  it('refuses different records unless asked, and then says it loudly', async () => {
    const { code, stderr } = await compare('careful.db', 'other.db');
    expect(code).toBe(2);
    expect(stderr.match(/[0-9a-f]{64}/g)).toHaveLength(2);
    expect(stderr).toContain('--allow-different-suites');
    const allowed = await compare('careful.db', 'other.db', '--allow-different-suites');
    expect([allowed.code, allowed.stdout]).toEqual([
      0,
      expect.stringContaining('DIFFERENT CASES: the runs have different cases of ckd/'),
    ]);
  });

  it('holds models to a metric of the extended bundle', async () => {
    const { code, stdout } = await compare('careful.db', 'bold.db', '--assert', 'deferral_f1 > 0.999');
    expect([code, stdout]).toEqual([1, expect.stringMatching(/deferral_f1 > 0\.999: 0\.\d+/)]);
    const typo = await compare('careful.db', 'bold.db', '--assert', 'deferral_f7 > 0.9');
    expect([typo.code, typo.stderr]).toEqual([2, expect.stringContaining('deferral_f7')]);
  });

  it('counts failed records, and leaves them out', async () => {
    const { comparisons, models } = JSON.parse((await compare('careful.db', 'poisoned.db', '--json')).stdout);
    const { n_paired, left_out } = comparisons[0];
    expect(left_out.failed_in_model).toBeGreaterThan(0);
    expect(n_paired + left_out.failed_in_model).toBe(80);
    expect(models[1].metrics.accuracy.bounds).not.toBeNull();
  });

  it('writes Markdown and HTML', async () => {
    expect((await compare('careful.db', 'bold.db', '--format', 'md')).stdout).toContain(
      '| model | missed emergencies | false alarms |',
    );
    expect((await compare('careful.db', 'bold.db', '--format', 'html', '-o', 'c.html')).code).toBe(0);
    const page = readFileSync(join(cwd, 'c.html'), 'utf8');
    expect(page).toContain('<svg');
    expect(page).not.toContain('<script');
  });

  it.each([
    [['careful.db'], 'compare needs two runs or more'],
    [['careful.db', 'gone.db'], 'gone.db: no such run'],
    [['careful.db', 'bold.db', '--baseline', 'gone.db'], 'gone.db: no such run'],
    [['careful.db', 'bold.db', '--format', 'pdf'], 'Allowed choices are text, json, md, html'],
    [['careful.db', 'bold.db', '--json', '--format', 'md'], 'contradict each other'],
    [['careful.db', 'bold.db', '--level', '95'], 'Expected a number between 0 and 1'],
    [['careful.db', 'bold.db', '-o', 'careful.db', '--force'], 'is one of the runs'],
    [[], 'compare needs two runs or more: name them (krisis list shows them), or add --last'],
    [['--last'], '--last: there are no runs in .krisis/runs; create some with krisis run'],
    [['--last', 'careful.db', 'bold.db'], '--last finds the runs itself'],
  ])('%j is refused', async (args, message) => {
    const { code, stderr } = await compare(...args);
    expect([code, stderr]).toEqual([2, expect.stringContaining(message)]);
  });

  it('compares the newest runs with --last, in the order in which they were made', async () => {
    const own = { cwd: mkdtempSync(join(cwd, 'last-')) };
    const models = (names: string) =>
      krisis(['run', ...suite, '--limit', '20', '--model', names], own).then(({ stdout }) => stdout);
    await models('simulated/careful');
    const { code, stderr } = await krisis(['compare', '--last'], own);
    expect([code, stderr]).toEqual([2, expect.stringContaining('is the only run of its suite')]);
    expect(await models('simulated/overconfident,baseline/guideline')).toMatch(/krisis compare --last$/m);
    const { stdout } = await krisis(['compare', '--last', '--json'], own);
    const { models: compared, baseline } = JSON.parse(stdout);
    expect([baseline, compared.map(({ name }: { name: string }) => name)]).toEqual([
      'simulated/careful',
      ['simulated/careful', 'simulated/overconfident', 'baseline/guideline'],
    ]);
  });

  it('does not write over a file unless forced, nor leave one behind', async () => {
    writeFileSync(join(cwd, 'mine.txt'), 'mine');
    expect((await compare('careful.db', 'bold.db', '-o', 'mine.txt')).code).toBe(2);
    expect(readFileSync(join(cwd, 'mine.txt'), 'utf8')).toBe('mine');
    expect((await compare('careful.db', 'bold.db', '-o', 'mine.txt', '--force')).code).toBe(0);
    expect((await compare('careful.db', 'other.db', '-o', 'never.txt')).code).toBe(2);
    expect(existsSync(join(cwd, 'never.txt'))).toBe(false);
    expect(readdirSync(cwd).filter((name) => name.endsWith('.tmp'))).toEqual([]);
  });
});
