import { filterQuery } from './filter-query.ts';
import type { Source } from './source.ts';

/** Asks the server that gave the page. */
export function httpSource(): Source {
  const run = (id: string) => `runs/${encodeURIComponent(id)}`;
  return {
    live: true,
    notes: [],
    runs: () => ask('runs'),
    run: (id) => ask(run(id)),
    records: (id, filter) => ask(`${run(id)}/records?${filterQuery(filter)}`),
    record: (id, record, repeat) => ask(`${run(id)}/records/${encodeURIComponent(record)}?repeat=${repeat}`),
    questions: (id) => ask(`${run(id)}/questions`),
    compare: (a, b) => ask(`compare?${new URLSearchParams({ a, b })}`),
  };
}

async function ask<T>(path: string): Promise<T> {
  const response = await fetch(`api/${path}`).catch(() => {
    throw new Error(
      'The server does not answer. Is `krisis view` still running? Start it again, then reload this page.',
    );
  });
  const body: unknown = await response.json().catch(() => null);
  if (!response.ok) throw new Error(errorText(body) ?? `The server answered ${response.status} to ${path}.`);
  return body as T;
}

function errorText(body: unknown): string | null {
  const error = (body as { error?: unknown } | null)?.error;
  return typeof error === 'string' ? error : null;
}
