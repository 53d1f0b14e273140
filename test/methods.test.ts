import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { krisis } from './krisis.ts';

const cwd = mkdtempSync(join(tmpdir(), 'krisis-methods-'));
afterAll(() => rmSync(cwd, { recursive: true }));

const methods = async (run: string, ...more: string[]) => {
  const { code, stdout, stderr } = await krisis(['report', run, '--methods', ...more], { cwd });
  expect([code, stderr]).toEqual([0, expect.stringMatching(/^(PASS .*\n)?$/)]);
  expect(stdout).not.toMatch(/undefined|null|NaN|\[object/);
  return stdout;
};

describe('the methods paragraph', () => {
  it('says what a run of labels was, with its conditions', async () => {
    const flags = ['--n-records', '60', '--repeat', '2', '--batch-size', '5', '--bootstrap', '200'];
    await krisis(['run', 'ckd/staging', '--model', 'simulated/careful', ...flags, '--run', './labels.db'], {
      cwd,
    });
    const text = await methods('./labels.db', '--assert', 'lower(decision_accuracy) >= 0.5');
    for (const part of [
      /^simulated\/careful was evaluated on ckd\/staging with Krisis \d/,
      /60 cases, seed 42, SHA-256 [0-9a-f]{64}, arm natural/,
      /Each was asked 2 times, up to 5 in a call; the run began on 20\d\d-\d\d-\d\d/,
      /The suite names decision accuracy over \d+ cases as the primary endpoint\./,
      /95 % intervals: .*\d+ resamples, seed 42/,
      /\d+ answers? of 120 failed|No answer is missing\./,
      'Conditions for release: lower(decision_accuracy) >= 0.5 (met).',
      'No clinician has reviewed the cases or the rules yet.',
      'The model is simulated',
      'For the authors:',
    ])
      expect(text).toEqual(
        part instanceof RegExp ? expect.stringMatching(part) : expect.stringContaining(part),
      );
  });

  it('says who judged the answers to open questions', async () => {
    const flags = ['--model', 'baseline/reference', '--judge', 'baseline/lexical', '--run', './open.db'];
    await krisis(['run', 'open/bcl2', ...flags], { cwd });
    const text = await methods('./open.db');
    expect(text).toMatch(/^baseline\/reference was evaluated on open\/bcl2 .*1 open question/);
    expect(text).toContain('Answers were judged by baseline/lexical in 1 pass');
    expect(text).not.toContain('Deferrals count as wrong');
  });

  it('does not claim that Krisis asked recorded answers', async () => {
    const rows = Array.from({ length: 30 }, (_, i) => `c${i},${i % 3 ? 'a' : 'b'},a`);
    rows.push('c30,,a');
    writeFileSync(join(cwd, 'answers.csv'), ['id,prediction,ground_truth', ...rows].join('\n'));
    await krisis(['score', 'answers.csv', '--save', '--run', './scored.db', '--name', 'model X'], { cwd });
    const text = await methods('./scored.db');
    expect(text).toMatch(
      /^Recorded answers to 31 cases of model X \(answers\.csv, SHA-256 [0-9a-f]{64}\) were/,
    );
    expect(text).not.toMatch(/was asked|the run began|evaluated on/);
  });

  it('is a format of its own', async () => {
    const { code, stderr } = await krisis(['report', './scored.db', '--methods', '--json'], { cwd });
    expect([code, stderr]).toEqual([2, expect.stringContaining('--methods is a format of its own')]);
  });
});
