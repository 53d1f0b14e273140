import { createInterface } from 'node:readline';
import { Readable } from 'node:stream';
import type { Dispatcher } from 'undici';
import { plainLine } from '../../../core/plain-text.ts';
import { BackendError, ownError } from '../../backend-error.ts';
import type { Environment } from '../api-options.ts';
import { httpFault, type Json, listIn, networkFault, readErrorBody, retryAfterSeconds } from '../faults.ts';
import { createAgent } from '../pool-fetch.ts';
import { withoutKeys } from '../without-keys.ts';
import { textIn } from './remote-id.ts';
import type { RemoteMark, WireRequest } from './wire.ts';

/** Calls about the bulk jobs of a provider. */
export type BulkHttp = ReturnType<typeof createBulkHttp>;

const MINUTES_MS = 60_000;
/** The longest text of a provider that is part of a message. */
const MAX_MESSAGE = 300;
/** Enough for any answer to such a call, not for a list without end. */
const MAX_REPLY_BYTES = 64 * 2 ** 20;
const NO_BULK = '; a server without bulk jobs is asked without --bulk';

/**
 * Uploads and downloads of any size, no redirects, errors as faults.
 *
 * @param headers those of an ordinary call: key, version
 * @param env names proxies; none is used without it
 */
export function createBulkHttp({
  headers,
  secrets,
  model,
  env = {},
}: Pick<WireRequest, 'headers'> & {
  readonly secrets: readonly string[];
  readonly model: string;
  readonly env?: Environment;
}) {
  const dispatcher = createAgent(env, {
    headersTimeout: 10 * MINUTES_MS,
    bodyTimeout: 10 * MINUTES_MS,
    connect: { timeout: 10_000 },
  });

  async function request(
    method: 'GET' | 'POST' | 'DELETE',
    url: string,
    body?: string | Buffer,
    more: Readonly<Record<string, string>> = {},
  ) {
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
      const hint = method === 'POST' && reply.statusCode === 404 ? NO_BULK : '';
      throw refusal(reply.statusCode, text, plain(reply.headers), { host, model, secrets, hint });
    } catch (error) {
      if (error instanceof BackendError) throw error;
      const found = networkFault(error);
      throw ownError('network', `${model}: cannot reach ${host} (${found?.code ?? (error as Error).name})`);
    }
  }

  /** Sends a request and reads its reply, which must be JSON or nothing. */
  async function send(...asked: Parameters<typeof request>) {
    const reply = await request(...asked);
    const chunks: Buffer[] = [];
    let size = 0;
    for await (const chunk of reply.body) {
      size += chunk.length;
      if (size > MAX_REPLY_BYTES) throw ownError('malformed', `${model}: the reply exceeds the size limit`);
      chunks.push(chunk);
    }
    const text = Buffer.concat(chunks).toString();
    return { headers: plain(reply.headers), json: text.trim() === '' ? {} : parsed(text, model) };
  }
  const get = async (url: string) => (await send('GET', url)).json;
  const drop = async (url: string): Promise<void> => {
    await unlessGone(request('DELETE', url).then(({ body }) => body.dump()));
  };

  return {
    send,
    get,
    async post(url: string, body: string | Buffer, more?: Readonly<Record<string, string>>) {
      return (await send('POST', url, body, more)).json;
    },
    /** What is at an address; null where nothing is. */
    find: (url: string) => unlessGone(get(url)),
    /** The entries of a list that comes in pages; `read` finds in a page its entries and the place of the next page. */
    pages: (url: string, cursor: string, read: ReadPage) => pages(get, new URL(url), cursor, read),
    /** A file of JSON lines, object by object. */
    async *lines(url: string): AsyncGenerator<Json> {
      const { body } = await request('GET', url);
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
    /** Deletes; what is gone already is deleted. */
    drop,
    /** Deletes what a run file says is ours, one after the other, and returns what is left. */
    removeOwn: (resources: Iterable<OwnResource>) => removeOwn(resources, drop),
  };
}

function refusal(
  status: number,
  text: string,
  given: Record<string, string>,
  {
    host,
    model,
    secrets,
    hint,
  }: Readonly<Record<'host' | 'model' | 'hint', string>> & { readonly secrets: readonly string[] },
): BackendError {
  const { codes, message, retryDelay } = readErrorBody(text);
  const said = plainLine(withoutKeys(message, secrets), MAX_MESSAGE);
  const summary = `${model}: ${host} answered ${status}${hint}`;
  return ownError(httpFault(status, `${codes} ${message}`), `${summary}: ${said}`, {
    status,
    retryAfterSeconds: retryAfterSeconds(given, retryDelay),
    summary,
  });
}

type ReadPage = (page: Json) => { readonly items: unknown; readonly next: unknown };

async function* pages(
  get: (url: string) => Promise<Json>,
  address: URL,
  cursor: string,
  read: ReadPage,
): AsyncGenerator<Json> {
  for (let next: string | null = ''; next !== null; ) {
    if (next !== '') address.searchParams.set(cursor, next);
    const page = read(await get(address.href));
    yield* listIn(page.items);
    next = textIn(page.next);
  }
}

/** `isOwn` asks whether the provider says that it is ours, too; null where it is gone. */
interface OwnResource {
  readonly what: string;
  readonly url: string;
  isOwn(): Promise<boolean | null>;
}

async function removeOwn(
  resources: Iterable<OwnResource>,
  drop: (url: string) => Promise<void>,
): Promise<string[]> {
  const left: string[] = [];
  for (const { what, url, isOwn } of resources) {
    const shown = plainLine(what, MAX_MESSAGE);
    try {
      const own = await isOwn();
      if (own === false) left.push(`${shown}, which is not known to be of this run`);
      else if (own) await drop(url);
    } catch {
      left.push(shown);
    }
  }
  return left;
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

function parsed(text: string, model: string): Json {
  try {
    const value: unknown = JSON.parse(text);
    if (typeof value === 'object' && value !== null) return value as Json;
  } catch {}
  throw ownError('malformed', `${model}: a reply about a bulk job is not JSON; is the base URL right?`);
}

function plain(headers: Dispatcher.ResponseData['headers']): Record<string, string> {
  return Object.fromEntries(
    Object.entries(headers).flatMap(([name, value]) => (value === undefined ? [] : [[name, String(value)]])),
  );
}

/** The entries of a list that carry our mark. */
export async function* listMarks(
  entries: AsyncIterable<Json>,
  kind: RemoteMark['kind'],
  readNonce: (entry: Json) => string | null,
  readId: (entry: Json) => string | null,
): AsyncGenerator<RemoteMark> {
  for await (const entry of entries) {
    const [nonce, id] = [readNonce(entry), readId(entry)];
    if (nonce !== null && id !== null) yield { kind, id, nonce };
  }
}
