import { Command } from '@commander-js/extra-typings';
import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import { choice, toggle, whole } from '../../suites/suite-option.ts';
import {
  addOptions,
  configKeys,
  flags,
  inGroup,
  list,
  positiveNumber,
  settings,
  settingsHelp,
  typedAs,
  typedValues,
} from './option.ts';

const OPTIONS = {
  ...inGroup('Options:', 'run', {
    limit: whole('--limit <n>', 'records', 1),
    budget: positiveNumber('--budget <usd>', 'dollars'),
    cache: {
      ...toggle('--no-cache', 'no cache'),
      opposite: { flags: '--cache', description: 'the cache' },
    },
  }),
  ...inGroup('Options:', null, {
    groupBy: list('--group-by <keys>', 'groups'),
    bundle: choice('--bundle <name>', 'metrics', ['default', 'extended']),
  }),
};

function parse(...argv: string[]) {
  const command = new Command('try').exitOverride().configureOutput({ writeErr: () => {} });
  addOptions(command, OPTIONS);
  command.parse(argv, { from: 'user' });
  return typedValues(command, OPTIONS);
}

describe('declared options', () => {
  it('read what was typed, each in its type', () => {
    expect(parse('--limit', '5', '--budget', '2.5', '--bundle', 'extended')).toEqual({
      limit: 5,
      budget: 2.5,
      bundle: 'extended',
    });
  });

  it('leave out what was not typed, also where commander has a default', () => {
    expect(parse()).toEqual({});
    expect(parse('--no-cache')).toEqual({ cache: false });
    expect(parse('--cache')).toEqual({ cache: true });
  });

  it('refuse two flags that say the opposite, in any order', () => {
    for (const flags of [
      ['--cache', '--no-cache'],
      ['--no-cache', '--limit', '3', '--cache'],
    ])
      expect(() => parse(...flags)).toThrow('--cache and --no-cache exclude each other: give one of them');
    expect(parse('--cache', '--cache')).toEqual({ cache: true });
  });

  it('collect lists over several uses', () => {
    expect(parse('--group-by', 'sex, age', '--group-by', 'origin')).toEqual({
      groupBy: ['sex', 'age', 'origin'],
    });
  });

  it.each([
    ['--limit', '0', 'a whole number, 1 or more'],
    ['--limit', '', 'a whole number, 1 or more'],
    ['--limit', '1.5', 'a whole number, 1 or more'],
    ['--budget', 'Infinity', 'a number above 0'],
    ['--bundle', 'all', 'one of default, extended'],
    ['--group-by', ',', 'a name, or several separated by commas'],
  ])('refuse %s "%s" and say what was expected', (name, value, expected) => {
    expect(() => parse(name, value)).toThrow(`Expected ${expected}.`);
  });

  it('are keys of the config with the same rule', () => {
    const schema = z.strictObject(configKeys(OPTIONS, 'run'));
    expect(schema.safeParse({ limit: 5, cache: false }).success).toBe(true);
    expect(schema.safeParse({ limit: 0 }).success).toBe(false);
    expect(schema.safeParse({ groupBy: ['sex'] }).success).toBe(false);
  });
});

describe('settings', () => {
  const SETTINGS = {
    ...inGroup(
      'Options:',
      'run',
      settings({
        rpm: positiveNumber('rpm=<n>', 'calls a minute'),
        maxRetries: whole('maxRetries=<n>', 'retries', 0),
        reasoning: toggle('reasoning=false', 'no reasoning'),
      }),
    ),
  };
  const set = (...typed: string[]) => {
    const command = new Command('try').exitOverride().configureOutput({ writeErr: () => {} });
    addOptions(command, SETTINGS);
    command.parse(
      typed.flatMap((one) => ['--set', one]),
      { from: 'user' },
    );
    return typedValues(command, SETTINGS);
  };

  it('are typed behind --set, several times, in either spelling', () => {
    expect(set('rpm=60', 'max-retries=2', 'reasoning=false')).toEqual({
      rpm: 60,
      maxRetries: 2,
      reasoning: false,
    });
    expect(set()).toEqual({});
  });

  it('are keys of the config with the same rule, and lines of one list', () => {
    const schema = z.strictObject(configKeys(SETTINGS, 'run'));
    expect(schema.safeParse({ rpm: 60, reasoning: false }).success).toBe(true);
    expect(schema.safeParse({ rpm: 0 }).success).toBe(false);
    expect(settingsHelp(SETTINGS)).toBe(
      '\nSettings, for --set NAME=VALUE:\n  rpm=<n>          calls a minute\n  maxRetries=<n>   retries\n  reasoning=false  no reasoning',
    );
  });

  it('have flags of their own where a command gives them back', () => {
    const command = new Command('try').exitOverride();
    const passes = settings({ passes: whole('--passes <n>', 'times to judge', 1) });
    addOptions(command, flags(passes));
    command.parse(['--passes', '2'], { from: 'user' });
    expect(typedValues(command, flags(passes))).toEqual({ passes: 2 });
    expect(typedAs('passes', passes.passes)).toBe('--set passes=N');
  });
});
