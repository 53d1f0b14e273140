import type { ModelTransport, Transport } from '../transport.ts';

/** Every call is sent when it is made. */
export const SENT_AT_ONCE: ModelTransport = {
  hasTrial: false,
  held: null,
  exchangeFor: async () => undefined,
  exchangeCost: (cost) => cost,
  callEnded: () => {},
  toItemError: (error) => error,
};

/** Calls over HTTP, or to a backend in this process: one pass makes them all. */
export const DIRECT_TRANSPORT: Transport = {
  forModel: () => SENT_AT_ONCE,
  runPasses: (pass) => pass().then(() => 'done'),
  removeLeft: async () => {},
};
