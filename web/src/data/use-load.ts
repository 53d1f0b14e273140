import { useCallback, useEffect, useEffectEvent, useState } from 'react';

export type Loaded<T> =
  | { readonly state: 'loading' }
  | { readonly state: 'failed'; readonly message: string; readonly again: () => void }
  | { readonly state: 'loaded'; readonly value: T };

/**
 * Loads what `load` gives, again whenever `key` changes. While newer data of the same key are on their way the old ones stay, so that a page that refreshes does not flicker.
 * `refreshAfter` says in how many milliseconds to ask again, or null for never.
 */
export function useLoad<T>(
  key: string,
  load: () => Promise<T>,
  refreshAfter: (value: T) => number | null = () => null,
): Loaded<T> {
  const [found, setFound] = useState<{ key: string; loaded: Loaded<T> } | null>(null);
  const [round, setRound] = useState(0);
  const again = useCallback(() => setRound((before) => before + 1), []);
  const start = useEffectEvent(load);
  const waitOf = useEffectEvent(refreshAfter);
  // biome-ignore lint/correctness/useExhaustiveDependencies: another key or another round is what asks again
  useEffect(() => {
    let current = true;
    let timer: ReturnType<typeof setTimeout> | undefined;
    start().then(
      (value) => {
        if (!current) return;
        setFound({ key, loaded: { state: 'loaded', value } });
        const after = waitOf(value);
        if (after !== null) timer = setTimeout(again, after);
      },
      (error: unknown) => {
        if (!current) return;
        const message = error instanceof Error ? error.message : String(error);
        setFound({ key, loaded: { state: 'failed', message, again } });
      },
    );
    return () => {
      current = false;
      clearTimeout(timer);
    };
  }, [key, round, again]);
  return found?.key === key ? found.loaded : { state: 'loading' };
}
