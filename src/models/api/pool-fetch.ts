import { Agent, type Dispatcher, EnvHttpProxyAgent, errors } from 'undici';
import type { Environment } from './api-options.ts';
import type { WireReply, WireRequest } from './bulk/wire.ts';
import { plainHeaders, wholeReply } from './sdk-model.ts';

interface PoolOptions {
  /** The most sockets to one origin. */
  readonly connections: number;
  /** From the moment a request is sent until its reply is complete. */
  readonly timeoutMs: number;
  /** Holds `HTTPS_PROXY`, `HTTP_PROXY` and `NO_PROXY`. Default: no proxy is used. */
  readonly env?: Environment;
}

const CONNECT_TIMEOUT_MS = 10_000;
/** Real replies are far smaller; a server that never stops sending must not fill the memory. */
const MAX_REPLY_BYTES = 16 * 2 ** 20;
/** Nor must many large ones at once: beyond this, a reply that is itself large is given up. */
const MAX_BYTES_AT_ONCE = 128 * 2 ** 20;
const LARGE_REPLY_BYTES = 4 * 2 ** 20;
/** Bytes of replies that are being received. */
let bytesReceiving = 0;
/** The only reply headers in use: a Headers object of all of them costs more than the request. */
const USED_HEADERS = ['content-type', 'retry-after', 'retry-after-ms'];

/**
 * For many small JSON calls to a few hosts: one pool of keep-alive sockets per origin, replies read whole and uncompressed. It follows no redirects: questions go to the named
 * host or nowhere.
 */
export function poolFetch({ connections, timeoutMs, env = {} }: PoolOptions) {
  const agent = createAgent(env, {
    connections,
    pipelining: 1,
    maxResponseSize: MAX_REPLY_BYTES,
    connect: { timeout: Math.min(timeoutMs, CONNECT_TIMEOUT_MS) },
    // One timer covers the whole call; these would only be coarser.
    headersTimeout: 0,
    bodyTimeout: 0,
  });
  const targets = new Map<string, { origin: string; path: string }>();
  const parseTarget = (url: string) => {
    let target = targets.get(url);
    if (target === undefined) {
      const { origin, pathname, search } = new URL(url);
      target = { origin, path: pathname + search };
      targets.set(url, target);
    }
    return target;
  };
  const send = (
    url: string,
    method: Dispatcher.HttpMethod,
    headers: Readonly<Record<string, string>>,
    body: string | null,
    signal: AbortSignal | null,
  ) =>
    new Promise<Reply>((resolve, reject) => {
      const request = {
        ...parseTarget(url),
        method,
        headers: { 'accept-encoding': 'identity', ...headers },
        body,
      };
      whenCaughtUp(() => agent.dispatch(request, replyHandler(timeoutMs, signal, resolve, reject)));
    });
  return {
    /** Sends JSON and brings the whole reply. */
    async post({ url, headers, body }: WireRequest): Promise<WireReply> {
      const reply = await send(url, 'POST', headers, body, null);
      return { ...reply, body: decoder.decode(reply.body) };
    },
    /** The same for the SDKs. */
    async fetch(input: Parameters<typeof globalThis.fetch>[0], init: RequestInit = {}): Promise<Response> {
      const url = typeof input === 'string' ? input : input instanceof URL ? input.href : input.url;
      const { body = null, signal = null, method = 'GET' } = init;
      if (body !== null && typeof body !== 'string') throw new TypeError('only text can be sent');
      if (signal?.aborted) throw signal.reason;
      const headers = plainHeaders(init.headers);
      const reply = await send(url, method as Dispatcher.HttpMethod, headers, body, signal);
      return wholeReply(reply.status, reply.headers, reply.body);
    },
    /** Waits for requests in flight. Not needed before a process ends: idle sockets do not keep it alive. */
    close: () => agent.close(),
  };
}

/** Uses the proxies that the environment names. */
export function createAgent(env: Environment, options: Agent.Options): Dispatcher {
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

interface Reply {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: Buffer;
}

const decoder = new TextDecoder();

function replyHandler(
  timeoutMs: number,
  signal: AbortSignal | null,
  resolve: (reply: Reply) => void,
  reject: (error: unknown) => void,
): Dispatcher.DispatchHandler {
  let timer: NodeJS.Timeout;
  let stop: () => void;
  let status = 0;
  let headers: Record<string, string> = {};
  const chunks: Buffer[] = [];
  let bytes = 0;
  const cleanUp = () => {
    bytesReceiving -= bytes;
    bytes = 0;
    clearTimeout(timer);
    signal?.removeEventListener('abort', stop);
  };
  return {
    // Called when the request is sent: waiting for a free socket does not count.
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
      for (const name of USED_HEADERS) if (all[name] !== undefined) headers[name] = String(all[name]);
    },
    onResponseData(controller, chunk) {
      chunks.push(chunk);
      bytes += chunk.length;
      bytesReceiving += chunk.length;
      if (bytesReceiving > MAX_BYTES_AT_ONCE && bytes > LARGE_REPLY_BYTES)
        controller.abort(new errors.ResponseExceededMaxSizeError());
    },
    onResponseEnd() {
      cleanUp();
      const body = chunks.length === 1 ? chunks[0]! : Buffer.concat(chunks);
      yieldBetweenReplies(() => resolve({ status, headers, body }));
    },
    onResponseError(_controller, error) {
      cleanUp();
      chunks.length = 0;
      reject(error);
    },
  };
}

/** The SDKs recognise a timeout by this name and pass it on unchanged. */
function timeoutError(timeoutMs: number): Error {
  return new DOMException(`no reply within ${timeoutMs / 1000} seconds`, 'TimeoutError');
}

const AT_ONCE = 4;
/** A kill loses replies that were received and not handled: with this many, no further request goes out. */
const MAX_WAITING = 8;
const replies: (() => void)[] = [];
const requests: (() => void)[] = [];

/**
 * Handles replies a few per turn of the event loop. Replies arrive in bursts, and no request goes out before the turn that reads them ends: without this, the first call of a burst would send
 * its next request only after the last reply was handled, and the provider would sit idle.
 */
export function yieldBetweenReplies(work: () => void): void {
  if (replies.push(work) + requests.length === 1) setImmediate(handleSome);
}

/** Sends a request once no more than a few replies wait to be handled, a few per turn: a provider that answers faster than replies are handled gains nothing from more requests. */
export function whenCaughtUp(send: () => void): void {
  if (replies.length < MAX_WAITING && requests.length === 0) send();
  else requests.push(send);
}

function handleSome(): void {
  for (const work of replies.splice(0, AT_ONCE)) work();
  if (replies.length < MAX_WAITING) for (const send of requests.splice(0, AT_ONCE)) send();
  if (replies.length + requests.length > 0) setImmediate(handleSome);
}
