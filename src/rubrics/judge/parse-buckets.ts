import { jsonInText } from '../../core/index.ts';
import { BUCKETS, type Bucket } from '../traits/vocabulary.ts';

type ParsedBuckets =
  | { readonly ok: true; readonly lists: Readonly<Record<Bucket, readonly string[]>> }
  | { readonly ok: false; readonly reason: string };

/**
 * Reads the lists that a judge filled. All of the `required` ones must be there and hold nothing but texts; a bucket that the trait does not have is empty, whatever the
 * judge put into it. Nothing is counted or put in order here, and no excerpt is looked up in the answer: these are the judge's lists as older results have them.
 *
 * @example
 * ```ts
 * parseBuckets('{"tp": ["BCL2"], "fn": [], "fp": []}', new Set(['tp', 'fn', 'fp'])) // => { ok: true, lists: { tp: ['BCL2'], fn: [], fp: [], tn: [] } }
 * parseBuckets('{"tp": ["BCL2"], "fn": []}', new Set(['tp', 'fn', 'fp'])) // => { ok: false, reason: 'no_fp' }
 * ```
 */
export function parseBuckets(text: string, required: ReadonlySet<Bucket>): ParsedBuckets {
  const found = jsonInText(text, (value) => [...required].some((bucket) => Object.hasOwn(value, bucket)));
  if (!found.ok) return { ok: false, reason: `unreadable_${found.reason}` };
  const lists: Record<Bucket, readonly string[]> = { tp: [], fn: [], fp: [], tn: [] };
  for (const bucket of BUCKETS.filter((name) => required.has(name))) {
    const given = Object.entries(found.value).find(([key]) => key === bucket)?.[1] as unknown;
    if (!Array.isArray(given)) return { ok: false, reason: `no_${bucket}` };
    if (!given.every((entry) => typeof entry === 'string')) return { ok: false, reason: `bad_${bucket}` };
    lists[bucket] = given;
  }
  return { ok: true, lists };
}
