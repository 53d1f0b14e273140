import { ownError } from '../../backend-error.ts';
import { fieldsIn, type Json, listIn } from '../faults.ts';
import { type BulkHttp, listMarks } from './bulk-http.ts';
import { checkedId, countIn, expectId, idIn, textIn } from './remote-id.ts';
import type { BulkWire, WireReply } from './wire.ts';

/** Ids are paths at Google. */
export const RESOURCE_NAME = /^(?:batches|files)\/[\w-]{1,256}$/;
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
export function googleBulk(address: string, http: BulkHttp): BulkWire {
  const { origin, pathname } = new URL(address);
  const model = pathname.replace(/:[^:]*$/, '');
  const version = pathname.split('/models/')[0]!;
  const api = `${origin}${version}`;
  const at = (name: string, action = '') => `${api}/${checkedId(name, RESOURCE_NAME)}${action}`;
  const jobs = () =>
    http.pages(`${api}/batches?pageSize=100`, 'pageToken', ({ operations, batches, nextPageToken }) => ({
      items: operations ?? batches,
      next: nextPageToken,
    }));
  const readNonce = (job: Json) => {
    const name = textIn(fieldsIn(job.metadata).displayName) ?? textIn(job.displayName) ?? '';
    return NAME.exec(name)?.[1] ?? null;
  };

  return {
    maxRequests: 50_000,
    maxBytes: 95_000_000,
    marksJobs: true,
    async upload(items, nonce) {
      const size = items.reduce((sum, { request }) => sum + request.body.length, 0);
      if (size < INLINE_BYTES) return null;
      const lines = items.map(
        ({ customId, request }) => `{"key":${JSON.stringify(customId)},"request":${request.body}}`,
      );
      return uploadFile(http, origin, version, `krisis-${nonce}`, Buffer.from(lines.join('\n')));
    },
    async create({ nonce, inputFile }, items) {
      const inline = (items ?? []).map(
        ({ customId, request }) =>
          `{"request":${request.body},"metadata":{"key":${JSON.stringify(customId)}}}`,
      );
      const config =
        inputFile === null
          ? `{"requests":{"requests":[${inline.join(',')}]}}`
          : JSON.stringify({ fileName: inputFile });
      const { name } = await http.post(
        `${origin}${model}:batchGenerateContent`,
        `{"batch":{"displayName":"krisis-${nonce}","inputConfig":${config}}}`,
      );
      return expectId(nameIn(name), 'batch name');
    },
    async find({ nonce }) {
      for await (const job of jobs())
        if (readNonce(job) === nonce) return { remoteId: nameIn(job.name), inputFile: null };
      return { remoteId: null, inputFile: null };
    },
    status: async (remoteId) => readStatus(await http.get(at(remoteId))),
    async *results(remoteId, [file]) {
      if (file !== undefined) {
        const name = checkedId(file, RESOURCE_NAME);
        for await (const line of http.lines(`${origin}/download${version}/${name}:download?alt=media`))
          yield { customId: textIn(line.key), reply: readReply(line) };
        return;
      }
      const { inlinedResponses } = readOutput(await http.get(at(remoteId)));
      for (const answer of listIn(fieldsIn(inlinedResponses).inlinedResponses))
        yield { customId: textIn(fieldsIn(answer.metadata).key), reply: readReply(answer) };
    },
    async cancel(remoteId) {
      await http.post(at(remoteId, ':cancel'), '{}');
    },
    async remove({ nonce, remoteId, inputFile, resultFiles }) {
      const resource = (name: string, isOwn: (found: Json) => boolean, by = name) => ({
        what: name,
        url: at(name),
        isOwn: async () => {
          const found = await http.find(at(by));
          return found === null ? null : readNonce(found) === nonce && isOwn(found);
        },
      });
      const left = await http.removeOwn([
        ...(inputFile === null ? [] : [resource(inputFile, () => true)]),
        // Files of results have no name of ours: the job, which has, says which is its own.
        ...resultFiles.map((file) =>
          resource(file, (job) => readOutput(job).responsesFile === file, remoteId ?? file),
        ),
      ]);
      // Last: without the job, nothing would say whose files they are.
      const job = remoteId === null || left.length > 0 ? [] : [resource(remoteId, () => true)];
      return [...left, ...(await http.removeOwn(job))];
    },
    removeMark: ({ id }) => http.drop(at(id)),
    list: () => listMarks(jobs(), 'job', readNonce, ({ name }) => nameIn(name)),
  };
}

/** Uploads a file of requests, and returns its name there. */
async function uploadFile(
  http: BulkHttp,
  origin: string,
  version: string,
  name: string,
  content: Buffer,
): Promise<string> {
  const { headers } = await http.send(
    'POST',
    `${origin}/upload${version}/files`,
    JSON.stringify({ file: { display_name: name } }),
    {
      'x-goog-upload-protocol': 'resumable',
      'x-goog-upload-command': 'start',
      'x-goog-upload-header-content-length': String(content.length),
      'x-goog-upload-header-content-type': 'application/jsonl',
    },
  );
  const target = textIn(headers['x-goog-upload-url']);
  // The key must not go to a host that a reply names.
  if (target === null || new URL(target).origin !== origin)
    throw ownError('malformed', 'the provider returned no upload address on its own host');
  const { file } = await http.post(target, content, {
    'x-goog-upload-offset': '0',
    'x-goog-upload-command': 'upload, finalize',
  });
  return expectId(nameIn(fieldsIn(file).name), 'file name after the upload');
}

function nameIn(value: unknown): string | null {
  return idIn(value, RESOURCE_NAME);
}

/** The output is part of the operation's response, or of its metadata: both were seen described. */
function readOutput(operation: Json): Json {
  const response = fieldsIn(operation.response);
  if (response.responsesFile !== undefined || response.inlinedResponses !== undefined) return response;
  return fieldsIn(response.output ?? fieldsIn(operation.metadata).output);
}

function readStatus(job: Json): Awaited<ReturnType<BulkWire['status']>> {
  const metadata = fieldsIn(job.metadata);
  const says = (textIn(metadata.state) ?? 'unknown').replace(/^(BATCH|JOB)_STATE_/, '');
  const stats = fieldsIn(metadata.batchStats);
  const done = (countIn(stats.successfulRequestCount) ?? 0) + (countIn(stats.failedRequestCount) ?? 0);
  const file = nameIn(readOutput(job).responsesFile);
  const resultFiles = file === null ? [] : [file];
  if (says === 'FAILED')
    return { state: 'rejected', says: textIn(fieldsIn(job.error).message) ?? 'FAILED', done, resultFiles };
  const isOver = ['SUCCEEDED', 'CANCELLED', 'EXPIRED'].includes(says);
  return { state: isOver ? 'ended' : 'running', says, done, resultFiles };
}

function readReply({ response, error }: Json): WireReply {
  if (response !== undefined) return { status: 200, body: JSON.stringify(response) };
  const code = countIn(fieldsIn(error).code) ?? 13;
  return { status: code >= 100 ? code : (STATUS[code] ?? 500), body: JSON.stringify({ error }) };
}
