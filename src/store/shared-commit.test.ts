import { DatabaseSync } from 'node:sqlite';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, expect, it } from 'vitest';
import { temporaryFolder } from '../../test/engine-fixture.ts';
import { SharedCommit } from './shared-commit.ts';

const folder = temporaryFolder();
afterAll(folder.remove);

class Explained extends Error {}

function table(name: string) {
  const db = new DatabaseSync(folder.file(name));
  db.exec('PRAGMA journal_mode = WAL; CREATE TABLE t (v TEXT UNIQUE)');
  const [{ n }] = db
    .prepare('PRAGMA page_count')
    .all()
    .map((row) => ({ n: Number(row.page_count) })) as [{ n: number }];
  const commits = new SharedCommit(
    db,
    null,
    () => {},
    (error) => ((error as { errcode?: number }).errcode === 13 ? new Explained('full') : error),
  );
  const insert = db.prepare('INSERT INTO t VALUES (?) ON CONFLICT DO NOTHING');
  return {
    db,
    commits,
    /** From now on the file cannot grow by more than so many pages. */
    limit: (pages: number) => db.exec(`PRAGMA max_page_count = ${n + pages}`),
    write: (value: string) => void insert.run(value),
    values: () =>
      db
        .prepare('SELECT length(v) AS n FROM t ORDER BY v')
        .all()
        .map((row) => row.n),
  };
}

const BIG = 'x'.repeat(100_000);

it('keeps what could not be written, throws at every later write, and writes it when there is room', async () => {
  const { commits, limit, write, values } = table('full.db');
  limit(4);
  expect(() => commits.enter(() => write(BIG))).toThrow(Explained);
  await expect(commits.keep(() => write('a'))).rejects.toThrow(Explained);
  expect(() => commits.enter(() => write('b'))).toThrow(Explained);
  expect(() => commits.commit()).toThrow(Explained);
  expect(() => commits.alone(() => write('c'))).toThrow(Explained);
  expect(values()).toEqual([]);
  limit(1000);
  commits.commit();
  // The intent of a call that was not made is not written.
  expect(values()).toEqual([1, BIG.length]);
});

it('throws on the next write when a commit failed in the background', async () => {
  const { db, commits, write, values } = table('late.db');
  commits.enter(() => write('first'));
  // Takes the transaction away, so that its commit fails.
  db.exec('ROLLBACK');
  await sleep(20);
  expect(values()).toEqual([]);
  commits.enter(() => write('second'));
  commits.commit();
  expect(values()).toEqual([5, 6]);
});

it('does not write an entry again whose own error it was, and keeps the others', () => {
  const { commits, write, values } = table('own.db');
  commits.enter(() => write('fine'));
  expect(() =>
    commits.enter(() => {
      throw new TypeError('own');
    }),
  ).toThrow(TypeError);
  commits.commit();
  expect(values()).toEqual([4]);
});
