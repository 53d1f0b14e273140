import { dateText } from '../core/wording.ts';
import type { Extras } from './execution.ts';

/** How many replies of a run come from the cache, and how old the oldest is; null where none does. */
export function cachedRepliesText({
  n_cache_hits: n,
  n_replies: of,
  oldest_cache_hit: oldest,
}: Pick<Extras, 'n_cache_hits' | 'n_replies' | 'oldest_cache_hit'>): string | null {
  if (n === null || n === 0) return null;
  const replies =
    of === null ? (n === 1 ? 'reply' : 'replies') : `of ${of} ${of === 1 ? 'reply' : 'replies'}`;
  const age = oldest === null ? 'of unknown age' : `${n === 1 ? '' : 'oldest '}from ${dateText(oldest)}`;
  return `${n} ${replies} ${n === 1 ? 'comes' : 'come'} from the cache (${age})`;
}
