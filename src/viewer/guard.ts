import { hash, timingSafeEqual } from 'node:crypto';
import type { Context, MiddlewareHandler } from 'hono';
import { getCookie, setCookie } from 'hono/cookie';
import { HTTPException } from 'hono/http-exception';
import type { SessionPayload } from './api.ts';

export interface GuardOptions {
  /** The host name or address that the server listens on. */
  readonly host: string;
  readonly port: number;
  /** Called when a client has exchanged its token for a cookie. Default: nothing is. */
  readonly onSession?: (() => void) | undefined;
}

interface GuardRules {
  /** Clients must present one of these. */
  readonly tokens: readonly string[];
  /** Files of the page contain no data, and need no token. */
  readonly isPublic: (path: string) => boolean;
  /** Which requests other than GET and HEAD are allowed. Default: none. */
  readonly mayWrite?: ((method: string, path: string) => boolean) | undefined;
}

/** The address at which the page exchanges the token of its fragment for a cookie and a key. */
const SESSION = '/api/session';
/** The header, and for links the parameter, in which the page sends its key. */
const KEY_HEADER = 'Krisis-Key';
const KEY_PARAMETER = 'key';

/** The variable of a request that holds the digest of its token. */
export const TOKEN = 'tokenDigest';

/** What a cookie holds in place of the token. */
export function tokenDigest(token: string): string {
  return hash('sha256', token);
}

/**
 * What the page must send along with the cookie. Browsers send a cookie to every port of a host, so
 * a server of another user can get it; the key is in storage that only this origin can read.
 */
function pageKey(token: string): string {
  return hash('sha256', `key of the page ${token}`);
}

const LOOPBACK_NAMES = ['localhost', '127.0.0.1', '::1'];
const ANY_ADDRESSES = ['0.0.0.0', '::'];
const ADVICE =
  'open the complete address that krisis printed when it started, or the link that you were sent';

/** Whether only this machine can reach a server on the host. */
export function isLoopback(host: string): boolean {
  return LOOPBACK_NAMES.includes(host) || /^127(\.\d{1,3}){3}$/.test(host);
}

/** A host as URLs write it. */
function hostInUrl(host: string): string {
  return host.includes(':') ? `[${host}]` : host;
}

/**
 * The origin of a server, as its user opens it. `localhost` may lead to a process of another user
 * that listens on another loopback address, so the address that is listened on is used.
 */
export function serverOrigin(host: string, { address, port }: { address: string; port: number }): string {
  const loopback = address === '::' ? '::1' : address === '0.0.0.0' ? '127.0.0.1' : address;
  const name = isLoopback(host) || ANY_ADDRESSES.includes(address) ? loopback : host;
  return `http://${hostInUrl(name)}:${port}`;
}

/**
 * Rejects requests of other sites, and requests without a token. A page of another site can make a
 * browser send requests to this machine, even under a name of its own that resolves to it (DNS
 * rebinding): so the Host must be a name of this server, and the Origin, if there is one, must be
 * its page. Other users of the machine can connect as well: so a token is needed on loopback too.
 */
