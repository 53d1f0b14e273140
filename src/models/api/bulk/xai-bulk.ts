import type { Envelope } from './envelope.ts';
import { count, type Json, list, object, text } from './json.ts';
import { multipart } from './multipart.ts';
import { idOf, lineOf } from './openai-bulk.ts';
import { checkedId, idIn } from './remote-id.ts';
import { removeOwn } from './remove-own.ts';
import type { BulkWire, ItemResult, RemoteMark } from './wire.ts';

const NAME = /^krisis-([a-z0-9]+)(\.jsonl)?$/;

/** Batches of xAI: they have counts in place of a status. */
export function xaiBulk(address: string, http: Envelope): BulkWire {
  const { origin, pathname } = new URL(address);
  const endpoint = pathname.endsWith('/responses') ? '/responses' : '/chat/completions';
  const base = `${origin}${pathname.slice(0, -endpoint.length)}`;
  const at = (id: string) => `${base}/batches/${checkedId(id)}`;
  const fileAt = (id: string) => `${base}/files/${checkedId(id)}`;
  const readNonce = (file: Json) => NAME.exec(text(file.filename) ?? '')?.[1];
  const readFileId = (file: Json) => idIn(file.id) ?? idIn(file.file_id);

  async function* pages(url: string, key: string): AsyncGenerator<Json> {
    let token: string | null = null;
    do {
      const { json } = await http.send({
        method: 'GET',
        url: `${url}?limit=100${token === null ? '' : `&pagination_token=${encodeURIComponent(token)}`}`,
      });
      yield* list(json[key] ?? json.data);
      token = text(json.pagination_token);
    } while (token !== null);
  }

  return {
    maxRequests: 50_000,
    maxBytes: 24_000_000,
    marksJobs: true,
    async upload(items, nonce, { input }) {
      const form = multipart(
        { expires_after: String(input), purpose: 'batch' },
        {
          name: `krisis-${nonce}.jsonl`,
          content: items.map((item) => lineOf(item, `/v1${endpoint}`)).join('\n'),
        },
      );
      const { json } = await http.send({ method: 'POST', url: `${base}/files`, ...form });
      return idOf(json, 'file');
    },
    async create({ nonce, inputFile }) {
      const { json } = await http.send({
        method: 'POST',
        url: `${base}/batches`,
        body: JSON.stringify({ name: `krisis-${nonce}`, input_file_id: inputFile }),
      });
      return idOf(json, 'batch');
    },
    async find({ nonce }) {
      for await (const batch of pages(`${base}/batches`, 'batches'))
        if (NAME.exec(text(batch.name) ?? '')?.[1] === nonce)
          return { remoteId: idIn(batch.batch_id) ?? idIn(batch.id), inputFile: null };
      for await (const file of pages(`${base}/files`, 'files'))
        if (readNonce(file) === nonce) return { remoteId: null, inputFile: readFileId(file) };
      return { remoteId: null, inputFile: null };
    },
    async status(remoteId) {
      const { json } = await http.send({ method: 'GET', url: at(remoteId) });
      const state = object(json.state);
      const [total, pending] = [count(state.num_requests) ?? 0, count(state.num_pending)];
      const expires = Date.parse(text(json.expire_time) ?? '');
      const isOver = (total > 0 && pending === 0) || expires < Date.now();
      const done = pending === null ? null : total - pending;
      const says = isOver ? (text(json.cancel_time) === null ? 'ended' : 'cancelled') : 'pending';
      return { state: isOver ? 'ended' : 'running', says, done, resultFiles: [] };
    },
    async *results(remoteId) {
      for await (const line of pages(`${at(remoteId)}/results`, 'results')) {
        const result = resultOf(line, endpoint === '/responses');
        if (result !== null) yield result;
      }
    },
    async cancel(remoteId) {
      await http.send({ method: 'POST', url: `${at(remoteId)}:cancel`, body: '{}' });
    },
    async remove({ nonce, inputFile }) {
      if (inputFile === null) return [];
      const isOwn = async () => {
        const file = await http.find(fileAt(inputFile));
        return file === null ? null : readNonce(file) === nonce;
      };
      return removeOwn([{ what: `file ${inputFile}`, isOwn, drop: () => http.drop(fileAt(inputFile)) }]);
    },
    async removeMark({ kind, id }) {
      if (kind === 'file') await http.drop(fileAt(id));
    },
    async *list() {
      for await (const file of pages(`${base}/files`, 'files')) {
        const [nonce, id] = [readNonce(file), readFileId(file)];
        if (nonce !== undefined && id !== null) yield { kind: 'file', id, nonce } satisfies RemoteMark;
      }
    },
  };
}

function resultOf(line: Json, asResponses: boolean): ItemResult | null {
  const customId = text(line.batch_request_id) ?? text(line.custom_id);
  if (customId === null) return null;
  const result = object(line.batch_result);
  const response = replyIn(object(result.response));
  if (response !== null)
    return {
      customId,
      reply: { status: 200, body: JSON.stringify(asResponses ? asResponse(response) : response) },
    };
  const error = object(result.error);
  const message = text(line.error_message) ?? text(error.message);
  if (message === null) return { customId, reply: null };
  const status = count(error.code) ?? 500;
  return {
    customId,
    reply: { status: status >= 400 ? status : 500, body: JSON.stringify({ error: message }) },
  };
}

/** The reply itself, which may be wrapped under the name of its endpoint. */
function replyIn(given: Json): Json | null {
  const candidates = [given, ...Object.values(given).map(object)];
  return candidates.find((one) => Array.isArray(one.choices) || Array.isArray(one.output)) ?? null;
}

/** Requests to the Responses API are answered in the shape of chat completions: this is the shape that was asked for. */
function asResponse(reply: Json): Json {
  if (Array.isArray(reply.output)) return reply;
  const [choice] = list(reply.choices);
  const message = object(choice?.message);
  const usage = object(reply.usage);
  const isCut = choice?.finish_reason === 'length';
  return {
    id: reply.id ?? 'batch',
    object: 'response',
    created_at: reply.created ?? 0,
    model: reply.model ?? '',
    status: isCut ? 'incomplete' : 'completed',
    ...(isCut && { incomplete_details: { reason: 'max_output_tokens' } }),
    output: [
      {
        type: 'message',
        id: 'message',
        role: 'assistant',
        status: 'completed',
        content: [
          message.refusal
            ? { type: 'refusal', refusal: message.refusal }
            : { type: 'output_text', text: message.content ?? '', annotations: [], logprobs: [] },
        ],
      },
    ],
    usage: {
      input_tokens: usage.prompt_tokens ?? 0,
      output_tokens: usage.completion_tokens ?? 0,
      total_tokens: usage.total_tokens ?? 0,
    },
  };
}
