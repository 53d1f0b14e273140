import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { type BulkState, createBulkDesk } from './bulk.ts';
import { createDesk, type Decision, type Headers, type RecordedRequest } from './desk.ts';
import { formatOf } from './formats.ts';
import type { EmulatorOptions } from './options.ts';
import type { EmulatorStats } from './tally.ts';

export interface Emulator {
  readonly url: string;
  readonly port: number;
  /** In the order in which they came. */
  readonly requests: readonly RecordedRequest[];
  stats(): EmulatorStats;
  bulk(): BulkState;
  /** Forgets all that was asked so far. */
  reset(): void;
  close(): Promise<void>;
}

/**
 * A provider on loopback: it speaks the wire formats that the clients expect, and fails as it is told.
 *
 * It lives in this process, so whoever blocks it (spawnSync) gets no answer: `spawnEmulator` is for that.
 */
export async function startEmulator(options: EmulatorOptions = {}): Promise<Emulator> {
  let desk = createDesk(options);
  const newBulk = () =>
    createBulkDesk(options.bulk, (path, body) => {
      const decision = desk.arrive(path, { 'x-api-key': 'bulk' }, 0).decide(formatOf(path)!, body);
      if (decision.action.kind !== 'send') return { status: 500, body: { error: { message: 'broken' } } };
      decision.done(decision.action.status);
      return { status: decision.action.status, body: decision.action.body };
    });
  let bulk = newBulk();
  let inFlight = 0;
  const reset = () => {
    desk = createDesk(options);
    bulk = newBulk();
  };

  const server = createServer((req, res) => {
    const path = req.url ?? '/';
    const format = req.method === 'POST' ? formatOf(path) : null;
    if (format === null && options.bulk !== undefined && !path.startsWith('/stats') && path !== '/reset') {
      wholeBytes(req, (body) => {
        const answered = bulk.handle(req.method ?? 'GET', path, req.headers, body);
        if (answered === 'silent') return;
        if (answered === null) return send(res, 404, { error: { message: `${path}: no such route` } });
        res.writeHead(answered.status, { 'content-type': 'application/json', ...answered.headers });
        res.end(answered.body);
      });
      return;
    }
    if (format === null) {
      req.resume();
      const [status, body] = service(`${req.method} ${path}`);
      send(res, status, body);
      return;
    }
    inFlight++;
    res.once('close', () => {
      inFlight--;
    });
    const visit = desk.arrive(path, req.headers, inFlight);
    whole(req, (text) => {
      const decision = visit.decide(format, text);
      if (decision.delayMs > 0) setTimeout(carryOut, decision.delayMs, res, decision);
      else carryOut(res, decision);
    });
  });

  function service(asked: string): [status: number, body: unknown] {
    switch (asked) {
      case 'GET /stats':
        return [200, desk.stats()];
      case 'GET /requests':
        return [200, desk.requests];
      case 'POST /reset':
        reset();
        return [200, {}];
      default:
        return [404, { error: { message: `${asked}: there is no such route` } }];
    }
  }

  await new Promise<void>((resolve, reject) => {
    server.once('error', reject);
    server.listen(options.port ?? 0, '127.0.0.1', resolve);
  });
  // A connection that ends between two calls would look like a fault that nobody asked for.
  server.keepAliveTimeout = 600_000;
  const { port } = server.address() as AddressInfo;
  return {
    url: `http://127.0.0.1:${port}`,
    port,
    get requests() {
      return desk.requests;
    },
    stats: () => desk.stats(),
    bulk: () => bulk.state(),
    reset,
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}

function wholeBytes(req: IncomingMessage, then: (body: Buffer) => void): void {
  const chunks: Buffer[] = [];
  req.on('data', (chunk: Buffer) => chunks.push(chunk));
  req.on('end', () => then(Buffer.concat(chunks)));
}

/** The body as one text. */
function whole(req: IncomingMessage, then: (text: string) => void): void {
  const chunks: Buffer[] = [];
  req.on('data', (chunk: Buffer) => chunks.push(chunk));
  req.on('end', () => then((chunks.length === 1 ? chunks[0]! : Buffer.concat(chunks)).toString('utf8')));
}

function carryOut(res: ServerResponse, { action, done }: Decision): void {
  if (res.destroyed) {
    done('gone');
  } else if (action.kind === 'send') {
    // Noted first: whoever reads the answer at once must not be ahead of the notes.
    done(action.status);
    send(res, action.status, action.body, action.headers);
  } else if (action.kind === 'reset') {
    res.socket?.resetAndDestroy();
    done('reset');
  } else {
    done('stalled');
  }
}

function send(res: ServerResponse, status: number, body: unknown, headers: Headers = {}): void {
  res.writeHead(status, { 'content-type': 'application/json', ...headers });
  res.end(JSON.stringify(body));
}
