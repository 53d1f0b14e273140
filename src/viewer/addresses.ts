import { KrisisError } from '../core/index.ts';
import type { RecordsPayload, RunLine, RunPayload, RunsPayload } from './api.ts';
import { comparePayload, pairsToCompare } from './compare-payload.ts';
import type { OpenRuns } from './open-runs.ts';
import { parseFilter, wholeNumber } from './parse-filter.ts';
import { questionsPayload } from './questions-payload.ts';
import {
  quickRecord,
  quickRecords,
  type RecordTexts,
  recordPayload,
  recordsPayload,
} from './records-payload.ts';
import { quickRunPayload, runPayload } from './run-payload.ts';
import { comparisonWithoutText, questionsWithoutText, withoutText } from './withhold-text.ts';

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
    /** Parameters of each file, all of them ids of runs. */
    readonly params: (runs: readonly RunLine[]) => readonly Readonly<Record<string, string>>[];
    /** Removes patient and model text, for protected suites; `run` is the first run of the parameters. */
    readonly withhold: (payload: never, run: RunPayload) => unknown;
  };
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
    build: (runs: OpenRuns, { id }: { readonly id: string }) => runPayload(runs, id),
    quick: (runs: OpenRuns, { id }: { readonly id: string }) => quickRunPayload(runs, id),
    exported: { params: eachRun, withhold: (run: RunPayload) => withoutText(run).run(run) },
  },
  'runs/:id/records': {
    query: parseFilter,
    build: recordsPayload,
    quick: quickRecords,
    // The rows are JSON already: parsing them to write them again would take longer than finding them.
    json: ({ total, rows }: RecordTexts) => `{"total":${total},"rows":[${rows.join(',')}]}`,
  },
  'runs/:id/records/:record': {
    query: (query) => ({ repeat: wholeNumber('repeat', query.get('repeat') ?? '0', { max: 1e9 }) }),
    build: recordPayload,
    quick: quickRecord,
  },
  'runs/:id/questions': {
    build: (runs: OpenRuns, { id }: { readonly id: string }) => questionsPayload(runs, id),
    exported: {
      params: (runs) => eachRun(runs.filter(({ kind }) => kind === 'questions')),
      withhold: questionsWithoutText,
    },
  },
  compare: {
    query: (query) => ({ a: runIn(query, 'a'), b: runIn(query, 'b') }),
    build: comparePayload,
    exported: { params: pairsToCompare, withhold: comparisonWithoutText },
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

function runIn(query: URLSearchParams, side: 'a' | 'b'): string {
  const id = query.get(side);
  if (!id)
    throw new KrisisError(`compare: ${side} is missing; expected two runs, ?a=RUN&b=RUN`, {
      code: 'ERR_VIEW_ADDRESS_INVALID',
    });
  return id;
}
