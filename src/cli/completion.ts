import { type Command as Completed, RootCommand, script } from '@bomb.sh/tab';
import { Argument, Command, type CommandUnknownOpts, type Option } from '@commander-js/extra-typings';
import { z } from 'zod';
import { BUILT_IN_SUITES } from '../domains/find-suite.ts';
import { describeProvider, listProviders } from '../models/api/provider-info.ts';
import { PROVIDERS } from '../models/api/providers/providers.ts';
import { runNames } from '../store/list-runs.ts';
import { QUESTION_SUITES } from '../suites/questions/find-question-suite.ts';
import { isSecret } from './help.ts';
import { LOCAL_MODELS } from './models.ts';
import { RUN_OPTIONS } from './options/run-options.ts';
import { SCORE_OPTIONS } from './options/score-options.ts';

const SHELLS = ['bash', 'zsh', 'fish'] as const;

const NOTES = `
It completes commands, options, suites, models and the names of runs. krisis has
to be on the PATH (npm install -g krisis).

Examples:
  krisis completion bash >> ~/.bashrc
  krisis completion zsh > ~/.zsh/completions/_krisis
  krisis completion fish > ~/.config/fish/completions/krisis.fish
`;

/** Bash without the bash-completion package lacks the function that the script reads the words with. */
const WORDS_OF_BASH = `if ! declare -F _get_comp_words_by_ref >/dev/null; then
    _get_comp_words_by_ref() {
        words=("\${COMP_WORDS[@]}")
        cword=$COMP_CWORD
        cur=\${COMP_WORDS[COMP_CWORD]}
        prev=\${COMP_WORDS[COMP_CWORD-1]}
    }
fi
`;

/** `krisis completion SHELL`: the script that makes a shell complete what is typed after \`krisis\`. */
export function completionCommand() {
  return new Command()
    .addArgument(new Argument('<shell>', 'your shell').choices(SHELLS))
    .addHelpText('after', NOTES)
    .action((shell) => {
      const made = capturedLog(() => script(shell, 'krisis', 'krisis'));
      process.stdout.write(`${shell === 'bash' ? forBash(made) : made}\n`);
    });
}

/** Can be sourced twice, works without bash-completion, completes file names where krisis knows nothing better, and hands over the words as they are: `eval` would run a `$(...)` among them. */
function forBash(made: string): string {
  const changed = made
    .replaceAll(/^readonly (?=ShellComp)/gm, '')
    .replace(/^complete -F/m, 'complete -o default -F')
    .replace(
      '$(eval "$requestComp" 2>/dev/null)',
      `$(krisis complete -- "\${words[@]:1:cword}" 2>/dev/null)`,
    );
  return `${WORDS_OF_BASH}\n${changed}`;
}

/** What a function prints with `console.log`. The completion library has no other way to hand over its results. */
export function capturedLog(print: () => void): string {
  const { log } = console;
  const lines: string[] = [];
  console.log = (line: unknown) => lines.push(String(line));
  try {
    print();
  } finally {
    console.log = log;
  }
  return lines.join('\n');
}

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
    ...LOCAL_MODELS.baselines,
    ...LOCAL_MODELS.simulated,
    ...(await listProviders()).flatMap(({ name, examples }) => examples.map(({ id }) => `${name}/${id}`)),
    ...ofProvider,
  ];
}

/** The runs of this folder, by name, and the word for the newest. */
function runs(): string[] {
  const names = runNames();
  return names.length === 0 ? [] : ['latest', ...names];
}

type NameKind = 'suites' | 'models' | 'runs';

/** What arguments and options of these names stand for; of others, the shell completes file names. */
const ARGUMENTS: Readonly<Record<string, NameKind>> = {
  suite: 'suites',
  run: 'runs',
  runs: 'runs',
  what: 'runs',
};
const OPTIONS: Readonly<Record<string, NameKind>> = {
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
  commands: readonly CommandUnknownOpts[],
): Promise<string> {
  const current = words.at(-1) ?? '';
  const known: Readonly<Record<NameKind, readonly string[]>> = {
    suites: SUITE_NAMES,
    models: await modelNames(takeLast(current)),
    runs: runs(),
  };
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
  command: Pick<CommandUnknownOpts, 'options' | 'registeredArguments'>,
  known: Readonly<Record<NameKind, readonly string[]>>,
  current: string,
): void {
  completed.option('help', 'show this help');
  for (const option of command.options) {
    if (isSecret(option) || option.long == null) continue;
    const [name, short] = [option.long.slice(2), option.short?.slice(1)];
    if (option.isBoolean() || option.negate) completed.option(name, option.description, short);
    else
      completed.option(
        name,
        option.description,
        offer(inList(completeValues(option, known), current)),
        short,
      );
  }
  for (const argument of command.registeredArguments) {
    const kind = ARGUMENTS[argument.name()];
    const values = argument.argChoices ?? (kind === undefined ? [] : known[kind]);
    completed.argument(argument.name(), offer(values), argument.variadic);
  }
}

function completeValues(
  { long, argChoices }: Option,
  known: Readonly<Record<NameKind, readonly string[]>>,
): readonly string[] {
  const kind = OPTIONS[long!];
  if (kind !== undefined) return known[kind];
  const spec = Object.values({ ...RUN_OPTIONS, ...SCORE_OPTIONS }).find(({ flags }) =>
    flags.split(/[ ,]+/).includes(long!),
  );
  return argChoices ?? (spec?.schema instanceof z.ZodEnum ? spec.schema.options.map(String) : []);
}

/** Of `a,b,c` the last is completed, and the others stay. */
function inList(values: readonly string[], current: string): readonly string[] {
  const before = current.slice(0, current.length - takeLast(current).length);
  return values.map((value) => `${before}${value}`);
}

function takeLast(list: string): string {
  return list.slice(list.lastIndexOf(',') + 1);
}

function offer(values: readonly string[]) {
  return (complete: (value: string, description: string) => void) => {
    for (const value of values) complete(value, '');
  };
}
