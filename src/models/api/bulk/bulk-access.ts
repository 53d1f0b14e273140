import type { Environment } from '../api-options.ts';
import { anthropicBulk } from './anthropic-bulk.ts';
import { envelope } from './envelope.ts';
import { googleBulk } from './google-bulk.ts';
import { openaiBulk } from './openai-bulk.ts';
import type { BulkWire, WireRequest } from './wire.ts';
import { xaiBulk } from './xai-bulk.ts';

/** Whose bulk jobs a provider's are like. */
export type BulkShape = 'openai' | 'azure' | 'anthropic' | 'google' | 'xai';

/** A provider's bulk jobs, reached as an ordinary call is: same address, same key. */
export function bulkWire(
  shape: BulkShape,
  call: WireRequest,
  options: {
    readonly secrets: readonly string[];
    readonly model: string;
    readonly env?: Environment | undefined;
  },
): BulkWire {
  const http = envelope({ ...options, headers: call.headers });
  switch (shape) {
    case 'openai':
      return openaiBulk(call.url, http);
    case 'azure':
      return openaiBulk(call.url, http, { isAzure: true });
    case 'anthropic':
      return anthropicBulk(call.url, http);
    case 'google':
      return googleBulk(call.url, http);
    case 'xai':
      return xaiBulk(call.url, http);
  }
}
