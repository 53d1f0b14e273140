import { KrisisError } from '../core/errors.ts';

import type {
  ComparedShow,
  FirstComparisonPayload,
  RecordPayload,
  RecordsPayload,
  RunLine,
  RunPayload,
  RunsPayload,
} from './api.ts';
import { casePayload } from './case-payload.ts';

import { comparePayload, pairsToCompare } from './compare-payload.ts';
import { COMPARED_SHOWS, type ComparedRecordsParams, comparedRecords } from './compared-records.ts';
import { differencesPayload } from './differences-payload.ts';
import { firstComparison } from './first-comparison.ts';
import type { OpenRuns } from './open-runs.ts';
import { parseAnalysisOptions } from './parse-analysis-options.ts';
import { parseFilter, wholeNumber } from './parse-filter.ts';
import { questionsPayload } from './questions-payload.ts';
import {
  downloadPayload,
  facetsPayload,
  quickRecord,
  quickRecords,
  type RecordTexts,
  recordPayload,
  recordsPayload,
} from './records-payload.ts';
import { quickRunPayload, runPayload } from './run-payload.ts';
import { searchParams, searchPayload } from './search-payload.ts';
import { suitePayload, suitesToExport } from './suite-payload.ts';
import { verificationPayload } from './verification-payload.ts';
import {
  comparedWithoutText,
  comparisonWithoutText,
  questionsWithoutText,
  withoutNotes,
  withoutText,
} from './withhold-text.ts';

/** What code that treats all addresses alike knows of one: parameters and payloads have types of their own. */
interface Address {
  /** Builds the payload, where `quick` could not. */
  readonly build: (runs: OpenRuns, params: never) => unknown;
  /** Builds it without reading all rows of a run; null where that is impossible. Default: it always is. */
  readonly quick?: (runs: OpenRuns, params: never) => unknown;
  /** Reads the parameters of a query. Default: there are none. */
  readonly query?: (query: URLSearchParams) => object;
  /** The payload as JSON. Default: `JSON.stringify`. */
  readonly json?: (payload: never) => string;
  /** What an export writes. Default: nothing. */
  readonly exported?: {
    /** Parameters of each file. */
    readonly params: (runs: readonly RunLine[]) => readonly object[];
  };
  /** Removes patient and model text, for protected suites; `run` is the first protected run of the parameters. Default: there is none in the payload. */
  readonly withhold?: (payload: never, run: RunPayload) => unknown;
}

const list = (runs: OpenRuns): RunsPayload => runs.list();
const eachRun = (runs: readonly RunLine[]) => runs.map(({ id }) => ({ id }));

/**
 * Every address of the viewer, by its path. The server answers it under `/api/`, an export writes files for it, and the page loads it by its path:
 * `source.get('runs/:id', { id })`. A new page adds an entry here, a file with its payload, the page itself, and an entry in `web/src/pages.tsx`.
 */
