import { pick } from '../core/collections.ts';
import { emergencyReasons } from '../core/decision-class.ts';
import { KrisisError } from '../core/errors.ts';
import type { PromptMessage } from '../core/text-request.ts';
import { decisiveFeatures } from '../domains/decisive-features.ts';
import { filledPrompt } from '../models/api/prompt.ts';
import { queryRun, type RunDatabase } from '../store/open-database.ts';
import { pageOfRecords, recordsAt } from '../store/queries/page-of-records.ts';
import { queryFacets, queryRecords } from '../store/queries/query-records.ts';
import {
  allRecordDetails,
  MAX_CUT,
  promptFeatures,
  type RecordDetails,
  recordDetails,
  recordTexts,
} from '../store/queries/record-details.ts';
import {
  DEFAULT_LIMIT,
  flipsOfFilter,
  type RecordFilter,
  type SearchedText,
} from '../store/queries/record-filter.ts';
import type { RecordLine } from '../store/queries/record-line.ts';
import { metadataKeys, readMetadata, rowsWithText, searchableTexts } from '../store/queries/search-texts.ts';
import { readCaseNotes } from '../store/run-notes.ts';
import type { DownloadPayload, FacetsPayload, RecordPayload } from './api.ts';
import { flipIds } from './compare-payload.ts';
import { hidesText, type OpenRun, type OpenRuns } from './open-runs.ts';
import { type StoredRun, storedRun } from './run-payload.ts';
import { readIndex, shownLine } from './shown-lines.ts';

/** A page of rows, each as JSON text. */
export interface RecordTexts {
  readonly total: number;
  readonly rows: readonly string[];
  readonly version: string;
}

type RecordsParams = RecordFilter & { readonly id: string };

export function recordsPayload(runs: OpenRuns, { id, ...filter }: RecordsParams): RecordTexts {
  const run = runs.find(id);
  const { total, rows } = queryRecords(readIndex(runs, run), filter, foundFor(runs, run, filter));
  return { total, rows: withColumns(runs, run, rows, filter.column), version: run.line.version };
}

type DownloadParams = RecordsParams & { readonly include: readonly SearchedText[] };

/** A page of rows with the texts that a download includes. */
export function downloadPayload(runs: OpenRuns, { id, include, ...filter }: DownloadParams): DownloadPayload {
  const run = runs.find(id);
  const { rows } = recordsPayload(runs, { id, ...filter });
  const lines = rows.map((text): RecordLine => JSON.parse(text));
  if (include.length === 0 || runs.withholds(run)) return { rows: lines };
  return queryDetails(run, (file) => {
    const readDetails = recordTexts(file);
    return {
      rows: lines.map((line) => {
        const { raw_response: reply, features, metadata } = shownDetails(run, readDetails(line));
        const texts = { reply, features, metadata };
        return { ...line, ...pick(texts, include) };
      }),
    };
  });
}

/** What the rows of a filter can be narrowed down by, with counts. */
export function facetsPayload(runs: OpenRuns, { id, ...filter }: RecordsParams): FacetsPayload {
  const run = runs.find(id);
  if (runs.withholds(run))
    return {
      ...queryFacets(readIndex(runs, run), filter, foundFor(runs, run, filter)),
      columns: [],
      searchable: [],
    };
  const has = runs.cached('texts', [run], () =>
    queryRun(run.path, (file) => ({ columns: metadataKeys(file), searchable: searchableTexts(file) })),
  );
  return { ...queryFacets(readIndex(runs, run), filter, foundFor(runs, run, filter)), ...has };
}

/** Adds the metadata that the filter asks for to a page of rows. */
function withColumns(runs: OpenRuns, run: OpenRun, rows: readonly string[], keys: readonly string[] = []) {
  if (keys.length === 0 || runs.withholds(run)) return rows;
  const lines = rows.map((text): RecordLine => JSON.parse(text));
  const ids = lines.map((line) => line.id);
  const metadata = queryRun(run.path, (file) => readMetadata(file, ids, keys));
  return lines.map((line) => JSON.stringify({ ...line, metadata: metadata.get(line.id) ?? {} }));
}

/** What a filter names and the index does not have. */
function foundFor(runs: OpenRuns, run: OpenRun, filter: RecordFilter) {
  return { flipIds: flipsFor(runs, run, filter), withText: placesWithText(runs, run, filter) };
}

function placesWithText(runs: OpenRuns, run: OpenRun, { text, search_in = [] }: RecordFilter) {
  if (!text || search_in.length === 0 || runs.withholds(run)) return undefined;
  const find = () => {
    const index = readIndex(runs, run);
    return queryRun(run.path, (file) => [
      ...new Set(
        [...rowsWithText(file, text, search_in)].flatMap(({ id, repeat }) => index.findPlaces(id, repeat)),
      ),
    ]);
  };
  return runs.cached('search', [run], find, JSON.stringify([text, ...search_in.toSorted()]));
}

/** A page without filter, in the order of the file or its beginning by harm, of a run that stores its overview. */
export function quickRecords(
  runs: OpenRuns,
  { id, offset = 0, limit = DEFAULT_LIMIT, column, sort, ...filter }: RecordsParams,
): RecordTexts | null {
  const run = runs.find(id);
  if (Object.keys(filter).length > 0 || (sort !== undefined && sort !== 'harm')) return null;
  const stored = storedRun(runs, run);
  if (stored === null) return null;
  const { repeats, worstFirst } = stored;
  const { n } = run.line;
  const isStored = offset + limit <= worstFirst.length || worstFirst.length >= n;
  if (sort === 'harm' && !isStored) return null;
  const page = { nRecords: n / repeats, repeats, offset, limit };
  const lines = queryRun(run.path, (file) =>
    sort === 'harm'
      ? recordsAt(file, worstFirst.slice(offset, offset + limit), lineOptions(stored))
      : pageOfRecords(file, { ...lineOptions(stored), ...page }),
  ).map(shownLine(runs, run));
  const rows = withColumns(
    runs,
    run,
    lines.map((line) => JSON.stringify(line)),
    column,
  );
  return { total: n, rows, version: run.line.version };
}

