import { Hono } from 'hono';
import { compress } from 'hono/compress';
import { HTTPException } from 'hono/http-exception';
import { stream } from 'hono/streaming';
import type { ContentfulStatusCode } from 'hono/utils/http-status';
import { type ErrorCode, KrisisError } from '../core/errors.ts';
import type { ReviewDesk } from '../review/desk.ts';
import { ADDRESSES, type AddressPath, addressAt } from './addresses.ts';
import type { DownloadPayload, ErrorPayload } from './api.ts';
import { type AppFiles, chooseEncoding } from './app-files.ts';
import { isNotesRequest, type NotesEditor, serveNotes } from './edit-notes.ts';
import { type GuardOptions, guard } from './guard.ts';
import { parseFilter, textsIn } from './parse-filter.ts';
import { RECORD_FILES } from './record-files.ts';
import { isReviewRequest, serveReview } from './review/serve-review.ts';
import type { PayloadSource } from './served-runs.ts';

type ViewerAppOptions = GuardOptions & {
  readonly appFiles: AppFiles;
  /** Receives errors that are faults of Krisis. Default: they are not reported. */
  readonly onFault?: ((error: unknown) => void) | undefined;
} & (RunsOptions | ReviewOptions);

interface RunsOptions {
  readonly runs: PayloadSource;
  /** Clients must present it. */
  readonly token: string;
  /** Changes notes on runs. Default: the server only reads. */
  readonly edit?: NotesEditor | undefined;
}

interface ReviewOptions {
  /**
   * The desks of reviewers, by token. The server answers nothing else: runs would show what
   * reviewers must not see.
   */
  readonly desks: ReadonlyMap<string, ReviewDesk>;
}

const CONTENT_SECURITY_POLICY =
  "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; connect-src 'self'; font-src 'self'; object-src 'none'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'";

const NOT_FOUND: readonly ErrorCode[] = ['ERR_RECORD_NOT_FOUND', 'ERR_RUN_NOT_FOUND', 'ERR_VIEW_NOT_FOUND'];

/** The viewer's server: the built page, and every address of `addresses.ts` under /api/. It only reads, unless it may change notes. */
export function viewerApp({ appFiles, onFault, ...options }: ViewerAppOptions): Hono {
  const app = new Hono();
  app.use(async (c, next) => {
    await next();
    c.header('Content-Security-Policy', CONTENT_SECURITY_POLICY);
    c.header('X-Content-Type-Options', 'nosniff');
    c.header('Referrer-Policy', 'no-referrer');
    c.header('Cross-Origin-Resource-Policy', 'same-origin');
    c.header('Cross-Origin-Opener-Policy', 'same-origin');
    c.header('Cache-Control', c.req.path.startsWith('/api') ? 'no-store' : 'no-cache');
  });
  const fileAt = (path: string) => appFiles.get(path.slice(1) || 'index.html');
  const isPublic = (path: string) => fileAt(path) !== undefined;
  if ('desks' in options) {
    app.use(guard({ ...options, tokens: [...options.desks.keys()], isPublic, mayWrite: isReviewRequest }));
    serveReview(app, options.desks);
  } else {
    const { runs, token, edit } = options;
    app.use(guard({ ...options, tokens: [token], isPublic, mayWrite: edit && isNotesRequest }));
    if (edit !== undefined) serveNotes(app, edit);
    serveRuns(app, runs);
  }
  app.get('*', (c) => {
    const file = fileAt(c.req.path);
    if (file === undefined)
      throw new KrisisError('there is nothing at this address', { code: 'ERR_VIEW_NOT_FOUND' });
    const encoding =
      file.content.length < MIN_COMPRESSED ? null : chooseEncoding(c.req.header('accept-encoding'));
    c.header('Vary', 'Accept-Encoding');
    c.header('Content-Type', file.type);
    if (encoding === null) return c.body(file.content);
    c.header('Content-Encoding', encoding);
    return c.body(file.compressed(encoding));
  });
  app.onError((error, c) => {
    const status = statusFor(error);
    if (status === 500) onFault?.(error);
    const message = status === 500 ? 'internal error; the terminal says more' : error.message;
    return c.json({ error: message } satisfies ErrorPayload, status);
  });
  return app;
}

/** Shorter contents would hardly become shorter. */
const MIN_COMPRESSED = 1024;

function serveRuns(app: Hono, runs: PayloadSource): void {
  app.use(
    '/api/*',
    compress({ encoding: 'gzip', threshold: MIN_COMPRESSED, contentTypeFilter: /^application\/json/ }),
  );
  serveDownloads(app, runs);
  for (const path of Object.keys(ADDRESSES) as AddressPath[]) {
    const { query, json = JSON.stringify } = addressAt(path);
    app.get(toRoute(path), async (c) => {
      const params = { ...c.req.param(), ...query?.(new URL(c.req.url).searchParams) };
      const payload = await runs.get(path, params as never);
      return c.body(json(payload as never), 200, { 'Content-Type': 'application/json' });
    });
  }
}

/** The last parameter of a path may contain any character, including line breaks. */
function toRoute(path: AddressPath): string {
  return `/api/${path.replace(/:record$/, ':record{[\\s\\S]+}')}`;
}

function statusFor(error: Error): ContentfulStatusCode {
  if (error instanceof HTTPException) return error.status as ContentfulStatusCode;
  if (!(error instanceof KrisisError)) return 500;
  if (error.code === 'ERR_VIEW_TIMEOUT') return 503;
  return NOT_FOUND.includes(error.code) ? 404 : 400;
}

const ROWS_PER_PART = 1000;

/** The addresses `runs/:id/records.csv` and `runs/:id/records.jsonl`: all rows of a filter as a file, part by part. */
function serveDownloads(app: Hono, runs: PayloadSource): void {
  for (const [extension, { type, head, row }] of Object.entries(RECORD_FILES))
    app.get(`/api/runs/:id/records.${extension}`, async (c) => {
      const query = new URL(c.req.url).searchParams;
      const include = textsIn('include', query.getAll('include'));
      query.delete('include');
      // Checked by the guard: a link has no headers.
      query.delete('key');
      const { offset: _o, limit: _l, ...filter } = parseFilter(query);
      const id = c.req.param('id')!;
      const columns = { column: filter.column, include };
      const part = (offset: number) =>
        runs.get('runs/:id/rows', {
          id,
          include,
          ...filter,
          offset,
          limit: ROWS_PER_PART,
        }) as Promise<DownloadPayload>;
      // Before anything is sent, so that a mistake in the address is an error and not a file.
      const first = await part(0);
      c.header('Content-Type', type);
      c.header(
        'Content-Disposition',
        `attachment; filename*=UTF-8''${encodeURIComponent(`${id}.${extension}`)}`,
      );
      return stream(c, async (out) => {
        await out.write(head(columns));
        for (
          let offset = 0, { rows } = first;
          rows.length > 0;
          offset += ROWS_PER_PART, { rows } = await part(offset)
        )
          await out.write(rows.map((one) => row(one, columns)).join(''));
      });
    });
}
