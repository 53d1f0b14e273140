import { randomBytes } from 'node:crypto';
import { chance } from './chance.ts';

/** How the emulated provider treats bulk jobs. */
export interface BulkBehaviour {
  /** Looks at a job before it has ended. Default: 1. */
  readonly looks?: number;
  /** Share of requests that the job does not get to, the first time that they are asked. */
  readonly expiredShare?: number;
  /** Share of requests that end in an error of the server, the first time that they are asked. */
  readonly errorShare?: number;
  /** Share of requests that the provider refuses, always. */
  readonly refusedShare?: number;
  /** The first jobs are refused after their creation, with this code. */
  readonly rejectFirst?: { readonly jobs: number; readonly code: string };
  /** Results hold one to a request that nobody made: beside the others, or in place of all. */
  readonly strangeResult?: 'beside' | 'alone';
  /** Results are gone when they are asked for. */
  readonly resultsGone?: boolean;
  /** Deletions are refused. */
  readonly keepsAll?: boolean;
  /** Done, but not answered: the number of the request about bulk jobs, from 1, that the emulator carries out and never answers. */
  readonly silentAt?: number;
}

export interface BulkState {
  /** Requests about bulk jobs, in order: `POST /files`. */
  readonly asked: readonly string[];
  readonly files: readonly string[];
  /** Jobs that are not deleted. */
  readonly jobs: number;
  readonly jobsCreated: number;
  /** How often each request was part of a job that was created. */
  readonly timesAsked: Readonly<Record<string, number>>;
  readonly problems: readonly string[];
}

interface Answered {
  readonly status: number;
  readonly body: string;
  readonly headers?: Readonly<Record<string, string>>;
}

interface Item {
  readonly id: string;
  readonly path: string;
  readonly body: string;
}

interface Job {
  readonly id: string;
  readonly shape: 'openai' | 'anthropic' | 'google' | 'xai';
  readonly mark: string | null;
  readonly items: readonly Item[];
  readonly inputFile: string | null;
  readonly created: number;
  looks: number;
  outcome: Map<string, { status: number; body: unknown } | null> | null;
  cancelled: boolean;
  rejected: string | null;
  outputs: string[];
}

/** Answers one request of a job as if it had come by itself. */
type Answer = (path: string, body: string) => { status: number; body: unknown };

const ID = /^[A-Za-z0-9_-]{1,64}$/;

