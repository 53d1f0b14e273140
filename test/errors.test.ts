import { globSync, readFileSync } from 'node:fs';
import { Command } from '@commander-js/extra-typings';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { COMMANDS } from '../src/cli/commands.ts';
import { ERROR_CODES, type ErrorCode } from '../src/core/error-codes.ts';
import { KrisisError } from '../src/core/krisis-error.ts';
import { krisis } from './krisis.ts';

afterEach(() => {
  vi.restoreAllMocks();
});

describe('docs/errors.md', () => {
  const page = readFileSync('docs/errors.md', 'utf8');
  const table = [...page.matchAll(/^\| `(ERR_\w+)` \| (.*) \|$/gm)].map(([, code, meaning]) => [
    code,
    meaning,
  ]);

  it('has a line for every code with its meaning, in order, and no other', () => {
    expect(table).toEqual(Object.entries(ERROR_CODES));
  });

  it('speaks only of codes that exist', () => {
    const named = page.match(/ERR_\w+/g)!;
    expect(named.filter((code) => !Object.hasOwn(ERROR_CODES, code))).toEqual([]);
  });
});

it('lists codes in alphabetical order', () => {
  const codes = Object.keys(ERROR_CODES);
  expect(codes).toEqual(codes.toSorted());
});

it('every code is asserted by a test', () => {
  const tests = globSync('{src,test}/**/*.test.ts').map((file) => readFileSync(file, 'utf8'));
  const asserted = new Set(tests.flatMap((text) => text.match(/ERR_\w+/g) ?? []));
  expect(Object.keys(ERROR_CODES).filter((code) => !asserted.has(code))).toEqual([]);
});

describe('KrisisError', () => {
  it('has a code, the offending value and the cause', () => {
    const facts = { code: 'ERR_FILE_UNREADABLE', value: 'rows.jsonl', cause: new Error('ENOENT') } as const;
    const error = new KrisisError('rows.jsonl: no such file', facts);
    expect(error).toMatchObject({ name: 'KrisisError', ...facts });
  });

  it('has ERR_BAD_INPUT and no cause by default', () => {
    const error = new KrisisError('n is -1; expected 0 or more');
    expect([error.code, error.value, 'cause' in error]).toEqual(['ERR_BAD_INPUT', undefined, false]);
  });
});

describe('the command line', () => {
  /** What `krisis list` prints when it throws. */
  function whenListThrows(error: Error) {
    vi.spyOn(COMMANDS, 'list').mockResolvedValue(
      new Command('list').action(() => {
        throw error;
      }),
    );
    return krisis(['list'], { env: { ...process.env, KRISIS_DEBUG: undefined } });
  }

  it.each<ErrorCode>(['ERR_USAGE', 'ERR_BAD_INPUT', 'ERR_RUN_NOT_FOUND'])(
    'prints the message of a %s and exits with 2',
    async (code) => {
      const ran = await whenListThrows(new KrisisError('no such run', { code }));
      expect(ran).toEqual({ code: 2, stdout: '', stderr: 'krisis: no such run\n' });
    },
  );

  it('adds what to type to an error that has a hint', async () => {
    const { stderr } = await whenListThrows(new KrisisError('site: exists', { code: 'ERR_EXPORT_EXISTS' }));
    expect(stderr).toBe('krisis: site: exists\nTo replace it, add --force.\n');
  });

  it.each([
    new KrisisError('lists do not add up', { code: 'ERR_INTERNAL' }),
    new TypeError('lists do not add up'),
  ])('exits with 70 for an error inside Krisis: %s', async (error) => {
    const { code, stderr } = await whenListThrows(error);
    expect(code).toBe(70);
    expect(stderr).toMatch(/^krisis: internal error: lists do not add up\n.*KRISIS_DEBUG=1/);
  });

  it('refuses to export a protected suite with ERR_SUITE_PROTECTED', async () => {
    const command = await COMMANDS.suite!([]);
    const exported = command.parseAsync(['export', 'examples/ollama/ward.yaml'], { from: 'user' });
    await expect(exported).rejects.toMatchObject({ name: 'KrisisError', code: 'ERR_SUITE_PROTECTED' });
  });
});
