import { stripVTControlCharacters } from 'node:util';
import { Command, CommanderError, type CommandUnknownOpts } from '@commander-js/extra-typings';
import { type ErrorCode, KrisisError } from '../core/errors.ts';
import { didYouMean } from '../core/near-names.ts';
import { fitHelp } from '../reports/layout/fit-lines.ts';
import { allCommandsText, COMMANDS, movedCommand } from './commands.ts';
import { faultText, systemErrorText, usageError } from './errors.ts';
import { EXIT } from './exit-codes.ts';
import { HELP_OUTPUT, unifyHelp } from './help.ts';
import { hintFor } from './hints.ts';
import { packageVersion } from './package-files.ts';
import { forgetMessageLines, isUnread, printMessage, textWidth } from './print.ts';
import { forgetSensitivity } from './protected-data.ts';

/** Errors that end a run which could otherwise have gone on. */
const LOST_RUN: ReadonlySet<ErrorCode> = new Set(['ERR_RUN_FILE_GONE', 'ERR_RUN_FILE_WRITE']);

/** Runs the command line and returns the exit code. */
export async function main(argv: readonly string[]): Promise<number> {
  forgetSensitivity();
  forgetMessageLines();
  for (const stream of [process.stdout, process.stderr])
    stream.off('error', onOutputError).on('error', onOutputError);
  try {
    refuseMoved(argv[0] === 'help' ? argv[1] : argv[0]);
    const isAll = argv[0] === 'help' && argv[1] === 'all';
    return await runCommandLine(isAll ? argv : withoutHelpCommand(argv, Object.keys(COMMANDS)));
  } catch (error) {
    return report(error);
  }
}

async function runCommandLine(argv: readonly string[]): Promise<number> {
  const [first = ''] = argv;
  if (first === 'help' && argv[1] === 'all') return printAllCommands();
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
    .configureHelp({
      subcommandTerm: (command) =>
        `${command.name()} ${COMMANDS[command.name()]?.usage ?? command.usage()}`.trimEnd(),
    })
    .enablePositionalOptions()
    .exitOverride();
  const commands = await loadCommands(argv);
  for (const command of commands) {
    for (const one of withParts(command)) {
      one
        // An option behind a subcommand is the subcommand's, also where its parent has one of that name.
        .enablePositionalOptions()
        .exitOverride()
        .configureOutput(HELP_OUTPUT)
        .showHelpAfterError(
          `(krisis ${command.name()} ${one.options.some(({ long }) => long === '--help-all') ? '--help-all shows its options and settings' : '--help shows its options'})`,
        );
    }
    unifyHelp(command);
    program.addCommand(command, { hidden: COMMANDS[command.name()]?.group !== 'main' });
  }
  program.addHelpText(
    'after',
    `
Examples:
  krisis run                     a demonstration: no key, under a minute
  krisis init                    start with a config and example data
  krisis score answers.jsonl     score answers you already have
  krisis help run                the options of a command
  krisis help all                all commands: runs, workers, judges, thresholds
`,
  );
  if (argv.length === 0) {
    program.outputHelp();
    return 0;
  }
  await program.parseAsync([...argv], { from: 'user' });
  return Number(process.exitCode ?? 0);
}

/** The command that is named; where none is, all as the help lists them, without their code. */
async function loadCommands([named = '', ...rest]: readonly string[]): Promise<CommandUnknownOpts[]> {
  if (Object.hasOwn(COMMANDS, named)) return [await loadCommand(named, rest)];
  return Object.entries(COMMANDS).map(([name, { summary }]) => new Command(name).description(summary));
}

/** A command and everything below it. */
function withParts(command: CommandUnknownOpts): CommandUnknownOpts[] {
  return [command, ...command.commands.flatMap(withParts)];
}

/** A command that has another place now is refused with its name there. */
function refuseMoved(name = ''): void {
  const moved = Object.hasOwn(COMMANDS, name) ? null : movedCommand(name);
  if (moved !== null) throw usageError(`no command "${name}"; it is krisis ${moved}`, name);
}

function printAllCommands(): number {
  process.stdout.write(fitHelp(allCommandsText(), textWidth()));
  return 0;
}

/** A command with its options, arguments and action. */
export async function loadCommand(name: string, argv: readonly string[]): Promise<CommandUnknownOpts> {
  const { summary, load } = COMMANDS[name]!;
  return (await load(argv)).name(name).description(summary);
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
  if (error instanceof CommanderError) return error.exitCode === 0 ? EXIT.done : EXIT.usage;
  if (error instanceof KrisisError && error.code !== 'ERR_INTERNAL') {
    const hint = hintFor(error);
    const text = hint === null ? error.message : `${error.message}\n${hint}`;
    printMessage(`krisis: ${stripVTControlCharacters(text)}\n`);
    return LOST_RUN.has(error.code) ? EXIT.open : EXIT.usage;
  }
  const text = systemErrorText(error);
  if (text !== null) {
    printMessage(`krisis: ${text}\n`);
    if (process.env.KRISIS_DEBUG) process.stderr.write(faultText(error));
    return EXIT.usage;
  }
  process.stderr.write(faultText(error));
  return EXIT.crash;
}

/** `help run` means `run --help`, and `help` alone `--help`. */
function withoutHelpCommand(argv: readonly string[], commands: readonly string[]): readonly string[] {
  if (argv[0] !== 'help') return argv;
  const [name, ...rest] = argv.slice(1).filter((arg) => !arg.startsWith('-'));
  if (name === undefined) return ['--help'];
  if (!commands.includes(name)) throw usageError(`no command "${name}"; ${didYouMean(name, commands)}`, name);
  return [name, ...rest, '--help'];
}
