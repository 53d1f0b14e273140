import { fieldsIn, type Json } from '../faults.ts';
import { type BulkHttp, unlessGone } from './bulk-http.ts';
import { checkedId, countIn, expectId, idIn, textIn } from './remote-id.ts';
import type { BulkItem, BulkWire, WireReply } from './wire.ts';

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
export function anthropicBulk(address: string, http: BulkHttp): BulkWire {
  const base = `${address.replace(/\/messages.*$/, '')}/messages/batches`;
  const at = (id: string) => `${base}/${checkedId(id)}`;

  const jobs = () =>
    http.pages(`${base}?limit=100`, 'after_id', ({ data, has_more, last_id }) => ({
      items: data,
      next: has_more === true ? last_id : null,
    }));

  return {
    maxRequests: 100_000,
    maxBytes: 240_000_000,
    marksJobs: false,
    upload: async () => null,
    async create(_, items) {
      const beta = [
        ...new Set((items ?? []).flatMap(({ request }) => request.headers[BETA]?.split(',') ?? [])),
      ];
      const { id, batch_id } = await http.post(
        base,
        `{"requests":[${(items ?? []).map(formatItem).join(',')}]}`,
        beta.length > 0 ? { [BETA]: beta.join(',') } : {},
      );
      return expectId(idIn(id) ?? idIn(batch_id), 'batch id');
    },
    async find({ n, intendedAt }, known) {
      for await (const job of jobs()) {
        const created = Date.parse(textIn(job.created_at) ?? '');
        if (created < intendedAt - CLOCKS_APART_MS) break;
        const total = sumCounts(fieldsIn(job.request_counts));
        const id = idIn(job.id);
        if (id !== null && total === n && !known.has(id)) return { remoteId: id, inputFile: null };
      }
      return { remoteId: null, inputFile: null };
    },
    async status(remoteId) {
      const job = await http.get(at(remoteId));
      const says = textIn(job.processing_status) ?? 'unknown';
      const { processing: _, ...ended } = fieldsIn(job.request_counts);
      return { state: says === 'ended' ? 'ended' : 'running', says, done: sumCounts(ended), resultFiles: [] };
    },
    async *results(remoteId) {
      for await (const { custom_id, result } of http.lines(`${at(remoteId)}/results`))
        yield { customId: textIn(custom_id), reply: readReply(fieldsIn(result)) };
    },
    async cancel(remoteId) {
      await http.post(`${at(remoteId)}/cancel`, '{}');
    },
    async remove({ remoteId, idPrefix }) {
      if (remoteId === null) return [];
      const firstId = async () => {
        for await (const { custom_id } of http.lines(`${at(remoteId)}/results`))
          return textIn(custom_id) ?? '';
        return '';
      };
      const isOwn = () => unlessGone(firstId().then((id) => id.startsWith(idPrefix)));
      return http.removeOwn([{ what: `batch ${remoteId}`, url: at(remoteId), isOwn }]);
    },
    removeMark: async () => {},
    async *list() {},
  };
}

function formatItem({ customId, request }: BulkItem): string {
  return `{"custom_id":${JSON.stringify(customId)},"params":${request.body}}`;
}

function sumCounts(counts: Json): number {
  return Object.values(counts).reduce<number>((sum, value) => sum + (countIn(value) ?? 0), 0);
}

function readReply({ type, message, error }: Json): WireReply | null {
  if (type === 'succeeded') return { status: 200, body: JSON.stringify(message) };
  if (type !== 'errored') return null;
  // The error is wrapped once more in some replies.
  const inner = fieldsIn(fieldsIn(error).error ?? error);
  return {
    status: STATUS[textIn(inner.type) ?? ''] ?? 500,
    body: JSON.stringify({ type: 'error', error: inner }),
  };
}
