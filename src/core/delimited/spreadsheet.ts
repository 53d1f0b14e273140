import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { MessageChannel, receiveMessageOnPort, Worker } from 'node:worker_threads';
import { KrisisError, whyUnreadable } from '../errors.ts';
import { didYouMean } from '../near-names.ts';
import { quoted } from '../plain-text.ts';
import { checkRegularFile } from '../regular-file.ts';
import type { DelimitedRow } from './rows.ts';

/** The first bytes of a ZIP archive, which an .xlsx file is. */
export const ZIP_MAGIC = 'PK\x03\x04';

const SPREADSHEET = /\.xlsx$/i;

/** Whether the name of a file says that it is a spreadsheet that can be read. */
export function isSpreadsheet(path: string): boolean {
  return SPREADSHEET.test(path);
}

type Cell = string | number | boolean | Date | null;
type Reply = { readonly sheets: readonly { sheet: string; data: Cell[][] }[] } | { readonly failed: string };

/** The library reads with promises; tables are read in one go, so a thread reads while this one waits. */
const READER = `
const { workerData: { library, bytes, port, done } } = require('node:worker_threads');
Promise.resolve()
  .then(() => require(library).default(Buffer.from(bytes)))
  .then((sheets) => ({ sheets }), (error) => ({ failed: String(error && error.message) }))
  .then((reply) => {
    port.postMessage(reply);
    Atomics.store(done, 0, 1);
    Atomics.notify(done, 0);
  });
`;
const MAX_SECONDS = 120;
const MAX_MEMORY_MB = 2048;

/**
 * The rows of a sheet as text, each with the number that a spreadsheet shows beside it. Rows without text are left out. Default: the first sheet.
 *
 * @throws KrisisError with the code `ERR_FILE_UNREADABLE` where the file cannot be read, or has no such sheet.
 */
export function readSpreadsheet(path: string, sheet?: string, name = path): readonly DelimitedRow[] {
  const refuse = (problem: string, value: unknown = path, cause?: unknown) =>
    new KrisisError(`${name}: ${problem}`, { code: 'ERR_FILE_UNREADABLE', value, cause });
  let bytes: Uint8Array;
  try {
    checkRegularFile(path);
    bytes = readFileSync(path);
  } catch (cause) {
    throw refuse(whyUnreadable(cause), path, cause);
  }
  const reply = askReader(bytes);
  if (reply === null) throw refuse('cannot be read as a spreadsheet: it is too large; save its table as CSV');
  if ('failed' in reply)
    throw refuse(`cannot be read as a spreadsheet (${reply.failed}); save its table as CSV`);
  const names = reply.sheets.map((found) => found.sheet);
  const chosen = sheet === undefined ? reply.sheets[0] : reply.sheets.find((found) => found.sheet === sheet);
  if (chosen === undefined)
    throw refuse(`no sheet ${quoted(sheet ?? '')}; ${didYouMean(sheet ?? '', names)}`, sheet);
  return chosen.data
    .map((cells, i) => ({ line: i + 1, row: i + 1, cells: cells.map(cellText) }))
    .filter(({ cells }) => cells.some((cell) => cell !== ''));
}

function askReader(bytes: Uint8Array): Reply | null {
  const { port1, port2 } = new MessageChannel();
  const done = new Int32Array(new SharedArrayBuffer(4));
  const worker = new Worker(READER, {
    eval: true,
    workerData: {
      library: createRequire(import.meta.url).resolve('read-excel-file/node'),
      bytes,
      port: port2,
      done,
    },
    transferList: [port2],
    resourceLimits: { maxOldGenerationSizeMb: MAX_MEMORY_MB },
  });
  worker.on('error', () => {});
  try {
    Atomics.wait(done, 0, 0, MAX_SECONDS * 1000);
    return (receiveMessageOnPort(port1)?.message as Reply | undefined) ?? null;
  } finally {
    port1.close();
    void worker.terminate();
  }
}

function cellText(cell: Cell): string {
  if (cell === null || cell === undefined) return '';
  if (cell instanceof Date) return cell.toISOString().replace(/T00:00:00\.000Z$/, '');
  return String(cell).trim();
}