/** The bulk jobs of four providers, each in its own words, strict about what it is sent. */
export function createBulkDesk(behaviour: BulkBehaviour | undefined, answer: Answer) {
  const files = new Map<string, { name: string; content: string; purpose: string }>();
  const jobs = new Map<string, Job>();
  const uploads = new Map<string, string>();
  const asked: string[] = [];
  const problems: string[] = [];
  const timesAsked: Record<string, number> = {};
  let created = 0;
  let number = 0;
  const newId = (prefix: string) => `${prefix}${randomBytes(6).toString('hex')}`;

  const refuse = (message: string, status = 400): Answered => {
    problems.push(message);
    return json({ error: { message, type: 'invalid_request_error', code: 'invalid' } }, status);
  };

  function begin(
    shape: Job['shape'],
    items: Item[],
    mark: string | null,
    inputFile: string | null,
  ): Job | Answered {
    const ids = new Set(items.map(({ id }) => id));
    if (items.length === 0) return refuse('no requests');
    if (ids.size < items.length) return refuse('duplicate_custom_id');
    const wrong = items.find(({ id }) => !ID.test(id));
    if (wrong !== undefined) return refuse(`custom_id ${wrong.id}`);
    created += 1;
    for (const { id } of items) timesAsked[id] = (timesAsked[id] ?? 0) + 1;
    const rejectFirst = behaviour?.rejectFirst;
    const job: Job = {
      id: newId({ openai: 'batch_', anthropic: 'msgbatch_', google: 'batches/', xai: 'xb_' }[shape]),
      shape,
      mark,
      items,
      inputFile,
      created: Date.now(),
      looks: 0,
      outcome: null,
      cancelled: false,
      rejected: rejectFirst !== undefined && created <= rejectFirst.jobs ? rejectFirst.code : null,
      outputs: [],
    };
    jobs.set(job.id, job);
    return job;
  }

  function look(job: Job): Job {
    job.looks += 1;
    if (
      job.outcome === null &&
      job.rejected === null &&
      (job.cancelled || job.looks > (behaviour?.looks ?? 1))
    )
      run(job);
    return job;
  }

  function run(job: Job): void {
    const { expiredShare = 0, errorShare = 0, refusedShare = 0 } = behaviour ?? {};
    job.outcome = new Map(
      job.items.map(({ id, path, body }) => {
        const isFirst = timesAsked[id] === 1;
        // By what is asked, not by the id, which a run of its own makes anew.
        if (chance('refused', body) < refusedShare)
          return [id, { status: 400, body: errorIn(job.shape, 'refused') }];
        if (isFirst && (job.cancelled || chance('expired', body) < expiredShare)) return [id, null];
        if (isFirst && id.endsWith('-0') && chance('error', body) < errorShare)
          return [id, { status: 500, body: errorIn(job.shape, 'server') }];
        return [id, answer(path, body)];
      }),
    );
  }

  /** Results in an order of their own. */
  function results(job: Job) {
    const all = [...job.outcome!].sort(([a], [b]) => chance('order', a) - chance('order', b));
    const strange = all.slice(0, 1).map(([, result]) => ['someone-else-1', result] as const);
    if (behaviour?.strangeResult === undefined) return all;
    return behaviour.strangeResult === 'alone' ? strange : [...all, ...strange];
  }

  function openai(
    method: string,
    path: string,
    headers: Record<string, unknown>,
    body: Buffer,
  ): Answered | null {
    const url = new URL(path, 'http://x');
    const rest = /(\/files|\/batches)(\/[^/]+)?(\/[a-z]+)?$/.exec(url.pathname);
    if (rest === null) return null;
    const [, kind, rawId, more] = rest;
    const id = rawId === undefined ? undefined : decodeURIComponent(rawId.slice(1));
    const isXai = String(headers['x-emulated'] ?? '') === 'xai' || xaiJobs(id);
    if (kind === '/files' && id === undefined) {
      if (method === 'GET')
        return json({
          object: 'list',
          data: [...files].map(([fileId, { name }]) => ({ id: fileId, filename: name, purpose: 'batch' })),
          has_more: false,
        });
      const form = formIn(headers, body);
      if (form === null) return refuse('expected a form with a file');
      if (form.order.at(-1) !== 'file') return refuse('the file must be the last part');
      if (form.fields.purpose !== 'batch') return refuse('purpose must be batch');
      const fileId = newId('file-');
      files.set(fileId, { name: form.name, content: form.content, purpose: 'batch' });
      return json({ id: fileId, object: 'file', filename: form.name });
    }
    if (kind === '/files') {
      const file = files.get(id!);
      if (file === undefined) return json({ error: { message: 'no such file' } }, 404);
      if (method === 'DELETE') {
        if (behaviour?.keepsAll) return json({ error: { message: 'not allowed' } }, 403);
        files.delete(id!);
        return json({ id, deleted: true });
      }
      if (more !== '/content') return json({ id, filename: file.name });
      if (behaviour?.resultsGone) return json({ error: { message: 'expired' } }, 404);
      return { status: 200, body: file.content, headers: { 'content-type': 'application/jsonl' } };
    }
    if (id === undefined) {
      if (method === 'GET') {
        const all = [...jobs.values()].filter(({ shape }) => shape === 'openai' || shape === 'xai');
        return json({
          data: all.map(openaiJob),
          batches: all.map(xaiJob),
          has_more: false,
        });
      }
      const given = JSON.parse(body.toString()) as Record<string, unknown>;
      const file = files.get(String(given.input_file_id));
      if (file === undefined) return refuse('no such input file');
      const lines = file.content.split('\n').map((line) => JSON.parse(line) as Record<string, unknown>);
      const shape = typeof given.name === 'string' ? 'xai' : 'openai';
      if (shape === 'openai') {
        if (given.completion_window !== '24h') return refuse('completion_window must be 24h');
        if (lines.some(({ url: to }) => to !== given.endpoint)) return refuse('mismatched_endpoint');
        const models = new Set(lines.map(({ body: asked }) => (asked as { model?: string }).model));
        if (models.size !== 1) return refuse('mismatched_model');
      }
      if (lines.some(({ method: how }) => how !== 'POST')) return refuse('method must be POST');
      const items = lines.map(({ custom_id, url: to, body: asked }) => ({
        id: String(custom_id),
        path: String(to),
        body: JSON.stringify(asked),
      }));
      const mark =
        shape === 'xai'
          ? String(given.name)
          : String((given.metadata as Record<string, unknown>)?.krisis_batch);
      const job = begin(shape, items, mark, String(given.input_file_id));
      return 'status' in job ? job : json(shape === 'xai' ? xaiJob(job) : openaiJob(job));
    }
    const cancelling = /^(.*):cancel$/.exec(id)?.[1] ?? (more === '/cancel' ? id : null);
    const job = jobs.get(cancelling ?? id);
    if (job === undefined) return json({ error: { message: 'no such batch' } }, 404);
    if (cancelling !== null) {
      job.cancelled = true;
      return json(job.shape === 'xai' ? xaiJob(job) : openaiJob(job));
    }
    if (more === '/results') {
      if (behaviour?.resultsGone) return json({ error: { message: 'gone' } }, 404);
      return json({ results: results(job).flatMap(([itemId, result]) => xaiResult(itemId, result)) });
    }
    look(job);
    if (job.shape === 'xai' || isXai) return json(xaiJob(job));
    if (job.outcome !== null && job.outputs.length === 0) {
      const lines = results(job);
      const fine = lines.filter(([, result]) => result !== null && result.status < 300);
      const other = lines.filter(([, result]) => result === null || result.status >= 300);
      for (const part of [fine, other]) {
        if (part.length === 0) continue;
        const fileId = newId('file-');
        files.set(fileId, {
          name: 'output.jsonl',
          purpose: 'batch_output',
          content: part.map(([itemId, result]) => JSON.stringify(openaiLine(itemId, result))).join('\n'),
        });
        job.outputs.push(fileId);
      }
    }
    return json(openaiJob(job));
  }

  const xaiJobs = (id: string | undefined) => jobs.get(id ?? '')?.shape === 'xai';

  function openaiJob(job: Job) {
    const ended = job.outcome === null ? 'in_progress' : job.cancelled ? 'cancelled' : 'completed';
    const status = job.rejected === null ? ended : job.looks === 0 ? 'validating' : 'failed';
    const isFine = (file: string) => files.get(file)?.content.includes('"status_code":200') ?? false;
    return {
      id: job.id,
      object: 'batch',
      status,
      input_file_id: job.inputFile,
      metadata: { krisis_batch: job.mark },
      ...(status === 'failed' && { errors: { data: [{ code: job.rejected, line: 3, message: 'refused' }] } }),
      output_file_id: job.outputs.find(isFine) ?? null,
      error_file_id: job.outputs.find((file) => !isFine(file)) ?? null,
      request_counts: { total: job.items.length, completed: job.outcome?.size ?? 0, failed: 0 },
    };
  }

  function xaiJob(job: Job) {
    const pending = job.outcome === null ? job.items.length : 0;
    return {
      batch_id: job.id,
      name: job.mark,
      state: {
        num_requests: job.items.length,
        num_pending: pending,
        num_success: 0,
        num_error: 0,
        num_cancelled: 0,
      },
      cancel_time: job.cancelled ? new Date().toISOString() : null,
      expire_time: new Date(job.created + 86_400_000).toISOString(),
    };
  }

  function anthropic(
    method: string,
    path: string,
    headers: Record<string, unknown>,
    body: Buffer,
  ): Answered | null {
    const url = new URL(path, 'http://x');
    const rest = /\/messages\/batches(\/[^/]+)?(\/[a-z]+)?$/.exec(url.pathname);
    if (rest === null) return null;
    const [, rawId, more] = rest;
    if (headers['x-api-key'] === undefined || headers['anthropic-version'] === undefined)
      return refuse('x-api-key and anthropic-version are required', 401);
    if (rawId === undefined) {
      const own = [...jobs.values()].filter(({ shape }) => shape === 'anthropic').reverse();
      if (method === 'GET')
        return json({ data: own.map(anthropicJob), has_more: false, last_id: own.at(-1)?.id ?? null });
      const given = JSON.parse(body.toString()) as { requests?: { custom_id: string; params: unknown }[] };
      const items = (given.requests ?? []).map(({ custom_id, params }) => ({
        id: custom_id,
        path: '/v1/messages',
        body: JSON.stringify(params),
      }));
      const job = begin('anthropic', items, null, null);
      return 'status' in job ? job : json(anthropicJob(job));
    }
    const job = jobs.get(decodeURIComponent(rawId.slice(1)));
    if (job === undefined)
      return json({ type: 'error', error: { type: 'not_found_error', message: 'no such batch' } }, 404);
    if (method === 'DELETE') {
      if (behaviour?.keepsAll) return json({ error: { type: 'permission_error', message: 'no' } }, 403);
      if (job.outcome === null) return refuse('a batch that has not ended cannot be deleted');
      jobs.delete(job.id);
      return json({ id: job.id, type: 'message_batch_deleted' });
    }
    if (more === '/cancel') {
      job.cancelled = true;
      return json(anthropicJob(job));
    }
    if (more === '/results') {
      if (behaviour?.resultsGone)
        return json({ type: 'error', error: { type: 'not_found_error', message: 'gone' } }, 404);
      if (job.outcome === null) return refuse('it has not ended', 404);
      const lines = results(job).map(([custom_id, result]) =>
        JSON.stringify({
          custom_id,
          result:
            result === null
              ? { type: job.cancelled ? 'canceled' : 'expired' }
              : result.status < 300
                ? { type: 'succeeded', message: result.body }
                : { type: 'errored', error: result.body },
        }),
      );
      return { status: 200, body: lines.join('\n'), headers: { 'content-type': 'application/x-jsonl' } };
    }
    return json(anthropicJob(look(job)));
  }

  function anthropicJob(job: Job) {
    const hasEnded = job.outcome !== null;
    return {
      id: job.id,
      type: 'message_batch',
      processing_status: hasEnded ? 'ended' : job.cancelled ? 'canceling' : 'in_progress',
      created_at: new Date(job.created).toISOString(),
      results_url: hasEnded ? 'http://127.0.0.1:1/elsewhere' : null,
      request_counts: {
        processing: hasEnded ? 0 : job.items.length,
        succeeded: hasEnded ? job.items.length : 0,
        errored: 0,
        canceled: 0,
        expired: 0,
      },
    };
  }

  function google(
    method: string,
    path: string,
    headers: Record<string, unknown>,
    body: Buffer,
  ): Answered | null {
    const url = new URL(path, 'http://x');
    const { pathname } = url;
    const origin = `http://${String(headers.host)}`;
    if (/^\/upload\/.*\/files$/.test(pathname)) {
      if (headers['x-goog-upload-protocol'] !== 'resumable') return refuse('resumable uploads only');
      const session = newId('');
      uploads.set(session, JSON.parse(body.toString()).file.display_name);
      return { ...json({}), headers: { 'x-goog-upload-url': `${origin}/upload-session/${session}` } };
    }
    const session = /^\/upload-session\/(.+)$/.exec(pathname)?.[1];
    if (session !== undefined) {
      if (headers['x-goog-upload-command'] !== 'upload, finalize') return refuse('expected upload, finalize');
      const name = newId('files/');
      files.set(name, { name: uploads.get(session)!, content: body.toString(), purpose: 'batch' });
      return json({ file: { name } });
    }
    if (pathname.endsWith(':batchGenerateContent')) {
      const { batch } = JSON.parse(body.toString()) as {
        batch: {
          displayName: string;
          inputConfig: {
            fileName?: string;
            requests?: { requests: { request: unknown; metadata: { key: string } }[] };
          };
        };
      };
      const { fileName, requests } = batch.inputConfig;
      const to = pathname.replace(':batchGenerateContent', ':generateContent');
      const items =
        fileName === undefined
          ? (requests?.requests ?? []).map(({ request, metadata }) => ({
              id: metadata.key,
              path: to,
              body: JSON.stringify(request),
            }))
          : (files.get(fileName)?.content ?? '').split('\n').map((line) => {
              const { key, request } = JSON.parse(line) as { key: string; request: unknown };
              return { id: key, path: to, body: JSON.stringify(request) };
            });
      const job = begin('google', items, batch.displayName, fileName ?? null);
      return 'status' in job ? job : json(googleJob(job));
    }
    const download = /^\/download\/[^/]+\/(files\/[^:]+):download$/.exec(pathname)?.[1];
    if (download !== undefined) {
      const file = files.get(download);
      return file === undefined || behaviour?.resultsGone
        ? json({ error: { code: 404, message: 'gone' } }, 404)
        : { status: 200, body: file.content, headers: { 'content-type': 'application/jsonl' } };
    }
    const rest = /\/(batches|files)(\/[^/:]+)?(:cancel)?$/.exec(pathname);
    if (rest === null || !pathname.startsWith('/v1beta')) return null;
    const [, kind, id, cancel] = rest;
    if (kind === 'files') {
      const file = files.get(`files${id}`);
      if (method === 'GET' && file !== undefined) return json({ name: `files${id}`, displayName: file.name });
      if (behaviour?.keepsAll) return json({ error: { code: 403, message: 'no' } }, 403);
      return files.delete(`files${id}`)
        ? json({})
        : json({ error: { code: 404, message: 'no such file' } }, 404);
    }
    if (id === undefined)
      return json({
        operations: [...jobs.values()].filter(({ shape }) => shape === 'google').map(googleJob),
      });
    const job = jobs.get(`batches${id}`);
    if (job === undefined) return json({ error: { code: 404, message: 'no such batch' } }, 404);
    if (method === 'DELETE') {
      if (behaviour?.keepsAll) return json({ error: { code: 403, message: 'no' } }, 403);
      jobs.delete(job.id);
      return json({});
    }
    if (cancel !== undefined) job.cancelled = true;
    look(job);
    if (job.outcome !== null && job.inputFile !== null && job.outputs.length === 0) {
      const name = newId('files/');
      const lines = results(job).flatMap(([key, result]) =>
        result === null ? [] : [{ key, ...googleResult(result) }],
      );
      files.set(name, {
        name: 'output',
        purpose: 'output',
        content: lines.map((line) => JSON.stringify(line)).join('\n'),
      });
      job.outputs.push(name);
    }
    return json(googleJob(job));
  }

  function googleJob(job: Job) {
    const isOver = job.outcome !== null;
    const state = job.rejected !== null && job.looks > 0 ? 'FAILED' : isOver ? 'SUCCEEDED' : 'RUNNING';
    return {
      name: job.id,
      metadata: {
        displayName: job.mark,
        state: `BATCH_STATE_${state}`,
        batchStats: {
          requestCount: String(job.items.length),
          successfulRequestCount: isOver ? String(job.items.length) : '0',
        },
      },
      done: isOver,
      ...(state === 'FAILED' && { error: { code: 3, message: job.rejected } }),
      ...(isOver && {
        response:
          job.outputs.length > 0
            ? { responsesFile: job.outputs[0] }
            : {
                inlinedResponses: {
                  inlinedResponses: behaviour?.resultsGone
                    ? []
                    : results(job).flatMap(([key, result]) =>
                        result === null ? [] : [{ ...googleResult(result), metadata: { key } }],
                      ),
                },
              },
      }),
    };
  }

  return {
    /** Null for a request that is not about bulk jobs. `silent` says that it was carried out and gets no answer. */
    handle(
      method: string,
      path: string,
      headers: Record<string, unknown>,
      body: Buffer,
    ): Answered | 'silent' | null {
      if (behaviour === undefined) return null;
      const answered =
        anthropic(method, path, headers, body) ??
        google(method, path, headers, body) ??
        openai(method, path, headers, body);
      if (answered === null) return null;
      asked.push(
        `${method} ${path.replace(/\?.*$/, '').replace(/(file-|batch_|msgbatch_|xb_|batches\/|files\/)[0-9a-f]+/, '$1ID')}`,
      );
      number += 1;
      return number === behaviour.silentAt ? 'silent' : answered;
    },
    state: (): BulkState => ({
      asked,
      files: [...files.values()].map(({ name }) => name),
      jobs: [...jobs.values()].filter(({ shape }) => shape === 'anthropic' || shape === 'google').length,
      jobsCreated: created,
      timesAsked,
      problems,
    }),
  };
}

