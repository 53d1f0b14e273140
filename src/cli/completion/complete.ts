import { type Command as Completed, RootCommand } from '@bomb.sh/tab';
import type { Option } from '@commander-js/extra-typings';
import { z } from 'zod';
import { BUILT_IN_SUITES } from '../../domains/find-suite.ts';
import {
  BASELINES,
  describeProvider,
  LEXICAL_JUDGE,
  listProviders,
  PERSONALITIES,
  PROVIDERS,
} from '../../models/index.ts';
import { runNames } from '../../store/index.ts';
import { QUESTION_SUITES } from '../../suites/index.ts';
import type { AnyCommand } from '../any-command.ts';
import { RUN_OPTIONS } from '../options/run-options.ts';
import { SCORE_OPTIONS } from '../options/score-options.ts';
import { capturedLog } from './captured-log.ts';

/** The suites of krisis. Those of a config are left out: it is a program, and pressing a key must not run it. */
const SUITE_NAMES: readonly string[] = [...BUILT_IN_SUITES, ...QUESTION_SUITES].map(({ name }) => name);

/** Models that need no key, and models of providers: a few of each, or all that are known once its name is typed. */
async function modelNames(typed: string): Promise<string[]> {
  const [provider] = typed.split('/');
  const ofProvider =
    typed.includes('/') && PROVIDERS.includes(provider!)
      ? (await describeProvider(provider!)).models.map(({ id }) => `${provider}/${id}`)
      : [];
  return [
    ...BASELINES.map((name) => `baseline/${name}`),
    LEXICAL_JUDGE.name,
    'baseline/reference',
    ...Object.keys(PERSONALITIES).map((name) => `simulated/${name}`),
    ...(await listProviders()).flatMap(({ name, examples }) => examples.map(({ id }) => `${name}/${id}`)),
    ...ofProvider,
  ];
}

/** The runs of this folder, by name, and the word for the newest. */
function runs(): string[] {
  const names = runNames();
  return names.length === 0 ? [] : ['latest', ...names];
}

type Values = readonly string[];

/** What is known for the arguments and options of these names; of others, the shell completes file names. */
interface Known {
  readonly suites: Values;
  readonly models: Values;
  readonly runs: Values;
}

const ARGUMENTS: Readonly<Record<string, keyof Known>> = {
  suite: 'suites',
  run: 'runs',
  runs: 'runs',
  what: 'runs',
};
const OPTIONS: Readonly<Record<string, keyof Known>> = {
  '--model': 'models',
  '--judge': 'models',
  '--baseline': 'runs',
  '--non-inferior': 'runs',
};

/**
 * The answer to a shell that asks how the last of these words could go on: one completion a line, and a directive. Where nothing is known, the directive lets the shell complete file names.
 */
export async function completions(
  words: readonly string[],
  commands: readonly AnyCommand[],
): Promise<string> {
  const current = words.at(-1) ?? '';
  const known = { suites: SUITE_NAMES, models: await modelNames(lastOf(current)), runs: runs() };
  const root = new RootCommand();
  const help = root.command('help', 'show help for a command');
  help.argument('command', (complete) => {
    for (const command of commands) complete(command.name(), command.description());
  });
  for (const command of commands) {
    add(root.command(command.name(), command.description()), command, known, current);
    for (const part of command.commands)
      add(root.command(`${command.name()} ${part.name()}`, part.description()), part, known, current);
  }
  const lines = capturedLog(() => root.parse([...words])).split('\n');
  return lines.length > 1 ? lines.join('\n') : ':0';
}

function add(
  completed: Completed,
  command: Pick<AnyCommand, 'options' | 'registeredArguments'>,
  known: Known,
  current: string,
): void {
  completed.option('help', 'show this help');
  for (const option of command.options) {
    if (option.hidden || option.long == null) continue;
    const [name, short] = [option.long.slice(2), option.short?.slice(1)];
    if (option.isBoolean() || option.negate) completed.option(name, option.description, short);
    else completed.option(name, option.description, offer(inList(valuesOf(option, known), current)), short);
  }
  for (const argument of command.registeredArguments) {
    const kind = ARGUMENTS[argument.name()];
    const values = argument.argChoices ?? (kind === undefined ? [] : known[kind]);
    completed.argument(argument.name(), offer(values), argument.variadic);
  }
}

function valuesOf({ long, argChoices }: Option, known: Known): Values {
  const kind = OPTIONS[long!];
  if (kind !== undefined) return known[kind];
  const spec = Object.values({ ...RUN_OPTIONS, ...SCORE_OPTIONS }).find(({ flags }) =>
    flags.split(/[ ,]+/).includes(long!),
  );
  return argChoices ?? (spec?.schema instanceof z.ZodEnum ? spec.schema.options.map(String) : []);
}

/** Of `a,b,c` the last is completed, and the others stay. */
function inList(values: Values, current: string): Values {
  const before = current.slice(0, current.length - lastOf(current).length);
  return values.map((value) => `${before}${value}`);
}

function lastOf(list: string): string {
  return list.slice(list.lastIndexOf(',') + 1);
}

function offer(values: Values) {
  return (complete: (value: string, description: string) => void) => {
    for (const value of values) complete(value, '');
  };
}
