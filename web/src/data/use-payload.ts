import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { buildAddress } from '../../../src/viewer/browser.ts';
import type { AddressPath, ParamsAt, PayloadAt } from '../api.ts';
import { useSource } from './source-context.ts';

export type Loaded<T> =
  | { readonly state: 'loading' }
  | { readonly state: 'failed'; readonly message: string; readonly again: () => void }
  | {
      readonly state: 'loaded';
      readonly value: T;
      /** Whether `value` belongs to the address before this one, whose data are still loading. Only with `keepPrevious`. */
      readonly isPrevious: boolean;
    };

interface PayloadOptions {
  /** Whether to show the data of the previous address until those of a new one have loaded. Default: false. */
  readonly keepPrevious?: boolean;
  /** Whether to load at all. Default: true. */
  readonly enabled?: boolean;
}

/**
 * Loads the payload at an address. Newer data of the same address replace the old ones without a "loading" between, and a refresh that fails leaves the old data in place: the next one follows as planned.
 *
 * @param refreshAfter In how many milliseconds to load again, or null for never. An export never does. Default: never.
 */
export function usePayload<Path extends AddressPath>(
  path: Path,
  params: ParamsAt<Path>,
  refreshAfter: (value: PayloadAt<Path>) => number | null = () => null,
  { keepPrevious = false, enabled = true }: PayloadOptions = {},
): Loaded<PayloadAt<Path>> {
  const source = useSource();
  const { data, error, isPlaceholderData, refetch } = useQuery({
    queryKey: buildQueryKey(path, params),
    queryFn: () => source.get(path, params),
    enabled,
    refetchInterval: ({ state }) =>
      (source.live && state.data !== undefined && refreshAfter(state.data)) || false,
    ...(keepPrevious && { placeholderData: keepPreviousData }),
  });
  if (data !== undefined)
    return { state: 'loaded', value: data as PayloadAt<Path>, isPrevious: isPlaceholderData };
  if (error === null) return { state: 'loading' };
  return { state: 'failed', message: error.message, again: () => void refetch() };
}

/** Where the cache keeps the payload at an address. */
export function buildQueryKey<Path extends AddressPath>(path: Path, params: ParamsAt<Path>) {
  return [path, buildAddress(path, params)] as const;
}
