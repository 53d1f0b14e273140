import { Agent, type Dispatcher, EnvHttpProxyAgent } from 'undici';
import type { Environment } from './api-options.ts';
import { wholeReply } from './whole-reply.ts';
import { yieldBetweenReplies } from './yield-between-replies.ts';

interface PoolOptions {
  /** Most sockets to one origin. */
  readonly connections: number;
  /** From the moment a request is sent until its reply is there as a whole. */
  readonly timeoutMs: number;
  /** Where proxies are named: `HTTPS_PROXY`, `HTTP_PROXY`, `NO_PROXY`. Without it no proxy is used. */
  readonly env?: Environment;
}

interface PoolFetch {
  readonly fetch: typeof globalThis.fetch;
  /** Waits for requests under way. Not needed to end a process: idle sockets do not hold it. */
  close(): Promise<void>;
}

const CONNECT_TIMEOUT_MS = 10_000;
/** No honest reply comes near it; a server that never stops sending must not fill the memory. */
const MAX_REPLY_BYTES = 32 * 2 ** 20;
/** The only headers of a reply that anybody reads: a Headers object of all of them costs more than the request. */
const KEPT_HEADERS = ['content-type', 'retry-after', 'retry-after-ms'];

/**
 * A `fetch` for many small JSON calls to a few hosts: one pool of kept-alive sockets per origin, replies read as a whole. It follows no redirects: questions go to the host that was
 * named, or nowhere. Replies come uncompressed.
 */
export function poolFetch({ connections, timeoutMs, env = {} }: PoolOptions): PoolFetch {
  const agent = agentFor(env, {
    connections,
    pipelining: 1,
    maxResponseSize: MAX_REPLY_BYTES,
    connect: { timeout: Math.min(timeoutMs, CONNECT_TIMEOUT_MS) },
    // One timer over the whole call does for both; these would only be coarser.
    headersTimeout: 0,
    bodyTimeout: 0,
  });
  const targets = new Map<string, { origin: string; path: string }>();
  const targetOf = (url: string) => {
    let target = targets.get(url);
    if (target === undefined) {
      const { origin, pathname, search } = new URL(url);
      target = { origin, path: pathname + search };
      targets.set(url, target);
    }
    return target;
  };
  const fetch: typeof globalThis.fetch = (input, init = {}) =>
    new Promise((resolve, reject) => {
      const url = typeof input === 'string' ? input : input instanceof URL ? input.href : input.url;
      const { body, signal } = init;
      if (body != null && typeof body !== 'string') throw new TypeError('only text can be sent');
      if (signal?.aborted) throw signal.reason;
      agent.dispatch(
        {
          ...targetOf(url),
          method: (init.method ?? 'GET') as Dispatcher.HttpMethod,
          headers: { 'accept-encoding': 'identity', ...plainHeaders(init.headers) },
          body: body ?? null,
        },
        replyHandler(timeoutMs, signal ?? null, resolve, reject),
      );
    });
  return { fetch, close: () => agent.close() };
}

function agentFor(env: Environment, options: Agent.Options): Dispatcher {
  const httpProxy = env.http_proxy || env.HTTP_PROXY || '';
  const httpsProxy = env.https_proxy || env.HTTPS_PROXY || '';
  if (httpProxy === '' && httpsProxy === '') return new Agent(options);
  return new EnvHttpProxyAgent({
    ...options,
    httpProxy,
    httpsProxy,
    noProxy: env.no_proxy || env.NO_PROXY || '',
  });
}

function plainHeaders(headers: RequestInit['headers']): Record<string, string> {
  if (headers === undefined) return {};
  return Array.isArray(headers) || headers instanceof Headers
    ? Object.fromEntries(headers)
    : (headers as Record<string, string>);
}

function replyHandler(
  timeoutMs: number,
  signal: AbortSignal | null,
  resolve: (response: Response) => void,
  reject: (error: unknown) => void,
): Dispatcher.DispatchHandler {
  let timer: NodeJS.Timeout;
  let stop: () => void;
  let status = 0;
  let headers: Record<string, string> = {};
  const chunks: Buffer[] = [];
  const settle = () => {
    clearTimeout(timer);
    signal?.removeEventListener('abort', stop);
  };
  return {
    // Called when the request goes out: time spent waiting for a free socket does not count.
    onRequestStart(controller) {
      timer = setTimeout(() => controller.abort(timeoutError(timeoutMs)), timeoutMs);
      if (signal === null) return;
      stop = () => controller.abort(signal.reason);
      if (signal.aborted) stop();
      else signal.addEventListener('abort', stop, { once: true });
    },
    onResponseStart(_controller, statusCode, all) {
      status = statusCode;
      headers = {};
      for (const name of KEPT_HEADERS) if (all[name] !== undefined) headers[name] = String(all[name]);
    },
    onResponseData(_controller, chunk) {
      chunks.push(chunk);
    },
    onResponseEnd() {
      settle();
      yieldBetweenReplies(() =>
        resolve(wholeReply(status, headers, chunks.length === 1 ? chunks[0]! : Buffer.concat(chunks))),
      );
    },
    onResponseError(_controller, error) {
      settle();
      reject(error);
    },
  };
}

/** By this name the SDKs know a timeout, and hand it on as it is. */
function timeoutError(timeoutMs: number): Error {
  return new DOMException(`no reply within ${timeoutMs / 1000} seconds`, 'TimeoutError');
}
