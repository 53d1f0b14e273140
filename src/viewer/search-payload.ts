import { KrisisError } from '../core/errors.ts';
import { queryRun } from '../store/open-database.ts';
import { SEARCHED_TEXTS } from '../store/queries/record-filter.ts';
import { rowsWithText } from '../store/queries/search-texts.ts';
import type { RunLine, SearchPayload } from './api.ts';
import { hidesText, type OpenRuns } from './open-runs.ts';
import { wholeNumber } from './parse-filter.ts';

/** A page asks again for the next runs, so that it can say how far the search is. */
const MAX_MS = 1000;
/** Cases that a run is shown with; its list has the others. */
const MAX_IDS = 5;
const MIN_TEXT = 3;
const MAX_TEXT = 200;

export interface SearchParams {
  readonly text: string;
  /** How many runs were searched before. */
  readonly from: number;
}

/** @throws KrisisError for a text that is too short or too long. */
export function searchParams(query: URLSearchParams): SearchParams {
  const text = query.get('text') ?? '';
  if (text.trim().length < MIN_TEXT || text.length > MAX_TEXT)
    throw new KrisisError(`text has ${text.length} characters; expected ${MIN_TEXT} to ${MAX_TEXT}`, {
      code: 'ERR_VIEW_ADDRESS_INVALID',
    });
  return { text, from: wholeNumber('from', query.get('from') ?? '0') };
}

/** Searches replies, features and metadata of one run after the other, the newest first, for about a second. Runs of protected suites are left out. */
export function searchPayload(runs: OpenRuns, { text, from }: SearchParams): SearchPayload {
  const listed = runs.list().runs.filter(({ notes }) => !notes.hidden);
  const searched = listed.filter((run) => !hidesText(run));
  const until = Date.now() + MAX_MS;
  const hits: SearchPayload['hits'][number][] = [];
  let place = from;
  while (place < searched.length && (place === from || Date.now() < until)) {
    const found = searchRun(runs, searched[place++]!, text);
    if (found !== null) hits.push(found);
  }
  return { hits, n_searched: place, n_runs: searched.length, n_protected: listed.length - searched.length };
}

function searchRun(runs: OpenRuns, run: RunLine, text: string): SearchPayload['hits'][number] | null {
  const ids = queryRun(
    runs.find(run.id).path,
    (file) => new Set([...rowsWithText(file, text, SEARCHED_TEXTS)].map(({ id }) => id)),
  );
  return ids.size === 0 ? null : { run, n_cases: ids.size, ids: [...ids].slice(0, MAX_IDS) };
}
