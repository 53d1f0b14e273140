import { createHash } from 'node:crypto';
import { closeSync, createReadStream, existsSync, openSync, readFileSync, readSync, statSync } from 'node:fs';
import { basename, join } from 'node:path';
import { type ScoredRun, ScoredRunBuilder } from '../analyses/comparison/scored-run.ts';
import { sourceError } from '../analyses/confidence-sources/source-rows.ts';
import { type ErrorCode, KrisisError, whyUnreadable } from '../core/errors.ts';
import type { EvaluationResult } from '../core/evaluation-result.ts';
import { checkRegularFile } from '../core/regular-file.ts';
import { type ReadResultsOptions, recogniseFormat } from '../files/read-results.ts';
import type { TableOptions } from '../metrics/columns.ts';
import type { Metric } from '../metrics/metric.ts';
import type { ScoringOptions } from '../metrics/score.ts';
import { rowsOfRun } from '../runs/gates/check-gates.ts';
import { isPublishedResult, openPublishedResult } from '../runs/import/import-python-result.ts';
import { type RecordRowsOptions, recordRows } from '../runs/import/record-rows.ts';
import { slug, writeWhole } from '../runs/import/write-whole.ts';
import type { ReadRunOptions } from '../runs/read-options.ts';
import { openRun } from '../runs/read-run.ts';
import type { RunResult } from '../runs/run-result.ts';
import { findRun } from '../store/find-run.ts';
import { RUNS_FOLDER } from '../store/list-runs.ts';
import { RunFile } from '../store/run-file.ts';
import { type Exclusions, parseExclusions } from '../suites/exclusions.ts';
import { withPath } from './errors.ts';
import { packageVersion } from './package-files.ts';
import { type FileNotes, readNoted, severalRuns } from './read-noted.ts';

const ROWS = /\.(csv|tsv|tab|xlsx|jsonl?|ndjson|parquet|pq)$/i;

/** How a file of results is read, apart from the labels that mean to act. */
export type Reading = Omit<ReadResultsOptions, 'actLabels' | 'knownLabels' | 'onProblem'>;

/** The result of a run file, or of a file of results with one run, which is scored in memory. */
export async function openResult(
  path: string,
  options: ReadRunOptions,
  reading: Reading = {},
): Promise<RunResult> {
  const [result, ...others] = await openResults(path, options, reading);
  if (others.length > 0)
    throw severalRuns(
      path,
      [result!, ...others].map(({ backendName }) => backendName),
    );
  return result!;
}

/** The result of a run file, or those of the runs in a file of results. `notes` collects what there is to say about several files. */
export async function openResults(
  path: string,
  options: ReadRunOptions,
  reading: Reading = {},
  notes?: FileNotes,
): Promise<RunResult[]> {
  const isFile = statSync(path, { throwIfNoEntry: false })?.isFile() === true;
  if ((isFile && isRunFile(path)) || !(ROWS.test(path) || recogniseFormat(path) !== null))
    return [openRun(path, options)];
  if (isFile && isPublishedResult(path)) return [openPublishedResult(path)];
  const { bundle, level, cluster, actLabels, confidenceFrom = 'stated', exclude } = options;
  if (exclude !== undefined)
    throw new KrisisError(
      `${path}: a file of rows has no suite whose cases could be excluded; leave the rows out of the file`,
      { code: 'ERR_EXCLUSIONS', value: path },
    );
  if (confidenceFrom !== 'stated')
    throw sourceError(confidenceFrom, 'a file of rows has stated confidences only');
  const scoring = {
    ...(bundle !== undefined && { bundle }),
    ...(level !== undefined && { level }),
    ...(cluster !== undefined && { cluster }),
    ...(actLabels !== undefined && { actLabels }),
  };
  const about = await aboutRows(path);
  const recorders = new Map<string | null, ReturnType<typeof recordRows>>();
  const account = await readNoted(
    path,
    (row, place) => {
      const { model } = place;
      let recorder = recorders.get(model);
      if (recorder === undefined) {
        recorder = recordRows(RunFile.inMemory(), { ...about, model: model ?? about.model, scoring });
        recorders.set(model, recorder);
      }
      recorder.add(row, place);
    },
    { ...reading, actLabels, knownLabels: actLabels },
    notes,
  );
  // Rows of ours that name one model are known by their file: several files may be of one model.
  const isOurs = account === null && recorders.size === 1;
  return [...recorders.values()].map((recorder) =>
    recorder.finish(undefined, isOurs ? about.model : undefined),
  );
}

/** How the results of another tool become run files. */
interface SaveOptions extends Reading {
  readonly run?: string | undefined;
  readonly name?: string | undefined;
  readonly force?: boolean | undefined;
  readonly sensitivity?: RecordRowsOptions['sensitivity'];
  readonly scoring: ScoringOptions;
}