function lineOptions({ payload, actLabels }: StoredRun) {
  const { stratum, subgroups, emergency_rule: rule } = payload;
  return { stratum, subgroups, rule, actLabels };
}

function flipsFor(runs: OpenRuns, here: OpenRun, { flips }: RecordFilter): ReadonlySet<string> | undefined {
  const wanted = flips === undefined ? null : flipsOfFilter(flips);
  if (wanted === null) return undefined;
  const there = runs.find(wanted.run);
  return runs.cached('flips', [here, there], () => flipIds(runs, here, there))[wanted.side];
}

interface RecordParams {
  readonly id: string;
  readonly record: string;
  readonly repeat: number;
}

export function recordPayload(runs: OpenRuns, params: RecordParams): RecordPayload {
  const run = runs.find(params.id);
  const text = readIndex(runs, run).findLine(params.record, params.repeat);
  if (text === null) throw noSuchRecord(params);
  return queryDetails(run, (file) => detailed(file, run, JSON.parse(text)));
}

/** A row of a run that stores its overview. */
export function quickRecord(runs: OpenRuns, params: RecordParams): RecordPayload | null {
  const { record: id, repeat } = params;
  const run = runs.find(params.id);
  const found = storedRun(runs, run);
  if (found === null) return null;
  if (repeat >= found.repeats) throw noSuchRecord(params);
  return queryDetails(run, (file) => {
    const [line] = recordsAt(file, [{ id, repeat }], lineOptions(found));
    if (line === undefined) throw noSuchRecord(params);
    return detailed(file, run, line);
  });
}

/** Passes all rows of a run with their details to `use`, in parts of `size`, in the order of the file. Prompts as sent are left out: with those of a batch, a long run would be written many times over. */
export function eachPartOfRecords(
  runs: OpenRuns,
  run: OpenRun,
  size: number,
  use: (part: readonly RecordPayload[]) => void,
): void {
  const { lines } = readIndex(runs, run);
  const notSent = {
    prompt_sent: null,
    prompt_sent_reason: 'an export has the template and the case apart',
  };
  const notes = readCaseNotes(run.path);
  queryDetails(run, (file) => {
    const readDetails = allRecordDetails(file);
    for (let from = 0; from < lines.length; from += size)
      use(
        lines.slice(from, from + size).map((text) => {
          const line: RecordLine = JSON.parse(text);
          const note = notes.get(line.id) ?? null;
          return { ...line, ...withDecisive(line, shownDetails(run, readDetails(line))), note, ...notSent };
        }),
      );
  });
}

/** Details are cut in SQL, which must be able to read what it cuts. */
function queryDetails<T>({ path }: OpenRun, read: (file: RunDatabase) => T): T {
  return queryRun(path, read, { maxCellBytes: MAX_CUT });
}

function detailed(file: RunDatabase, run: OpenRun, line: RecordLine): RecordPayload {
  const details = withDecisive(line, shownDetails(run, recordDetails(file, line)));
  const note = readCaseNotes(run.path).get(line.id) ?? null;
  return { ...line, ...details, note, ...promptSent(file, { ...line, ...details }, hidesText(run.line)) };
}

/** Names the features that the record's reasons rest on. */
function withDecisive(
  { reasons }: RecordLine,
  details: RecordDetails,
): RecordDetails & Pick<RecordPayload, 'decisive'> {
  const { features, metadata } = details;
  const toAct = emergencyReasons(metadata);
  return {
    ...details,
    decisive: features === null ? [] : decisiveFeatures([...toAct, ...reasons], features),
  };
}

/** Run files have no features of protected suites; if one did, they would not be shown. */
function shownDetails({ line }: OpenRun, details: RecordDetails): RecordDetails {
  return hidesText(line) ? { ...details, features: null } : details;
}

function noSuchRecord({ record, repeat }: RecordParams): KrisisError {
  return new KrisisError(`${record}: no such case in this run (repeat ${repeat})`, {
    code: 'ERR_RECORD_NOT_FOUND',
    value: record,
  });
}

type PromptSent = Pick<RecordPayload, 'prompt_sent' | 'prompt_sent_reason'>;

/** The prompt of a row as it was sent: its template, filled again with the features that the file has. */
function promptSent(
  run: RunDatabase,
  row: Pick<RecordPayload, 'id' | 'repeat' | 'prompt' | 'prompt_mode'>,
  hidesFeatures: boolean,
): PromptSent {
  const no = (reason: string): PromptSent => ({ prompt_sent: null, prompt_sent_reason: reason });
  if (row.prompt === null) return no('the run file has no prompt for this case');
  if (!isTemplate(row.prompt)) return no('the stored prompt is not a list of messages');
  if (hidesFeatures) return no('the suite is protected, so its features are not shown');
  const features = promptFeatures(run, row);
  if (features === null) return no('the run file does not have the features of every case in the call');
  const messages = filledPrompt(row.prompt, features, row.prompt_mode === 'batch' ? 'batch' : 'single');
  return messages === null
    ? no('the stored prompt has no slot to fill: it comes from a backend with prompts of its own')
    : { prompt_sent: messages, prompt_sent_reason: null };
}

function isTemplate(prompt: unknown): prompt is readonly PromptMessage[] {
  return (
    Array.isArray(prompt) &&
    prompt.every(
      (message: Partial<PromptMessage> | null) =>
        typeof message?.content === 'string' && typeof message.role === 'string',
    )
  );
}
