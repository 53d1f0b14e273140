import { type Envelope, unlessGone } from './envelope.ts';
import { count, type Json, list, object, text } from './json.ts';
import { idOf } from './openai-bulk.ts';
import { checkedId, idIn } from './remote-id.ts';
import { removeOwn } from './remove-own.ts';
import type { BulkItem, BulkWire, ItemResult } from './wire.ts';

/** Errors of single requests have a type in place of a status. */
const STATUS: Readonly<Record<string, number>> = {
  invalid_request_error: 400,
  authentication_error: 401,
  billing_error: 402,
  permission_error: 403,
  not_found_error: 404,
  request_too_large: 413,
  rate_limit_error: 429,
  api_error: 500,
  timeout_error: 504,
  overloaded_error: 529,
};
/** The provider's clock may be behind ours. */
const CLOCKS_APART_MS = 120_000;
const BETA = 'anthropic-beta';

/** Message batches. They carry no mark of ours: a job is known by time and size, and proved by its ids when it ends. */
export function anthropicBulk(address: string, http: Envelope): BulkWire {
  const base = `${address.replace(/\/messages.*$/, '')}/messages/batches`;
  const at = (id: string) => `${base}/${checkedId(id)}`;

  async function* jobs(): AsyncGenerator<Json> {
    let after: string | null = null;
    do {
      const { json } = await http.send({
        method: 'GET',
        url: `${base}?limit=100${after === null ? '' : `&after_id=${encodeURIComponent(after)}`}`,
      });
      yield* list(json.data);
      after = json.has_more === true ? text(json.last_id) : null;
    } while (after !== null);
  }

  return {
    maxRequests: 100_000,
    maxBytes: 240_000_000,
    marksJobs: false,
    upload: async () => null,
    async create(_, items) {
      const beta = [
        ...new Set((items ?? []).flatMap(({ request }) => request.headers[BETA]?.split(',') ?? [])),
      ];
      const { json } = await http.send({
        method: 'POST',
        url: base,
        body: `{"requests":[${(items ?? []).map(lineOf).join(',')}]}`,
        ...(beta.length > 0 && { headers: { [BETA]: beta.join(',') } }),
      });
      return idOf(json, 'batch');
    },
    async find({ n, intendedAt }, known) {
      for await (const job of jobs()) {
        const created = Date.parse(text(job.created_at) ?? '');
        if (created < intendedAt - CLOCKS_APART_MS) break;
        const total = Object.values(object(job.request_counts)).reduce<number>(
          (sum, value) => sum + (count(value) ?? 0),
          0,
        );
        const id = idIn(job.id);
        if (id !== null && total === n && !known.has(id)) return { remoteId: id, inputFile: null };
      }
      return { remoteId: null, inputFile: null };
    },
    async status(remoteId) {
      const { json } = await http.send({ method: 'GET', url: at(remoteId) });
      const says = text(json.processing_status) ?? 'unknown';
      const { processing, ...ended } = object(json.request_counts);
      const done = Object.values(ended).reduce<number>((sum, value) => sum + (count(value) ?? 0), 0);
      return { state: says === 'ended' ? 'ended' : 'running', says, done, resultFiles: [] };
    },
    async *results(remoteId) {
      for await (const line of http.lines(`${at(remoteId)}/results`)) {
        const result = resultOf(line);
        if (result !== null) yield result;
      }
    },
    async cancel(remoteId) {
      await http.send({ method: 'POST', url: `${at(remoteId)}/cancel`, body: '{}' });
    },
    async remove({ remoteId, idPrefix }) {
      if (remoteId === null) return [];
      const firstId = async () => {
        for await (const { custom_id } of http.lines(`${at(remoteId)}/results`)) return text(custom_id) ?? '';
        return '';
      };
      const isOwn = () => unlessGone(firstId().then((id) => id.startsWith(idPrefix)));
      return removeOwn([{ what: `batch ${remoteId}`, isOwn, drop: () => http.drop(at(remoteId)) }]);
    },
    removeMark: async () => {},
    async *list() {},
  };
}

function lineOf({ customId, request }: BulkItem): string {
  return `{"custom_id":${JSON.stringify(customId)},"params":${request.body}}`;
}

function resultOf(line: Json): ItemResult | null {
  const customId = text(line.custom_id);
  if (customId === null) return null;
  const { type, message, error } = object(line.result);
  if (type === 'succeeded') return { customId, reply: { status: 200, body: JSON.stringify(message) } };
  if (type !== 'errored') return { customId, reply: null };
  // The error is wrapped once more in some replies.
  const wrapped = object(error);
  const inner = object(wrapped.error ?? error);
  return {
    customId,
    reply: {
      status: STATUS[text(inner.type) ?? ''] ?? 500,
      body: JSON.stringify({ type: 'error', error: inner }),
    },
  };
}
