import { DatabaseSync } from 'node:sqlite';
import { afterAll, describe, expect, it } from 'vitest';
import { modelReply, temporaryFolder } from '../../test/engine-fixture.ts';
import { openProviderWaits } from './provider-waits.ts';
import { clearCache, ResponseCache } from './response-cache.ts';

const folder = temporaryFolder();
afterAll(folder.remove);

const ENDLESS = '(WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n) SELECT max(i) FROM n)';
/** Ways in which statements of ours on a table would never end. */
const TRAPS: readonly [string, (table: string) => string][] = [
  ['a trigger', (table) => `CREATE TRIGGER trap BEFORE INSERT ON ${table} BEGIN SELECT ${ENDLESS}; END`],
  [
    'a view in place of the table',
    (table) => `DROP TABLE ${table}; CREATE VIEW ${table} AS SELECT ${ENDLESS}`,
  ],
  ['an index', (table) => `CREATE INDEX trap ON ${table} (abs(1))`],
  ['another table', () => 'CREATE TABLE other (a)'],
  ['a column more', (table) => `ALTER TABLE ${table} ADD COLUMN more AS (1)`],
];

function edit(path: string, sql: string): void {
  const db = new DatabaseSync(path);
  db.exec(sql);
  db.close();
}

describe.each(TRAPS)('a file with %s', (name, trap) => {
  it('is not used as a cache, but replaced', () => {
    const path = folder.file(`cache ${name}.db`);
    const put = (key: string) => {
      const cache = ResponseCache.open(path);
      cache.put(key, modelReply(key));
      cache.close();
    };
    const holds = (key: string) => {
      const cache = ResponseCache.open(path);
      const entry = cache.get(key);
      cache.close();
      return entry !== null;
    };
    put('before');
    expect(holds('before')).toBe(true);
    edit(path, trap('replies'));
    put('after');
    expect([holds('before'), holds('after')]).toEqual([false, true]);
    edit(path, trap('replies'));
    expect(clearCache(path)).toBe(0);
  });

  it('is not used for waits, but replaced', () => {
    const path = folder.file(`waits ${name}.db`);
    const open = () => openProviderWaits(path);
    const first = open();
    first.wait('a', 60_000);
    first.close();
    edit(path, trap('provider_waits'));
    const second = open();
    expect(second.list()).toEqual([]);
    second.wait('b', 60_000);
    expect(second.list().map(({ host }) => host)).toEqual(['b']);
    second.close();
  });
});
