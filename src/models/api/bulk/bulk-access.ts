import { AsyncLocalStorage } from 'node:async_hooks';
import { plainHeaders } from '../pool-fetch.ts';
import { wholeReply } from '../whole-reply.ts';
import { anthropicBulk } from './anthropic-bulk.ts';
import { createBulkHttp } from './bulk-http.ts';
import { googleBulk } from './google-bulk.ts';
import { openaiBulk } from './openai-bulk.ts';
import type { BulkWire, Exchange, WireRequest } from './wire.ts';
import { xaiBulk } from './xai-bulk.ts';

const WIRES = {
  openai: openaiBulk,
  // Azure names the path of a call below its own prefix.
  azure: (address: string, http: ReturnType<typeof createBulkHttp>) => openaiBulk(address, http, ''),
  anthropic: anthropicBulk,
  google: googleBulk,
  xai: xaiBulk,
};

/** Whose bulk jobs a provider's are like. */
export type BulkShape = keyof typeof WIRES;

/** A provider's bulk jobs, reached as an ordinary call is: same address, same key. */
export function bulkWire(
  shape: BulkShape,
  { url, headers }: WireRequest,
  options: Omit<Parameters<typeof createBulkHttp>[0], 'headers'>,
): BulkWire {
  return WIRES[shape](url, createBulkHttp({ ...options, headers }));
}

const exchanges = new AsyncLocalStorage<Exchange>();

/** Calls of an SDK made in `work` go through the exchange. */
export function withExchange<T>(exchange: Exchange, work: () => Promise<T>): Promise<T> {
  return exchanges.run(exchange, work);
}

/** A `fetch` whose network is the exchange of the call that it belongs to. */
export const exchangeFetch: typeof globalThis.fetch = async (input, init = {}) => {
  const url = typeof input === 'string' ? input : input instanceof URL ? input.href : input.url;
  const headers = Object.entries(plainHeaders(init.headers)).map(([name, value]) => [
    name.toLowerCase(),
    value,
  ]);
  const { status, body } = await exchanges.getStore()!({
    url,
    body: String(init.body),
    headers: Object.fromEntries(headers),
  });
  return wholeReply(status, { 'content-type': 'application/json' }, Buffer.from(body));
};
