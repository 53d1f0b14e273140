import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { beforeAll, describe, expect, it } from 'vitest';
import { COMMANDS, movedCommand } from '../src/cli/commands.ts';
import { krisis } from './krisis.ts';
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

describe('what an error or a notice suggests', () => {
  const cwd = mkdtempSync(join(tmpdir(), 'krisis-suggested-'));
  const write = (name: string, ...lines: string[]) => writeFileSync(join(cwd, name), `${lines.join('\n')}\n`);
  /** The words of a line as a shell reads them. */
  const argv = (line: string) =>
    [...line.matchAll(/(?:[^\s'\\]|'[^']*'|\\')+/g)].map(([word]) =>
      word.replaceAll(/'([^']*)'|\\(')/g, (_, quoted, bare) => quoted ?? bare),
    );
  const typed = (line: string) => krisis(argv(line).slice(1), { cwd });

  beforeAll(async () => {
    write('answers.csv', 'id,prediction,ground_truth', 'a,yes,yes', 'b,unsure,no', 'c,no,no');
    write('percent.csv', 'id,prediction,ground_truth,confidence', 'a,yes,yes,90', 'b,no,no,85');
    write('named.csv', 'case_id,model_answer,truth', 'a,yes,yes', 'b,no,no');
    write('taken.txt', 'mine');
    write('near.csv', 'id,prediction,ground_truth,abstain', 'a,yes,yes,no', 'b,,no,yes');
    write('refusal.csv', 'id,prediction,ground_truth', 'a,yes,yes', 'b,"Sorry, I can\'t",no', 'c,no,no');
    write('cases.csv', 'id,age,dx', 'a,61,ill', 'b,42,well', 'c,70,ill', 'd,30,well');
    write(
      'suite.yaml',
      'name: ward/x',
      'file: cases.csv',
      'id: id',
      'label: dx',
      'instructions: Ill or well?',
    );
    await typed('krisis run suite.yaml -m simulated/careful --run done.db');
    await typed('krisis run suite.yaml -m simulated/overconfident --run other.db');
  });

  /** What is typed; what the messages suggest, with the words to put for those in capitals. */
  it.each([
    ['krisis score answers.csv', 'add --abstain unsure'],
    ['krisis score refusal.csv', `add --refused 'Sorry, I can'\\''t'`],
    ['krisis score percent.csv', 'add --confidence-scale 100'],
    ['krisis score named.csv', 'add --columns prediction=model_answer,ground_truth=truth,id=case_id'],
    ['krisis score near.csv', 'add --columns abstained=abstain'],
    ['krisis score done.db', 'krisis report done.db'],
    ['krisis score answers.csv --full -o taken.txt', '--force'],
    ['krisis report answers.csv', 'krisis score answers.csv --save'],
    ['krisis report suite.yaml', 'krisis run suite.yaml -m MODEL', { MODEL: 'baseline/random' }],
    ['krisis report gone.db', 'krisis list'],
    ['krisis run cases.csv', 'krisis init table cases.csv --label COLUMN', { COLUMN: 'dx' }],
    ['krisis check cases.csv', 'krisis init table cases.csv --label COLUMN', { COLUMN: 'dx' }],
    ['krisis init table cases.csv', 'krisis init table cases.csv --label COLUMN', { COLUMN: 'dx' }],
    ['krisis run suite.yaml', '--model simulated/careful'],
    ['krisis run suite.yaml -m simulated/overconfident --run done.db', '--run FILE', { FILE: 'new.db' }],
    ['krisis compare done.db', 'krisis list'],
    ['krisis validate suite.yaml', 'krisis check FILE', { FILE: 'suite.yaml' }],
    ['krisis score answers.csv --bundel extended', '--bundle'],
  ])('works: %s suggests %s', async (line, suggestion, holes: Readonly<Record<string, string>> = {}) => {
    const first = await typed(line);
    expect(`${first.stdout}${first.stderr}`.replaceAll(/\s+/g, ' ')).toContain(suggestion);
    const filled = suggestion.replaceAll(/\b[A-Z]{2,}\b/g, (hole) => holes[hole] ?? hole);
    const added = filled.replace(/^add /, '');
    const base = added.startsWith('--run') ? line.replace(/ --run \S+/, '') : line;
    const command = added.startsWith('krisis ')
      ? added
      : `${base.replace(/ --bundel/, '')} ${added}`.replace(/extended --bundle$/, '--bundle extended');
    if (added.includes('init table')) rmSync(join(cwd, 'suite.yaml'));
    const { code, stderr } = await typed(command);
    if (added.includes('init table'))
      write(
        'suite.yaml',
        'name: ward/x',
        'file: cases.csv',
        'id: id',
        'label: dx',
        'instructions: Ill or well?',
      );
    expect([command, code, stderr]).toEqual([command, 0, expect.not.stringMatching(/^krisis: |^error: /m)]);
  });
});
