import { createHash, timingSafeEqual } from 'node:crypto';
import type { MiddlewareHandler } from 'hono';
import { getCookie, setCookie } from 'hono/cookie';
import { HTTPException } from 'hono/http-exception';

export interface GuardOptions {
  /** The name or address that the server listens on. */
  readonly host: string;
  readonly port: number;
  readonly token?: string | undefined;
}

const LOOPBACK_NAMES = ['localhost', '127.0.0.1', '::1'];
const ANY_ADDRESS = ['0.0.0.0', '::'];

/** Whether only this machine can reach a server there. */
export function isLoopback(host: string): boolean {
  return LOOPBACK_NAMES.includes(host) || /^127(\.\d{1,3}){3}$/.test(host);
}

/** A host as it stands in an address. */
export function hostInUrl(host: string): string {
  return host.includes(':') ? `[${host}]` : host;
}

/**
 * Lets in who may come in. A page of another site that a browser has open can send requests to this machine, also under a name of its own that it points here: so the Host must be a name of
 * ours, and the Origin, where there is one, must be the page we served.
 */
export function guard(options: GuardOptions): MiddlewareHandler {
  const names = new Set([...LOOPBACK_NAMES, options.host].flatMap((host) => authorities(host, options.port)));
  // Who listens on every address cannot know all its names; the token stands in for them.
  const anyName = ANY_ADDRESS.includes(options.host) && options.token !== undefined;
  const cookie = `krisis_${options.port}`;
  return async (c, next) => {
    if (c.req.method !== 'GET' && c.req.method !== 'HEAD') {
      c.header('Allow', 'GET, HEAD');
      throw new HTTPException(405, { message: 'nothing can be written here: GET and HEAD only' });
    }
    const host = c.req.header('host')?.toLowerCase() ?? '';
    if (!anyName && !names.has(host)) throw refused(`Host ${JSON.stringify(host)} is not this server`);
    const origin = c.req.header('origin');
    if (origin !== undefined && origin.toLowerCase() !== `http://${host}`)
      throw refused(`Origin ${JSON.stringify(origin)} is not this server`);
    const site = c.req.header('sec-fetch-site');
    const isData = c.req.path.startsWith('/api');
    if (isData && (site === 'cross-site' || site === 'same-site'))
      throw refused('another site may not read this');
    if (options.token === undefined) return next();
    const expected = digest(options.token);
    const given = c.req.query('token');
    if (given !== undefined) {
      if (!isSame(digest(given), expected)) throw refused('this is not the token');
      setCookie(c, cookie, expected, { httpOnly: true, sameSite: 'Strict', path: '/' });
      // The token leaves the address, so that it is not shared along with a view.
      const rest = new URL(c.req.url).searchParams;
      rest.delete('token');
      return c.redirect(`/${rest.size > 0 ? `?${rest}` : ''}`, 303);
    }
    // The app itself is the same for everybody. That it loads without the cookie lets a link from another site lead to a view, though the browser sends a strict cookie to our own page alone.
    if (isData && !isSame(getCookie(c, cookie) ?? '', expected))
      throw refused('a token is needed: open the address that krisis view printed');
    return next();
  };
}

function authorities(host: string, port: number): string[] {
  const name = hostInUrl(host.toLowerCase());
  return port === 80 ? [name, `${name}:80`] : [`${name}:${port}`];
}

function digest(text: string): string {
  return createHash('sha256').update(text).digest('hex');
}

/** In the same time wherever they differ. */
function isSame(given: string, expected: string): boolean {
  const [a, b] = [Buffer.from(given), Buffer.from(expected)];
  return a.length === b.length && timingSafeEqual(a, b);
}

function refused(message: string): HTTPException {
  return new HTTPException(403, { message });
}
