import { createInterface } from 'node:readline/promises';
import { type DocumentName, withSchema } from '../core/json-schema.ts';
import { plain } from '../core/plain-text.ts';
import { fitLines } from '../reports/layout/fit-lines.ts';
import { MAX_SCREEN_LINES, TEXT_WIDTH } from '../reports/layout/text-width.ts';
import { displayWidth } from '../reports/layout/wrap.ts';

/** Prints to standard output: with `--json` one object, otherwise text. */
export function print(json: boolean | undefined, name: DocumentName, object: object, text: string): void {
  if (json) process.stdout.write(`${JSON.stringify(withSchema(name, object), null, 2)}\n`);
  else printText(text);
}

/** Prints text to standard output, its lines broken at the width of the terminal. */
export function printText(text: string): void {
  process.stdout.write(fitLines(text, textWidth()));
}

let nMessageLines = 0;

/** Prints a message to standard error, its lines broken at the width of the terminal. */
export function printMessage(text: string): void {
  const fitted = fitLines(text, messageWidth());
  nMessageLines += fitted.split('\n').length - 1;
  process.stderr.write(fitted);
}

/** How many lines of messages a command has printed: a first screen leaves room for them. */
function messageLines(): number {
  return nMessageLines;
}

/** Lines that a first screen may have beside the messages of its command: those printed, and for an exit code its meaning and what to do. */
export function screenLines(exitCode: number, most = MAX_SCREEN_LINES): number {
  return most - messageLines() - (exitCode === 0 ? 0 : 2);
}

/** Begins to count for another command of the same process. */
export function forgetMessageLines(): void {
  nMessageLines = 0;
}

/** Whether output could not be written because its reader is gone. */
export function isUnread(error: unknown): boolean {
  return ['EPIPE', 'ERR_STREAM_DESTROYED'].includes((error as NodeJS.ErrnoException).code ?? '');
}

/** Below this, tables would fall apart into single columns. */
const MIN_WIDTH = 40;

/** How wide text on standard output may be: as wide as the terminal; in a pipe or a file as `COLUMNS` says, or else 80. */
export function textWidth(): number {
  return Math.max(MIN_WIDTH, countColumns(process.stdout) ?? TEXT_WIDTH);
}

/** How wide text in a file may be: whatever the terminal, so that the file is the same. */
export function fileWidth(): number {
  return Math.max(MIN_WIDTH, statedWidth() ?? TEXT_WIDTH);
}

/** How wide a message on standard error may be. In a log each message stays on its line, to be searched. */
export function messageWidth(): number {
  return Math.max(MIN_WIDTH, countColumns(process.stderr) ?? Number.POSITIVE_INFINITY);
}

function countColumns(stream: NodeJS.WriteStream): number | null {
  return stream.isTTY && stream.columns > 0 ? stream.columns : statedWidth();
}

function statedWidth(): number | null {
  const stated = process.env.COLUMNS ?? '';
  return /^[1-9]\d{0,3}$/.test(stated) ? Number(stated) : null;
}

/** Asks a question; anything but a yes, the end of the input included, is a no. */
export async function confirm(
  question: string,
  input: NodeJS.ReadableStream,
  output: NodeJS.WritableStream,
): Promise<boolean> {
  const lines = createInterface({ input, output });
  const closed = new Promise<string>((resolve) => {
    lines.once('close', () => resolve(''));
  });
  try {
    const answer = await Promise.race([lines.question(`${question} [y/N] `), closed]);
    return /^y(es)?$/i.test(answer.trim());
  } finally {
    lines.close();
  }
}

/** A function that makes columns of a table with a row for each item. Cells may hold text of others. */
export function columnMaker<T>(items: readonly T[]) {
  return (title: string, cell: (item: T) => string | number, isNumber = false) => ({
    title,
    isNumber,
    cells: items.map((item) => plain(String(cell(item)))),
  });
}

/** A path, or another word of a command, as a shell takes it. */
export function quoted(path: string): string {
  return /^[\w./@:+,=-]+$/.test(path) ? path : `'${path.replaceAll("'", "'\\''")}'`;
}

/** The command as it was typed, with what to add to it; in words where that is wider than a screen, on which it is indented. */
export function extendCommand(typed: string, added: string, width: number): string {
  const command = `${typed} ${added}`;
  return displayWidth(command) + 4 <= width ? command : `the same command with ${added}`;
}

/** Whether a text goes to standard output, where a person reads it: not another format, and not a file. */
export function isForTerminal({
  format,
  output,
}: {
  readonly format: string;
  readonly output: string | undefined;
}): boolean {
  return format === 'text' && output === undefined;
}
