import {
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmdirSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { DatabaseSync } from 'node:sqlite';
import { afterAll, describe, expect, it } from 'vitest';
import { recordsOf, temporaryFolder } from '../../test/engine-fixture.ts';
import { KrisisError } from '../core/errors.ts';
import { exportBundle, importBundle } from './bundle.ts';
import { openReview, reviewPath } from './review/review-file.ts';
import { RunFile } from './run-file.ts';

const folder = temporaryFolder();
afterAll(folder.remove);
const CANARY = 'CANARY-51c0de';

function aRun(name: string, model = 'm'): string {
  const path = folder.file(name);
  const file = RunFile.write(path);
  file.setManifest({ model });
  file.records.enter(
    recordsOf('ab').map((record, i) => [i, { ...record, features: { name: CANARY } }] as const),
    true,
  );
  file.close();
  return path;
}
const readModel = (path: string) => {
  const file = RunFile.read(path);
  try {
    return [file.manifest().model, file.records.count()];
  } finally {
    file.close();
  }
};

describe('a bundle', () => {
  it('is a run in one file, without patient data unless asked', () => {
    const run = aRun('one.db');
    const [bare, full] = [folder.file('deep/er/one.krisis'), folder.file('full.krisis')];
    exportBundle(run, bare, { withFeatures: false, force: false });
    exportBundle(run, full, { withFeatures: true, force: false });
    expect(readFileSync(bare, 'latin1')).not.toContain(CANARY);
    expect(readFileSync(full, 'latin1')).toContain(CANARY);
    expect(readdirSync(folder.file('deep/er'))).toEqual(['one.krisis']);
    expect(readModel(bare)).toEqual(['m', 2]);
  });

  it('does not overwrite another file unless forced', () => {
    const run = aRun('two.db');
    const target = folder.file('two.krisis');
    writeFileSync(target, 'mine');
    const write = (force: boolean) => exportBundle(run, target, { withFeatures: false, force });
    expect(() => write(false)).toThrow(KrisisError);
    expect(() => write(false)).toThrow(expect.objectContaining({ code: 'ERR_FILE_EXISTS' }));
    expect(readFileSync(target, 'utf8')).toBe('mine');
    write(true);
    expect(readModel(target)).toEqual(['m', 2]);
  });

  it('comes back as a run', () => {
    const bundle = folder.file('three.krisis');
    exportBundle(aRun('three.db'), bundle, { withFeatures: false, force: false });
    const runs = folder.file('runs');
    const path = importBundle(bundle, runs, { force: false });
    expect(path).toBe(`${runs}/three.db`);
    expect(readModel(path)).toEqual(['m', 2]);
    expect(() => importBundle(bundle, runs, { force: false })).toThrow('three.db: already exists');
    expect(() => importBundle(folder.file('none.krisis'), runs, { force: false })).toThrow(
      'no such run file',
    );
  });

  it('is looked at before it is taken in', () => {
    const path = folder.file('not-one.krisis');
    writeFileSync(path, 'a letter');
    expect(() => importBundle(path, folder.file('runs-2'), { force: false })).toThrow(KrisisError);
    expect(existsSync(folder.file('runs-2/not-one.db'))).toBe(false);
  });

  it('is imported with its labels, or not at all', () => {
    const run = aRun('labelled.db');
    const bundle = folder.file('labelled.krisis');
    const review = folder.file('labelled.review.krisis');
    const writeLabels = (runId: string | null) => {
      const path = folder.file(`${runId ?? 'same'}.review.db`);
      openReview(path, { runId, suiteHash: null }).close();
      return path;
    };
    renameSync(writeLabels(null), reviewPath(run));
    exportBundle(run, bundle, { withFeatures: false, force: false, review });
    const runs = folder.file('runs-5');
    const attempt = (from: string, force = false) => importBundle(bundle, runs, { force, review: from });
    const [notOne, other] = [folder.file('letter.krisis'), writeLabels('another')];
    writeFileSync(notOne, 'a letter');
    for (const wrong of [notOne, other, folder.file('none.krisis')]) {
      expect(() => attempt(wrong)).toThrow(expect.objectContaining({ code: 'ERR_REVIEW_FILE' }));
      // The lock stays: removing it could let two writers lock two files of the same name.
      expect(readdirSync(runs)).toEqual(['labelled.db.lock']);
    }
    mkdirSync(`${runs}/labelled.review.db`);
    expect(() => attempt(review, true)).toThrow('labelled.review.db: is a folder');
    rmdirSync(`${runs}/labelled.review.db`);
    attempt(review);
    expect(readdirSync(runs)).toEqual(['labelled.db', 'labelled.db.lock', 'labelled.review.db']);
    expect(statSync(`${runs}/labelled.review.db`).mode & 0o077).toBe(0);
  });

  it('is written with its labels, or not at all', () => {
    const run = aRun('unlabelled.db');
    const [target, review] = [folder.file('un.krisis'), folder.file('un.review.krisis')];
    writeFileSync(reviewPath(run), 'a letter');
    expect(() => exportBundle(run, target, { withFeatures: false, force: false, review })).toThrow(
      KrisisError,
    );
    expect([existsSync(target), existsSync(review)]).toEqual([false, false]);
  });

  it('replaces a run together with what a killed writer left beside it', () => {
    const runs = folder.file('runs-3');
    const bundle = folder.file('four.krisis');
    exportBundle(aRun('four.db', 'new'), bundle, { withFeatures: false, force: false });
    const target = importBundle(bundle, runs, { force: false });
    // The log of a writer that never closed, copied aside and put back, as a kill would leave it.
    const db = new DatabaseSync(target);
    db.exec(`PRAGMA journal_mode = WAL; INSERT INTO events VALUES (99, 1, 'manifest', '{"model":"stale"}')`);
    const log = readFileSync(`${target}-wal`);
    db.close();
    writeFileSync(`${target}-wal`, log);
    importBundle(bundle, runs, { force: true });
    const file = RunFile.read(target);
    expect(file.manifest()).toMatchObject({ model: 'new' });
    file.close();
  });

  it('does not replace a run that is being written', () => {
    const runs = folder.file('runs-4');
    const bundle = folder.file('five.krisis');
    exportBundle(aRun('five.db'), bundle, { withFeatures: false, force: false });
    const writer = RunFile.write(importBundle(bundle, runs, { force: false }));
    expect(() => importBundle(bundle, runs, { force: true })).toThrow('another process is writing this run');
    writer.close();
  });
});
