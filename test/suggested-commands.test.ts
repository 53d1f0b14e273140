import { describe, expect, it } from 'vitest';
import { COMMANDS, movedCommand } from '../src/cli/commands.ts';
import {
  commandsIn,
  everyCommand,
  HOLE,
  helpExamples,
  MESSAGES,
  PAGES,
  problem,
  shellWords,
  type Text,
} from './suggested.ts';

/**
 * Every command that a message, page, help text or example suggests is parsed by the command it
 * names: its parts, flags and values must be there. What first screens suggest is also run, in
 * `first-screens.test.ts`, the lines of the docs in `doc-examples.test.ts`, and the examples of
 * help texts in `help-examples.test.ts`.
 */

/** A flag in a text that is no part of a command, such as `add --allow-egress HOST`. */
const FLAG = /(?<![\w$-])--[a-z][a-z-]*(?![\w-]*\()/g;

/** Names of colours, which look like flags. */
const STYLES = /^src\/(?:reports\/charts|runs\/sections\/ledger)/;
/** Options of every command, of Node, and a prefix to which a name is added. */
const NOT_OURS = ['--help', '--version', '--max-old-space-size', '--split-stage-'];

async function problems(texts: readonly Text[]): Promise<string[]> {
  const wrong: string[] = [];
  for (const { place, typed } of texts.flatMap(commandsIn)) {
    const why = await problem(typed);
    if (why !== null) wrong.push(`${place}: krisis ${typed.join(' ').replaceAll(HOLE, '...')}: ${why}`);
  }
  return wrong;
}

describe('a suggested command', () => {
  it('exists, with its flags and values, where a message suggests it', async () => {
    expect(MESSAGES.flatMap(commandsIn).length).toBeGreaterThan(200);
    expect(await problems(MESSAGES)).toEqual([]);
  });

  it('exists where a page or an example file suggests it', async () => {
    expect(PAGES.flatMap(commandsIn).length).toBeGreaterThan(200);
    expect(await problems(PAGES)).toEqual([]);
  });

  it('is whole where it is an example in a help text', async () => {
    const examples = await helpExamples();
    expect(examples.length).toBeGreaterThan(70);
    const wrong: string[] = [];
    for (const line of examples) {
      const why = await problem(shellWords(line).slice(1), true);
      if (why !== null) wrong.push(`${line}: ${why}`);
    }
    expect(wrong).toEqual([]);
  });

  it('has no flag that no command has, where a flag stands alone', async () => {
    const flags = new Set(
      (await everyCommand()).flatMap(({ options }) => options.map(({ long }) => long ?? '')),
    );
    const wrong = MESSAGES.filter(({ place }) => !STYLES.test(place)).flatMap(({ place, text }) =>
      [...text.matchAll(FLAG)].flatMap(([flag]) =>
        flags.has(flag) || NOT_OURS.includes(flag) ? [] : [`${place}: ${flag}`],
      ),
    );
    expect(wrong).toEqual([]);
  });

  it('is the new name of a command that was moved', async () => {
    const old = ['validate', 'describe', 'rubric', 'suites', 'models', 'suite', 'bundle'];
    for (const name of [...old, ...Object.keys({ ...COMMANDS.runs!.parts, ...COMMANDS.ops!.parts })])
      expect([name, await problem(movedCommand(name)!.split(' '))]).toEqual([name, null]);
  });

  it.each([
    ['krisis validate FILE checks it', 'no command "validate"'],
    ['name it: krisis runs rename', 'has no part "rename"'],
    ['krisis report RUN --fromat html shows it', 'krisis report has no option --fromat'],
    ['krisis list --sheet 2', 'krisis list has no option --sheet'],
    ['krisis report RUN --format htm', '--format htm: Allowed choices are'],
    ['krisis plan --difference much', '--difference much: '],
    ['krisis ops bulk wait latest --rpm 5', 'has no option --rpm'],
    ['krisis list shows the runs there are', null],
    ['To ask again: krisis run --new, or krisis list', null],
  ])('%s: %s', async (text, expected) => {
    const all = await Promise.all(commandsIn({ place: '', text }).map(({ typed }) => problem(typed)));
    const [first = null] = all.filter((one) => one !== null);
    expect(first).toEqual(expected === null ? null : expect.stringContaining(expected));
  });

  it('that is whole has all its arguments and no more', async () => {
    expect(await problem(['threshold'], true)).toBe('an argument is missing');
    expect(await problem(['threshold', 'a.db', 'b.db'], true)).toBe('"b.db" is too much');
  });
});
