import { KrisisError } from '../krisis-error.ts';

/** A Parquet file that is being read. */
export interface ParquetTable {
  readonly header: readonly string[];
  /** The values of each row, in the order of the header. */
  rows(): AsyncGenerator<readonly unknown[]>;
}

/** How many rows are turned from columns into rows at once. */
const ROWS_AT_ONCE = 10_000;

/** Opens a Parquet file; rows are read in portions. @throws KrisisError when it is not one, or is damaged. */
export async function openParquet(path: string): Promise<ParquetTable> {
  // Only who reads such a file pays for loading its reader.
  const [{ asyncBufferFromFile, parquetMetadataAsync, parquetReadObjects, parquetSchema }, { compressors }] =
    await Promise.all([import('hyparquet'), import('hyparquet-compressors')]);
  const file = await asyncBufferFromFile(path);
  const reading = async <T>(work: () => Promise<T>): Promise<T> => {
    try {
      return await work();
    } catch (cause) {
      throw new KrisisError(`${path}: cannot be read as Parquet: ${(cause as Error).message}`, {
        code: 'ERR_ROW_FILE',
        value: path,
        cause,
      });
    }
  };
  const metadata = await reading(() => parquetMetadataAsync(file));
  const header = parquetSchema(metadata).children.map(({ element }) => element.name);
  const n = Number(metadata.num_rows);
  return {
    header,
    async *rows() {
      for (let rowStart = 0; rowStart < n; rowStart += ROWS_AT_ONCE) {
        const rowEnd = Math.min(n, rowStart + ROWS_AT_ONCE);
        const found = await reading(() =>
          parquetReadObjects({ file, metadata, compressors, rowStart, rowEnd }),
        );
        for (const row of found) yield header.map((name) => row[name]);
      }
    },
  };
}
