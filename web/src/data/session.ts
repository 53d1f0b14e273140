import type { SessionPayload } from '../api.ts';
import { FinalError } from './final-error.ts';

/** `#token=TOKEN`, or a page before it: `#review?token=TOKEN`. */
const WITH_TOKEN = /^#(?:(.*)[?&])?token=([^&]*)$/;
const STORED_KEY = 'krisis-key';

let token: string | undefined;
/**
 * The exchange of the token; undefined before the first request, and after one without an answer.
 */
let session: Promise<void> | undefined;
/** Used where the browser stores nothing. */
let key = '';

/** Takes the token out of the address, which people share. The first request exchanges it. */
export function startSession(): void {
  // A new address in the same tab changes only the fragment, which loads nothing.
  window.addEventListener('hashchange', () => {
    if (WITH_TOKEN.test(window.location.hash)) window.location.reload();
  });
  const match = WITH_TOKEN.exec(window.location.hash);
  if (match === null) return;
  token = match[2];
  const page = match[1] ? `#${match[1]}` : window.location.pathname;
  window.history.replaceState(window.history.state, '', page);
}

/** The key that the server wants along with the cookie. Another tab may have a newer one. */
export function sessionKey(): string {
  try {
    return localStorage.getItem(STORED_KEY) ?? key;
  } catch {
    return key;
  }
}

/** Sends a request to the server. */
export async function request(address: string, init: RequestInit, unreachable: string): Promise<Response> {
  const send: Send = (to, how) =>
    fetch(`api/${to}`, how).catch(() => {
      throw new Error(unreachable);
    });
  if (token !== undefined) session ??= exchange(token, send);
  await session;
  const headers = new Headers(init.headers);
  headers.set('Krisis-Key', sessionKey());
  return send(address, { ...init, headers });
}

type Send = (address: string, init: RequestInit) => Promise<Response>;

/** The message of a response that is not ok. */
export async function errorMessage(response: Response): Promise<string> {
  const body: unknown = await response.json().catch(() => null);
  const error = (body as { error?: unknown } | null)?.error;
  return typeof error === 'string' ? error : `The server answered ${response.status}.`;
}

/** Exchanges the token for a cookie and a key. */
async function exchange(bearer: string, send: Send): Promise<void> {
  const init = { method: 'POST', headers: { Authorization: `Bearer ${bearer}` } };
  const response = await send('session', init).catch((error: unknown) => {
    session = undefined;
    throw error;
  });
  if (!response.ok) throw new FinalError(await errorMessage(response));
  ({ key } = (await response.json()) as SessionPayload);
  try {
    localStorage.setItem(STORED_KEY, key);
  } catch {
    // The key lasts as long as this page.
  }
}
