import { createInterface } from 'node:readline';
import { Readable } from 'node:stream';
import { Agent, type Dispatcher, EnvHttpProxyAgent } from 'undici';
import { plainLine } from '../../../core/index.ts';
import { BackendError, ownError } from '../../backend-error.ts';
import type { Environment } from '../api-options.ts';
import { httpFault, networkFault, readErrorBody, retryAfterSeconds } from '../faults.ts';
import { withoutKeys } from '../without-keys.ts';

/** How envelopes reach a provider. */
export interface EnvelopeOptions {
  /** The headers of an ordinary call: key, version. */
  readonly headers: Readonly<Record<string, string>>;
  readonly secrets: readonly string[];
  /** The model, for messages. */
  readonly model: string;
  /** Proxies. Default: none is used. */
  readonly env?: Environment | undefined;
}

interface Send {
  readonly method: 'GET' | 'POST' | 'DELETE';
  readonly url: string;
  readonly body?: string | Buffer;
  readonly headers?: Readonly<Record<string, string>>;
}

interface Reply {
  readonly headers: Readonly<Record<string, string>>;
  readonly json: Record<string, unknown>;
}

/** The calls around bulk jobs: uploads and downloads of any size, no redirects, errors as faults. */
export interface Envelope {
  send(request: Send): Promise<Reply>;
  /** What is at an address; null where nothing is. */
  find(url: string): Promise<Reply['json'] | null>;
  /** A file of JSON lines, object by object. */
  lines(url: string): AsyncGenerator<Record<string, unknown>>;
  /** Deletes; what is gone already is deleted. */
  drop(url: string): Promise<void>;
}

const MINUTES_MS = 60_000;
/** The longest text of a provider that is part of a message. */
const MAX_SAID = 300;
/** Enough for any answer to an envelope call, not for a list without end. */
const MAX_REPLY = 64 * 2 ** 20;

export function envelope({ headers, secrets, model, env = {} }: EnvelopeOptions): Envelope {
  const limits = {
    headersTimeout: 10 * MINUTES_MS,
    bodyTimeout: 10 * MINUTES_MS,
    connect: { timeout: 10_000 },
  };
  const httpProxy = env.http_proxy || env.HTTP_PROXY || '';
  const httpsProxy = env.https_proxy || env.HTTPS_PROXY || '';
  const dispatcher: Dispatcher =
    httpProxy === '' && httpsProxy === ''
      ? new Agent(limits)
      : new EnvHttpProxyAgent({
          ...limits,
          httpProxy,
          httpsProxy,
          noProxy: env.no_proxy || env.NO_PROXY || '',
        });

  async function request({ method, url, body, headers: more = {} }: Send) {
    const { origin, pathname, search, host } = new URL(url);
    const { 'content-type': _, 'content-length': _l, ...own } = headers;
    try {
      const reply = await dispatcher.request({
        origin,
        path: pathname + search,
        method,
        headers: { ...own, ...(typeof body === 'string' && { 'content-type': 'application/json' }), ...more },
        body: body ?? null,
      });
      if (reply.statusCode < 300) return reply;
      const text = await reply.body.text();
      throw refusal(reply.statusCode, text, plain(reply.headers), host);
    } catch (error) {
      if (error instanceof BackendError) throw error;
      const found = networkFault(error);
      throw ownError('network', `${model}: cannot reach ${host} (${found?.code ?? (error as Error).name})`);
    }
  }

  function refusal(status: number, text: string, given: Record<string, string>, host: string): BackendError {
    const { codes, message, retryDelay } = readErrorBody(text);
    const said = plainLine(withoutKeys(message, secrets), MAX_SAID);
    return ownError(
      httpFault(status, `${codes} ${message}`),
      `${model}: ${host} answered ${status}: ${said}`,
      {
        status,
        retryAfterSeconds: retryAfterSeconds(given, retryDelay),
        summary: `${model}: ${host} answered ${status}`,
      },
    );
  }

  async function send(asked: Send): Promise<Reply> {
    const reply = await request(asked);
    const chunks: Buffer[] = [];
    let size = 0;
    for await (const chunk of reply.body) {
      size += chunk.length;
      if (size > MAX_REPLY) throw ownError('malformed', `${model}: the reply exceeds the size limit`);
      chunks.push(chunk);
    }
    const text = Buffer.concat(chunks).toString();
    return { headers: plain(reply.headers), json: text.trim() === '' ? {} : parsed(text, model) };
  }

  return {
    send,
    find: (url) => unlessGone(send({ method: 'GET', url }).then(({ json }) => json)),
    async *lines(url) {
      const { body } = await request({ method: 'GET', url });
      try {
        // An output file may be hundreds of megabytes long.
        for await (const line of createInterface({
          input: Readable.from(body),
          crlfDelay: Number.POSITIVE_INFINITY,
        }))
          if (line.trim() !== '') yield parsed(line, model);
      } finally {
        // Whoever read enough of it does not wait for the rest.
        body.on('error', () => {}).destroy();
      }
    },
    async drop(url) {
      await unlessGone(request({ method: 'DELETE', url }).then(({ body }) => body.dump()));
    },
  };
}

/** Null in place of an answer that nothing is there. */
export async function unlessGone<T>(work: Promise<T>): Promise<T | null> {
  try {
    return await work;
  } catch (error) {
    if (error instanceof BackendError && error.status === 404) return null;
    throw error;
  }
}

function parsed(text: string, model: string): Record<string, unknown> {
  try {
    const value: unknown = JSON.parse(text);
    if (typeof value === 'object' && value !== null) return value as Record<string, unknown>;
  } catch {}
  throw ownError('malformed', `${model}: a reply about a bulk job is not JSON; is the base URL right?`);
}

function plain(headers: Dispatcher.ResponseData['headers']): Record<string, string> {
  return Object.fromEntries(
    Object.entries(headers).flatMap(([name, value]) => (value === undefined ? [] : [[name, String(value)]])),
  );
}
