import { spawnSync } from 'node:child_process';
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { actFunctions, actRowFunctions } from '../src/conformance/act-functions.ts';
import { DIABETES_FUNCTIONS } from '../src/conformance/diabetes-functions.ts';
import { HYPERTENSION_FUNCTIONS } from '../src/conformance/hypertension-functions.ts';
import { sequenceFunctions } from '../src/conformance/sequence-functions.ts';
import { thresholdFunctions } from '../src/conformance/threshold-functions.ts';
import { krisis } from './krisis.ts';

const folder = mkdtempSync(join(tmpdir(), 'krisis-conformance-'));
afterAll(() => rmSync(folder, { recursive: true }));
const shared = '../shared/conformance/metrics.json';
const act = '../shared/conformance/act.json';
const validity = '../shared/conformance/validity.json';
const domains = '../shared/conformance/domains.json';
const guarantees = '../shared/conformance/guarantees.json';
const hasPython = spawnSync('python3', ['--version']).status === 0;

const metricsOf = (name: string): string[] =>
  JSON.parse(readFileSync(`conformance/${name}.json`, 'utf8')).cases.map(
    ({ metric }: { metric: string }) => metric,
  );

describe('krisis conformance', () => {
  it('passes every case that ships with the package', async () => {
    const { code, stdout } = await krisis(['conformance', 'conformance/metrics.json']);
    const { cases } = JSON.parse(readFileSync('conformance/metrics.json', 'utf8'));
    expect([code, stdout]).toEqual([0, `${cases.length} passed, 0 failed\n`]);
    expect(cases.length).toBeGreaterThan(500);
  });

  it('runs the cases of the package when no file is named', async () => {
    const counts: number[] = [
      'metrics',
      'act',
      'clusters',
      'review',
      'rubrics',
      'domains',
      'guarantees',
      'scores',
    ].map((name) => JSON.parse(readFileSync(`conformance/${name}.json`, 'utf8')).cases.length);
    const { code, stdout } = await krisis(['conformance', '--json'], { cwd: folder });
    expect(code).toBe(0);
    expect(JSON.parse(stdout)).toEqual({
      $schema: expect.stringMatching(/\/schemas\/conformance\.json$/),
      passed: counts.reduce((sum, count) => sum + count),
      failed: 0,
      failures: [],
    });
  });

  it.skipIf(!existsSync(shared))(
    'passes the project reference cases (skipped where ../shared is absent)',
    async () => {
      expect((await krisis(['conformance', shared])).stdout).toMatch(/^\d+ passed, 0 failed\n$/);
    },
  );

  it.skipIf(!existsSync(validity))('passes the cases of the rulings on validity', async () => {
    expect((await krisis(['conformance', validity])).stdout).toMatch(/^\d+ passed, 0 failed\n$/);
  });

  it.skipIf(!existsSync(act))('passes the cases of the rulings on acting and silence', async () => {
    expect((await krisis(['conformance', act])).stdout).toMatch(/^\d+ passed, 0 failed\n$/);
  });

  it.skipIf(!existsSync(domains))('passes the cases of diabetes and hypertension', async () => {
    expect((await krisis(['conformance', domains])).stdout).toMatch(/^72 passed, 0 failed\n$/);
  });

  it('ships cases for every function of diabetes and hypertension', () => {
    expect([...new Set(metricsOf('domains'))].toSorted()).toEqual(
      Object.keys({ ...DIABETES_FUNCTIONS, ...HYPERTENSION_FUNCTIONS }).toSorted(),
    );
  });

  it.skipIf(!hasPython)('ships the domain cases that the Python rules give', () => {
    const script = ['conformance/generate_domains.py', '--check', 'conformance/domains.json'];
    const { status, stdout } = spawnSync('python3', script, { encoding: 'utf8' });
    expect([status, stdout]).toEqual([0, `${metricsOf('domains').length} cases, 0 differences\n`]);
  });

  it('ships cases for every function of early stopping, thresholds, sources of confidence and drift', () => {
    const functions = new Set([
      ...Object.keys({ ...sequenceFunctions, ...thresholdFunctions }),
      'exact_upper_bound',
    ]);
    expect([...new Set(metricsOf('guarantees'))].toSorted()).toEqual([...functions].toSorted());
  });

  it.skipIf(!hasPython)('ships the cases of guarantees that the Python functions give', () => {
    const script = ['conformance/generate_guarantees.py', '--check', 'conformance/guarantees.json'];
    const { status, stdout } = spawnSync('python3', script, { encoding: 'utf8' });
    expect([status, stdout]).toEqual([0, `${metricsOf('guarantees').length} cases, 0 differences\n`]);
  });

  it('ships cases for every function of acting and silence', () => {
    const functions = [...Object.keys({ ...actRowFunctions, ...actFunctions }), 'judge_gate_status'];
    expect([...new Set(metricsOf('act'))].toSorted()).toEqual(functions.toSorted());
  });

  it.skipIf(!hasPython)('ships the cases of acting and silence that the Python functions give', () => {
    const script = ['conformance/generate_act.py', '--check', 'conformance/act.json'];
    const { status, stdout } = spawnSync('python3', script, { encoding: 'utf8' });
    expect([status, stdout]).toEqual([0, `${metricsOf('act').length} cases, 0 differences\n`]);
  });

  it.skipIf(!hasPython || !existsSync(act))(
    'ships Python functions of acting and silence that agree with the project reference cases',
    () => {
      const script = ['conformance/generate_act.py', '--check', act];
      const { stdout } = spawnSync('python3', script, { encoding: 'utf8' });
      expect(stdout).toMatch(/^\d+ cases, 0 differences\n$/);
    },
  );

  it.skipIf(!hasPython)('ships the cases of scores that the Python functions give', () => {
    const script = ['conformance/generate_scores.py', '--check', 'conformance/scores.json'];
    const { status, stdout } = spawnSync('python3', script, { encoding: 'utf8' });
    expect([status, stdout]).toEqual([0, `${metricsOf('scores').length} cases, 0 differences\n`]);
  });

  it.skipIf(!hasPython)('ships the cases of clusters that the Python functions give', () => {
    const script = ['conformance/generate_clusters.py', '--check', 'conformance/clusters.json'];
    const { status, stdout } = spawnSync('python3', script, { encoding: 'utf8' });
    expect([status, stdout]).toEqual([0, `${metricsOf('clusters').length} cases, 0 differences\n`]);
  });

  it.skipIf(!hasPython || !existsSync(guarantees))(
    'ships Python functions that agree with the project reference cases',
    () => {
      const script = ['conformance/generate_guarantees.py', '--check', guarantees];
      expect(spawnSync('python3', script, { encoding: 'utf8' }).stdout).toBe('54 cases, 0 differences\n');
    },
  );

  it('prints a line for each failing case, and exits 1', async () => {
    const rows = [{ prediction: 1, ground_truth: 1, abstained: false, confidence: null }];
    const cases = [
      { id: 'wrong', metric: 'accuracy', rows, params: {}, expected: 0.5, tolerance: 1e-9 },
      { id: 'unknown', metric: 'accuracyy', rows, params: {}, expected: 1, tolerance: 1e-9 },
      { id: 'right', metric: 'accuracy', rows, params: {}, expected: 1, tolerance: 1e-9 },
      { id: 'throws', metric: 'e_aurc', rows, params: { method: 'x' }, expected: 1, accept: ['throws'] },
      { id: 'null-accepted', metric: 'accuracy', rows: [], params: {}, expected: 3, accept: ['null'] },
    ];
    const file = join(folder, 'cases.json');
    writeFileSync(file, JSON.stringify({ cases }));
    const { code, stdout } = await krisis(['conformance', file]);
    expect(code).toBe(1);
    expect(stdout.split('\n')).toEqual([
      'FAIL wrong (accuracy): expected 0.5, got 1',
      'FAIL unknown (accuracyy): expected 1, got "throws: no function \\"accuracyy\\" that takes rows"',
      '3 passed, 2 failed',
      '',
    ]);
    expect(JSON.parse((await krisis(['conformance', file, '--json'])).stdout)).toMatchObject({
      passed: 3,
      failed: 2,
    });
  });

  it.each([
    ['absent.json', null, 'no such file'],
    ['text.json', 'hello', 'not JSON'],
    ['shape.json', '{"cases":[{"id":1}]}', 'cases.0.id'],
    ['empty.json', '{"cases":[]}', 'there is nothing to run'],
  ])('refuses %s', async (name, text, message) => {
    if (text !== null) writeFileSync(join(folder, name), text);
    const { code, stderr } = await krisis(['conformance', join(folder, name)]);
    expect(code).toBe(2);
    expect(stderr).toContain(message);
  });
});
