import { existsSync, lstatSync, readdirSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import type { ScoredRun } from '../analyses/comparison/scored-run.ts';
import { KrisisError } from '../core/errors.ts';
import { getStratum } from '../core/patient-record.ts';
import { indexRecords, type RecordIndex } from '../store/queries/record-index.ts';
import type { RecordLine } from '../store/queries/record-line.ts';
import { isReviewPath, reviewPath } from '../store/review/review-file.ts';
import { RunFile } from '../store/run-file.ts';
import { notesPath, tryNotes } from '../store/run-notes.ts';
import { WriterLock } from '../store/writer-lock.ts';
import { actOptions } from './act-options.ts';
import type { RunLine, RunsPayload } from './api.ts';
import { fileVersion } from './file-version.ts';
import { runId, runLine } from './run-line.ts';
import { notRead } from './skipped-runs.ts';

/** What to view: all runs of a folder, or of several, or one run file. */
export type ViewedPlace = (
  | {
      readonly folder: string;
      /** Further folders, such as those of colleagues. Default: none. */
      readonly more?: readonly string[] | undefined;
    }
  | { readonly run: string }
) & {
  /** Whether the server changes notes on runs. Default: false. */
  readonly mayEdit?: boolean | undefined;
  /** Show runs of the folder that are symbolic links: they can lead to any file. Default: false. */
  readonly followSymlinks?: boolean | undefined;
  /** Leave out texts of patients and models in protected runs, as an export does: for a server that other machines can reach. Default: false. */
  readonly withholdsText?: boolean | undefined;
};

/** Whether the page hides text of a run until the reader asks for it, and exports leave it out: that of protected suites. */
export function hidesText({ sensitivity }: Pick<RunLine, 'sensitivity'>): boolean {
  return sensitivity === 'protected';
}

export interface OpenOptions {
  /** Called before a file is opened, with its path and version. Default: nothing is called. */
  readonly onReading?: ((path: string, version: string) => void) | undefined;
}

export interface OpenRun {
  readonly path: string;
  readonly line: RunLine;
  /** Changes whenever the file or the run's status does. */
  readonly version: string;
}

export type OpenRuns = ReturnType<typeof openRuns>;

const MAX_LINES = 5000;
/** As many as a comparison has runs: with fewer, every record of a comparison would read all of its runs again. */
const MAX_INDEXES = 12;
const MAX_PAYLOADS = 32;

/** The run files that payloads are built from. They are only read; results are cached until a file changes. */
export function openRuns(place: ViewedPlace, { onReading = () => {} }: OpenOptions = {}) {
  const folders = listFolders(place);
  const lines = versionedCache<RunLine>(MAX_LINES);
  const indexes = versionedCache<RecordIndex>(MAX_INDEXES, (index) => index.close());
  const tables = versionedCache<ScoredRun>(MAX_INDEXES);
  const payloads = new Map<string, ReturnType<typeof versionedCache<unknown>>>();

  let skipped: ReadonlyMap<string, string> = new Map();

  const paths = () => listPaths(place);
  /** A killed writer leaves the file as it is, so the version includes whether there is a writer. */
  const loadLine = (path: string) => {
    const version = fileVersion(path);
    if (skipped.get(path) === version) throw notRead(path, 'an earlier attempt did not end');
    return lines.get(path, `${WriterLock.isHeld(path)} ${readVersion(path)}`, () => {
      onReading(path, version);
      return readLine(place, path);
    });
  };
  return {
    folders,
    list: () => ({ ...listRuns(folders.join(', '), paths(), loadLine), may_edit: place.mayEdit === true }),
    /** @throws KrisisError if there is no such run. */
    find(id: string): OpenRun {
      const path = findPath(place, id);
      const line = loadLine(path);
      onReading(path, fileVersion(path));
      return { path, line, version: `${line.status} ${readVersion(path)}` };
    },
    /** The result of `make`, computed again when one of the runs has changed. `detail` is what else it depends on. */
    cached<T>(name: string, runs: readonly OpenRun[], make: () => T, detail = ''): T {
      const cache = payloads.get(name) ?? versionedCache<unknown>(MAX_PAYLOADS);
      payloads.set(name, cache);
      const key = [...runs.map(({ path }) => path), detail].join('\n');
      return cache.get(key, runs.map(({ version }) => version).join(' '), make) as T;
    },
    /** Whether texts of protected runs are left out. */
    mayWithhold: place.withholdsText === true,
    /** Whether texts of the run are left out. */
    withholds: ({ line }: OpenRun) => place.withholdsText === true && hidesText(line),
    /** Reads all rows of the run at first. `shown` gives a line without what may not be shown of it. */
    index: ({ path }: OpenRun, shown?: (line: RecordLine) => RecordLine) =>
      indexes.get(path, fileVersion(path), () => indexFile(path, shown)),
    /** The scored rows of a run in columns; `detail` is what else they depend on. */
    table: ({ path }: OpenRun, detail: string, read: () => ScoredRun) =>
      tables.get(`${path}\n${detail}`, fileVersion(path), read),
    /** Does not open these versions of files, by path. */
    skip(versions: ReadonlyMap<string, string>): void {
      skipped = versions;
    },
    close: indexes.clear,
  };
}

/** @throws KrisisError for a symbolic link that is not to be followed. */
function readLine(place: ViewedPlace, path: string): RunLine {
  const isLink = 'folder' in place && lstatSync(path, { throwIfNoEntry: false })?.isSymbolicLink() === true;
  if (isLink && place.followSymlinks !== true)
    throw new KrisisError(`${path}: is a symbolic link, which may lead anywhere, and was not opened`, {
      code: 'ERR_RUN_SYMLINK',
      value: path,
    });
  return { ...runLine(path), id: toId(place, path) };
}

/**
 * The file of a run. Only files of the folder have an id: an address cannot lead out of it.
 *
 * @throws KrisisError if there is no such run.
 */
export function findPath(place: ViewedPlace, id: string): string {
  const path = listPaths(place).find((one) => toId(place, one) === id);
  if (path === undefined)
    throw new KrisisError(`${id}: no such run in the folder of this viewer`, {
      code: 'ERR_RUN_NOT_FOUND',
      value: id,
    });
  return path;
}

function listPaths(place: ViewedPlace): string[] {
  return 'run' in place ? [place.run] : listFolders(place).flatMap(runFilesIn);
}

function listFolders(place: ViewedPlace): readonly string[] {
  return 'folder' in place ? [place.folder, ...(place.more ?? [])] : [dirname(place.run)];
}

/** The same run of two people has the same name: those of further folders get the number of their folder. */
function toId(place: ViewedPlace, path: string): string {
  const index = listFolders(place).findIndex((folder) => join(folder, basename(path)) === path);
  return index > 0 ? `${index + 1}~${runId(path)}` : runId(path);
}

/** Changes whenever the run, the notes on it or its review do. */
function readVersion(path: string): string {
  return [path, notesPath(path), reviewPath(path)].map(fileVersion).join(' ');
}

function runFilesIn(folder: string): string[] {
  if (!existsSync(folder))
    throw new KrisisError('the folder of runs was deleted; start the viewer again on another one', {
      code: 'ERR_RUN_NOT_FOUND',
    });
  return readdirSync(folder)
    .filter((name) => name.endsWith('.db') && !isReviewPath(name))
    .map((name) => join(folder, name));
}

function listRuns(
  folder: string,
  paths: readonly string[],
  loadLine: (path: string) => RunLine,
): Omit<RunsPayload, 'may_edit'> {
  const runs: RunLine[] = [];
  const unreadable: { path: string; error: string }[] = [];
  for (const path of paths) {
    try {
      runs.push(loadLine(path));
    } catch (error) {
      unreadable.push(describeProblem(path, (error as Error).message));
    }
    const { problem } = tryNotes(path);
    if (problem !== null) unreadable.push(describeProblem(notesPath(path), problem));
  }
  runs.sort((a, b) => (a.created_at < b.created_at ? 1 : a.created_at > b.created_at ? -1 : 0));
  return { folder, runs, unreadable };
}

function describeProblem(path: string, error: string): { path: string; error: string } {
  const name = basename(path);
  return { path: name, error: error.replaceAll(path, name) };
}

function indexFile(path: string, shown?: (line: RecordLine) => RecordLine): RecordIndex {
  return RunFile.use(path, (file) => {
    const manifest = file.manifest();
    const options = { stratum: getStratum(manifest.task), ...actOptions(manifest) };
    return indexRecords(file.rows.readScored(manifest.identity.repeats), options, shown);
  });
}

/** A cache of the most recently used values. Recomputes a value when its version changes. */
function versionedCache<T>(max: number, dispose: (value: T) => void = () => {}) {
  const values = new Map<string, { readonly version: string; readonly value: T }>();
  const drop = (key: string) => {
    const old = values.get(key);
    values.delete(key);
    if (old !== undefined) dispose(old.value);
  };
  return {
    /** The value of this version, made if it is not cached. */
    get(key: string, version: string, make: () => T): T {
      const known = values.get(key);
      if (known?.version === version) {
        // The map is in order of use: the last entry is the most recent.
        values.delete(key);
        values.set(key, known);
        return known.value;
      }
      const value = make();
      drop(key);
      values.set(key, { version, value });
      if (values.size > max) drop(values.keys().next().value!);
      return value;
    },
    clear: () => {
      for (const key of [...values.keys()]) drop(key);
    },
  };
}