/** Writes a run file for each run in the file of another tool, when all of it is read. */
export async function saveResults(path: string, options: SaveOptions) {
  const { run, name, force = false, sensitivity, scoring, ...reading } = options;
  const runs = new Map<string, EvaluationResult[]>();
  const about = await aboutRows(path);
  await readNoted(
    path,
    (row, { model }) => {
      const rows = runs.get(model ?? about.model) ?? [];
      rows.push(row);
      runs.set(model ?? about.model, rows);
    },
    reading,
  );
  if (runs.size > 1 && (run !== undefined || name !== undefined)) throw severalRuns(path, [...runs.keys()]);
  const planned = [...runs].map(([model, rows]) => {
    const how = { ...about, model: name ?? model, scoring, sensitivity };
    const end = `${slug(how.model)}_${about.sha256?.slice(0, 8) ?? slug(basename(path))}`;
    return { how, rows, target: run ?? join(RUNS_FOLDER, `imported_${end}.db`) };
  });
  const existing = planned.find(({ target }) => existsSync(target));
  if (existing !== undefined && !force)
    throw new KrisisError(`${existing.target}: already exists; choose another file, or overwrite it`, {
      code: 'ERR_FILE_EXISTS',
      value: existing.target,
    });
  for (const { how, rows, target } of planned)
    await writeWhole(
      target,
      async (file) => {
        const recorder = recordRows(file, how);
        for (const row of rows) recorder.add(row);
        recorder.finish();
      },
      { isPrivate: true },
    );
  return planned.map(({ how, rows, target }) => ({ path: target, model: how.model, nRows: rows.length }));
}

const SQLITE = 'SQLite format 3\0';

/** What rows are measured against: a file of rows, or a run. */
export function findBaseline(typed: string): string {
  return existsSync(typed) ? typed : findRun(typed);
}

/** Reads the baseline as the file that it is compared with. A file whose columns are not those that were stated is read by the names of its own. */
export async function readBaseline(
  path: string,
  options: TableOptions,
  reading: ReadResultsOptions = {},
): Promise<ScoredRun> {
  const { actLabels } = options;
  if (isRunFile(path)) return rowsOfRun(path, options.keep ?? [], actLabels);
  const { columns } = reading;
  const read = async (stated?: ReadResultsOptions['columns']) => {
    const builder = new ScoredRunBuilder(options);
    await readNoted(path, (row) => builder.add(row), { ...reading, columns: stated, actLabels });
    return builder.finish();
  };
  if (columns === undefined) return read();
  return read(columns).catch((error: unknown) => {
    if (error instanceof KrisisError && error.code === 'ERR_ROW_COLUMNS') return read();
    throw error;
  });
}

/** Whether a file is a run file, by its first bytes. */
export function isRunFile(path: string): boolean {
  checkRegularFile(path);
  const file = openSync(path, 'r');
  try {
    const head = Buffer.alloc(SQLITE.length);
    readSync(file, head);
    return head.toString('latin1') === SQLITE;
  } catch (error) {
    throw withPath(error, path);
  } finally {
    closeSync(file);
  }
}

/**
 * Reads rows with `read`, and keeps them as a run: whole, or, when anything fails, not at all. The default path is one under `.krisis/runs`, which replaces an earlier run
 * of the same file and model; the default name is that of the file.
 */
export async function savingRows<T extends { readonly scoring: ScoringOptions }>(
  file: string,
  save: { path: string | undefined; name: string | undefined; force: boolean },
  scored: { readonly scoring: ScoringOptions; readonly ownMetrics: readonly Metric[] | undefined },
  read: (onRow: ReturnType<typeof recordRows>['add']) => Promise<T>,
): Promise<T & { readonly runFile: string }> {
  const options: RecordRowsOptions = { ...(await aboutRows(file, save.name)), ...scored };
  const target = save.path ?? defaultPath(options);
  if (save.path !== undefined && existsSync(target) && !save.force)
    throw new KrisisError(`${target}: already exists`, { code: 'ERR_FILE_EXISTS', value: target });
  let found: T | null = null;
  await writeWhole(
    target,
    async (run) => {
      const recorder = recordRows(run, options);
      found = await read(recorder.add);
      recorder.finish(found.scoring);
    },
    { isPrivate: true },
  );
  return { ...found!, runFile: target };
}

/** What a run says of the file that its rows come from. */
async function aboutRows(file: string, name?: string) {
  const source = file === '-' ? 'standard input' : basename(file);
  const isFile = statSync(file, { throwIfNoEntry: false })?.isFile() === true;
  return {
    source,
    sha256: isFile ? await sha256Of(file) : undefined,
    model: name ?? source.replace(/\.(csv|tsv|tab|xlsx|jsonl?|ndjson|parquet|pq|txt|eval)$/i, ''),
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

/** The list of `--exclude`; undefined without one. */
export function exclusionList(path: string | undefined): Exclusions | undefined {
  return path === undefined ? undefined : parseExclusions(readFileAs('ERR_EXCLUSIONS', path), path);
}

/** The text of a regular file; an error with this code where it cannot be read. */
export function readFileAs(code: ErrorCode, path: string): string {
  try {
    checkRegularFile(path);
    return readFileSync(path, 'utf8');
  } catch (cause) {
    throw new KrisisError(`${path}: ${whyUnreadable(cause)}`, { code, value: path, cause });
  }
}
