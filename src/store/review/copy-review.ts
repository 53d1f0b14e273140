import { DatabaseSync } from 'node:sqlite';
import { KrisisError } from '../../core/index.ts';
import { createPrivate } from '../private-file.ts';
import { readReview } from './review-file.ts';

/**
 * Copies the review of a run into a new file, after checking every label of it. Whatever could lead from a pseudonym to a name is left out; names that reviewers agreed to stay. A copy that is
 * continued knows its reviewers by their pseudonyms only.
 *
 * @throws KrisisError where the review was changed, or belongs to another run.
 */
export function copyReview(from: string, to: string, { runId }: { readonly runId: string | null }): void {
  if (readReview(from).runId !== runId)
    throw new KrisisError(`${from}: is the review of another run; expected the review of this one`, {
      code: 'ERR_REVIEW_FILE',
      value: from,
    });
  createPrivate(to);
  const source = new DatabaseSync(from, { defensive: true });
  try {
    source.prepare('VACUUM INTO ?').run(to);
  } finally {
    source.close();
  }
  const copy = new DatabaseSync(to, { defensive: true });
  try {
    copy.exec(
      "UPDATE raters SET digest = id; UPDATE meta SET value = lower(hex(randomblob(16))) WHERE key = 'rater_salt'; VACUUM",
    );
  } finally {
    copy.close();
  }
}
