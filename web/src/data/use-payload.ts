import { useCallback, useEffect, useEffectEvent, useState } from 'react';
import { addressOf } from '../../../src/viewer/browser.ts';
import type { AddressPath, ParamsAt, PayloadAt } from '../api.ts';
import { useSource } from './source-context.ts';

export type Loaded<T> =
  | { readonly state: 'loading' }
  | { readonly state: 'failed'; readonly message: string; readonly again: () => void }
  | { readonly state: 'loaded'; readonly value: T };

/**
 * Loads the payload at an address, again whenever the address changes. While newer data of the same address load, the old ones stay, so that a page that refreshes does not flicker.
 *
 * @param refreshAfter In how many milliseconds to load again, or null for never. An export never does. Default: never.
 */
export function usePayload<Path extends AddressPath>(
  path: Path,
  params: ParamsAt<Path>,
  refreshAfter: (value: PayloadAt<Path>) => number | null = () => null,
): Loaded<PayloadAt<Path>> {
  const source = useSource();
  const address = addressOf(path, params);
  const [found, setFound] = useState<{ address: string; loaded: Loaded<PayloadAt<Path>> } | null>(null);
  const [round, setRound] = useState(0);
  const again = useCallback(() => setRound((before) => before + 1), []);
  const load = useEffectEvent(() => source.get(path, params));
  const waitOf = useEffectEvent((value: PayloadAt<Path>) => (source.live ? refreshAfter(value) : null));
  // biome-ignore lint/correctness/useExhaustiveDependencies: a new address or a new round loads again
  useEffect(() => {
    let current = true;
    let timer: ReturnType<typeof setTimeout> | undefined;
    load().then(
      (value) => {
        if (!current) return;
        setFound({ address, loaded: { state: 'loaded', value } });
        const after = waitOf(value);
        if (after !== null) timer = setTimeout(again, after);
      },
      (error: unknown) => {
        if (!current) return;
        const message = error instanceof Error ? error.message : String(error);
        setFound({ address, loaded: { state: 'failed', message, again } });
      },
    );
    return () => {
      current = false;
      clearTimeout(timer);
    };
  }, [address, round, again]);
  return found?.address === address ? found.loaded : { state: 'loading' };
}
