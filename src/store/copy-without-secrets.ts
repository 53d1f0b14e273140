import { DatabaseSync } from 'node:sqlite';
import type { Statements } from './statements.ts';
import { withholdCells } from './withheld-cells.ts';

/** Copies a run into one file, without its secrets and without its bulk jobs; features only if `withFeatures` is set. */
export function copyWithoutSecrets(sql: Statements, target: string, withFeatures: boolean): void {
  sql.run('VACUUM INTO ?', target);
  const hasSecrets = sql.get("SELECT 1 FROM main.sqlite_schema WHERE name = 'secrets'") !== undefined;
  const copy = new DatabaseSync(target);
  copy.exec('DROP TABLE IF EXISTS bulk_items; DROP TABLE IF EXISTS bulk_jobs');
  if (hasSecrets) copy.exec('PRAGMA secure_delete = ON; DELETE FROM secrets');
  if (!withFeatures) copy.exec('UPDATE records SET features = NULL');
  withholdCells(copy);
  copy.exec('VACUUM');
  copy.close();
}
