import { randomUUID } from 'node:crypto';
import { fieldsIn, type Json, listIn } from '../faults.ts';
import { type BulkHttp, listMarks } from './bulk-http.ts';
import { checkedId, countIn, expectId, idIn, textIn } from './remote-id.ts';
import type { BulkItem, BulkWire, WireReply } from './wire.ts';

const MARK = 'krisis_batch';
const FILE = /^krisis-([a-z0-9]+)\.jsonl$/;
/** What has an end: what else a server may say is waited for. */
const ENDED = ['completed', 'expired', 'cancelled'];
const NOT_REACHED = ['batch_expired', 'batch_cancelled'];
const ENDPOINTS = ['/chat/completions', '/responses'];

/** Files and batches as OpenAI has them; Azure, Groq, Together and others copy them. */
export function openaiBulk(address: string, http: BulkHttp, prefix = '/v1'): BulkWire {
  const { base, endpoint, query } = splitAddress(address);
  const path = `${prefix}${endpoint}`;
  const at = (rest: string) =>
    `${base}${rest}${query === '' ? '' : `${rest.includes('?') ? '&' : '?'}${query}`}`;

  const fileAt = (id: string) => at(`/files/${checkedId(id)}`);
  const batchAt = (id: string, action = '') => at(`/batches/${checkedId(id)}${action}`);
  const readNonce = (file: Json) => FILE.exec(textIn(file.filename) ?? '')?.[1] ?? null;
  const listOutputs = (batch: Json) =>
    [idIn(batch.output_file_id), idIn(batch.error_file_id)].flatMap((file) => file ?? []);

  const pages = (rest: string) =>
    http.pages(at(rest), 'after', ({ data, has_more }) => ({
      items: data,
      next: has_more === true ? listIn(data).at(-1)?.id : null,
    }));
  const batches = () => pages('/batches?limit=100');
  const files = () => pages('/files?purpose=batch&limit=100');

  return {
    maxRequests: 50_000,
    maxBytes: 95_000_000,
    marksJobs: true,
    upload: (items, nonce, { input }) =>
      uploadItems(http, at('/files'), path, items, nonce, {
        purpose: 'batch',
        'expires_after[anchor]': 'created_at',
        'expires_after[seconds]': String(input),
      }),
    async create({ nonce, inputFile }, _, { output }) {
      const batch = {
        input_file_id: inputFile,
        endpoint: path,
        completion_window: '24h',
        metadata: { [MARK]: nonce },
        output_expires_after: { anchor: 'created_at', seconds: output },
      };
      const { id, batch_id } = await http.post(at('/batches'), JSON.stringify(batch));
      return expectId(idIn(id) ?? idIn(batch_id), 'batch id');
    },
    async find({ nonce }) {
      for await (const batch of batches())
        if (fieldsIn(batch.metadata)[MARK] === nonce && batch.status !== 'failed')
          return { remoteId: idIn(batch.id), inputFile: idIn(batch.input_file_id) };
      for await (const file of files())
        if (readNonce(file) === nonce) return { remoteId: null, inputFile: idIn(file.id) };
      return { remoteId: null, inputFile: null };
    },
    async status(remoteId) {
      const batch = await http.get(batchAt(remoteId));
      const says = textIn(batch.status) ?? 'unknown';
      const { completed, failed } = fieldsIn(batch.request_counts);
      const done = (countIn(completed) ?? 0) + (countIn(failed) ?? 0);
      const resultFiles = listOutputs(batch);
      if (says === 'failed') return { state: 'rejected', says: readFailure(batch), done, resultFiles };
      return { state: ENDED.includes(says) ? 'ended' : 'running', says, done, resultFiles };
    },
    async *results(_, resultFiles) {
      for (const file of resultFiles)
        for await (const line of http.lines(at(`/files/${checkedId(file)}/content`)))
          yield { customId: textIn(line.custom_id), reply: readReply(line) };
    },
    async cancel(remoteId) {
      await http.post(batchAt(remoteId, '/cancel'), '{}');
    },
    async remove({ nonce, remoteId, inputFile, resultFiles }) {
      const file = (id: string, isOwn: (id: string) => Promise<boolean | null>) => ({
        what: `file ${id}`,
        url: fileAt(id),
        isOwn: () => isOwn(id),
      });
      const isInput = async (id: string) => {
        const found = await http.find(fileAt(id));
        return found === null ? null : readNonce(found) === nonce;
      };
      // The names of result files are the provider's: the job, which has our mark, says which are its own.
      let outputs: readonly string[] | undefined;
      const isOutput = async (id: string) => {
        const batch = outputs === undefined && remoteId !== null ? await http.find(batchAt(remoteId)) : null;
        outputs ??= batch !== null && fieldsIn(batch.metadata)[MARK] === nonce ? listOutputs(batch) : [];
        return outputs.includes(id);
      };
      return http.removeOwn([
        ...(inputFile === null ? [] : [file(inputFile, isInput)]),
        ...resultFiles.map((id) => file(id, isOutput)),
      ]);
    },
    removeMark: ({ id }) => http.drop(fileAt(id)),
    list: () => listMarks(files(), 'file', readNonce, ({ id }) => idIn(id)),
  };
}

/** The address of an ordinary call, with its endpoint apart. */
export function splitAddress(address: string) {
  const { origin, pathname, search } = new URL(address);
  const endpoint = ENDPOINTS.find((known) => pathname.endsWith(known)) ?? ENDPOINTS[0]!;
  const base = pathname.endsWith(endpoint) ? pathname.slice(0, -endpoint.length) : pathname;
  return { base: `${origin}${base}`, endpoint, query: search.slice(1) };
}

/** Uploads requests as a file of JSON lines. The file is at the end of the form: some servers read the fields before they accept it. */
export async function uploadItems(
  http: BulkHttp,
  url: string,
  path: string,
  items: readonly BulkItem[],
  nonce: string,
  fields: Readonly<Record<string, string>>,
): Promise<string> {
  const boundary = `krisis-${randomUUID()}`;
  const parts = Object.entries(fields).map(
    ([name, value]) => `--${boundary}\r\nContent-Disposition: form-data; name="${name}"\r\n\r\n${value}\r\n`,
  );
  const head = `--${boundary}\r\nContent-Disposition: form-data; name="file"; filename="krisis-${nonce}.jsonl"\r\nContent-Type: application/jsonl\r\n\r\n`;
  const lines = items.map(({ customId, request }) =>
    JSON.stringify({
      custom_id: customId,
      method: 'POST',
      url: path,
      body: JSON.parse(request.body) as unknown,
    }),
  );
  const body = Buffer.from(`${parts.join('')}${head}${lines.join('\n')}\r\n--${boundary}--\r\n`);
  const { id, file_id } = await http.post(url, body, {
    'content-type': `multipart/form-data; boundary=${boundary}`,
  });
  return expectId(idIn(id) ?? idIn(file_id), 'file id');
}

function readReply(line: Json): WireReply | null {
  const response = fieldsIn(line.response);
  const error = fieldsIn(line.error);
  if (NOT_REACHED.includes(textIn(error.code) ?? '')) return null;
  const status = countIn(response.status_code) ?? 0;
  // A status that is none says that the server did not get that far.
  if (status < 100) return { status: 500, body: JSON.stringify({ error }) };
  return { status, body: JSON.stringify(response.body ?? { error }) };
}

function readFailure(batch: Json): string {
  const [first] = listIn(fieldsIn(batch.errors).data);
  const line = countIn(first?.line);
  return `${textIn(first?.code) ?? 'failed'}${line === null ? '' : ` in line ${line}`}`;
}
