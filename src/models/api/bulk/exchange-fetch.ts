import { AsyncLocalStorage } from 'node:async_hooks';
import { plainHeaders } from '../pool-fetch.ts';
import { wholeReply } from '../whole-reply.ts';
import type { Exchange } from './wire.ts';

const exchanges = new AsyncLocalStorage<Exchange>();

/** Calls of an SDK made in `work` go through the exchange. */
export function withExchange<T>(exchange: Exchange, work: () => Promise<T>): Promise<T> {
  return exchanges.run(exchange, work);
}

/** A `fetch` whose network is the exchange of the call that it belongs to. */
export const exchangeFetch: typeof globalThis.fetch = async (input, init = {}) => {
  const url = typeof input === 'string' ? input : input instanceof URL ? input.href : input.url;
  const { status, body } = await exchanges.getStore()!({
    url,
    body: String(init.body),
    headers: lowerCased(plainHeaders(init.headers)),
  });
  return wholeReply(status, { 'content-type': 'application/json' }, Buffer.from(body));
};

function lowerCased(headers: Readonly<Record<string, string>>): Record<string, string> {
  return Object.fromEntries(Object.entries(headers).map(([name, value]) => [name.toLowerCase(), value]));
}
