import { KrisisError } from '../../core/errors.ts';

/** Reads an address for API calls. `from` names the option or variable it was given in, for messages. */
export function parseBaseUrl(text: string, from: string): URL {
  // The message does not repeat a value that may contain a password.
  const wrong = (why: string) => new KrisisError(`${from} ${why}`, { code: 'ERR_BASE_URL' });
  const url = URL.parse(text);
  if (url === null || (url.protocol !== 'http:' && url.protocol !== 'https:'))
    throw wrong('is not an address; expected something like http://127.0.0.1:8000/v1');
  if (url.username !== '' || url.password !== '')
    throw wrong('contains a user name or password; give keys in environment variables');
  if (url.search !== '' || url.hash !== '')
    throw wrong('ends in a query or fragment; expected an address without ? and #');
  return url;
}

/** An address as SDKs expect it: without a trailing slash. */
export function baseUrlText({ origin, pathname }: URL): string {
  return origin + pathname.replace(/\/+$/, '');
}

/** Whether a URL's host name is this machine. */
export function isLoopback(hostname: string): boolean {
  return hostname === 'localhost' || hostname === '[::1]' || /^127(\.\d+){3}$/.test(hostname);
}
