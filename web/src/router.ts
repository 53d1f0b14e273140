import { useSyncExternalStore } from 'react';
import { buildAddress } from '../../src/viewer/browser.ts';

/** Where the reader is. Everything is behind the #, so that the page works from a folder as well as from a server. */
export interface Route {
  /** Decoded, without empty parts: `['runs', 'ID', 'records']`. */
  readonly path: readonly string[];
  readonly query: URLSearchParams;
}

function parseHash(hash: string): Route {
  const [path = '', query = ''] = splitOnce(hash.replace(/^#/, ''), '?');
  return { path: path.split('/').filter(Boolean).map(decoded), query: new URLSearchParams(query) };
}

/** The link to a page, by its path in `pages.tsx`: `buildHref('runs/:id', { id })`. Other parameters go into the query. */
export function buildHref(path: string, params: object = {}): string {
  return `#/${buildAddress(path, params)}`;
}

/** The parameters of a path that matches a template such as `runs/:id`; null if it does not match. */
export function paramsIn(template: string, path: readonly string[]): Record<string, string> | null {
  const parts = template.split('/').filter(Boolean);
  if (parts.length !== path.length) return null;
  const params: Record<string, string> = {};
  for (const [i, part] of parts.entries()) {
    if (part.startsWith(':')) params[part.slice(1)] = path[i]!;
    else if (part !== path[i]) return null;
  }
  return params;
}

/** Options of analyses in the address, such as `threshold.risk`; the server reads them. */
export function analysisOptions(query: URLSearchParams): Readonly<Record<string, string>> {
  return Object.fromEntries([...query].filter(([name]) => name.includes('.')));
}

/** Goes to a page; `replace` adds no entry to the history, for what changes while typing. */
export function go(href: string, { replace = false } = {}): void {
  if (!replace) window.location.hash = href;
  else {
    // The entry keeps its state: it is the same place.
    window.history.replaceState(window.history.state, '', href);
    window.dispatchEvent(new HashChangeEvent('hashchange'));
  }
}

/** The page that an address leads to, without its query. */
export function parsePage(hash: string): string {
  return parseHash(hash).path.join('/');
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

/** Keeps a mistyped address as it is. */
function decoded(part: string): string {
  try {
    return decodeURIComponent(part);
  } catch {
    return part;
  }
}
