import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { parquetReadObjects } from 'hyparquet';
import { compressors } from 'hyparquet-compressors';
import { KrisisError, whyUnreadable } from '../../core/errors.ts';
import { quoted } from '../../core/plain-text.ts';
import { checkRegularFile } from '../../core/regular-file.ts';
import { gunzipped, isGzip } from './packed.ts';
import type { OpenTable } from './read-table.ts';
import { valueTable } from './read-values.ts';

/**
 * Opens a Parquet file as a table, which is then held in memory.
 *
 * @throws KrisisError with the code `ERR_FILE_UNREADABLE` where it cannot be read.
 */
export async function openParquet(
  path: string,
  shown: string,
  options: { readonly nested?: boolean },
): Promise<OpenTable> {
  const refuse = (problem: string, cause: unknown) =>
    new KrisisError(`cannot read ${quoted(shown)}: ${problem}`, {
      code: 'ERR_FILE_UNREADABLE',
      value: path,
      cause,
    });
  let bytes: Buffer;
  try {
    checkRegularFile(path);
    bytes = readFileSync(path);
  } catch (cause) {
    throw refuse(whyUnreadable(cause).replace(/^no such file/, 'there is no such file'), cause);
  }
  const sha256 = createHash('sha256').update(bytes).digest('hex');
  const unpacked = isGzip(path) ? gunzipped(bytes, shown) : bytes;
  const file = unpacked.buffer.slice(unpacked.byteOffset, unpacked.byteOffset + unpacked.byteLength);
  const rows = await parquetReadObjects({ file: file as ArrayBuffer, compressors }).catch((cause) => {
    throw refuse(`it is no Parquet file that can be read (${(cause as Error).message})`, cause);
  });
  return {
    table: valueTable(rows, options),
    delimiter: null,
    encoding: () => 'utf-8',
    sha256: () => sha256,
  };
}
