import { buildAddress } from '../../../src/viewer/browser.ts';
import { FinalError } from './final-error.ts';
import { errorMessage, request } from './session.ts';
import type { Source } from './source.ts';

/** Loads from the server that served the page. */
export function httpSource(): Source {
  return {
    live: true,
    notes: [],
    has: () => true,
    get: (path, params) => load(buildAddress(path, params)),
    editNotes: (id, change) =>
      load(buildAddress('runs/:id/notes', { id }), {
        method: 'PUT',
        headers: { 'content-type': 'application/json' },
        body: JSON.stringify(change),
      }),
  };
}

async function load<T>(address: string, init: RequestInit = {}): Promise<T> {
  const response = await request(
    address,
    init,
    'The server does not answer. Is `krisis view` still running? Start it again, then open the address it prints.',
  );
  if (response.ok) return response.json();
  const message = await errorMessage(response);
  // 429 says to ask later; every other 4xx is an answer.
  const isFinal = response.status >= 400 && response.status < 500 && response.status !== 429;
  throw isFinal ? new FinalError(message) : new Error(message);
}
