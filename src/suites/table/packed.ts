import { gunzipSync } from 'node:zlib';
import { KrisisError } from '../../core/errors.ts';
import { quoted } from '../../core/plain-text.ts';

/** A larger file is unpacked by its user. */
const MAX_GIB = 1;

/** Whether the name of a file says that it is packed. */
export function isGzip(path: string): boolean {
  return /\.gz$/i.test(path);
}

/** Whether the name of a file says that it is Parquet. */
export function isParquet(path: string): boolean {
  return /\.(parquet|pq)(\.gz)?$/i.test(path);
}

/** The content of a gzip file, up to a size that fits into memory. */
export function gunzipped(bytes: Uint8Array, shown: string): Buffer {
  try {
    return gunzipSync(bytes, { maxOutputLength: MAX_GIB * 2 ** 30 });
  } catch (cause) {
    const isLarge = (cause as NodeJS.ErrnoException).code === 'ERR_BUFFER_TOO_LARGE';
    const problem = isLarge
      ? `it holds more than ${MAX_GIB} GiB; unpack it first`
      : 'it is no gzip file, or is cut off';
    throw new KrisisError(`cannot read ${quoted(shown)}: ${problem}`, {
      code: 'ERR_FILE_UNREADABLE',
      value: shown,
      cause,
    });
  }
}
