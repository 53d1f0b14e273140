import { KrisisError } from '../core/index.ts';
import {
  DEFAULT_LIMIT,
  flipsOfFilter,
  metadataKeys,
  metadataOf,
  pageOfRecords,
  queryFacets,
  queryRecords,
  queryRun,
  type RecordFilter,
  type RecordLine,
  type RunDatabase,
  recordAt,
  recordDetails,
  rowsWithText,
  searchableTexts,
} from '../store/index.ts';
import type { FacetsPayload, RecordPayload } from './api.ts';
import { flipIds } from './compare-payload.ts';
import type { OpenRun, OpenRuns } from './open-runs.ts';
import { promptSent } from './prompt-sent.ts';
import { storedRun } from './run-payload.ts';

/** A page of rows, each as JSON text. */
export interface RecordTexts {
  readonly total: number;
  readonly rows: readonly string[];
  readonly version: string;
}

type RecordsParams = RecordFilter & { readonly id: string };

export function recordsPayload(runs: OpenRuns, { id, ...filter }: RecordsParams): RecordTexts {
  const run = runs.find(id);
  const { total, rows } = queryRecords(runs.index(run), filter, foundFor(runs, run, filter));
  return { total, rows: withColumns(run, rows, filter.column), version: run.line.version };
}

/** What the rows of a filter can be narrowed down by, with counts. */
export function facetsPayload(runs: OpenRuns, { id, ...filter }: RecordsParams): FacetsPayload {
  const run = runs.find(id);
  const has = runs.cached('texts', [run], () =>
    queryRun(run.path, (file) => ({ columns: metadataKeys(file), searchable: searchableTexts(file) })),
  );
  return { ...queryFacets(runs.index(run), filter, foundFor(runs, run, filter)), ...has };
}

/** Adds the metadata that the filter asks for to a page of rows. */
function withColumns({ path }: OpenRun, rows: readonly string[], keys: readonly string[] = []) {
  if (keys.length === 0) return rows;
  const lines = rows.map((text): RecordLine => JSON.parse(text));
  const ids = lines.map((line) => line.id);
  const metadata = queryRun(path, (file) => metadataOf(file, ids, keys));
  return lines.map((line) => JSON.stringify({ ...line, metadata: metadata.get(line.id) ?? {} }));
}

/** What a filter names and the index does not have. */
function foundFor(runs: OpenRuns, run: OpenRun, filter: RecordFilter) {
  return { flipIds: flipsFor(runs, run, filter), withText: placesWithText(runs, run, filter) };
}

function placesWithText(runs: OpenRuns, run: OpenRun, { text, search_in = [] }: RecordFilter) {
  if (!text || search_in.length === 0) return undefined;
  const find = () => {
    const index = runs.index(run);
    return queryRun(run.path, (file) => [
      ...new Set(
        [...rowsWithText(file, text, search_in)].flatMap(({ id, repeat }) => index.placesOf(id, repeat)),
      ),
    ]);
  };
  return runs.cached('search', [run], find, JSON.stringify([text, ...search_in.toSorted()]));
}

/** A page without filter and order, of a run that stores its overview. */
export function quickRecords(
  runs: OpenRuns,
  { id, offset = 0, limit = DEFAULT_LIMIT, column, ...filter }: RecordsParams,
): RecordTexts | null {
  const run = runs.find(id);
  const found = Object.keys(filter).length > 0 ? null : storedRun(runs, run);
  if (found === null) return null;
  const { repeats } = found;
  const page = { ...found.payload, nRecords: run.line.n / repeats, repeats, offset, limit };
  const lines = queryRun(run.path, (file) => pageOfRecords(file, page));
  const rows = withColumns(
    run,
    lines.map((line) => JSON.stringify(line)),
    column,
  );
  return { total: run.line.n, rows, version: run.line.version };
}

function flipsFor(runs: OpenRuns, here: OpenRun, { flips }: RecordFilter): ReadonlySet<string> | undefined {
  const wanted = flips === undefined ? null : flipsOfFilter(flips);
  if (wanted === null) return undefined;
  const there = runs.find(wanted.run);
  return runs.cached('flips', [here, there], () => flipIds(here, there))[wanted.side];
}

interface RecordParams {
  readonly id: string;
  readonly record: string;
  readonly repeat: number;
}

export function recordPayload(runs: OpenRuns, params: RecordParams): RecordPayload {
  const run = runs.find(params.id);
  const text = runs.index(run).findLine(params.record, params.repeat);
  if (text === null) throw noSuchRecord(params);
  return queryRun(run.path, (file) => detailed(file, run, JSON.parse(text)));
}

/** A row of a run that stores its overview. */
export function quickRecord(runs: OpenRuns, params: RecordParams): RecordPayload | null {
  const { record: id, repeat } = params;
  const run = runs.find(params.id);
  const found = storedRun(runs, run);
  if (found === null) return null;
  if (repeat >= found.repeats) throw noSuchRecord(params);
  return queryRun(run.path, (file) => {
    const line = recordAt(file, { ...found.payload, id, repeat });
    if (line === null) throw noSuchRecord(params);
    return detailed(file, run, line);
  });
}

/** Rows of a run with their details, by their place in the file. */
export function recordDetailsBetween(
  runs: OpenRuns,
  run: OpenRun,
  from: number,
  to: number,
): RecordPayload[] {
  const lines = runs.index(run).lines.slice(from, to);
  return queryRun(run.path, (file) => lines.map((text) => detailed(file, run, JSON.parse(text))));
}

/** Run files have no features of protected suites; if one did, they would not be shown. */
function detailed(file: RunDatabase, { line: run }: OpenRun, line: RecordLine): RecordPayload {
  const details = recordDetails(file, line);
  const isProtected = run.sensitivity === 'protected';
  return {
    ...line,
    ...details,
    features: isProtected ? null : details.features,
    ...promptSent(file, { ...line, ...details }, isProtected),
  };
}

function noSuchRecord({ record, repeat }: RecordParams): KrisisError {
  return new KrisisError(`${record}: no such record in this run (repeat ${repeat})`, {
    code: 'ERR_RECORD_NOT_FOUND',
    value: record,
  });
}
