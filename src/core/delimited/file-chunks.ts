import { closeSync, openSync, readSync } from 'node:fs';
import { checkRegularFile } from '../regular-file.ts';

/** Small enough that the rows of a chunk are gone before the memory for new objects grows. */
const CHUNK_BYTES = 1 << 17;

/** The bytes of a file, a chunk at a time. A chunk is valid until the next one is taken. */
export function* fileChunks(path: string): Generator<Uint8Array> {
  checkRegularFile(path);
  const file = openSync(path, 'r');
  try {
    const buffer = Buffer.allocUnsafe(CHUNK_BYTES);
    for (let n = readSync(file, buffer); n > 0; n = readSync(file, buffer)) yield buffer.subarray(0, n);
  } finally {
    closeSync(file);
  }
}
