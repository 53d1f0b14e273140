import { Help } from '@commander-js/extra-typings';
import { describe, expect, it } from 'vitest';
import { COMMANDS } from '../src/cli/commands.ts';
import { loadCommand } from '../src/cli/main.ts';
import { krisis as run } from './krisis.ts';

const krisis = (args: readonly string[]) => run(args, { env: { ...process.env, COLUMNS: '80' } });

const LOADED = await Promise.all(Object.keys(COMMANDS).map((name) => loadCommand(name, [])));

/** Every command and every part of one, as it is typed. */
const ALL = LOADED.flatMap((command) => [
  [command.name()],
  ...command.commands.map((part) => [command.name(), part.name()]),
]);

describe('help', () => {
  it('lists the commands as they are, although it does not load them', async () => {
    const listed = Object.entries(COMMANDS).map(([name, { usage }]) => `${name} ${usage}`.trimEnd());
    expect(listed).toEqual(LOADED.map((command) => new Help().subcommandTerm(command)));
    const { stdout } = await krisis(['--help']);
    const words = stdout.replaceAll(/\s+/g, ' ');
    const main = Object.entries(COMMANDS).filter(([, { group }]) => group === 'main');
    expect(main.length).toBeLessThanOrEqual(10);
    for (const [name, { usage, summary }] of main)
      expect(words).toContain(` ${`${name} ${usage}`.trimEnd()} ${summary} `);
    const [, list] = stdout.split('\nCommands:\n');
    // Besides the commands there is `help`.
    expect(list!.split('\n\n')[0]!.match(/^ {2}\w/gm)).toHaveLength(main.length + 1);
  });

  it('lists every command under help all, in groups of at most 80 columns', async () => {
    const { code, stdout } = await krisis(['help', 'all']);
    expect(code).toBe(0);
    expect(stdout.match(/^\S.*:$/gm)).toEqual(['Commands:', 'More commands:', 'Runs:', 'Calls:']);
    for (const words of ALL)
      if (!['runs', 'ops'].includes(words.join()))
        expect(stdout).toContain(
          `  ${words.slice(0, ['runs', 'ops'].includes(words[0]!) ? 2 : 1).join(' ')} `,
        );
    expect(stdout.split('\n').filter((line) => line.length > 80)).toEqual([]);
  });

  it.each([
    ['validate', 'check FILE'],
    ['describe', 'check SUITE'],
    ['note', 'runs note'],
    ['bundle', 'runs export RUN'],
    ['worker', 'ops worker'],
  ])('%s is no command, and gets the right name', async (typed, name) => {
    for (const args of [
      [typed, 'x'],
      ['help', typed],
    ])
      expect(await krisis(args)).toEqual({
        code: 2,
        stdout: '',
        stderr: `krisis: no command "${typed}"; it is krisis ${name}\n`,
      });
  });

  it.each([[], ...ALL].map((words) => [words]))('of %j fits 80 columns', async (words) => {
    const { code, stdout } = await krisis([...words, '--help']);
    expect(code).toBe(0);
    expect(stdout.split('\n').filter((line) => line.length > 80)).toEqual([]);
  });

  it.each(ALL.map((words) => [words]))('of %j ends with examples', async (words) => {
    const { stdout } = await krisis([...words, '--help']);
    // A command that is nothing but its parts lists these.
    if (stdout.includes('\nCommands:\n') && !stdout.includes('\nExamples:\n')) return;
    const [, examples] = stdout.split('\nExamples:\n');
    for (const line of examples!.trimEnd().split('\n')) expect(line).toMatch(/^ {2}krisis \S/);
    expect(examples).toContain(`krisis ${words.join(' ')}`);
  });

  it('has the options of a run under headings, the model first', async () => {
    const { stdout } = await krisis(['run', 'ckd/staging', '--help-all']);
    expect(stdout.match(/^\S.*:$/gm)).toEqual([
      'Arguments:',
      'Model:',
      'Records:',
      'Options of ckd suites:',
      'Speed and cost:',
      'Bulk jobs:',
      'Workers:',
      'Open questions:',
      'Conditions (gates):',
      'Statistics:',
      'Output:',
      'Options:',
      'Settings, for --set NAME=VALUE:',
      'Examples:',
    ]);
    expect(stdout).toMatch(/^Model:\n {2}-m, --model <names>/m);
  });

  it('of a run shows at most 25 options, and every one with --help-all', async () => {
    const flags = (text: string) => text.match(/^ {2}(-\w, )?--[\w-]+/gm)!.length;
    const { stdout } = await krisis(['run', '--help']);
    expect(flags(stdout)).toBeLessThanOrEqual(25);
    const all = await krisis(['run', '--help-all']);
    expect(all.code).toBe(0);
    expect(flags(all.stdout)).toBeGreaterThan(45);
    expect(flags(all.stdout)).toBeLessThanOrEqual(55);
    expect(stdout).not.toContain('rpm=');
    expect(all.stdout).toMatch(/^ {2}rpm=<n> +at most this many calls a minute$/m);
  });

  it.each([
    ['rpm=x', 'Expected a number above 0.'],
    ['rmp=5', 'Expected NAME=VALUE, with one of these names; did you mean rpm?'],
    ['rpm', 'Expected NAME=VALUE.'],
    ['logprobs=yes', 'Expected true or false.'],
  ])('a setting typed as %s is refused: %s', async (typed, message) => {
    const { code, stderr } = await krisis(['run', '--set', typed]);
    expect([code, stderr.replaceAll(/\s+/g, ' ')]).toEqual([2, expect.stringContaining(message)]);
  });

  it('an option that became a setting is unknown, and the message says where settings are', async () => {
    const { code, stderr } = await krisis(['run', '--rpm', '5']);
    expect(code).toBe(2);
    expect(stderr).toContain("unknown option '--rpm'");
    expect(stderr).toContain('(krisis run --help-all shows its options and settings)');
  });

  it.each([
    [['help'], ['--help']],
    [
      ['help', 'run'],
      ['run', '--help'],
    ],
    [
      ['help', 'runs', 'export'],
      ['runs', 'export', '--help'],
    ],
    [['help', '--help'], ['--help']],
  ])('%j is %j', async (words, same) => {
    expect(await krisis(words)).toEqual(await krisis(same));
  });

  it('suggests the command that was meant', async () => {
    expect(await krisis(['help', 'rnu'])).toEqual({
      code: 2,
      stdout: '',
      stderr: 'krisis: no command "rnu"; did you mean run, runs?\n',
    });
    expect((await krisis(['scroe'])).stderr).toContain('Did you mean score?');
    expect((await krisis(['run', '--modle', 'x'])).stderr).toContain('Did you mean --model?');
    expect((await krisis(['ops', 'cache', 'claer'])).stderr).toContain('Did you mean clear?');
  });
});
