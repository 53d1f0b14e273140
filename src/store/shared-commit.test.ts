import { pbkdf2 } from 'node:crypto';
import { DatabaseSync } from 'node:sqlite';
import { setTimeout as sleep } from 'node:timers/promises';
import { promisify } from 'node:util';
import { afterAll, afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
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
  await expect(commits.begin(() => write('a'))).rejects.toThrow(Explained);
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

describe('a log that is flushed', () => {
  it('lets calls begin, one commit after the other', async () => {
    const { db, commits, write, values } = table('flushed.db');
    commits.flush(`${db.location()}-wal`);
    await Promise.all([commits.begin(() => write('a')), commits.begin(() => write('b'))]);
    commits.enter(() => write('outcome'));
    const { promise, resolve } = Promise.withResolvers<void>();
    commits.after(resolve);
    await promise;
    expect(values()).toEqual([1, 1, 7]);
    commits.close();
  });

  it('lets no call begin and nothing be written once a flush has failed', async () => {
    const { commits, write } = table('lost.db');
    // A device that cannot be flushed.
    commits.flush('/dev/null');
    await expect(commits.begin(() => write('a'))).rejects.toMatchObject({ syscall: 'fdatasync' });
    await expect(commits.begin(() => write('b'))).rejects.toMatchObject({ syscall: 'fdatasync' });
    expect(() => commits.enter(() => write('c'))).toThrow('fdatasync');
    expect(() => commits.close()).toThrow('fdatasync');
  });
});

describe('calls in flight', () => {
  // However slow the machine is.
  beforeEach(() => void vi.spyOn(performance, 'now').mockReturnValue(1000));
  afterEach(() => void vi.restoreAllMocks());
  const counted = (name: string) => {
    const opened = table(name);
    let commits = 0;
    const { exec } = opened.db;
    opened.db.exec = (sql) => {
      if (sql === 'COMMIT') commits += 1;
      exec.call(opened.db, sql);
    };
    return { ...opened, nCommits: () => commits };
  };
  const committed = ({ db }: ReturnType<typeof table>) =>
    Number(new DatabaseSync(db.location()!).prepare('SELECT count(*) AS n FROM t').get()!.n);

  const turn = () => new Promise((done) => setImmediate(done));

  it('share one commit where they begin in one turn', async () => {
    const { commits, write, nCommits } = counted('begin.db');
    await Promise.all(Array.from({ length: 50 }, (_, i) => commits.begin(() => write(`a${i}`))));
    expect(nCommits()).toBe(1);
    await commits.begin(() => write('late'));
    commits.enter(() => write('outcome'));
    expect(nCommits()).toBe(2);
  });

  it('commit at 64 writes, or as soon as a turn brings nothing more, and leave nothing behind', async () => {
    const opened = counted('many.db');
    const { commits, write, nCommits } = opened;
    await Promise.all([commits.begin(() => write('x')), commits.begin(() => write('y'))]);
    for (let i = 0; i < 63; i++) commits.enter(() => write(`a${i}`));
    expect([nCommits(), committed(opened)]).toEqual([1, 2]);
    commits.enter(() => write('last'));
    expect([nCommits(), committed(opened)]).toEqual([2, 66]);
    for (const reply of ['first', 'second', 'third']) {
      commits.enter(() => write(`${reply} outcome`));
      commits.enter(() => write(`next after the ${reply}`));
      await turn();
      expect(committed(opened)).toBe(66);
    }
    await turn();
    expect([nCommits(), committed(opened)]).toEqual([3, 72]);
  });

  it('commit 5 ms after the first write, whatever comes in meanwhile', async () => {
    const opened = counted('busy.db');
    const { commits, write } = opened;
    commits.enter(() => write('first'));
    vi.mocked(performance.now).mockReturnValue(1005.1);
    commits.enter(() => write('second'));
    expect(committed(opened)).toBe(2);
  });

  it('wait for a flush under way, at most 5 ms', async () => {
    const opened = counted('flushing.db');
    const { commits, write } = opened;
    commits.flush(`${opened.db.location()}-wal`);
    // A flush needs one of the four threads of the process.
    const threads = Array.from({ length: 4 }, () => promisify(pbkdf2)('', '', 200_000, 64, 'sha512'));
    let isFlushed = false;
    commits.enter(() => write('first'));
    commits.after(() => {
      isFlushed = true;
    });
    await turn();
    expect(committed(opened)).toBe(1);
    commits.enter(() => write('second'));
    for (let i = 0; i < 3; i++) await turn();
    expect([committed(opened), isFlushed]).toEqual([1, false]);
    await sleep(20);
    expect([committed(opened), isFlushed]).toEqual([2, false]);
    await Promise.all(threads);
    commits.close();
  });
});
