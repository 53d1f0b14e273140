import { HTTPException } from 'hono/http-exception';

/** For an address that leads nowhere. */
export function notFound(message: string): HTTPException {
  return new HTTPException(404, { message });
}
