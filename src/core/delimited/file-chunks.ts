import { closeSync, openSync, readSync } from 'node:fs';

const CHUNK_BYTES = 1 << 20;

/** The bytes of a file, a megabyte at a time. A chunk is valid until the next one is taken. */
export function* fileChunks(path: string): Generator<Uint8Array> {
  const file = openSync(path, 'r');
  try {
    const buffer = Buffer.allocUnsafe(CHUNK_BYTES);
    for (let n = readSync(file, buffer); n > 0; n = readSync(file, buffer)) yield buffer.subarray(0, n);
  } finally {
    closeSync(file);
  }
}
