import { hash, timingSafeEqual } from 'node:crypto';
import type { Context, MiddlewareHandler } from 'hono';
import { getCookie, setCookie } from 'hono/cookie';
import { HTTPException } from 'hono/http-exception';
import { tokenThrottle } from './token-throttle.ts';

export interface GuardOptions {
  /** The host name or address that the server listens on. */
  readonly host: string;
  readonly port: number;
  /** What clients must present. Default: no token is needed. */
  readonly token?: string | undefined;
  /** Other tokens that are as good, such as one for each reviewer. Default: none. */
  readonly moreTokens?: readonly string[] | undefined;
  /** Which requests other than GET and HEAD are allowed. Default: none. */
  readonly mayWrite?: ((method: string, path: string) => boolean) | undefined;
}

/** The variable of a request that holds the digest of its token. */
export const TOKEN = 'tokenDigest';

/** What a cookie holds in place of the token. */
export function tokenDigest(token: string): string {
  return hash('sha256', token);
}

const LOOPBACK_NAMES = ['localhost', '127.0.0.1', '::1'];
const ANY_ADDRESS = ['0.0.0.0', '::'];

/** Whether only this machine can reach a server on the host. */
export function isLoopback(host: string): boolean {
  return LOOPBACK_NAMES.includes(host) || /^127(\.\d{1,3}){3}$/.test(host);
}

/** A host as URLs write it. */
export function hostInUrl(host: string): string {
  return host.includes(':') ? `[${host}]` : host;
}

/**
 * Rejects requests of other sites. A page of another site can make a browser send requests to this machine, even under a name of its own that resolves to it (DNS rebinding): so the Host must
 * be a name of this server, and the Origin, if there is one, must be its page.
 */
export function guard(options: GuardOptions): MiddlewareHandler {
  const names = new Set([...LOOPBACK_NAMES, options.host].flatMap((host) => authorities(host, options.port)));
  const tokens = [options.token, ...(options.moreTokens ?? [])].filter((token) => token !== undefined);
  const known = tokens.map(tokenDigest);
  // A server on every address does not know all its names; the token protects it instead.
  const anyName = ANY_ADDRESS.includes(options.host) && known.length > 0;
  const cookie = `krisis_${options.port}`;
  const throttle = tokenThrottle();
  const isKnown = (digest: string) => known.some((expected) => isSame(digest, expected));
  return async (c, next) => {
    const { method, path } = c.req;
    if (method !== 'GET' && method !== 'HEAD' && options.mayWrite?.(method, path) !== true) {
      c.header('Allow', 'GET, HEAD');
      throw new HTTPException(405, { message: 'this server is read-only: GET and HEAD only' });
    }
    const host = c.req.header('host')?.toLowerCase() ?? '';
    if (!anyName && !names.has(host)) throw refused(`Host ${JSON.stringify(host)} is not this server`);
    const origin = c.req.header('origin');
    if (origin !== undefined && origin.toLowerCase() !== `http://${host}`)
      throw refused(`Origin ${JSON.stringify(origin)} is not this server`);
    const site = c.req.header('sec-fetch-site');
    const isData = c.req.path.startsWith('/api');
    if (isData && (site === 'cross-site' || site === 'same-site'))
      throw refused('other sites may not read this');
    if (known.length === 0) return next();
    const given = c.req.query('token');
    const shown = getCookie(c, cookie) ?? '';
    const address = addressIn(c);
    const wait = given === undefined && shown === '' ? 0 : throttle.secondsLeft(address);
    if (wait > 0) {
      c.header('Retry-After', String(wait));
      throw new HTTPException(429, { message: `too many wrong tokens: try again in ${wait} s` });
    }
    if (given !== undefined) {
      const digest = tokenDigest(given);
      if (!isKnown(digest)) {
        throttle.wrong(address);
        throw refused('the token is wrong');
      }
      setCookie(c, cookie, digest, { httpOnly: true, sameSite: 'Strict', path: '/' });
      // Remove the token from the address, so that it is not shared along with a view.
      const rest = new URL(c.req.url).searchParams;
      rest.delete('token');
      return c.redirect(`/${rest.size > 0 ? `?${rest}` : ''}`, 303);
    }
    // The page itself is public and loads without the cookie: browsers do not send a strict cookie when a link on another site leads here.
    if (isData && !isKnown(shown)) {
      if (shown !== '') throttle.wrong(address);
      throw refused('a token is required: open the address that krisis printed');
    }
    c.set(TOKEN, shown);
    return next();
  };
}

/** The address that a request comes from. Headers that name another are not trusted: a client can write what it likes. */
function addressIn(c: Context): string {
  const { incoming } = (c.env ?? {}) as { incoming?: { socket?: { remoteAddress?: string } } };
  return incoming?.socket?.remoteAddress ?? 'unknown';
}

function authorities(host: string, port: number): string[] {
  const name = hostInUrl(host.toLowerCase());
  return port === 80 ? [name, `${name}:80`] : [`${name}:${port}`];
}

/** Compares in constant time. */
function isSame(given: string, expected: string): boolean {
  const [a, b] = [Buffer.from(given), Buffer.from(expected)];
  return a.length === b.length && timingSafeEqual(a, b);
}

function refused(message: string): HTTPException {
  return new HTTPException(403, { message });
}
