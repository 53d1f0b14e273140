import { addressOf } from '../../../src/viewer/browser.ts';
import { FinalError } from './final-error.ts';
import type { Source } from './source.ts';

/** Loads from the server that served the page. */
export function httpSource(): Source {
  return {
    live: true,
    notes: [],
    get: (path, params) => load(addressOf(path, params)),
    editNotes: (id, change) =>
      load(addressOf('runs/:id/notes', { id }), {
        method: 'PUT',
        headers: { 'content-type': 'application/json' },
        body: JSON.stringify(change),
      }),
  };
}

async function load<T>(address: string, request: RequestInit = {}): Promise<T> {
  const response = await fetch(`api/${address}`, request).catch(() => {
    throw new Error(
      'The server does not answer. Is `krisis view` still running? Start it again, then reload this page.',
    );
  });
  const body: unknown = await response.json().catch(() => null);
  if (response.ok) return body as T;
  const message = errorText(body) ?? `The server answered ${response.status} to ${address}.`;
  // 429 says to ask later; every other 4xx is an answer.
  const isFinal = response.status >= 400 && response.status < 500 && response.status !== 429;
  throw isFinal ? new FinalError(message) : new Error(message);
}

function errorText(body: unknown): string | null {
  const error = (body as { error?: unknown } | null)?.error;
  return typeof error === 'string' ? error : null;
}
