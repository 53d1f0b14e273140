import { KrisisError } from '../../core/index.ts';

/** Reads an address for API calls. `from` says where it was given: an option or a variable. */
export function parseBaseUrl(text: string, from: string): URL {
  const url = URL.canParse(text) ? new URL(text) : null;
  // The value is not repeated where it may hold a password.
  if (url !== null && (url.username !== '' || url.password !== ''))
    throw new KrisisError(`${from} holds a user name or password; give keys in environment variables`);
  if (url !== null && (url.search !== '' || url.hash !== ''))
    throw new KrisisError(`${from} ends in a query or fragment; expected an address without ? and #`);
  if (url === null || (url.protocol !== 'http:' && url.protocol !== 'https:'))
    throw new KrisisError(`${from} is no address; expected something like http://127.0.0.1:8000/v1`);
  return url;
}

/** An address as SDKs want it: without a slash at its end. */
export function baseUrlText({ origin, pathname }: URL): string {
  return origin + pathname.replace(/\/+$/, '');
}

/** Whether a host name, as in a URL, is this machine. */
export function isLoopback(hostname: string): boolean {
  return hostname === 'localhost' || hostname === '[::1]' || /^127(\.\d+){3}$/.test(hostname);
}
