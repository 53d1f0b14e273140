import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import type { z } from 'zod';
import { ANALYSIS_COMMANDS, analysisOptionsSchema, RUNS_COMMANDS } from '../analyses/registry.ts';
import { parseAnalysisOptions } from '../viewer/parse-analysis-options.ts';
import { COMMANDS } from './commands.ts';
import { readConfig } from './config/read-config.ts';

const folder = mkdtempSync(join(tmpdir(), 'krisis-analysis-command-'));
afterAll(() => rmSync(folder, { recursive: true }));

describe('commands of analyses', () => {
  it.each(Object.keys(ANALYSIS_COMMANDS))('%s is listed in the help', (name) => {
    expect(COMMANDS[name]?.usage).toBe('[options] <run>');
  });

  it.each(Object.keys(RUNS_COMMANDS))('%s, of several runs, is listed in the help', (name) => {
    expect(COMMANDS[name]?.usage).toBe('[options] <runs...>');
  });

  it('make flags of the options that have a description', async () => {
    const { options } = await COMMANDS.threshold!.load([]);
    const flags = options.map(({ flags }) => flags);
    expect(flags).toEqual(
      expect.arrayContaining(['--risk <share>', '--seed <n>', '--calibration-share <share>']),
    );
    expect(flags.join()).not.toContain('--recalibrate');
  });
});

/** A value of each type of option, and one that is none. */
const SAMPLES = {
  number: { right: 1, wrong: -1 },
  share: { right: 0.25, wrong: 2 },
  text: { right: 'site', wrong: '' },
  switch: { right: true, wrong: 'maybe' },
} as const;

/** Every option of every analysis. */
const OPTIONS = Object.entries(analysisOptionsSchema.shape).flatMap(([id, options]) =>
  Object.entries(options.unwrap().shape).map(([name, schema]) => {
    const { type, placeholder, flag = name } = (schema as z.ZodType).meta()!;
    const samples = SAMPLES[(placeholder === 'share' ? 'share' : type) as keyof typeof SAMPLES];
    return { option: `${id}.${name}`, id, name, flag: flag as string, ...samples };
  }),
);

describe('every option of every analysis', () => {
  it('is of one of these analyses', () => {
    expect([...new Set(OPTIONS.map(({ id }) => id))].sort()).toEqual(
      ['comparison', 'decisionsAtPrevalence', 'drift', 'threshold', 'verdicts'].sort(),
    );
  });

  it.each(OPTIONS)('$option is a flag', async ({ id, flag, right, wrong }) => {
    const names = { comparison: 'compare', drift: 'drift', threshold: 'threshold' };
    const name = names[id as keyof typeof names] ?? 'report';
    const typed = `--${flag.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`)}`;
    const parse = async (value: unknown) => {
      const command = await COMMANDS[name]!.load([]);
      const values = typeof value === 'boolean' ? [] : [String(value)];
      command.exitOverride().configureOutput({ writeErr: () => {} });
      // The action of the command is not wanted here.
      command.action(() => {});
      await command.parseAsync(['run.db', typed, ...values], { from: 'user' });
      return command.opts();
    };
    expect(((await parse(right)) as Record<string, unknown>)[flag]).toBe(right);
    if (typeof right !== 'boolean') await expect(parse(wrong)).rejects.toThrow('Expected');
  });

  it.each(OPTIONS)('$option is a key of the config file', async ({ id, name, option, right, wrong }) => {
    const write = (value: unknown) => {
      const file = join(folder, 'krisis.config.yaml');
      writeFileSync(file, `analyses:\n  ${id}:\n    ${name}: ${JSON.stringify(value)}\n`);
      return readConfig(file);
    };
    expect((await write(right)).analyses).toEqual({ [id]: { [name]: right } });
    await expect(write(wrong)).rejects.toThrow(`analyses.${option}`);
  });

  it.each(OPTIONS)('$option is a query string', ({ id, name, option, right, wrong }) => {
    const parse = (value: unknown) => parseAnalysisOptions(new URLSearchParams({ [option]: String(value) }));
    expect(parse(right)).toEqual({ analyses: { [id]: { [name]: right } } });
    expect(() => parse(wrong)).toThrow(`${option}: ${JSON.stringify(String(wrong))}; expected`);
  });
});
