import { KrisisError } from '../core/index.ts';
import { shown } from './traits/fields.ts';
import type { MetricRubricTrait } from './traits/metric-trait.ts';
import { textKey } from './traits/metric-trait-rules.ts';
import { BUCKETS, type Bucket } from './traits/vocabulary.ts';

/** What was found and missed, as text: pieces of the answer in `tp` and `fp`, instructions in `fn` and `tn`. */
export type ConfusionLists = Readonly<Record<Bucket, readonly string[]>>;

/** How many there are of each. */
export type ConfusionCounts = Readonly<Record<Bucket, number>>;

/**
 * The sizes of the lists. Blank entries never count; with `repeated_extraction` entries of one list that differ in case or outer white space only count once.
 * A list that the trait needs must be there, if empty.
 *
 * @example
 * ```ts
 * const trait = new MetricRubricTrait({ name: 'Lungs', metrics: ['recall'], tpInstructions: ['Mentions COPD'] });
 * countLists(trait, { tp: ['COPD', ' copd', ''], fn: [], fp: [] }) // => { tp: 1, fn: 0, fp: 0, tn: 0 }
 * ```
 */
export function countLists(trait: MetricRubricTrait, lists: Partial<ConfusionLists>): ConfusionCounts {
  const refuse = (what: string, value: unknown): never => {
    throw new KrisisError(`confusion lists of ${shown(trait.name)}: ${what}`, { value });
  };
  for (const key of Object.keys(lists)) {
    if (!BUCKETS.some((bucket) => bucket === key))
      refuse(`unknown list ${shown(key)}; the lists are ${BUCKETS.join(', ')}`, key);
  }
  const size = (bucket: Bucket): number => {
    const list: unknown = lists[bucket];
    if (list === undefined && !trait.requiredBuckets().has(bucket)) return 0;
    if (!Array.isArray(list) || list.some((entry) => typeof entry !== 'string'))
      return refuse(`${bucket} is ${shown(list)}; expected a list of texts (empty if there are none)`, list);
    const keys = list.map(textKey).filter((key) => key !== '');
    return trait.repeatedExtraction ? new Set(keys).size : keys.length;
  };
  return { tp: size('tp'), fn: size('fn'), fp: size('fp'), tn: size('tn') };
}
