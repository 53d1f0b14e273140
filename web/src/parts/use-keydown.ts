import { useEffect, useEffectEvent } from 'react';

/** Calls `pressed` for every key, wherever the focus is. */
export function useKeydown(pressed: (event: KeyboardEvent) => void): void {
  const latest = useEffectEvent(pressed);
  useEffect(() => {
    const listen = (event: KeyboardEvent) => latest(event);
    window.addEventListener('keydown', listen);
    return () => window.removeEventListener('keydown', listen);
  }, []);
}
