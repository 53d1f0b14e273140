import { existsSync, readdirSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { KrisisError } from '../core/index.ts';
import { indexRecords, type RecordIndex, RunFile, WriterLock } from '../store/index.ts';
import { isReviewPath } from '../store/review/index.ts';
import { stratumOf } from '../suites/domains/index.ts';
import type { RunLine, RunsPayload } from './api.ts';
import { fileVersion } from './file-version.ts';
import { runId, runLine } from './run-line.ts';
import { versionedCache } from './versioned-cache.ts';

/** What to view: all runs of a folder, or one run file. */
export type ViewedPlace = { readonly folder: string } | { readonly run: string };

export interface OpenRun {
  readonly path: string;
  readonly line: RunLine;
  /** Changes whenever the file or the run's status does. */
  readonly version: string;
}

export type OpenRuns = ReturnType<typeof openRuns>;

const MAX_LINES = 5000;
const MAX_INDEXES = 4;
const MAX_PAYLOADS = 32;

/** The run files that payloads are built from. They are only read; results are cached until a file changes. */
export function openRuns(place: ViewedPlace) {
  const folder = 'folder' in place ? place.folder : dirname(place.run);
  const lines = versionedCache<RunLine>(MAX_LINES);
  const indexes = versionedCache<RecordIndex>(MAX_INDEXES, (index) => index.close());
  const payloads = new Map<string, ReturnType<typeof versionedCache<unknown>>>();

  const paths = () => ('run' in place ? [place.run] : runFilesIn(folder));
  /** A killed writer leaves the file as it is, so the version includes whether there is a writer. */
  const lineOf = (path: string) =>
    lines.get(path, `${WriterLock.isHeld(path)} ${fileVersion(path)}`, () => runLine(path));
  return {
    folder,
    list: () => listOf(folder, paths(), lineOf),
    /** @throws KrisisError if there is no such run. */
    find(id: string): OpenRun {
      // Only files of the folder have an id: an address cannot lead out of it.
      const path = paths().find((one) => runId(one) === id);
      if (path === undefined)
        throw new KrisisError(`${id}: no such run here; see the list of runs`, {
          code: 'ERR_RUN_NOT_FOUND',
          value: id,
        });
      const line = lineOf(path);
      return { path, line, version: `${line.status} ${fileVersion(path)}` };
    },
    /** The result of `make`, computed again when one of the runs has changed. */
    cached<T>(name: string, runs: readonly OpenRun[], make: () => T): T {
      const cache = payloads.get(name) ?? versionedCache<unknown>(MAX_PAYLOADS);
      payloads.set(name, cache);
      const key = runs.map(({ path }) => path).join('\n');
      return cache.get(key, runs.map(({ version }) => version).join(' '), make) as T;
    },
    /** Reads all rows of the run at first. */
    index: ({ path }: OpenRun) => indexes.get(path, fileVersion(path), () => indexFile(path)),
    close: indexes.clear,
  };
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

function listOf(folder: string, paths: readonly string[], lineOf: (path: string) => RunLine): RunsPayload {
  const runs: RunLine[] = [];
  const unreadable: { path: string; error: string }[] = [];
  for (const path of paths) {
    try {
      runs.push(lineOf(path));
    } catch (error) {
      const name = basename(path);
      unreadable.push({ path: name, error: (error as Error).message.replaceAll(path, name) });
    }
  }
  runs.sort((a, b) => (a.created_at < b.created_at ? 1 : a.created_at > b.created_at ? -1 : 0));
  return { folder, runs, unreadable };
}

function indexFile(path: string): RecordIndex {
  return RunFile.use(path, (file) => {
    const manifest = file.manifest();
    const rows = file.rows({ all: true, nRepeats: manifest.identity.repeats });
    return indexRecords(rows, stratumOf(manifest.task));
  });
}
