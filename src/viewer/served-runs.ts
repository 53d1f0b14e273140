import { basename } from 'node:path';
import { KrisisError } from '../core/errors.ts';
import { type AddressPath, type ParamsAt, runsNamed } from './addresses.ts';
import { fileVersion } from './file-version.ts';
import type { ViewedPlace } from './open-runs.ts';
import { type ReaderProcess, ReaderStuck, readerProcess } from './reader-process.ts';
import { notRead } from './skipped-runs.ts';

/** What a server needs: payloads, which may arrive later. */
export interface PayloadSource {
  get<Path extends AddressPath>(path: Path, params: ParamsAt<Path>): unknown;
}

/** How long a request may take, in milliseconds. */
export interface ViewLimits {
  /** For what is shown without reading all rows of a run; for a list, for each file. Default: 30,000. */
  readonly quickMs?: number | undefined;
  /** For payloads that read all rows of runs. Default: 120,000. */
  readonly slowMs?: number | undefined;
}

/** Readers open a run before they filter its records: the index is built meanwhile, after the page has loaded. */
const INDEX_AFTER_MS = 800;

/**
 * Payloads for a server that must stay responsive whatever is in the run files. They are built in three processes: one for what takes no time, one for what reads all rows of a run, which also
 * indexes the run that was opened last, and one for comparisons. A file that a process does not come back from is left out until it changes.
 */
export function servedRuns(
  place: ViewedPlace,
  { quickMs = 30_000, slowMs = 120_000 }: ViewLimits = {},
): PayloadSource & { close(): void } {
  const skipped = new Map<string, string>();
  const [quick, slow, comparing] = [0, 1, 2].map(() => readerProcess(place, skipped)) as [
    ReaderProcess,
    ReaderProcess,
    ReaderProcess,
  ];
  quick.start();
  const askQuick = async (path: AddressPath, params: unknown) => {
    for (;;) {
      try {
        return await quick.ask({ path, params, quickOnly: true }, quickMs);
      } catch (error) {
        if (!(error instanceof ReaderStuck)) throw error;
        const last = [...error.files].at(-1);
        if (last === undefined || skipped.get(last[0]) === last[1]) throw stuckError(error);
        // Whatever can do without the file, such as the list, is built again without it.
        skipped.set(...last);
      }
    }
  };
  const stuck = new Map<string, ReaderStuck>();
  const askSlow = async (reader: ReaderProcess, path: AddressPath, params: object) => {
    const runs = runsNamed(params).join('\n');
    const before = stuck.get(runs);
    if (before !== undefined && isUnchanged(before)) throw stuckError(before);
    stuck.delete(runs);
    try {
      return await reader.ask({ path, params, quickOnly: false }, slowMs);
    } catch (error) {
      if (!(error instanceof ReaderStuck)) throw error;
      // The next request for the same runs must not keep others waiting as long.
      stuck.set(runs, error);
      throw stuckError(error);
    }
  };
  const indexSoon = (id: string) =>
    // Any sorted page needs the index.
    setTimeout(
      () => askSlow(slow, 'runs/:id/records', { id, sort: 'id', limit: 1 }).catch(() => {}),
      INDEX_AFTER_MS,
    ).unref();
  return {
    async get(path, params) {
      const found = await askQuick(path, params);
      if (found === null) {
        slow.start();
        const isComparison = path.startsWith('compare') || 'flips' in params;
        return askSlow(isComparison ? comparing : slow, path, params);
      }
      if (path === 'runs/:id') indexSoon((params as ParamsAt<'runs/:id'>).id);
      return found;
    },
    close() {
      for (const reader of [quick, slow, comparing]) reader.close();
    },
  };
}

function isUnchanged({ files }: ReaderStuck): boolean {
  return [...files].every(([path, version]) => fileVersion(path) === version);
}

function stuckError({ files, message }: ReaderStuck): KrisisError {
  if (files.size === 0)
    return new KrisisError(`the runs could not be read: ${message}; load the page again`, {
      code: 'ERR_VIEW_TIMEOUT',
    });
  return notRead([...files.keys()].map((path) => basename(path)).join(', '), message);
}
