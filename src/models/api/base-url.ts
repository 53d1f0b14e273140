import { KrisisError } from '../../core/index.ts';

/** Reads an address for API calls. `from` names the option or variable it was given in, for messages. */
export function parseBaseUrl(text: string, from: string): URL {
  const url = URL.canParse(text) ? new URL(text) : null;
  // The message does not repeat a value that may contain a password.
  if (url !== null && (url.username !== '' || url.password !== ''))
    throw new KrisisError(`${from} contains a user name or password; give keys in environment variables`, {
      code: 'ERR_BASE_URL',
    });
  if (url !== null && (url.search !== '' || url.hash !== ''))
    throw new KrisisError(`${from} ends in a query or fragment; expected an address without ? and #`, {
      code: 'ERR_BASE_URL',
    });
  if (url === null || (url.protocol !== 'http:' && url.protocol !== 'https:'))
    throw new KrisisError(`${from} is not an address; expected something like http://127.0.0.1:8000/v1`, {
      code: 'ERR_BASE_URL',
    });
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
