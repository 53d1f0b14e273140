import { ownError } from '../../backend-error.ts';
import type { Envelope } from './envelope.ts';
import { count, type Json, list, object, text } from './json.ts';
import { multipart } from './multipart.ts';
import { checkedId, idIn } from './remote-id.ts';
import { removeOwn } from './remove-own.ts';
import type { BulkItem, BulkWire, ItemResult, RemoteMark } from './wire.ts';

const MARK = 'krisis_batch';
const FILE = /^krisis-([a-z0-9]+)\.jsonl$/;
/** What has an end: what else a server may say is waited for. */
const ENDED = ['completed', 'expired', 'cancelled'];
const NOT_REACHED = ['batch_expired', 'batch_cancelled'];
const ENDPOINTS = ['/chat/completions', '/responses'];

/** Files and batches as OpenAI has them; Azure, Groq, Together and others copy them. */
export function openaiBulk(
  address: string,
  http: Envelope,
  { isAzure = false }: { readonly isAzure?: boolean } = {},
): BulkWire {
  const { base, endpoint, query } = partsOf(address);
  // Azure names the path below its own prefix.
  const path = isAzure ? endpoint : `/v1${endpoint}`;
  const at = (rest: string) =>
    `${base}${rest}${query === '' ? '' : `${rest.includes('?') ? '&' : '?'}${query}`}`;

  const fileAt = (id: string) => at(`/files/${checkedId(id)}`);
  const batchAt = (id: string, action = '') => at(`/batches/${checkedId(id)}${action}`);
  const readNonce = (file: Json) => FILE.exec(text(file.filename) ?? '')?.[1];
  const listOutputs = (batch: Json) =>
    [idIn(batch.output_file_id), idIn(batch.error_file_id)].flatMap((file) => file ?? []);

  async function* pages(rest: string): AsyncGenerator<Json> {
    let after: string | null = null;
    do {
      const { json } = await http.send({
        method: 'GET',
        url: at(
          `${rest}${rest.includes('?') ? '&' : '?'}limit=100${after === null ? '' : `&after=${encodeURIComponent(after)}`}`,
        ),
      });
      const found = list(json.data);
      yield* found;
      after = json.has_more === true ? text(found.at(-1)?.id) : null;
    } while (after !== null);
  }

  return {
    maxRequests: 50_000,
    maxBytes: 95_000_000,
    marksJobs: true,
    async upload(items, nonce, { input }) {
      const form = multipart(
        {
          purpose: 'batch',
          'expires_after[anchor]': 'created_at',
          'expires_after[seconds]': String(input),
        },
        { name: `krisis-${nonce}.jsonl`, content: items.map((item) => lineOf(item, path)).join('\n') },
      );
      const { json } = await http.send({ method: 'POST', url: at('/files'), ...form });
      return idOf(json, 'file');
    },
    async create({ nonce, inputFile }, _, { output }) {
      const { json } = await http.send({
        method: 'POST',
        url: at('/batches'),
        body: JSON.stringify({
          input_file_id: inputFile,
          endpoint: path,
          completion_window: '24h',
          metadata: { [MARK]: nonce },
          output_expires_after: { anchor: 'created_at', seconds: output },
        }),
      });
      return idOf(json, 'batch');
    },
    async find({ nonce }) {
      for await (const batch of pages('/batches'))
        if (object(batch.metadata)[MARK] === nonce && batch.status !== 'failed')
          return { remoteId: idIn(batch.id), inputFile: idIn(batch.input_file_id) };
      for await (const file of pages('/files?purpose=batch'))
        if (readNonce(file) === nonce) return { remoteId: null, inputFile: idIn(file.id) };
      return { remoteId: null, inputFile: null };
    },
    async status(remoteId) {
      const { json } = await http.send({ method: 'GET', url: batchAt(remoteId) });
      const says = text(json.status) ?? 'unknown';
      const counts = object(json.request_counts);
      const done = (count(counts.completed) ?? 0) + (count(counts.failed) ?? 0);
      const resultFiles = listOutputs(json);
      if (says === 'failed') return { state: 'rejected', says: whyFailed(json), done, resultFiles };
      return { state: ENDED.includes(says) ? 'ended' : 'running', says, done, resultFiles };
    },
    async *results(_, resultFiles) {
      for (const file of resultFiles)
        for await (const line of http.lines(at(`/files/${checkedId(file)}/content`))) {
          const result = resultOf(line);
          if (result !== null) yield result;
        }
    },
    async cancel(remoteId) {
      await http.send({ method: 'POST', url: batchAt(remoteId, '/cancel'), body: '{}' });
    },
    async remove({ nonce, remoteId, inputFile, resultFiles }) {
      const kept = (id: string, isOwn: () => Promise<boolean | null>) => ({
        what: `file ${id}`,
        isOwn,
        drop: () => http.drop(fileAt(id)),
      });
      const isInput = async (id: string) => {
        const file = await http.find(fileAt(id));
        return file === null ? null : readNonce(file) === nonce;
      };
      // The names of result files are the provider's: the job, which has our mark, says which are its own.
      let outputs: readonly string[] | undefined;
      const isOutput = async (id: string) => {
        const batch = outputs === undefined && remoteId !== null ? await http.find(batchAt(remoteId)) : null;
        outputs ??= batch !== null && object(batch.metadata)[MARK] === nonce ? listOutputs(batch) : [];
        return outputs.includes(id);
      };
      return removeOwn([
        ...(inputFile === null ? [] : [kept(inputFile, () => isInput(inputFile))]),
        ...resultFiles.map((file) => kept(file, () => isOutput(file))),
      ]);
    },
    async removeMark({ kind, id }) {
      if (kind === 'file') await http.drop(fileAt(id));
    },
    async *list() {
      for await (const file of pages('/files?purpose=batch')) {
        const [nonce, id] = [readNonce(file), idIn(file.id)];
        if (nonce !== undefined && id !== null) yield { kind: 'file', id, nonce } satisfies RemoteMark;
      }
    },
  };
}

