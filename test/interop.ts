import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { type ZipOptions, zip } from './zip.ts';

/** Small files in the formats of other tools. */
export const INTEROP = 'test/fixtures/interop';

// biome-ignore lint/suspicious/noExplicitAny: files of other tools, changed at will
export type Any = any;

export const readFixture = (name: string): Any => JSON.parse(readFileSync(join(INTEROP, name), 'utf8'));

/** The Inspect log as an archive: its head, its samples and their summaries. */
export function evalFile(
  log: Any = readFixture('inspect.json'),
  options: ZipOptions = {},
  more: readonly (readonly [string, string, ZipOptions?])[] = [],
): Buffer {
  const { samples, ...header } = log;
  const listed = samples.map(({ id, epoch }: Any) => ({ id, epoch }));
  return zip([
    ['_journal/start.json', JSON.stringify({ version: header.version, eval: header.eval }), options],
    ...samples.map(
      (sample: Any) =>
        [`samples/${sample.id}_epoch_${sample.epoch}.json`, JSON.stringify(sample), options] as const,
    ),
    ['summaries.json', JSON.stringify(listed), options],
    ['header.json', JSON.stringify(header), options],
    ...more,
  ]);
}
