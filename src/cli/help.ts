import { type CommandUnknownOpts, Help } from '@commander-js/extra-typings';
import { didYouMean } from '../core/index.ts';
import { headingPosition } from './options/headings.ts';
import { usageError } from './usage-error.ts';

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
