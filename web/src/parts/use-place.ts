import { type RefObject, useLayoutEffect, useRef } from 'react';

/** Where the reader was on each entry of the history, by its key. */
const places = new Map<string, number>();
let entry: string | null = null;

window.history.scrollRestoration = 'manual';
// Registered when the page loads, before the router's own listener: the page has not changed yet.
window.addEventListener('hashchange', () => {
  if (entry !== null) places.set(entry, window.scrollY);
});

/** How long data may take to load before the place is given up. */
const PATIENCE_MS = 5000;

/** Starts a new page at its top with the focus on its heading; without this a screen reader would stay on the link that led there. Going back returns to the place where the reader was. */
export function usePlace(page: string, address: string, main: RefObject<HTMLElement | null>): void {
  const shown = useRef(page);
  // biome-ignore lint/correctness/useExhaustiveDependencies: every address is an entry of the history, also on the same page
  useLayoutEffect(() => {
    const { key, isNew } = entryKey();
    entry = key;
    const isOther = shown.current !== page;
    shown.current = page;
    if (!isOther) return;
    const place = isNew ? 0 : (places.get(key) ?? 0);
    const arrived = () => {
      const found = heading(main.current);
      if (found !== null && isIdle(main.current)) found.focus({ preventScroll: true });
      window.scrollTo(0, place);
      return found !== null && Math.abs(window.scrollY - place) < 2;
    };
    main.current?.focus({ preventScroll: true });
    const stop = () => {
      observer.disconnect();
      clearTimeout(timer);
      for (const name of BY_HAND) window.removeEventListener(name, stop);
    };
    const observer = new MutationObserver(() => arrived() && stop());
    const timer = setTimeout(stop, PATIENCE_MS);
    for (const name of BY_HAND) window.addEventListener(name, stop, { once: true, passive: true });
    if (arrived()) stop();
    else observer.observe(main.current!, { childList: true, subtree: true });
    return stop;
  }, [page, address, main]);
}

/** A reader who scrolls or types has chosen a place. */
const BY_HAND = ['wheel', 'touchstart', 'keydown', 'pointerdown'];

/** The key of the history's current entry; an entry without one is new. */
function entryKey(): { key: string; isNew: boolean } {
  const known = (window.history.state as { place?: unknown } | null)?.place;
  if (typeof known === 'string') return { key: known, isNew: false };
  const key = String(Math.random());
  window.history.replaceState({ place: key }, '');
  return { key, isNew: true };
}

function heading(main: HTMLElement | null): HTMLElement | null {
  const found = main?.querySelector<HTMLElement>('h1') ?? null;
  if (found !== null) found.tabIndex = -1;
  return found;
}

/** Whether the focus is where this hook put it, and not on a control. */
function isIdle(main: HTMLElement | null): boolean {
  const { activeElement } = document;
  return activeElement === null || activeElement === document.body || activeElement === main;
}
