import { anthropicBulk } from './anthropic-bulk.ts';
import { type BulkHttp, createBulkHttp } from './bulk-http.ts';
import { googleBulk } from './google-bulk.ts';
import { openaiBulk } from './openai-bulk.ts';
import type { BulkShape, BulkWire, WireRequest } from './wire.ts';
import { xaiBulk } from './xai-bulk.ts';

const WIRES: Record<BulkShape, (address: string, http: BulkHttp) => BulkWire> = {
  openai: openaiBulk,
  // Azure names the path of a call below its own prefix.
  azure: (address, http) => openaiBulk(address, http, ''),
  anthropic: anthropicBulk,
  google: googleBulk,
  xai: xaiBulk,
};

/** A provider's bulk jobs, reached as an ordinary call is: same address, same key. */
export function bulkWire(
  shape: BulkShape,
  { url, headers }: WireRequest,
  options: Omit<Parameters<typeof createBulkHttp>[0], 'headers'>,
): BulkWire {
  return WIRES[shape](url, createBulkHttp({ ...options, headers }));
}
