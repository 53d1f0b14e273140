import { globSync, readFileSync } from 'node:fs';
import type { CommandUnknownOpts } from '@commander-js/extra-typings';
import ts from 'typescript';
import { COMMANDS } from '../src/cli/commands.ts';
import { loadCommand } from '../src/cli/main.ts';
import { krisis } from './krisis.ts';

/** What takes the place of `${...}` in a template. */
export const HOLE = '\uE000';

export interface Text {
  readonly place: string;
  readonly text: string;
}

/** The texts of a source file that a person may read: its strings, templates and JSX, without comments. */
function textsOf(path: string, content: string): Text[] {
  const source = ts.createSourceFile(path, content, ts.ScriptTarget.Latest, true);
  const texts: Text[] = [];
  const visit = (node: ts.Node): void => {
    const text = textOf(node);
    if (text !== null) {
      const { line } = source.getLineAndCharacterOfPosition(node.getStart(source));
      texts.push({ place: `${path}:${line + 1}`, text });
    }
    if (ts.isTemplateExpression(node)) for (const { expression } of node.templateSpans) visit(expression);
    else ts.forEachChild(node, visit);
  };
  visit(source);
  return texts;
}

function textOf(node: ts.Node): string | null {
  if (ts.isTemplateExpression(node))
    return node.head.text + node.templateSpans.map(({ literal }) => HOLE + literal.text).join('');
  return ts.isStringLiteralLike(node) || ts.isJsxText(node) ? node.text : null;
}

const isTest = (path: string) => /\.test(-d)?\.tsx?$|\.d\.ts$/.test(path);
const read = (path: string): Text => ({ place: path, text: readFileSync(path, 'utf8') });

/** Texts that people never read: what keys and hashes are derived from. */
const INTERNAL = /^src\/(?:transports\/queue\/cipher|store\/(?:digest|review\/review-file))\.ts/;

export const MESSAGES: readonly Text[] = [
  ...globSync(['src/**/*.ts', 'web/{src,review-packet}/**/*.{ts,tsx}'])
    .filter((path) => !isTest(path))
    .flatMap((path) => textsOf(path, readFileSync(path, 'utf8'))),
  ...globSync(['src/**/*.json', 'web/*.html']).map(read),
].filter(({ place }) => !INTERNAL.test(place));

/** Pages and example files: what stands in code there. A command may run over several lines. */
export const PAGES: readonly Text[] = globSync([
  ...['README.md', 'CONTRIBUTING.md', 'docs/**/*.md', 'examples/**/*.{md,yaml,yml,ts,sh,service}'],
  ...['conformance/*.py', 'conformance/*.md'],
]).map((path) => ({ ...read(path), text: read(path).text.replaceAll(/\s*\\\n\s*/g, ' ') }));

/** Words that follow `krisis` in sentences about the program or the package. */
const NO_COMMAND =
  /^(?:package|repository|version|config|help|complete|reads|printed|to|knows|at|belongs|has|finishes|on|account|NAME|bullmq@|\W|\d|$)/;

