import { z } from 'zod';
import { contentHash } from '../core/canonical-json.ts';
import { snakeKeys } from '../core/codec.ts';
import { KrisisError } from '../core/errors.ts';

const FORMAT = 'krisis-exclusions-1';

/** Records of a suite that people found wrong: no model is scored on them. */
export interface Exclusions {
  /** The suite: `ckd/staging`. */
  readonly suite: string;
  /** The version of the suite that the list is for; null for a suite without a hash. */
  readonly suiteHash: string | null;
  /** The version of the suite without these records. */
  readonly newSuiteHash: string;
  readonly records: readonly {
    readonly id: string;
    /** `marked_wrong`: reviewers said that the record or its label is wrong. `decided_otherwise`: people agree on another decision than the suite's. */
    readonly reason: string;
    /** What people decided; null where they marked the record. */
    readonly decision: string | null;
    /** How many people said so. */
    readonly nRaters: number;
  }[];
  /** The review that the list was made from, and the last label that it had. */
  readonly review: { readonly runId: string | null; readonly lastEvent: string | null };
  /** ISO 8601. */
  readonly createdAt: string;
}

const file = z.object({
  format: z.literal(FORMAT),
  suite: z.string(),
  suite_hash: z.string().nullable(),
  new_suite_hash: z.string(),
  records: z.array(
    z.object({
      id: z.string().min(1),
      reason: z.string(),
      decision: z.string().nullable(),
      n_raters: z.int().min(1),
    }),
  ),
  review: z.object({ run_id: z.string().nullable(), last_event: z.string().nullable() }),
  created_at: z.string(),
});

/** The hash of a suite without some of its records: another version, which no result of the old one is compared with by mistake. */
export function excludedSuiteHash(suiteHash: string | null, ids: readonly string[]): string {
  return contentHash({ suite_hash: suiteHash, without: ids.toSorted() });
}

/**
 * The version of a suite that a list makes of it. A run that was made without these records stays as it is.
 *
 * @throws KrisisError with the code `ERR_EXCLUSIONS` where the list is for another suite or version.
 */
export function excludedVersion(suiteHash: string | null, list: Exclusions): string {
  if (suiteHash !== list.suiteHash && suiteHash !== list.newSuiteHash)
    throw new KrisisError(
      `the list of excluded cases is for ${list.suite}, version ${list.suiteHash?.slice(0, 12) ?? 'unknown'}; these cases are of version ${suiteHash?.slice(0, 12) ?? 'unknown'}`,
      { code: 'ERR_EXCLUSIONS', value: suiteHash },
    );
  return list.newSuiteHash;
}

/** An exclusion list in the form of its file. */
export function exclusionsText({ records, review, ...list }: Exclusions): string {
  const object = {
    format: FORMAT,
    ...snakeKeys(list),
    records: records.map((record) => snakeKeys(record)),
    review: snakeKeys(review),
  };
  return `${JSON.stringify(object, null, 2)}\n`;
}

/**
 * Reads an exclusion list, as `krisis review apply` writes it.
 *
 * @throws KrisisError with the code `ERR_EXCLUSIONS` where it is something else, or was changed.
 */
export function parseExclusions(text: string, where = 'exclusions'): Exclusions {
  const refuse = (what: string): never => {
    throw new KrisisError(`${where}: ${what}`, { code: 'ERR_EXCLUSIONS', value: where });
  };
  let given: unknown;
  try {
    given = JSON.parse(text);
  } catch {
    refuse('is not JSON; expected a list that krisis review apply wrote');
  }
  const parsed = file.safeParse(given);
  if (!parsed.success) return refuse('is not a list that krisis review apply wrote');
  const { suite, suite_hash, new_suite_hash, records, review, created_at } = parsed.data;
  const ids = records.map(({ id }) => id);
  if (excludedSuiteHash(suite_hash, ids) !== new_suite_hash)
    refuse('was changed: its hash does not fit its cases; make it again with krisis review apply');
  return {
    suite,
    suiteHash: suite_hash,
    newSuiteHash: new_suite_hash,
    records: records.map(({ n_raters, ...record }) => ({ ...record, nRaters: n_raters })),
    review: { runId: review.run_id, lastEvent: review.last_event },
    createdAt: created_at,
  };
}