export const ADDRESSES = {
  runs: { build: list, quick: list },
  'runs/:id': {
    query: parseAnalysisOptions,
    build: runPayload,
    quick: quickRunPayload,
    exported: { params: eachRun },
    withhold: (run: RunPayload) => withoutText(run).run(run),
  },
  'runs/:id/records': {
    query: parseFilter,
    build: recordsPayload,
    quick: quickRecords,
    // The rows are JSON already: parsing them to write them again would take longer than finding them.
    json: ({ total, rows, version }: RecordTexts) =>
      `{"total":${total},"rows":[${rows.join(',')}],"version":${JSON.stringify(version)}}`,
  },
  // Downloads read it part by part: see download-records.ts.
  'runs/:id/rows': {
    query: (query) => ({ ...parseFilter(query), include: [] }),
    build: downloadPayload,
  },
  'runs/:id/facets': { query: parseFilter, build: facetsPayload },
  'runs/:id/verification': { build: verificationPayload },
  'runs/:id/records/:record': {
    query: (query) => ({ repeat: wholeNumber('repeat', query.get('repeat') ?? '0', { max: 1e9 }) }),
    build: recordPayload,
    quick: quickRecord,
    withhold: (record: RecordPayload, run: RunPayload) => withoutText(run).record(record),
  },
  'runs/:id/questions': {
    query: parseAnalysisOptions,
    build: questionsPayload,
    exported: { params: (runs) => eachRun(runs.filter(({ kind }) => kind === 'questions')) },
    withhold: questionsWithoutText,
  },
  compare: {
    query: (query) => ({ runs: runsIn(query), ...parseAnalysisOptions(query, ['runs']) }),
    build: comparePayload,
    exported: { params: pairsToCompare },
    withhold: comparisonWithoutText,
  },
  'compare/first': {
    query: (query) => ({ runs: runsIn(query), ...parseAnalysisOptions(query, ['runs']) }),
    build: firstComparison,
    exported: { params: pairsToCompare },
    withhold: (first: FirstComparisonPayload) => ({ ...first, runs: first.runs.map(withoutNotes) }),
  },
  'compare/records': {
    query: (query): ComparedRecordsParams => ({
      runs: runsIn(query),
      show: showIn(query),
      text: query.get('text') ?? undefined,
      offset: wholeNumber('offset', query.get('offset') ?? '0'),
      limit: wholeNumber('limit', query.get('limit') ?? '100', { min: 1, max: MAX_COMPARED_ROWS }),
    }),
    build: comparedRecords,
    withhold: comparedWithoutText,
  },
  'suites/:suite/cases/:record': { build: casePayload },
  search: { query: searchParams, build: searchPayload },
  differences: {
    query: (query) => ({ runs: runsIn(query) }),
    build: differencesPayload,
    quick: differencesPayload,
  },
  'suites/:suite': {
    build: suitePayload,
    exported: { params: suitesToExport },
  },
} as const satisfies Readonly<Record<string, Address>>;

export type AddressPath = keyof typeof ADDRESSES;
type Build<Path extends AddressPath> = (typeof ADDRESSES)[Path]['build'];
export type ParamsAt<Path extends AddressPath> = Path extends 'runs' ? NoParams : Parameters<Build<Path>>[1];
export type BuiltAt<Path extends AddressPath> = ReturnType<Build<Path>>;
type NoParams = Readonly<Record<string, never>>;

/** The payload of each address as the page receives it, where rows of JSON text are parsed. */
export type PayloadAt<Path extends AddressPath> = Path extends 'runs/:id/records'
  ? RecordsPayload
  : BuiltAt<Path>;

export function addressAt(path: AddressPath): Address {
  return ADDRESSES[path];
}

/** The runs that parameters name. */
export function runsNamed(params: object): readonly string[] {
  const { id, runs = [] } = params as { readonly id?: string; readonly runs?: readonly string[] };
  return id === undefined ? runs : [id];
}

const MAX_COMPARED_RUNS = 12;
const MAX_COMPARED_ROWS = 1000;

/** `runs=A&runs=B`, the first as the baseline. */
function runsIn(query: URLSearchParams): string[] {
  const ids = query.getAll('runs');
  if (ids.length < 2 || ids.length > MAX_COMPARED_RUNS || ids.includes(''))
    throw new KrisisError(
      `compare: ${ids.length} runs given; expected 2 to ${MAX_COMPARED_RUNS}, ?runs=RUN&runs=RUN`,
      { code: 'ERR_VIEW_ADDRESS_INVALID' },
    );
  return ids;
}

function showIn(query: URLSearchParams): ComparedShow {
  const wanted = query.get('show') ?? 'all';
  const found = COMPARED_SHOWS.find((show) => show === wanted);
  if (found === undefined)
    throw new KrisisError(`show is ${JSON.stringify(wanted)}; expected one of ${COMPARED_SHOWS.join(', ')}`, {
      code: 'ERR_VIEW_ADDRESS_INVALID',
    });
  return found;
}
