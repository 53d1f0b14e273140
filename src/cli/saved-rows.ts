import { createHash } from 'node:crypto';
import { createReadStream, existsSync } from 'node:fs';
import { basename, join } from 'node:path';
import { type EvaluationResult, KrisisError } from '../core/index.ts';
import type { Metric, ScoringOptions } from '../metrics/index.ts';
import { type RecordRowsOptions, recordRows } from '../runs/import/record-rows.ts';
import { slug, writeWhole } from '../runs/import/write-whole.ts';
import { RUNS_FOLDER } from '../store/index.ts';
import { packageVersion } from './version.ts';

type TakeRow = (row: EvaluationResult) => void;

/** Where the rows of a file are kept as a run. */
export interface SaveOptions {
  /** The run file. Default: one under `.krisis/runs`, which replaces an earlier one of the same file and model. */
  readonly path?: string | undefined;
  /** The model. Default: the name of the file. */
  readonly name?: string | undefined;
  readonly force: boolean;
}

/** Reads rows with `read`, and keeps them as a run where that is asked for: whole, or, when anything fails, not at all. */
export async function savingRows<T extends { readonly scoring: ScoringOptions }>(
  file: string,
  save: SaveOptions | null,
  scored: { readonly scoring: ScoringOptions; readonly ownMetrics: readonly Metric[] | undefined },
  read: (takeRow: TakeRow) => Promise<T>,
): Promise<T & { readonly runFile: string | null }> {
  if (save === null) return { ...(await read(() => {})), runFile: null };
  const options: RecordRowsOptions = { ...(await aboutRows(file, save.name)), ...scored };
  const target = save.path ?? defaultPath(options);
  if (save.path !== undefined && existsSync(target) && !save.force)
    throw new KrisisError(`${target}: already exists`, { code: 'ERR_FILE_EXISTS', value: target });
  let found: T | null = null;
  await writeWhole(
    target,
    async (run) => {
      const recorder = recordRows(run, options);
      found = await read((row) => recorder.add(row));
      recorder.finish(found.scoring);
    },
    { isPrivate: true },
  );
  return { ...found!, runFile: target };
}

/** What a run says of the file that its rows come from. */
export async function aboutRows(file: string, name?: string) {
  const source = file === '-' ? 'standard input' : basename(file);
  return {
    source,
    sha256: file === '-' ? undefined : await sha256Of(file),
    model: name ?? source.replace(/\.(csv|tsv|tab|jsonl?|ndjson|parquet|pq|txt)$/i, ''),
    krisisVersion: packageVersion(),
  };
}

function defaultPath({ model, sha256 }: RecordRowsOptions): string {
  const end = sha256?.slice(0, 8) ?? Date.now().toString(36);
  return join(RUNS_FOLDER, `scored_${slug(model)}_${end}.db`);
}

async function sha256Of(path: string): Promise<string> {
  const hash = createHash('sha256');
  for await (const chunk of createReadStream(path)) hash.update(chunk as Buffer);
  return hash.digest('hex');
}
