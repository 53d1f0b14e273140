import { type RefObject, useEffect, useState } from 'react';
import { go, type Route } from '../router.ts';

interface Place {
  readonly id: string;
  readonly title: string;
}

/** A page with fewer sections needs no list of them. */
const MIN_PLACES = 4;
/** How long a section may take to load before the reader is no longer brought to it. */
const PATIENCE_MS = 20_000;
const HEADINGS = 'h2[id], summary[id]';

interface RailProps {
  readonly main: RefObject<HTMLElement | null>;
  readonly route: Route;
}

/** The sections of a page beside it, read from its headings; one that is a sentence has a name of its own in `data-place`. The `section` of the address is shown as soon as it has loaded. */
export function Rail({ main, route }: RailProps) {
  const places = usePlaces(main);
  const current = useCurrent(places);
  useShown(main, route.query.get('section'));
  if (places.length < MIN_PLACES) return null;
  return (
    <nav className="rail" aria-label="On this page">
      <ul>
        {places.map(({ id, title }) => (
          <li key={id}>
            <a
              href={hrefAt(route, id)}
              aria-current={id === current ? 'location' : undefined}
              onClick={(event) => {
                if (event.ctrlKey || event.metaKey || event.shiftKey) return;
                event.preventDefault();
                go(hrefAt(route, id), { replace: true });
                show(document.getElementById(id));
              }}
            >
              {title}
            </a>
          </li>
        ))}
      </ul>
    </nav>
  );
}

function hrefAt({ path, query }: Route, id: string): string {
  const next = new URLSearchParams(query);
  next.set('section', id.replace(/-title$/, ''));
  return `#/${path.map(encodeURIComponent).join('/')}?${next}`;
}

function usePlaces(main: RefObject<HTMLElement | null>): readonly Place[] {
  const [places, setPlaces] = useState<readonly Place[]>([]);
  useEffect(() => {
    const read = () => {
      const found = [...main.current!.querySelectorAll<HTMLElement>(HEADINGS)]
        .filter((heading) => heading.closest('[role="complementary"], .popup, .notice') === null)
        .map(({ id, dataset: { place }, textContent }) => ({ id, title: place ?? textContent }));
      setPlaces((before) => (JSON.stringify(before) === JSON.stringify(found) ? before : found));
    };
    read();
    const observer = new MutationObserver(read);
    observer.observe(main.current!, { childList: true, subtree: true });
    return () => observer.disconnect();
  }, [main]);
  return places;
}

/** The last heading above the upper third of the window. */
function useCurrent(places: readonly Place[]): string | null {
  const [current, setCurrent] = useState<string | null>(null);
  useEffect(() => {
    const read = () => {
      const above = places.filter(({ id }) => {
        const top = document.getElementById(id)?.getBoundingClientRect().top;
        return top !== undefined && top < window.innerHeight / 3;
      });
      setCurrent(above.at(-1)?.id ?? null);
    };
    read();
    window.addEventListener('scroll', read, { passive: true });
    return () => window.removeEventListener('scroll', read);
  }, [places]);
  return current;
}

/** Brings the reader to a section of the address, which may still load. */
function useShown(main: RefObject<HTMLElement | null>, at: string | null): void {
  useEffect(() => {
    if (at === null) return;
    const arrive = () => {
      const found = document.getElementById(`${at}-title`);
      if (found === null) return false;
      show(found);
      return true;
    };
    if (arrive()) return;
    const observer = new MutationObserver(() => arrive() && stop());
    const stop = () => {
      observer.disconnect();
      clearTimeout(timer);
    };
    const timer = setTimeout(stop, PATIENCE_MS);
    observer.observe(main.current!, { childList: true, subtree: true });
    return stop;
  }, [main, at]);
}

function show(heading: HTMLElement | null): void {
  const folded = heading?.closest('details') ?? null;
  if (folded !== null) folded.open = true;
  heading?.scrollIntoView();
  if (heading?.tagName === 'H2') heading.tabIndex = -1;
  heading?.focus({ preventScroll: true });
}
