import { copyFileSync } from 'node:fs';
import { DatabaseSync } from 'node:sqlite';
import { afterAll, describe, expect, it } from 'vitest';
import { temporaryFolder } from '../../test/engine-fixture.ts';
import { exportBundle } from './bundle.ts';
import { queryRun } from './queries/query-run.ts';
import { RunFile } from './run-file.ts';
import { verifyRun } from './verify-run.ts';

const folder = temporaryFolder();
afterAll(folder.remove);
let made = 0;

/** A protected run of version 0.1, after some statements. */
function olderRun(sql: string): string {
  const path = folder.file(`${++made}.db`);
  copyFileSync('test/fixtures/v0.1/protected.db', path);
  const db = new DatabaseSync(path);
  db.exec(sql);
  db.close();
  return path;
}

const metadataIn = (path: string) =>
  RunFile.use(path, (file) => [...file.results()].map(({ result }) => result.metadata));

const PERSONS = `UPDATE records SET metadata = json_set(metadata, '$.person', 'Zoltan ' || (position % 3))`;

describe('a protected run of an older version', () => {
  it('numbers clusters in the order of its records, whatever is read first', () => {
    const path = olderRun(`${PERSONS}; INSERT INTO manifest VALUES ('cluster', '"person"')`);
    expect(
      metadataIn(path)
        .slice(0, 4)
        .map(({ person }) => person),
    ).toEqual([1, 2, 3, 1]);
    const third = queryRun(path, (db) =>
      db.prepare('SELECT metadata FROM records WHERE position = 2').get(),
    )!;
    expect(JSON.parse(String(third.metadata))).toMatchObject({ person: 3 });
  });

  it('keeps the groups that it was scored by, and no other key', () => {
    const by = `UPDATE manifest SET value = json_set(value, '$.group_by', json('["site"]')) WHERE key = 'scoring'`;
    expect(metadataIn(olderRun(`${PERSONS}; ${by}`))[0]).toEqual({ should_abstain: false, site: 'north' });
    expect(metadataIn(olderRun(PERSONS))[0]).toEqual({ should_abstain: false });
  });

  it('keeps labels and no other prediction, and the kind of a fault without its message', () => {
    const path = olderRun(`
      UPDATE rows SET prediction = '"Zoltan"', state = 'invalid' WHERE record_id = 'S01';
      UPDATE calls SET error = 'transient: Zoltan', model_id = 'Zoltan'`);
    const cells = queryRun(path, (db) => [
      ...db.prepare('SELECT prediction FROM rows ORDER BY record_id LIMIT 2').all(),
      db.prepare('SELECT error, model_id FROM calls LIMIT 1').get(),
    ]);
    expect(cells.map((cell) => ({ ...cell }))).toEqual([
      { prediction: 'null' },
      { prediction: '"hypernatraemia"' },
      { error: 'transient', model_id: 'withheld' },
    ]);
  });

  it('is still one when a later version has written to it: it verifies, and a copy without the rest has no chain', () => {
    const path = olderRun(PERSONS);
    const file = RunFile.write(path);
    file.seal({ scoresHash: null, krisisVersion: '1' });
    file.close();
    expect(verifyRun(path)).toMatchObject({ verdict: 'verified', seals: 1 });
    expect(metadataIn(path)[0]).toEqual({ should_abstain: false });
    const bundle = folder.file(`${++made}.krisis`);
    exportBundle(path, bundle, { withFeatures: true, force: false });
    expect(verifyRun(bundle)).toMatchObject({ verdict: 'not_chained', seals: 0 });
    expect(metadataIn(bundle)).toEqual(metadataIn(path));
    const db = new DatabaseSync(bundle, { readOnly: true });
    expect(db.prepare("SELECT 1 FROM records WHERE metadata LIKE '%Zoltan%'").all()).toEqual([]);
    db.close();
  });

  it('is shown as it is where its data are not protected', () => {
    const path = olderRun(`UPDATE manifest SET value = '"public"' WHERE key = 'sensitivity'; ${PERSONS}`);
    expect(metadataIn(path)[0]).toMatchObject({ person: 'Zoltan 0', site: 'north' });
  });
});