function json(body: unknown, status = 200): Answered {
  return { status, body: JSON.stringify(body) };
}

function errorIn(shape: Job['shape'], kind: 'server' | 'refused'): unknown {
  const message = kind === 'server' ? 'the server had an error' : 'this request is not acceptable';
  if (shape === 'anthropic')
    return {
      type: 'error',
      error: { type: kind === 'server' ? 'api_error' : 'invalid_request_error', message },
    };
  if (shape === 'google') return { error: { code: kind === 'server' ? 13 : 3, message } };
  return { error: { message, type: kind === 'server' ? 'server_error' : 'invalid_request_error' } };
}

function openaiLine(custom_id: string, result: { status: number; body: unknown } | null) {
  if (result === null)
    return { custom_id, response: null, error: { code: 'batch_expired', message: 'expired' } };
  return {
    custom_id,
    response: { status_code: result.status, request_id: 'r', body: result.body },
    error: null,
  };
}

function xaiResult(batch_request_id: string, result: { status: number; body: unknown } | null): object[] {
  if (result === null) return [];
  if (result.status >= 300)
    return [
      {
        batch_request_id,
        batch_result: { error: { code: result.status, message: 'refused' } },
        error_message: 'refused',
      },
    ];
  return [{ batch_request_id, batch_result: { response: { chat_get_completion: chatShape(result.body) } } }];
}

