import { fieldsIn, type Json, listIn } from '../faults.ts';
import { type BulkHttp, listMarks } from './bulk-http.ts';
import { splitAddress, uploadItems } from './openai-bulk.ts';
import { checkedId, countIn, expectId, idIn, textIn } from './remote-id.ts';
import type { BulkWire, WireReply } from './wire.ts';

const NAME = /^krisis-([a-z0-9]+)(\.jsonl)?$/;

/** Batches of xAI: they have counts in place of a status. */
export function xaiBulk(address: string, http: BulkHttp): BulkWire {
  const { base, endpoint } = splitAddress(address);
  const at = (id: string) => `${base}/batches/${checkedId(id)}`;
  const fileAt = (id: string) => `${base}/files/${checkedId(id)}`;
  const readMark = (name: unknown) => NAME.exec(textIn(name) ?? '')?.[1] ?? null;
  const readNonce = ({ filename }: Json) => readMark(filename);
  const readFileId = ({ id, file_id }: Json) => idIn(id) ?? idIn(file_id);
  const pages = (url: string, key: string) =>
    http.pages(`${url}?limit=100`, 'pagination_token', (page) => ({
      items: page[key] ?? page.data,
      next: page.pagination_token,
    }));
  const files = () => pages(`${base}/files`, 'files');

  return {
    maxRequests: 50_000,
    maxBytes: 24_000_000,
    marksJobs: true,
    upload: (items, nonce, { input }) =>
      uploadItems(http, `${base}/files`, `/v1${endpoint}`, items, nonce, {
        expires_after: String(input),
        purpose: 'batch',
      }),
    async create({ nonce, inputFile }) {
      const batch = { name: `krisis-${nonce}`, input_file_id: inputFile };
      const { id, batch_id } = await http.post(`${base}/batches`, JSON.stringify(batch));
      return expectId(idIn(id) ?? idIn(batch_id), 'batch id');
    },
    async find({ nonce }) {
      for await (const batch of pages(`${base}/batches`, 'batches'))
        if (readMark(batch.name) === nonce)
          return { remoteId: idIn(batch.batch_id) ?? idIn(batch.id), inputFile: null };
      for await (const file of files())
        if (readNonce(file) === nonce) return { remoteId: null, inputFile: readFileId(file) };
      return { remoteId: null, inputFile: null };
    },
    async status(remoteId) {
      const batch = await http.get(at(remoteId));
      const state = fieldsIn(batch.state);
      const [total, pending] = [countIn(state.num_requests) ?? 0, countIn(state.num_pending)];
      const expires = Date.parse(textIn(batch.expire_time) ?? '');
      const isOver = (total > 0 && pending === 0) || expires < Date.now();
      const done = pending === null ? null : total - pending;
      const says = isOver ? (textIn(batch.cancel_time) === null ? 'ended' : 'cancelled') : 'pending';
      return { state: isOver ? 'ended' : 'running', says, done, resultFiles: [] };
    },
    async *results(remoteId) {
      for await (const line of pages(`${at(remoteId)}/results`, 'results'))
        yield {
          customId: textIn(line.batch_request_id) ?? textIn(line.custom_id),
          reply: readReply(line, endpoint === '/responses'),
        };
    },
    async cancel(remoteId) {
      await http.post(`${at(remoteId)}:cancel`, '{}');
    },
    async remove({ nonce, inputFile }) {
      if (inputFile === null) return [];
      const isOwn = async () => {
        const file = await http.find(fileAt(inputFile));
        return file === null ? null : readNonce(file) === nonce;
      };
      return http.removeOwn([{ what: `file ${inputFile}`, url: fileAt(inputFile), isOwn }]);
    },
    removeMark: ({ id }) => http.drop(fileAt(id)),
    list: () => listMarks(files(), 'file', readNonce, readFileId),
  };
}

function readReply(line: Json, isResponses: boolean): WireReply | null {
  const result = fieldsIn(line.batch_result);
  const reply = findReply(fieldsIn(result.response));
  if (reply !== null) return { status: 200, body: JSON.stringify(isResponses ? toResponse(reply) : reply) };
  const error = fieldsIn(result.error);
  const message = textIn(line.error_message) ?? textIn(error.message);
  if (message === null) return null;
  const status = countIn(error.code) ?? 500;
  return { status: status >= 400 ? status : 500, body: JSON.stringify({ error: message }) };
}

/** The reply itself, which may be wrapped under the name of its endpoint. */
function findReply(response: Json): Json | null {
  const candidates = [response, ...Object.values(response).map(fieldsIn)];
  return candidates.find((one) => Array.isArray(one.choices) || Array.isArray(one.output)) ?? null;
}

/** Requests to the Responses API are answered in the shape of chat completions: this is the shape that was asked for. */
function toResponse(reply: Json): Json {
  if (Array.isArray(reply.output)) return reply;
  const [choice] = listIn(reply.choices);
  const message = fieldsIn(choice?.message);
  const usage = fieldsIn(reply.usage);
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
