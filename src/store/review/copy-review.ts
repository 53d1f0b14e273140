import { existsSync, renameSync, rmSync } from 'node:fs';
import { DatabaseSync } from 'node:sqlite';
import { KrisisError } from '../../core/index.ts';
import { readReview } from './review-file.ts';

/**
 * Copies a review to take it along with its run, after checking every label of it. What could lead from a pseudonym to a name stays behind; names that reviewers agreed to stay. A copy that is continued knows its reviewers by
 * their pseudonyms only.
 *
 * @throws KrisisError where the review was changed, or the target exists and `force` is not set.
 */
export function copyReview(
  from: string,
  to: string,
  { force = false }: { readonly force?: boolean } = {},
): void {
  readReview(from);
  if (existsSync(to) && !force)
    throw new KrisisError(`${to}: exists already`, { code: 'ERR_FILE_EXISTS', value: to });
  const temporary = `${to}.${process.pid}.tmp`;
  rmSync(temporary, { force: true });
  const source = new DatabaseSync(from, { defensive: true });
  try {
    source.prepare('VACUUM INTO ?').run(temporary);
  } finally {
    source.close();
  }
  const copy = new DatabaseSync(temporary, { defensive: true });
  try {
    copy.exec(
      "UPDATE raters SET digest = id; UPDATE meta SET value = lower(hex(randomblob(16))) WHERE key = 'rater_salt'; VACUUM",
    );
  } finally {
    copy.close();
  }
  for (const beside of ['-wal', '-shm']) rmSync(`${to}${beside}`, { force: true });
  renameSync(temporary, to);
}
