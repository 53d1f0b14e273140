import type { Context, MiddlewareHandler } from 'hono';
import { bodyLimit } from 'hono/body-limit';
import { HTTPException } from 'hono/http-exception';

/** More than anything that a page sends, whatever has to be escaped. */
const MAX_BODY = 128 * 1024;

/** Refuses a longer body, before it is read. */
export function limitBody(what: string): MiddlewareHandler {
  return bodyLimit({
    maxSize: MAX_BODY,
    onError: () => {
      throw new HTTPException(413, { message: `${what} limited to ${MAX_BODY / 1024} KiB` });
    },
  });
}

/** The JSON that the server's own page sent. Pages of other sites can send neither JSON unasked, nor an Origin that is ours. */
export async function jsonBody(c: Context): Promise<unknown> {
  if (c.req.header('origin') === undefined)
    throw new HTTPException(403, { message: 'only the page of this server may write: Origin is missing' });
  if (!/^application\/json\s*(;|$)/i.test(c.req.header('content-type') ?? ''))
    throw new HTTPException(415, { message: 'expected Content-Type: application/json' });
  return c.req.json().catch(() => {
    throw new HTTPException(400, { message: 'expected a JSON object' });
  });
}