export function guard(options: GuardOptions & GuardRules): MiddlewareHandler {
  const names = new Set([...LOOPBACK_NAMES, options.host].flatMap((host) => authorities(host, options.port)));
  // A server on every address does not know all its names; the token protects it instead.
  const anyName = ANY_ADDRESSES.includes(options.host);
  const accepted = options.tokens.map((token) => ({ digest: tokenDigest(token), key: pageKey(token) }));
  // Several servers may run on one host.
  const cookie = `krisis_${options.port}`;
  const throttle = tokenThrottle();
  return async (c, next) => {
    const { method, path } = c.req;
    const startsSession = method === 'POST' && path === SESSION;
    if (!['GET', 'HEAD'].includes(method) && !startsSession && options.mayWrite?.(method, path) !== true) {
      c.header('Allow', 'GET, HEAD');
      throw new HTTPException(405, { message: 'this server is read-only: GET and HEAD only' });
    }
    const host = c.req.header('host')?.toLowerCase() ?? '';
    if (!anyName && !names.has(host)) throw refused(`Host ${JSON.stringify(host)} is not this server`);
    const origin = c.req.header('origin');
    if (origin !== undefined && origin.toLowerCase() !== `http://${host}`)
      throw refused(`Origin ${JSON.stringify(origin)} is not this server`);
    if (options.isPublic(path)) return next();
    const site = c.req.header('sec-fetch-site');
    if (site === 'cross-site' || site === 'same-site') throw refused('other sites may not read this');
    const token = bearerToken(c);
    const digest = token === undefined ? (getCookie(c, cookie) ?? '') : tokenDigest(token);
    const match = accepted.find((one) => isSame(digest, one.digest));
    const key = c.req.header(KEY_HEADER) ?? c.req.query(KEY_PARAMETER) ?? '';
    if (match === undefined || (token === undefined && !isSame(key, match.key))) {
      // Cookies of an earlier start are common, and are not counted as guesses.
      const wait = token === undefined ? 0 : throttle.addWrong(remoteAddress(c));
      if (wait > 0) {
        c.header('Retry-After', String(wait));
        throw new HTTPException(429, { message: `too many wrong tokens: try again in ${wait} s` });
      }
      throw refused(`${token === undefined ? 'a token is required' : 'the token is wrong'}: ${ADVICE}`);
    }
    if (!startsSession) {
      c.set(TOKEN, digest);
      return next();
    }
    if (token === undefined) throw refused(`a token is required: ${ADVICE}`);
    setCookie(c, cookie, digest, { httpOnly: true, sameSite: 'Strict', path: '/api' });
    options.onSession?.();
    return c.json({ key: match.key } satisfies SessionPayload);
  };
}

/** Other schemes belong to a proxy in front of this server. */
function bearerToken(c: Context): string | undefined {
  return /^Bearer +(\S+)$/i.exec(c.req.header('authorization') ?? '')?.[1];
}

/** The address that a request comes from. Headers that name another are not trusted: a client can write what it likes. */
function remoteAddress(c: Context): string {
  const { incoming } = (c.env ?? {}) as { incoming?: { socket?: { remoteAddress?: string } } };
  return incoming?.socket?.remoteAddress ?? 'unknown';
}

function authorities(host: string, port: number): string[] {
  const name = hostInUrl(host.toLowerCase());
  return port === 80 ? [name, `${name}:80`] : [`${name}:${port}`];
}

/** Compares in constant time. */
function isSame(text: string, expected: string): boolean {
  const [a, b] = [Buffer.from(text), Buffer.from(expected)];
  return a.length === b.length && timingSafeEqual(a, b);
}

function refused(message: string): HTTPException {
  return new HTTPException(403, { message });
}

/** Wrong tokens that an address may present before it has to wait. */
const FREE_TRIES = 5;
const FIRST_WAIT_MS = 1000;
const MAX_WAIT_MS = 5 * 60_000;
/** An address that made no mistake for this long starts again. */
const FORGET_AFTER_MS = 60 * 60_000;
const MAX_ADDRESSES = 10_000;

/**
 * Makes each address wait after wrong tokens, twice as long after each. Right tokens are not
 * checked here: they always pass.
 */
export function tokenThrottle(now: () => number = Date.now) {
  const addresses = new Map<string, { readonly n: number; readonly until: number }>();
  return {
    /**
     * Notes a wrong token. Returns the seconds that the address still has to wait; 0 if it did not
     * have to.
     */
    addWrong(address: string): number {
      const before = addresses.get(address);
      const left = (before?.until ?? 0) - now();
      if (left > 0) return Math.ceil(left / 1000);
      const n = before === undefined || -left > FORGET_AFTER_MS ? 1 : before.n + 1;
      const wait = n <= FREE_TRIES ? 0 : Math.min(FIRST_WAIT_MS * 2 ** (n - FREE_TRIES - 1), MAX_WAIT_MS);
      addresses.delete(address);
      addresses.set(address, { n, until: now() + wait });
      if (addresses.size > MAX_ADDRESSES) addresses.delete(addresses.keys().next().value!);
      return 0;
    },
  };
}
