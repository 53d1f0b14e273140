import type { Exclusions } from './exclusions.ts';
import type { AnySuite } from './questions/question-suite.ts';
import type { Suite } from './suite.ts';
import { withoutRecords } from './without-records.ts';

/**
 * The same suite without the records of a list, which is another version of it: its hash is that of the list. Every model is scored without them.
 *
 * @throws KrisisError with the code `ERR_EXCLUSIONS` where the list is for another suite or version; for records with labels when the suite is described.
 */
export function excludeRecords(suite: AnySuite, list: Exclusions): AnySuite {
  return suite.without?.(list) ?? withoutRecords(suite as Suite, list);
}
