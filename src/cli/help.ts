import { type CommandUnknownOpts, Help, Option } from '@commander-js/extra-typings';
import { fitHelp } from '../reports/layout/fit-lines.ts';
import { messageWidth, printMessage, textWidth } from './print.ts';

/** The headings of options in a help text, in their order. What belongs under none of them comes last, under `Options:`. */
export const HEADINGS = {
  model: 'Model:',
  records: 'Records:',
  speed: 'Speed and cost:',
  bulk: 'Bulk jobs:',
  queue: 'Workers:',
  questions: 'Open questions:',
  review: 'Human review:',
  conditions: 'Conditions (gates):',
  statistics: 'Statistics:',
  output: 'Output:',
  other: 'Options:',
} as const;

const ORDER: readonly string[] = Object.values(HEADINGS);

/** Where a heading comes; one that is not in the list, such as that of a suite's own options, comes after the records. */
function headingPosition(heading: string): number {
  const position = ORDER.indexOf(heading);
  return position < 0 ? ORDER.indexOf(HEADINGS.records) + 0.5 : position;
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

/** Options that only `--help-all` shows. */
const ONLY_IN_HELP_ALL = new WeakSet<Option>();

/** Whether an option is hidden for good, and not only until `--help-all`. */
export function isSecret(option: Option): boolean {
  return option.hidden && !ONLY_IN_HELP_ALL.has(option);
}

/** Leaves in the help of a command what most people need; `--help-all` shows the rest and `more`. Call it last, but before the options of suites are added. */
export function shortenHelp(command: CommandUnknownOpts, shown: readonly string[], more: string): void {
  for (const option of command.options) {
    if (option.hidden || shown.includes(option.long ?? '')) continue;
    option.hideHelp();
    ONLY_IN_HELP_ALL.add(option);
  }
  command.addOption(new Option('--help-all', 'show every option').helpGroup(HEADINGS.other));
  let isAll = false;
  command.addHelpText('after', () => (isAll ? more : ''));
  command.on('option:help-all', () => {
    isAll = true;
    for (const option of command.options) if (ONLY_IN_HELP_ALL.has(option)) option.hideHelp(false);
    command.help();
  });
}

/** As commander groups them, with the headings in our order. */
const groupItems: Help['groupItems'] = (unsorted, visible, getGroup) => {
  const groups = new Help().groupItems(unsorted, visible, getGroup);
  return new Map([...groups].sort(([a], [b]) => headingPosition(a) - headingPosition(b)));
};
