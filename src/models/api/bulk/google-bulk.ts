import { ownError } from '../../backend-error.ts';
import type { Envelope } from './envelope.ts';
import { count, type Json, list, object, text } from './json.ts';
import { checkedName, nameIn } from './remote-id.ts';
import { removeOwn } from './remove-own.ts';
import type { BulkItem, BulkWire, ItemResult, RemoteMark } from './wire.ts';

const NAME = /^krisis-([a-z0-9]+)$/;
/** Requests of less than this travel with the creation. */
const INLINE_BYTES = 18_000_000;
/** Codes of gRPC as statuses of HTTP. */
const STATUS: Readonly<Record<number, number>> = {
  3: 400,
  4: 504,
  5: 404,
  7: 403,
  8: 429,
  13: 500,
  14: 503,
  16: 401,
};

/** Batches of the Gemini API. */
export function googleBulk(address: string, http: Envelope): BulkWire {
  const { origin, pathname } = new URL(address);
  const model = pathname.replace(/:[^:]*$/, '');
  const version = pathname.split('/models/')[0]!;
  const api = `${origin}${version}`;
  const at = (name: string, action = '') => `${api}/${checkedName(name)}${action}`;
  const inlineBodies = (items: readonly BulkItem[]) =>
    items.map(
      ({ customId, request }) => `{"request":${request.body},"metadata":{"key":${JSON.stringify(customId)}}}`,
    );

  async function* jobs(): AsyncGenerator<Json> {
    let page: string | null = null;
    do {
      const { json } = await http.send({
        method: 'GET',
        url: `${api}/batches?pageSize=100${page === null ? '' : `&pageToken=${encodeURIComponent(page)}`}`,
      });
      yield* list(json.operations ?? json.batches);
      page = text(json.nextPageToken);
    } while (page !== null);
  }
  const markOf = (job: Json) => {
    const metadata = object(job.metadata);
    const named = text(metadata.displayName) ?? text(job.displayName) ?? '';
    return NAME.exec(named)?.[1] ?? null;
  };

  return {
    maxRequests: 50_000,
    maxBytes: 95_000_000,
    marksJobs: true,
    async upload(items, nonce) {
      const size = items.reduce((sum, { request }) => sum + request.body.length, 0);
      if (size < INLINE_BYTES) return null;
      const content = Buffer.from(
        items
          .map(({ customId, request }) => `{"key":${JSON.stringify(customId)},"request":${request.body}}`)
          .join('\n'),
      );
      const { headers } = await http.send({
        method: 'POST',
        url: `${origin}/upload${version}/files`,
        body: JSON.stringify({ file: { display_name: `krisis-${nonce}` } }),
        headers: {
          'x-goog-upload-protocol': 'resumable',
          'x-goog-upload-command': 'start',
          'x-goog-upload-header-content-length': String(content.length),
          'x-goog-upload-header-content-type': 'application/jsonl',
        },
      });
      const target = text(headers['x-goog-upload-url']);
      // The key must not go to a host that a reply names.
      if (target === null || new URL(target).origin !== origin)
        throw ownError('malformed', 'the provider returned no upload address on its own host');
      const { json } = await http.send({
        method: 'POST',
        url: target,
        body: content,
        headers: { 'x-goog-upload-offset': '0', 'x-goog-upload-command': 'upload, finalize' },
      });
      const name = nameIn(object(json.file).name);
      if (name === null) throw ownError('malformed', 'the provider returned no file name after the upload');
      return name;
    },
    async create({ nonce, inputFile }, items) {
      const config =
        inputFile === null
          ? `{"requests":{"requests":[${inlineBodies(items ?? []).join(',')}]}}`
          : JSON.stringify({ fileName: inputFile });
      const { json } = await http.send({
        method: 'POST',
        url: `${origin}${model}:batchGenerateContent`,
        body: `{"batch":{"displayName":"krisis-${nonce}","inputConfig":${config}}}`,
      });
      const name = nameIn(json.name);
      if (name === null) throw ownError('malformed', 'the provider returned no batch name');
      return name;
    },
    async find({ nonce }) {
      for await (const job of jobs())
        if (markOf(job) === nonce) return { remoteId: nameIn(job.name), inputFile: null };
      return { remoteId: null, inputFile: null };
    },
    async status(remoteId) {
      const { json } = await http.send({ method: 'GET', url: at(remoteId) });
      const metadata = object(json.metadata);
      const says = (text(metadata.state) ?? 'unknown').replace(/^(BATCH|JOB)_STATE_/, '');
      const stats = object(metadata.batchStats);
      const done = (count(stats.successfulRequestCount) ?? 0) + (count(stats.failedRequestCount) ?? 0);
      const file = nameIn(outputOf(json).responsesFile);
      const resultFiles = file === null ? [] : [file];
      if (says === 'FAILED')
        return { state: 'rejected', says: text(object(json.error).message) ?? 'FAILED', done, resultFiles };
      const isOver = ['SUCCEEDED', 'CANCELLED', 'EXPIRED'].includes(says);
      return { state: isOver ? 'ended' : 'running', says, done, resultFiles };
    },
    async *results(remoteId, [file]) {
      if (file !== undefined) {
        for await (const line of http.lines(
          `${origin}/download${version}/${checkedName(file)}:download?alt=media`,
        )) {
          const result = resultOf(line, text(line.key));
          if (result !== null) yield result;
        }
        return;
      }
      const { json } = await http.send({ method: 'GET', url: at(remoteId) });
      for (const answer of list(object(outputOf(json).inlinedResponses).inlinedResponses)) {
        const result = resultOf(answer, text(object(answer.metadata).key));
        if (result !== null) yield result;
      }
    },
    async cancel(remoteId) {
      await http.send({ method: 'POST', url: at(remoteId, ':cancel'), body: '{}' });
    },
    async remove({ nonce, remoteId, inputFile, resultFiles }) {
      const kept = (name: string, isOwn: (found: Json) => boolean, by = name) => ({
        what: name,
        isOwn: async () => {
          const found = await http.find(at(by));
          return found === null ? null : markOf(found) === nonce && isOwn(found);
        },
        drop: () => http.drop(at(name)),
      });
      const left = await removeOwn([
        ...(inputFile === null ? [] : [kept(inputFile, () => true)]),
        // Files of results have no name of ours: the job, which has, says which is its own.
        ...resultFiles.map((file) =>
          kept(file, (job) => outputOf(job).responsesFile === file, remoteId ?? file),
        ),
      ]);
      // Last: without the job, nothing would say whose files they are.
      const job = remoteId === null || left.length > 0 ? [] : [kept(remoteId, () => true)];
      return [...left, ...(await removeOwn(job))];
    },
    removeMark: ({ id }) => http.drop(at(id)),
    async *list() {
      for await (const job of jobs()) {
        const [nonce, id] = [markOf(job), nameIn(job.name)];
        if (nonce !== null && id !== null) yield { kind: 'job', id, nonce } satisfies RemoteMark;
      }
    },
  };
}

/** The output is part of the operation's response, or of its metadata: both were seen described. */
function outputOf(operation: Json): Json {
  const response = object(operation.response);
  if (response.responsesFile !== undefined || response.inlinedResponses !== undefined) return response;
  return object(response.output ?? object(operation.metadata).output);
}

function resultOf({ response, error }: Json, customId: string | null): ItemResult | null {
  if (customId === null) return null;
  if (response !== undefined) return { customId, reply: { status: 200, body: JSON.stringify(response) } };
  const code = count(object(error).code) ?? 13;
  const status = code >= 100 ? code : (STATUS[code] ?? 500);
  return { customId, reply: { status, body: JSON.stringify({ error }) } };
}
