import { useEffect, useEffectEvent } from 'react';
import { parsePage } from '../router.ts';

/** Calls `close` when the reader goes to another page. A filter that changes the address of the same page does not count. */
export function useCloseOnNavigation(close: () => void): void {
  const closed = useEffectEvent(close);
  useEffect(() => {
    let page = parsePage(window.location.hash);
    const moved = () => {
      const next = parsePage(window.location.hash);
      if (next !== page) closed();
      page = next;
    };
    window.addEventListener('hashchange', moved);
    return () => window.removeEventListener('hashchange', moved);
  }, []);
}
