import { useEffect, useEffectEvent } from 'react';
import { pageOf } from '../router.ts';

/** Calls `close` when the reader goes to another page. A filter that changes the address of the same page does not count. */
export function useCloseOnNavigation(close: () => void): void {
  const closed = useEffectEvent(close);
  useEffect(() => {
    let page = pageOf(window.location.hash);
    const moved = () => {
      const next = pageOf(window.location.hash);
      if (next !== page) closed();
      page = next;
    };
    window.addEventListener('hashchange', moved);
    return () => window.removeEventListener('hashchange', moved);
  }, []);
}
