import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { krisis } from './krisis.ts';

const cwd = mkdtempSync(join(tmpdir(), 'krisis-plan-'));
afterAll(() => rmSync(cwd, { recursive: true }));
const plan = (...args: string[]) => krisis(['plan', ...args], { cwd });
const GATE = ['--assert', 'lower(accuracy) >= 0.9', '--expect', '0.93'];

describe('krisis plan', () => {
  it('says how many records a condition needs, all asked and stopping early', async () => {
    const { code, stdout } = await plan(...GATE, '--json');
    const { gates, differences } = JSON.parse(stdout);
    expect([code, gates[0].powers[0].rows, gates[0].powers[1].rows, gates[0].fewest_rows]).toEqual([
      0, 740, 963, 51,
    ]);
    const [{ early }] = gates[0].powers;
    expect(early.rows).toBeGreaterThan(740);
    expect(early.pass).toBeGreaterThanOrEqual(0.8);
    expect(early.mean_rows).toBeLessThan(early.rows);
    expect(
      differences.find(
        (one: { difference: number; power: number }) => one.difference === 0.05 && one.power === 0.8,
      ).records,
    ).toBe(312);
    expect((await plan(...GATE)).stdout).toMatch(/80 % +740 +[\d,]+ +\d+ +\d+/);
  });

  it('says what a suite can show and what a model costs, without a key', async () => {
    const { code, stdout } = await plan(...GATE, '--suite', 'ckd/staging', '--model', 'openai/gpt-5-mini');
    expect([code, stdout]).toEqual([
      0,
      expect.stringMatching(/The suite has 1,000 cases\. All asked: passes in 92\.\d % of runs\./),
    ]);
    expect(stdout).toMatch(/openai\/gpt-5-mini: about \d+ input tokens a case, \$0\.\d+ without reasoning/);
  });

  it('counts a patient with several records once', async () => {
    const rows = Array.from({ length: 180 }, (_, i) => `r${i},p${Math.floor(i / 3)},${i % 7},yes`);
    writeFileSync(join(cwd, 'visits.csv'), `id,patient,value,answer\n${rows.join('\n')}\n`);
    writeFileSync(
      join(cwd, 'visits.yaml'),
      'name: own/visits\nfile: visits.csv\nsensitivity: synthetic\ncolumns:\n  value: { name: Value }\nid: id\nlabel: answer\nlabels: ["yes", "no"]\ncluster: patient\ninstructions: Yes or no?\n',
    );
    const { stdout } = await plan(...GATE, '--suite', 'visits.yaml');
    expect(stdout.replace(/\s+/g, ' ')).toContain('The suite has 60 patients with 180 cases');
  });

  it('shares the error over conditions, and turns a greatest value round', async () => {
    const upper = ['--assert', 'upper(unsafe_decision_rate) <= 0.1', '--expect', '7%'];
    const { gates } = JSON.parse((await plan(...upper, '--json')).stdout);
    expect(gates[0].powers[0].rows).toBe(740);
    const two = JSON.parse((await plan(...GATE, ...upper, '--json')).stdout);
    expect(two.gates.map((gate: { alpha_side: number }) => gate.alpha_side)).toEqual([0.0125, 0.0125]);
    const models = ['--suite', 'ckd/detection', '--model', 'simulated/careful,simulated/overconfident'];
    const shared = JSON.parse((await plan(...GATE, ...models, '--json')).stdout);
    expect(shared.gates[0].alpha_side).toBe(0.0125);
    // No bound decides before 30 counted records.
    const easy = JSON.parse(
      (await plan('--assert', 'lower(accuracy)>=0.8', '--expect', '1', '--json')).stdout,
    );
    expect(easy.gates[0].fewest_rows).toBe(30);
  });

  it('says when nothing can be shown, and plans a difference alone', async () => {
    expect((await plan('--assert', 'lower(accuracy) >= 0.9', '--expect', '0.9')).stdout).toContain(
      'no number of cases shows',
    );
    expect((await plan('--assert', 'lower(accuracy) >= 0.9', '--expect', '0.9001')).stdout).toContain(
      'more than 1,000,000 cases',
    );
    expect((await plan('--difference', '0.03', '--discordant', '0.15')).stdout).toMatch(
      /0\.03 +15 % +80 % +1,3\d\d/,
    );
  });

  it.each([
    [[], /nothing to plan/],
    [['--assert', 'lower(accuracy) >= 0.9'], /say what you expect/],
    [['--assert', 'lower(accuracy) >= 0.9', '--expect', '2'], /expected a share/],
    [['--assert', 'accuracy >= 0.9', '--expect', '0.93'], /cannot be planned/],
    [['--assert', 'lower(mcc) >= 0.9', '--expect', '0.93'], /cannot be planned/],
    [['--assert', 'lower(acuracy) >= 0.9', '--expect', '0.93'], /accuracy/],
    [[...GATE, '--model', 'openai/gpt-5-mini'], /add --suite/],
    [[...GATE, '--suite', 'open/bcl2'], /plan conditions on labels/],
  ])('refuses %j', async (args, message) => {
    const { code, stderr } = await plan(...args);
    expect([code, stderr.replace(/\s+/g, ' ')]).toEqual([2, expect.stringMatching(message)]);
  });
});
