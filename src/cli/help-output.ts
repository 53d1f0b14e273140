import { fitHelp } from '../reports/layout/fit-lines.ts';
import { printMessage } from './print.ts';
import { messageWidth, textWidth } from './terminal-width.ts';

/** Where commander writes help and its own errors: no wider than the terminal. */
export const HELP_OUTPUT = {
  writeOut: (text: string) => void process.stdout.write(fitHelp(text, textWidth())),
  writeErr: printMessage,
  getOutHelpWidth: textWidth,
  // Commander wraps help itself, and needs a number.
  getErrHelpWidth: () => Math.min(messageWidth(), textWidth()),
};
