import { type Context, Hono } from 'hono';
import { HTTPException } from 'hono/http-exception';
import type { ContentfulStatusCode } from 'hono/utils/http-status';
import { KrisisError } from '../core/index.ts';
import type { ErrorPayload } from './api.ts';
import type { AppFiles } from './app-files.ts';
import { type GuardOptions, guard } from './guard.ts';
import { notFound } from './not-found.ts';
import { parseFilter } from './parse-filter.ts';
import type { AnsweringRuns } from './served-runs.ts';

interface ViewerAppOptions extends GuardOptions {
  readonly runs: AnsweringRuns;
  readonly appFiles: AppFiles;
  /** Told of errors that are faults of ours. */
  readonly onFault?: ((error: unknown) => void) | undefined;
}

const CONTENT_SECURITY_POLICY =
  "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; connect-src 'self'; font-src 'self'; object-src 'none'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'";

/** The viewer's server: the built app, and what it asks for under /api/. Reads only. */
export function viewerApp({ runs, appFiles, onFault, ...guarded }: ViewerAppOptions): Hono {
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
  app.use(guard(guarded));
  app.get('/api/runs', async (c) => c.json(await runs.runs()));
  app.get('/api/runs/:id', async (c) => c.json(await runs.run(c.req.param('id'))));
  app.get('/api/runs/:id/records', async (c) => {
    const filter = parseFilter(new URL(c.req.url).searchParams);
    const { total, rows } = await runs.records(c.req.param('id'), filter);
    // The rows are JSON already; taking them apart to put them together again would take longer than finding them.
    return c.body(`{"total":${total},"rows":[${rows.join(',')}]}`, 200, {
      'Content-Type': 'application/json',
    });
  });
  // An id may hold any character, those that end a line among them.
  app.get('/api/runs/:id/records/:record{[\\s\\S]+}', async (c) =>
    c.json(await runs.record(c.req.param('id'), c.req.param('record'), repeatOf(c))),
  );
  app.get('/api/runs/:id/questions', async (c) => c.json(await runs.questions(c.req.param('id'))));
  app.get('/api/compare', async (c) => c.json(await runs.compare(runIn(c, 'a'), runIn(c, 'b'))));
  app.get('*', (c) => {
    const file = c.req.path.startsWith('/api')
      ? undefined
      : appFiles.get(c.req.path.slice(1) || 'index.html');
    if (file === undefined) throw notFound('there is nothing at this address');
    return c.body(file.content, 200, { 'Content-Type': file.type });
  });
  app.onError((error, c) => {
    const status = statusFor(error);
    if (status === 500) onFault?.(error);
    const message = status === 500 ? 'internal error; the terminal says more' : error.message;
    return c.json({ error: message } satisfies ErrorPayload, status);
  });
  return app;
}

function statusFor(error: Error): ContentfulStatusCode {
  if (error instanceof HTTPException) return error.status as ContentfulStatusCode;
  return error instanceof KrisisError ? 400 : 500;
}

function repeatOf(c: Context): number {
  const text = c.req.query('repeat') ?? '0';
  if (!/^[0-9]{1,9}$/.test(text))
    throw new KrisisError(`repeat is ${JSON.stringify(text)}; expected a whole number`);
  return Number(text);
}

function runIn(c: Context, side: 'a' | 'b'): string {
  const id = c.req.query(side);
  if (!id) throw new KrisisError(`compare: ${side} is missing; expected two runs, ?a=RUN&b=RUN`);
  return id;
}
