import { useSyncExternalStore } from 'react';

/** Where the reader is: everything is behind the #, so that the page works from a folder as well as from a server. */
export interface Route {
  /** Decoded, without empty parts: `['runs', 'ID', 'records']`. */
  readonly path: readonly string[];
  readonly query: URLSearchParams;
}

function parseHash(hash: string): Route {
  const [path = '', query = ''] = splitOnce(hash.replace(/^#/, ''), '?');
  return { path: path.split('/').filter(Boolean).map(decoded), query: new URLSearchParams(query) };
}

/** The address of a page, for links. */
export function hrefOf(path: readonly string[], query?: URLSearchParams): string {
  const tail = query === undefined || query.size === 0 ? '' : `?${query}`;
  return `#/${path.map(encodeURIComponent).join('/')}${tail}`;
}

/** Goes there; `replace` leaves no step back, for what changes while typing. */
export function go(href: string, { replace = false } = {}): void {
  if (!replace) window.location.hash = href;
  else {
    window.history.replaceState(null, '', href);
    window.dispatchEvent(new HashChangeEvent('hashchange'));
  }
}

export function useRoute(): Route {
  const hash = useSyncExternalStore(subscribe, () => window.location.hash);
  return parseHash(hash);
}

function subscribe(changed: () => void): () => void {
  window.addEventListener('hashchange', changed);
  return () => window.removeEventListener('hashchange', changed);
}

function splitOnce(text: string, at: string): string[] {
  const place = text.indexOf(at);
  return place < 0 ? [text] : [text.slice(0, place), text.slice(place + at.length)];
}

/** An address somebody mistyped is shown as it is, not thrown away. */
function decoded(part: string): string {
  try {
    return decodeURIComponent(part);
  } catch {
    return part;
  }
}
