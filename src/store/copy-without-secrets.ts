import { DatabaseSync } from 'node:sqlite';
import type { Statements } from './statements.ts';

/** Copies a run into one file, without its secrets and without its bulk jobs; features only if `withFeatures` is set. */
export function copyWithoutSecrets(sql: Statements, target: string, withFeatures: boolean): void {
  sql.run('VACUUM INTO ?', target);
  const copy = new DatabaseSync(target);
  copy.exec('DROP TABLE IF EXISTS bulk_items; DROP TABLE IF EXISTS bulk_jobs');
  copy.exec('PRAGMA secure_delete = ON; DELETE FROM secrets');
  // Without its salt, a guess at a withheld text cannot be tested against the hash.
  if (!withFeatures) copy.exec('UPDATE records SET features = NULL, features_salt = NULL');
  copy.exec('VACUUM');
  copy.close();
}
