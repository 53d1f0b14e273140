import { fitLines } from '../reports/layout/fit-lines.ts';
import { messageWidth, textWidth } from './terminal-width.ts';

/** Prints to standard output: with `--json` one object, otherwise text. */
export function print(json: boolean | undefined, object: unknown, text: string): void {
  if (json) process.stdout.write(`${JSON.stringify(object, null, 2)}\n`);
  else printText(text);
}

/** Prints text to standard output, its lines broken at the width of the terminal. */
export function printText(text: string): void {
  process.stdout.write(fitLines(text, textWidth()));
}

/** Prints a message to standard error, its lines broken at the width of the terminal. */
export function printMessage(text: string): void {
  process.stderr.write(fitLines(text, messageWidth()));
}