/** The address of an ordinary call without its endpoint. */
function partsOf(address: string): { base: string; endpoint: string; query: string } {
  const { origin, pathname, search } = new URL(address);
  const endpoint = ENDPOINTS.find((known) => pathname.endsWith(known)) ?? ENDPOINTS[0]!;
  const base = pathname.endsWith(endpoint) ? pathname.slice(0, -endpoint.length) : pathname;
  return { base: `${origin}${base}`, endpoint, query: search.slice(1) };
}

export function lineOf({ customId, request }: BulkItem, path: string): string {
  return JSON.stringify({
    custom_id: customId,
    method: 'POST',
    url: path,
    body: JSON.parse(request.body) as unknown,
  });
}

export function idOf(json: Json, what: string): string {
  const id = idIn(json.id) ?? idIn(json[`${what}_id`]);
  if (id === null) throw ownError('malformed', `the provider returned no ${what} id`);
  return id;
}

function resultOf(line: Json): ItemResult | null {
  const customId = text(line.custom_id);
  if (customId === null) return null;
  const response = object(line.response);
  const error = object(line.error);
  if (NOT_REACHED.includes(text(error.code) ?? '')) return { customId, reply: null };
  const status = count(response.status_code) ?? 0;
  // A status that is none says that the server did not get that far.
  if (status < 100) return { customId, reply: { status: 500, body: JSON.stringify({ error }) } };
  return { customId, reply: { status, body: JSON.stringify(response.body ?? { error }) } };
}

function whyFailed(json: Json): string {
  const [first] = list(object(json.errors).data);
  const line = count(first?.line);
  return `${text(first?.code) ?? 'failed'}${line === null ? '' : ` in line ${line}`}`;
}
