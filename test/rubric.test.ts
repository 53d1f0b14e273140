import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { krisis } from './krisis.ts';

const folder = mkdtempSync(join(tmpdir(), 'krisis-rubric-'));
afterAll(() => rmSync(folder, { recursive: true }));
const file = (name: string, text: string) => {
  writeFileSync(join(folder, name), text);
  return join(folder, name);
};

const trait = (line: string) =>
  `metric_traits: [{ name: Advice, description: "Source: own", metrics: [recall], tp_instructions: ["${line}"] }]\n`;

describe('krisis check', () => {
  const good = file('good.yaml', trait('Advises rest'));
  const loose = file('loose.yaml', trait('Advises rest and fluids'));
  const bad = file('bad.yaml', 'metric_traits: [{ name: a.b, metrics: [F1] }]\n');

  it('has nothing to say of a good rubric', async () => {
    expect(await krisis(['check', good, '--strict'])).toEqual({
      code: 0,
      stdout: expect.stringContaining(`${good}: valid; 1 trait, 1 item\nnothing to improve\n`),
      stderr: '',
    });
  });

  it('lists what could be better, and fails for it only when strict', async () => {
    const { code, stdout } = await krisis(['check', loose]);
    expect([code, stdout.split('\n').slice(-5)]).toEqual([
      0,
      [
        `${loose}: valid; 1 trait, 1 item`,
        '! Advice: tp_instructions[0]: "Advises rest and fluids" asks for more than one thing ("and")',
        '    compound: write one line for each, so that half an answer gets half the credit',
        '1 finding',
        '',
      ],
    ]);
    expect((await krisis(['check', loose, '--strict'])).code).toBe(1);
  });

  it('says all that is wrong, with exit code 2', async () => {
    const { code, stdout, stderr } = await krisis(['check', bad]);
    expect([code, stderr]).toEqual([2, '']);
    expect(stdout.split('\n')).toEqual([
      expect.stringContaining(`${bad}: Open questions, or a rubric.`),
      expect.stringMatching(/^\d problems?:$/),
      expect.stringContaining('name "a.b" has a dot in it'),
      expect.stringContaining('metric "F1" is not known; write "f1"'),
      expect.stringContaining('tp_instructions is not given'),
      '',
    ]);
  });

  it('gives one JSON object', async () => {
    const json = async (name: string) => JSON.parse((await krisis(['check', name, '--json'])).stdout);
    expect(await json(loose)).toMatchObject({
      valid: true,
      kind: 'rubric',
      n_questions: null,
      n_traits: 1,
      n_items: 1,
      findings: [{ code: 'compound', where: 'Advice: tp_instructions[0]' }],
    });
    expect(await json(bad)).toMatchObject({
      ok: false,
      problems: expect.arrayContaining([expect.stringContaining('has a dot in it')]),
    });
    expect((await krisis(['check', bad, '--json'])).code).toBe(2);
  });

  it('takes a file of questions, and a bundled suite by its name', async () => {
    const { code, stdout } = await krisis(['check', 'examples/questions/questions.yaml', '--json']);
    expect([code, JSON.parse(stdout)]).toMatchObject([0, { kind: 'questions', n_questions: 3 }]);
    expect((await krisis(['check', 'open/bcl2'])).stdout).toMatch(/^open\/bcl2: valid; 1 question, /m);
    expect((await krisis(['check', 'open/bcl3'])).stderr).toContain('did you mean open/bcl2?');
  });
});
