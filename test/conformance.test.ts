import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { krisis } from './krisis.ts';

const folder = mkdtempSync(join(tmpdir(), 'krisis-conformance-'));
afterAll(() => rmSync(folder, { recursive: true }));
const shared = '../shared/conformance/metrics.json';
const validity = '../shared/conformance/validity.json';

describe('krisis conformance', () => {
  it('passes every case that ships with the package', async () => {
    const { code, stdout } = await krisis(['conformance', 'conformance/metrics.json']);
    const { cases } = JSON.parse(readFileSync('conformance/metrics.json', 'utf8'));
    expect([code, stdout]).toEqual([0, `${cases.length} passed, 0 failed\n`]);
    expect(cases.length).toBeGreaterThan(500);
  });

  it('runs the cases of the package when no file is named', async () => {
    const counts: number[] = ['metrics', 'review', 'rubrics'].map(
      (name) => JSON.parse(readFileSync(`conformance/${name}.json`, 'utf8')).cases.length,
    );
    const { code, stdout } = await krisis(['conformance', '--json'], { cwd: folder });
    expect(code).toBe(0);
    expect(JSON.parse(stdout)).toEqual({
      passed: counts.reduce((sum, count) => sum + count),
      failed: 0,
      failures: [],
    });
  });

  it.skipIf(!existsSync(shared))(
    'passes the project reference cases (skipped where ../shared is absent)',
    async () => {
      expect((await krisis(['conformance', shared])).stdout).toMatch(/^116 passed, 0 failed\n$/);
    },
  );

  it.skipIf(!existsSync(validity))('passes the cases of the rulings on validity', async () => {
    expect((await krisis(['conformance', validity])).stdout).toMatch(/^\d+ passed, 0 failed\n$/);
  });

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
    ['absent.json', null, 'cannot be read (ENOENT)'],
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
