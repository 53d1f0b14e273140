import { stripVTControlCharacters } from 'node:util';
import { Command, CommanderError, type CommandUnknownOpts, Help } from '@commander-js/extra-typings';
import { didYouMean, type ErrorCode, KrisisError } from '../core/index.ts';
import { fitHelp } from '../reports/layout/fit-lines.ts';
import { COMMANDS } from './commands.ts';
import { faultText, systemErrorText, usageError } from './errors.ts';
import { hintFor } from './hints.ts';
import { headingPosition } from './options/option.ts';
import { packageVersion } from './package-files.ts';
import { messageWidth, printMessage, textWidth } from './print.ts';
import { forgetSensitivity } from './protected-data.ts';
import { isUnread } from './write-output.ts';

/** Exit codes. 70 is a fault of ours; it must never look like success. */
const USAGE = 2;
const INCOMPLETE = 3;
const CRASH = 70;
/** Errors that end a run which could otherwise have gone on. */
const LOST_RUN: ReadonlySet<ErrorCode> = new Set(['ERR_RUN_FILE_GONE', 'ERR_RUN_FILE_WRITE']);

/** Runs the command line and returns the exit code. */
export async function main(argv: readonly string[]): Promise<number> {
  forgetSensitivity();
  for (const stream of [process.stdout, process.stderr])
    stream.off('error', onOutputError).on('error', onOutputError);
  try {
    return await runCommandLine(withoutHelpCommand(argv, Object.keys(COMMANDS)));
  } catch (error) {
    return report(error);
  }
}

async function runCommandLine(argv: readonly string[]): Promise<number> {
  if (argv[0] === 'complete') return complete(argv.slice(argv[1] === '--' ? 2 : 1));
  const program = new Command('krisis')
    .description(
      'Evaluate language models on clinical tasks: whether they are right, whether they know when not to answer, and whether their confidence means anything.',
    )
    .version(packageVersion(), '-V, --version', 'print the version')
    .helpOption('-h, --help', 'show help')
    .helpCommand('help [command]', 'show help for a command')
    .showHelpAfterError('(krisis --help lists the commands)')
    .configureOutput(HELP_OUTPUT)
    .enablePositionalOptions()
    .exitOverride();
  const commands = await loadCommands(argv);
  for (const command of commands) {
    for (const one of [command, ...command.commands]) {
      one
        // An option behind a subcommand is the subcommand's, also where its parent has one of that name.
        .enablePositionalOptions()
        .exitOverride()
        .configureOutput(HELP_OUTPUT)
        .showHelpAfterError(`(krisis ${command.name()} --help shows its options)`);
    }
    unifyHelp(command);
    program.addCommand(command);
  }
  program.addHelpText(
    'after',
    `
Examples:
  krisis run                     a demonstration: no key, under a minute
  krisis init                    start with a config and example data
  krisis score answers.jsonl     score answers you already have
  krisis help run                the options of a command
`,
  );
  if (argv.length === 0) {
    program.outputHelp();
    return 0;
  }
  await program.parseAsync([...argv], { from: 'user' });
  return Number(process.exitCode ?? 0);
}

/** The command that is named, or all where none is. */
function loadCommands([named, ...rest]: readonly string[]): Promise<CommandUnknownOpts[]> {
  const wanted = named !== undefined && Object.hasOwn(COMMANDS, named) ? [named] : Object.keys(COMMANDS);
  return Promise.all(wanted.map((name) => COMMANDS[name]!(rest)));
}

/** The command that shells call, by the script of `krisis completion`, when a key for completion is pressed. */
async function complete(words: readonly string[]): Promise<number> {
  const { completions } = await import('./completion.ts');
  process.stdout.write(`${await completions(words, await loadCommands(words))}\n`);
  return 0;
}

/** `krisis run ... --assert ... | head` closes our output early: that is not an error, and the command goes on to its own exit code. */
function onOutputError(error: Error): void {
  if (!isUnread(error)) throw error;
}

/** Says what went wrong, and returns the exit code. */
export function report(error: unknown): number {
  if (error instanceof CommanderError) return error.exitCode === 0 ? 0 : USAGE;
  if (error instanceof KrisisError && error.code !== 'ERR_INTERNAL') {
    const hint = hintFor(error);
    const text = hint === null ? error.message : `${error.message}\n${hint}`;
    printMessage(`krisis: ${stripVTControlCharacters(text)}\n`);
    return LOST_RUN.has(error.code) ? INCOMPLETE : USAGE;
  }
  const text = systemErrorText(error);
  if (text !== null) {
    printMessage(`krisis: ${text}\n`);
    if (process.env.KRISIS_DEBUG) process.stderr.write(faultText(error));
    return USAGE;
  }
  process.stderr.write(faultText(error));
  return CRASH;
}

/** Where commander writes help and its own errors: no wider than the terminal. */
export const HELP_OUTPUT = {
  writeOut: (text: string) => void process.stdout.write(fitHelp(text, textWidth())),
  writeErr: printMessage,
  getOutHelpWidth: textWidth,
  // Commander wraps help itself, and needs a number.
  getErrHelpWidth: () => Math.min(messageWidth(), textWidth()),
};

/** Makes the help of a command and of its parts like that of all others: the same order of headings, the same words. */
export function unifyHelp(command: CommandUnknownOpts): void {
  command.helpOption('-h, --help', 'show this help').configureHelp({ groupItems });
  if (command.commands.length > 0) command.helpCommand(false);
  for (const part of command.commands) unifyHelp(part);
}

/** `help run` means `run --help`, and `help` alone `--help`. */
export function withoutHelpCommand(argv: readonly string[], commands: readonly string[]): readonly string[] {
  if (argv[0] !== 'help') return argv;
  const [name, ...rest] = argv.slice(1).filter((arg) => !arg.startsWith('-'));
  if (name === undefined) return ['--help'];
  if (!commands.includes(name)) throw usageError(`no command "${name}"; ${didYouMean(name, commands)}`, name);
  return [name, ...rest, '--help'];
}

/** As commander groups them, with the headings in our order. */
const groupItems: Help['groupItems'] = (unsorted, visible, getGroup) => {
  const groups = new Help().groupItems(unsorted, visible, getGroup);
  return new Map([...groups].sort(([a], [b]) => headingPosition(a) - headingPosition(b)));
};
