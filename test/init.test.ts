import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { loadConfig } from '../src/cli/config/load-config.ts';
import { TEMPLATES } from '../src/cli/init.ts';
import { krisis } from './krisis.ts';

const folder = mkdtempSync(join(tmpdir(), 'krisis-init-'));
afterAll(() => rmSync(folder, { recursive: true }));

describe('krisis init and the config', () => {
  it('writes a config that the next command runs with', async () => {
    const wrote = await krisis(['init', 'score'], { cwd: folder });
    expect([wrote.code, wrote.stderr]).toEqual([0, '']);
    expect(wrote.stdout).toContain('npx krisis score answers.jsonl');
    const scored = await krisis(['score', 'answers.jsonl', '--full'], { cwd: folder });
    expect([scored.code, scored.stderr]).toEqual([0, '']);
    expect(scored.stdout).toContain('task detection (positive: present)');
    expect(scored.stdout).toMatch(/Your own metrics[\s\S]*Answers below 0\.6 confidence/);
  });

  it('does not write over what is there', async () => {
    writeFileSync(join(folder, 'krisis.config.ts'), '// mine');
    const { code, stderr } = await krisis(['init', 'score'], { cwd: folder });
    expect(code).toBe(2);
    expect(stderr).toContain('nothing was written');
    expect(readFileSync(join(folder, 'krisis.config.ts'), 'utf8')).toBe('// mine');
  });

  it('refuses a config of another kind, which would be ignored', async () => {
    const { code, stderr } = await krisis(['init', 'compare'], { cwd: folder });
    expect([code, stderr]).toEqual([
      2,
      'krisis: krisis.config.ts: already exists; nothing was written. Choose an empty folder: krisis init TEMPLATE FOLDER\n',
    ]);
    expect(existsSync(join(folder, 'krisis.config.yaml'))).toBe(false);
  });

  it.each(TEMPLATES)(
    'template $name: every command it prints runs without a key',
    async ({ name, next }) => {
      const cwd = join(folder, 'templates', name);
      mkdirSync(cwd, { recursive: true });
      const env = { PATH: process.env.PATH, KRISIS_CONFIG_DIR: join(cwd, 'user') };
      const wrote = await krisis(['init', name, 'here'], { cwd, env });
      expect([wrote.code, wrote.stderr]).toEqual([0, '']);
      for (const command of next) expect(wrote.stdout).toContain(`\n  npx ${command}\n`);
      for (const command of next) {
        const args = command.split(' ').slice(1);
        const ran = await krisis(args, {
          cwd: join(cwd, 'here'),
          env,
        });
        // The simulated models of the template fail its recommended gate, as they should.
        const isGated = name === 'compare' && args[0] === 'run';
        expect([command, ran.code, ran.stderr]).toEqual([
          command,
          isGated ? 1 : 0,
          expect.not.stringContaining('krisis: '),
        ]);
        expect(ran.stdout.length).toBeGreaterThan(200);
      }
    },
    60_000,
  );

  it('lists the templates where it cannot ask', async () => {
    const cwd = join(folder, 'templates');
    const { code, stderr } = await krisis(['init'], { cwd });
    expect(code).toBe(2);
    for (const { name, title } of TEMPLATES)
      expect(stderr).toMatch(new RegExp(`${name} +${title.slice(0, 20)}`));
  });

  it('suggests the template that was meant', async () => {
    const { code, stderr } = await krisis(['init', 'tabel'], { cwd: folder });
    expect([code, stderr]).toEqual([2, expect.stringContaining('no template "tabel"; did you mean table?')]);
  });

  it('lets a flag win over the config, and reads YAML', async () => {
    const yaml = join(folder, 'other.yaml');
    writeFileSync(yaml, 'score:\n  task: detection\n  positiveLabel: absent\n  level: 0.9\n');
    const card = JSON.parse(
      (
        await krisis(['score', 'answers.jsonl', '--config', yaml, '--level', '0.8', '--json'], {
          cwd: folder,
        })
      ).stdout,
    );
    expect(card.task).toBe('detection');
    expect(card.metrics.sensitivity).toMatchObject({
      interval: { level: 0.8 },
      details: { positive_label: 'absent' },
    });
  });

  it.each([
    ['typo.yaml', 'score:\n  tsk: detection\n', 'typo.yaml: score.tsk: no such key; did you mean task?'],
    ['section.yaml', 'task: detection\n', 'section.yaml: task: not a key here; it belongs under score'],
    ['near.yaml', 'modle: x\n', 'near.yaml: modle: no such key; did you mean run.model?'],
    [
      'both.yaml',
      'run:\n  limt: 3\n  level: 0.9\n',
      'both.yaml: run.limt: no such key; did you mean limit?\nboth.yaml: run.level: not a key here; it belongs under score',
    ],
    ['broken.yaml', 'score: [\n', 'broken.yaml: not YAML'],
    ['none.ts', 'export const config = {};\n', 'none.ts: cannot be loaded: it has no default export'],
    ['throws.ts', 'throw new Error("boom");\n', 'throws.ts: cannot be loaded: boom'],
    [
      'metric.ts',
      'export default { metrics: [{ name: "x" }] };\n',
      'metric.ts: metrics.0.compute: expected a function',
    ],
  ])('says what is wrong with %s', async (name, text, message) => {
    writeFileSync(join(folder, name), text);
    const { code, stderr } = await krisis(['score', 'answers.jsonl', '--config', name], { cwd: folder });
    expect(code).toBe(2);
    expect(stderr).toContain(message);
  });

  it('throws an error with a code for a config that is not valid', async () => {
    const file = join(folder, 'code.yaml');
    writeFileSync(file, 'score: 3\n');
    await expect(loadConfig({ config: file })).rejects.toMatchObject({ code: 'ERR_CONFIG' });
  });
});