/** Requests to the Responses API are answered in the shape of chat completions. */
function chatShape(body: unknown): unknown {
  const given = body as {
    output?: { type: string; content?: { text?: string; refusal?: string }[] }[];
    usage?: { input_tokens?: number; output_tokens?: number };
    model?: string;
    status?: string;
  };
  if (!Array.isArray(given.output)) return body;
  const [content] = given.output.find(({ type }) => type === 'message')?.content ?? [];
  return {
    id: 'x',
    object: 'chat.completion',
    model: given.model,
    choices: [
      {
        finish_reason: given.status === 'incomplete' ? 'length' : 'stop',
        message: {
          role: 'assistant',
          content: content?.text ?? '',
          ...(content?.refusal && { refusal: content.refusal }),
        },
      },
    ],
    usage: { prompt_tokens: given.usage?.input_tokens, completion_tokens: given.usage?.output_tokens },
  };
}

function googleResult({ status, body }: { status: number; body: unknown }): object {
  return status < 300 ? { response: body } : { error: (body as { error: unknown }).error };
}

function formIn(headers: Record<string, unknown>, body: Buffer) {
  const boundary = /boundary=(.+)$/.exec(String(headers['content-type'] ?? ''))?.[1];
  if (boundary === undefined) return null;
  const fields: Record<string, string> = {};
  const order: string[] = [];
  let name = '';
  let content = '';
  for (const part of body.toString().split(`--${boundary}`).slice(1, -1)) {
    const [head = '', ...rest] = part.split('\r\n\r\n');
    const value = rest.join('\r\n\r\n').replace(/\r\n$/, '');
    const field = /name="([^"]+)"/.exec(head)?.[1] ?? '';
    order.push(field);
    if (field === 'file') {
      name = /filename="([^"]+)"/.exec(head)?.[1] ?? '';
      content = value;
    } else fields[field] = value;
  }
  return order.includes('file') ? { fields, order, name, content } : null;
}
