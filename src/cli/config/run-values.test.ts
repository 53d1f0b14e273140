import { mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { runValues } from './run-values.ts';

const foundAs = 'krisis.config.yaml';
const refused = expect.objectContaining({ code: 'ERR_CONFIG_NOT_NAMED' });

describe('runValues', () => {
  it('keeps what a named config says, and adds what is typed to its list', () => {
    const config = {
      run: { baseUrl: 'https://gateway.example/v1', limit: 3 },
      allowEgress: ['gateway.example'],
    };
    expect(runValues(config, { allowEgress: ['openai'] })).toEqual({
      baseUrl: 'https://gateway.example/v1',
      limit: 3,
      allowEgress: ['gateway.example', 'openai'],
    });
  });

  it('withholds keys from addresses that a found config chose', () => {
    const run = { baseUrl: 'http://127.1:8000/v1', judgeBaseUrl: 'http://LOCALHOST/v1' };
    expect(runValues({ run, foundAs }, {})).toMatchObject({ sendKey: false, judgeSendKey: false });
    expect(runValues({ run, foundAs }, { baseUrl: 'https://gateway.example/v1' })).toEqual({
      ...run,
      baseUrl: 'https://gateway.example/v1',
      judgeSendKey: false,
    });
  });

  it('refuses what a found config may not choose', () => {
    for (const key of ['baseUrl', 'judgeBaseUrl'] as const)
      expect(() => runValues({ run: { [key]: 'http://0.0.0.0/v1' }, foundAs }, {})).toThrow(refused);
    expect(() => runValues({ allowEgress: ['openai'], foundAs }, {})).toThrow(refused);
    expect(runValues({ allowEgress: ['openai'], foundAs }, { allowEgress: ['xai'] })).toEqual({
      allowEgress: ['xai'],
    });
  });
});

describe('a budget', () => {
  const free = { input: 0, output: 0 };

  it.each(['price', 'judgePrice'] as const)('is not passed by the %s of a found config', (key) => {
    const run = { [key]: free };
    expect(() => runValues({ run, foundAs }, { budget: 5 })).toThrow(refused);
    expect(() => runValues({ run: { ...run, budget: 5 }, foundAs }, {})).toThrow(refused);
    expect(runValues({ run, foundAs }, {})).toMatchObject(run);
    expect(runValues({ run }, { budget: 5 })).toMatchObject(run);
    const own = { input: 1, output: 2 };
    expect(runValues({ run, foundAs }, { budget: 5, [key]: own })).toMatchObject({ [key]: own });
  });
});

describe('texts about protected records', () => {
  it('are not kept because a found config says so', () => {
    const run = { keepText: true };
    expect(() => runValues({ run, foundAs }, {})).toThrow(refused);
    expect(runValues({ run, foundAs }, { keepText: false })).toEqual({ keepText: false });
    expect(runValues({ run }, {})).toMatchObject(run);
    expect(runValues({ run: { keepText: false }, foundAs }, {})).toEqual({ keepText: false });
  });
});

describe('files that a found config sends', () => {
  const outer = mkdtempSync(join(tmpdir(), 'krisis-run-values-'));
  const before = process.cwd();
  beforeAll(() => {
    writeFileSync(join(outer, 'secret'), 'x');
    const folder = mkdtempSync(join(outer, 'project-'));
    process.chdir(folder);
    writeFileSync('..prompt.txt', 'x');
    symlinkSync(join(outer, 'secret'), 'link.txt');
  });
  afterAll(() => {
    process.chdir(before);
    rmSync(outer, { recursive: true });
  });

  it.each(['systemFile', 'templateFile', 'judgeInstructions'] as const)('are in its folder: %s', (key) => {
    for (const file of ['../secret', 'link.txt', join(outer, 'secret'), '/proc/self/environ'])
      expect(() => runValues({ run: { [key]: file }, foundAs }, {})).toThrow(refused);
    expect(runValues({ run: { [key]: '../secret' } }, {})).toMatchObject({ [key]: '../secret' });
    expect(runValues({ run: { [key]: '../secret' }, foundAs }, { [key]: 'typed' })).toEqual({
      [key]: 'typed',
    });
    for (const file of ['..prompt.txt', 'missing.txt'])
      expect(runValues({ run: { [key]: file }, foundAs }, {})).toEqual({ [key]: file });
  });
});
