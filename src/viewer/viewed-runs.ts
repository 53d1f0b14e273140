import { existsSync, readdirSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import type { DatabaseSync } from 'node:sqlite';
import { KrisisError } from '../core/index.ts';
import { openDatabase, RunFile, WriterLock } from '../store/index.ts';
import type {
  ComparePayload,
  QuestionsPayload,
  RecordFilter,
  RecordLine,
  RecordPayload,
  RunLine,
  RunPayload,
  RunsPayload,
} from './api.ts';
import { versionedCache } from './cache.ts';
import { comparePayload, flipIds } from './compare-payload.ts';
import { fileVersion } from './file-version.ts';
import { DEFAULT_LIMIT, flipsOfFilter } from './filter-records.ts';
import { hidePaths } from './hide-paths.ts';
import { notFound } from './not-found.ts';
import { pageOfRecords, recordAt } from './page-of-records.ts';
import { queryRecords } from './query-records.ts';
import { questionRunPayload, questionsPayload } from './questions-payload.ts';
import { buildIndex, type RecordIndex } from './record-index.ts';
import { recordLines } from './record-lines.ts';
import { recordPayload } from './record-payload.ts';
import { runId, runLine } from './run-line.ts';
import { runPayload } from './run-payload.ts';
import { type StoredRun, storedRun } from './stored-run.ts';

/** What to look at: all runs of a folder, or one run file. */
export type ViewedPlace = { readonly folder: string } | { readonly run: string };

/** A page of rows; each is JSON text already. */
interface RecordTexts {
  readonly total: number;
  readonly rows: readonly string[];
}

/** Answers to everything that a page asks, from the run files, which are only read. Nothing is kept longer than the file stays as it is. */
export interface ViewedRuns {
  runs(): RunsPayload;
  run(id: string): RunPayload;
  records(id: string, filter: RecordFilter): RecordTexts;
  record(id: string, recordId: string, repeat: number): RecordPayload;
  /** Details of many rows, by their place in the file. */
  details(id: string, from: number, to: number): RecordPayload[];
  questions(id: string): QuestionsPayload;
  compare(a: string, b: string): ComparePayload;
  /** The same answers where they take no time however long the run is; null where all its rows would have to be read first. */
  readonly atOnce: {
    run(id: string): RunPayload | null;
    records(id: string, filter: RecordFilter): RecordTexts | null;
    record(id: string, recordId: string, repeat: number): RecordPayload | null;
  };
  /** Makes what filters need, before somebody asks for it. */
  prepare(id: string): void;
  close(): void;
}

const MOST_LINES = 5000;
const MOST_INDEXES = 4;
const MOST_PAYLOADS = 32;

export function viewedRuns(place: ViewedPlace): ViewedRuns {
  const folder = 'folder' in place ? place.folder : dirname(place.run);
  const indexes = versionedCache<RecordIndex>(MOST_INDEXES, (index) => index.close());
  const lines = versionedCache<RunLine>(MOST_LINES);
  const stored = versionedCache<StoredRun | null>(MOST_PAYLOADS);
  const payloads = versionedCache<RunPayload>(MOST_PAYLOADS);
  const questionRuns = versionedCache<QuestionsPayload>(MOST_PAYLOADS);
  const comparisons = versionedCache<ComparePayload>(MOST_PAYLOADS);
  const flips = versionedCache<ReturnType<typeof flipIds>>(MOST_PAYLOADS);

  const named = <Args extends readonly unknown[], T>(work: (...args: Args) => T) => hidePaths(folder, work);
  const paths = () => ('run' in place ? [place.run] : runFilesIn(folder));

  /** Only what lies in the folder has an id: an address cannot lead out of it. */
  const pathOf = (id: string) => {
    const path = paths().find((one) => runId(one) === id);
    if (path === undefined) throw notFound(`${id}: no such run here; the list of runs shows those there are`);
    return path;
  };
  /** Whether somebody writes is part of the version: a writer that is killed leaves the file as it is. */
  const lineOf = (path: string) =>
    lines.get(path, `${WriterLock.isHeld(path)} ${fileVersion(path)}`, () => runLine(path));
  const viewed = (id: string) => {
    const path = pathOf(id);
    return { path, line: lineOf(path) };
  };
  /** The status changes without the file: a writer leaves. */
  const versionOf = ({ path, line }: Viewed) => `${line.status} ${fileVersion(path)}`;
  const indexOf = (id: string) => {
    const path = pathOf(id);
    return indexes.get(path, fileVersion(path), () => indexFile(path));
  };
  const flipsFor = (id: string, { flips: wanted }: RecordFilter) => {
    const found = wanted === undefined ? null : flipsOfFilter(wanted);
    if (found === null) return undefined;
    const [here, there] = [viewed(id), viewed(found.run)];
    const version = `${versionOf(here)} ${versionOf(there)}`;
    return flips.get(`${here.path}\n${there.path}`, version, () => flipIds(here, there))[found.side];
  };

  const storedOf = (run: Viewed) => stored.get(run.path, versionOf(run), () => storedRun(run.path, run.line));
  const atOnce: ViewedRuns['atOnce'] = {
    run: named((id) => storedOf(viewed(id))?.payload ?? null),
    records: named((id, { offset = 0, limit = DEFAULT_LIMIT, ...filter }) => {
      const run = viewed(id);
      const found = Object.keys(filter).length > 0 ? null : storedOf(run);
      if (found === null) return null;
      const { repeats, payload } = found;
      const nRecords = run.line.n / repeats;
      const page = inFile(run.path, (db) =>
        pageOfRecords(db, (key) => Object.hasOwn(payload.subgroups, key), {
          nRecords,
          repeats,
          offset,
          limit,
        }),
      );
      return { total: run.line.n, rows: page.map((line) => JSON.stringify(line)) };
    }),
    record: named((id, recordId, repeat) => {
      const run = viewed(id);
      const found = storedOf(run);
      if (found === null) return null;
      if (repeat >= found.repeats) throw noSuchRecord(recordId, repeat);
      return inFile(run.path, (db) => {
        const isSubgroup = (key: string) => Object.hasOwn(found.payload.subgroups, key);
        const line = recordAt(db, isSubgroup, { id: recordId, repeat });
        if (line === null) throw noSuchRecord(recordId, repeat);
        return recordPayload(db, line, { isProtected: run.line.sensitivity === 'protected' });
      });
    }),
  };

  return {
    atOnce,
    runs: named(() => listOf(folder, paths(), lineOf)),
    run: named((id) => {
      const run = viewed(id);
      const { path, line } = run;
      const make = () =>
        line.kind === 'questions' ? questionRunPayload(path, line) : runPayload(path, line);
      return storedOf(run)?.payload ?? { ...payloads.get(path, versionOf(run), make), run: line };
    }),
    records: named(
      (id, filter) => atOnce.records(id, filter) ?? queryRecords(indexOf(id), filter, flipsFor(id, filter)),
    ),
    record: named((id, recordId, repeat) => {
      const quick = atOnce.record(id, recordId, repeat);
      if (quick !== null) return quick;
      const index = indexOf(id);
      const found = index.db.prepare('SELECT n FROM lines WHERE id = ? AND repeat = ?').get(recordId, repeat);
      if (found === undefined) throw noSuchRecord(recordId, repeat);
      return detailsOf(viewed(id), [index.lines[Number(found.n)]!])[0]!;
    }),
    details: named((id, from, to) => detailsOf(viewed(id), indexOf(id).lines.slice(from, to))),
    prepare: named((id) => void indexOf(id)),
    questions: named((id) => {
      const run = viewed(id);
      if (run.line.kind !== 'questions')
        throw notFound(`${id}: is a run with labels; it has no open questions`);
      return questionRuns.get(run.path, versionOf(run), () => questionsPayload(run.path, run.line));
    }),
    compare: named((a, b) => {
      const [first, second] = [viewed(a), viewed(b)];
      const version = `${versionOf(first)} ${versionOf(second)}`;
      return comparisons.get(`${first.path}\n${second.path}`, version, () => comparePayload(first, second));
    }),
    close() {
      indexes.clear();
    },
  };
}

interface Viewed {
  readonly path: string;
  readonly line: RunLine;
}

function runFilesIn(folder: string): string[] {
  if (!existsSync(folder))
    throw new KrisisError('the folder of runs is gone; start krisis view again where there is one');
  return readdirSync(folder)
    .filter((name) => name.endsWith('.db'))
    .map((name) => join(folder, name));
}

function noSuchRecord(id: string, repeat: number) {
  return notFound(`${id}: no such record in this run (repeat ${repeat})`);
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
  const file = RunFile.read(path);
  try {
    const { repeats } = file.manifest().identity;
    const { lines, subgroups } = recordLines(file.rows({ all: true, nRepeats: repeats }));
    return buildIndex(lines, subgroups);
  } finally {
    file.close();
  }
}

function detailsOf({ path, line }: Viewed, lines: readonly string[]): RecordPayload[] {
  const isProtected = line.sensitivity === 'protected';
  return inFile(path, (db) =>
    lines.map((text) => recordPayload(db, JSON.parse(text) as RecordLine, { isProtected })),
  );
}

function inFile<T>(path: string, work: (db: DatabaseSync) => T): T {
  const db = openDatabase(path, { forWriting: false, mayBeEmpty: false });
  try {
    return work(db);
  } finally {
    db.close();
  }
}
