import { cpSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { krisis } from './krisis.ts';

const folder = mkdtempSync(join(tmpdir(), 'krisis-examples-'));
afterAll(() => rmSync(folder, { recursive: true }));
cpSync('examples', folder, { recursive: true });

describe('the examples', () => {
  it('own-suite: a suite and a backend from a config', () => {
    const cwd = join(folder, 'own-suite');
    expect(krisis(['suites'], { cwd }).stdout).toContain('potassium/urgency');
    expect(krisis(['describe', 'potassium/urgency'], { cwd }).stdout).toContain('haemolysed_sample');
    const { code, stdout } = krisis(
      ['run', 'potassium/urgency', '--model', 'rule/threshold', '--json', '--bootstrap', '100'],
      { cwd },
    );
    expect(code).toBe(0);
    const { ledger, metrics } = JSON.parse(stdout);
    // 5 of 40 samples are haemolysed, and the rule never defers.
    expect([ledger.n, metrics.deferral_recall.value, metrics.deferral_recall.n_evaluated]).toEqual([
      40, 0, 40,
    ]);
    expect(metrics.sensitivity.value).toBe(1);
  });

  it('table-suite: a CSV through YAML', () => {
    const cwd = join(folder, 'table-suite');
    expect(krisis(['validate', 'suite.yaml'], { cwd })).toMatchObject({ code: 0 });
    const { code, stdout } = krisis(
      ['run', 'suite.yaml', '--model', 'simulated/careful', '--json', '--bootstrap', '0'],
      { cwd },
    );
    expect([code, JSON.parse(stdout).ledger.n > 20]).toEqual([0, true]);
  });

  it('answers.jsonl: rows to score', () => {
    expect(krisis(['score', join(folder, 'answers.jsonl')]).stdout).toContain('120 rows');
  });
});