/** The commands in a text: what follows `krisis`, as far as it can belong to a command. */
export function commandsIn({ place, text }: Text): { place: string; typed: string[] }[] {
  return [...text.matchAll(/(?<![\w/.@-])krisis (?!\|)([^\n`<"\]]*)/g)].flatMap(([, rest]) =>
    NO_COMMAND.test(rest!) || rest!.startsWith(HOLE) ? [] : [{ place, typed: shellWords(rest!) }],
  );
}

/** The words of a command line, up to what ends it: punctuation, a pipe, a comment, or a column of explanations. */
export function shellWords(line: string): string[] {
  const words: string[] = [];
  for (const [word, quoted, end = ''] of line.matchAll(/(?:'([^']*)'|[^\s;|&)>]+)(\s{2,}|\s*[;|&)>]|)/g)) {
    const plain = quoted ?? word.slice(0, word.length - end.length);
    const bare = plain.replace(/(?<!\.)[.,:]$/, '');
    if (bare === '#') break;
    words.push(bare);
    if (end.trim() !== '' || end.length > 1 || (quoted === undefined && bare !== plain)) break;
  }
  return words;
}

/** A value that somebody fills in, or an operand, and not a word of the sentence around the command. */
const isFilledIn = (word: string) => word.includes(HOLE) || /^[A-Z][A-Z\d_.,/=…-]*$|^\$\{\{/.test(word);
const isOperand = (word: string) => isFilledIn(word) || /[./*\d:=]/.test(word) || word === 'latest';

const isWord = (word = '') => /^[a-z]+$/.test(word) && !isSentence(word);

/** What is wrong with a suggested command; null where nothing is. In a sentence, words that belong to it may follow. */
export async function problem(typed: readonly string[], isWhole = false): Promise<string | null> {
  const [name = '', ...rest] = typed;
  if (name.startsWith('-')) return /^(--help|--version|-V|-h)$/.test(name) ? null : `no option ${name}`;
  if (!Object.hasOwn(COMMANDS, name)) return `no command "${name}"`;
  let command = await loadCommand(name, rest);
  let part = command.commands.find((one) => one.name() === rest[0]);
  for (; part !== undefined; part = command.commands.find((one) => one.name() === rest[0])) {
    command = part;
    rest.shift();
  }
  if (command.name() === name && COMMANDS[name]!.parts !== undefined && isWord(rest[0]))
    return `krisis ${name} has no part "${rest[0]}"`;
  const words = isWhole ? rest : ownWords(command, rest);
  for (let i = 0; i < words.length; i += 1) {
    const [flag = '', value = words[i + 1]] = words[i]!.split(/=(.*)/);
    if (!/^--?[a-z]/i.test(flag)) continue;
    const option = command.options.find(({ long, short }) => long === flag || short === flag);
    if (flag === '--help' || flag === '-h') continue;
    if (option === undefined) return `krisis ${name} has no option ${flag}`;
    if (!option.required || value === undefined || isFilledIn(value)) continue;
    if (value.startsWith('--')) return `${flag} needs a value`;
    try {
      option.parseArg?.(value, undefined);
    } catch (error) {
      return `${flag} ${value}: ${(error as Error).message}`;
    }
  }
  if (!isWhole) return null;
  const { operands } = command.parseOptions([...words]);
  const expected = command.registeredArguments;
  if (operands.length < expected.filter(({ required }) => required).length) return 'an argument is missing';
  return operands.length > expected.length && !expected.at(-1)?.variadic
    ? `"${operands.at(-1)}" is too much`
    : null;
}

/** Flags with their values, and operands, up to the first word that is neither. */
function ownWords(command: CommandUnknownOpts, words: readonly string[]): string[] {
  const end = words.findIndex((word, i) => {
    const before = command.options.find(({ long, short }) => [long, short].includes(words[i - 1]));
    return !word.startsWith('-') && !isOperand(word) && !(before?.required && !isSentence(word));
  });
  return words.slice(0, end < 0 ? words.length : end);
}

const isSentence = (word: string) =>
  /^(?:a|asks?|sets?|allows?|accepts?|and|or|for|makes?|shows?|starts?|then|to|with|where)$/.test(word);

/** Every command with its parts, loaded. */
export async function everyCommand(): Promise<CommandUnknownOpts[]> {
  const below = (command: CommandUnknownOpts): CommandUnknownOpts[] => [
    command,
    ...command.commands.flatMap(below),
  ];
  const top = Object.entries(COMMANDS).map(async ([name, { parts }]) => [
    await loadCommand(name, ['ckd/staging']),
    await loadCommand(name, ['suite.yaml']),
    ...(await Promise.all(Object.keys(parts ?? {}).map((part) => loadCommand(name, [part])))),
  ]);
  return (await Promise.all(top)).flat().flatMap(below);
}

/** The examples of all help texts, as they are written there. */
export async function helpExamples(): Promise<string[]> {
  const examples = new Set<string>();
  for (const [name, { parts }] of Object.entries(COMMANDS))
    for (const command of [[name], ...Object.keys(parts ?? {}).map((part) => [name, part])]) {
      const { stdout } = await krisis([...command, '--help']);
      const [, list = ''] = stdout.split('\nExamples:\n');
      for (const [, line] of list.matchAll(/^ {2}(krisis \S.*?)(?: {2,}.*)?$/gm)) examples.add(line!);
    }
  return [...examples];
}
