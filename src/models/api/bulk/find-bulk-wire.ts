import type { Backend } from '../../backend.ts';
import type { BulkWire, Exchange, WireRequest } from './wire.ts';

/** Thrown in place of a reply by an exchange that only wants to see the request: no error of the call. */
export class Captured extends Error {
  override readonly name = 'Captured';
}

/** The request that a call would send. */
export async function capturedRequest(ask: (exchange: Exchange) => Promise<unknown>): Promise<WireRequest> {
  let request: WireRequest | null = null;
  try {
    await ask(async (seen) => {
      request = seen;
      throw new Captured('the request goes into a bulk job');
    });
  } catch (error) {
    if (request === null) throw error;
  }
  return request!;
}

/** The bulk jobs of a model's provider; null where it has none. */
export async function findBulkWire({ bulk, generate }: Backend): Promise<BulkWire | null> {
  if (bulk === undefined || generate === undefined) return null;
  const probe = { messages: [{ role: 'user' as const, content: 'x' }], template: [] };
  return bulk.wire(
    await capturedRequest((exchange) => generate(probe, { key: 'probe', attempt: 0, exchange })),
  );
}
