import { TEXT_WIDTH } from '../reports/layout/text-width.ts';

/** Below this, tables would fall apart into single columns. */
const LEAST = 40;

/** How wide text on standard output may be: as wide as the terminal; in a pipe or a file as `COLUMNS` says, or else 80. */
export function textWidth(): number {
  return Math.max(LEAST, columnsOf(process.stdout) ?? TEXT_WIDTH);
}

/** How wide text in a file may be: whatever the terminal, so that the file is the same. */
export function fileWidth(): number {
  return Math.max(LEAST, statedWidth() ?? TEXT_WIDTH);
}

/** How wide a message on standard error may be. In a log each message stays on its line, to be searched. */
export function messageWidth(): number {
  return Math.max(LEAST, columnsOf(process.stderr) ?? Number.POSITIVE_INFINITY);
}

function columnsOf(stream: NodeJS.WriteStream): number | null {
  return stream.isTTY && stream.columns > 0 ? stream.columns : statedWidth();
}

function statedWidth(): number | null {
  const stated = process.env.COLUMNS ?? '';
  return /^[1-9]\d{0,3}$/.test(stated) ? Number(stated) : null;
}
