import { once } from 'node:events';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { getRequestListener } from '@hono/node-server';
import { KrisisError } from '../core/errors.ts';
import { serverOrigin } from './guard.ts';
import { viewerApp } from './viewer-app.ts';

const PORTS_TRIED = 20;

type ListenOptions = Parameters<typeof viewerApp>[0] & {
  /** Try the next ports if this one is in use. Default: false. */
  readonly orNext?: boolean | undefined;
};

/** Serves the viewer. The app is created once the port is known, since its guard checks it. */
export async function listen(options: ListenOptions): Promise<{
  readonly port: number;
  /** Where its user opens the page, without a slash at the end. */
  readonly origin: string;
  close(): Promise<void>;
}> {
  const server = createServer();
  const listening = await firstFree(server, options);
  const { port } = listening;
  const app = viewerApp({ ...options, port });
  server.on('request', getRequestListener(app.fetch));
  return {
    port,
    origin: serverOrigin(options.host, listening),
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}

async function firstFree(
  server: Server,
  { host, port: wanted, orNext = false }: ListenOptions,
): Promise<AddressInfo> {
  const last = orNext && wanted !== 0 ? Math.min(65_535, wanted + PORTS_TRIED) : wanted;
  for (let port = wanted; ; port++) {
    try {
      server.listen(port, host);
      await once(server, 'listening');
      return server.address() as AddressInfo;
    } catch (error) {
      const { code, message } = error as NodeJS.ErrnoException;
      if (code === 'EADDRINUSE' && port < last) continue;
      const why = code === 'EADDRINUSE' ? 'it is in use' : message;
      throw new KrisisError(`cannot listen on ${host} port ${port}: ${why}`, {
        code: 'ERR_PORT_UNAVAILABLE',
        value: port,
        cause: error,
      });
    }
  }
}
