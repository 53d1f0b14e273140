import { createHash, generateKeyPairSync } from 'node:crypto';
import { DatabaseSync } from 'node:sqlite';
import { afterAll, describe, expect, it } from 'vitest';
import { recordsOf, response, temporaryFolder } from '../../test/engine-fixture.ts';
import { emptyDigest, isProofSignedBy, NO_ENTRIES, RunningDigest, storedProof } from './digest.ts';
import type { NewRow } from './rows.ts';
import { RunFile } from './run-file.ts';
import { createTables, EVENTS } from './tables.ts';
import { verifyRun } from './verify-run.ts';

const folder = temporaryFolder();
afterAll(folder.remove);
let nFiles = 0;
const newPath = () => folder.file(`run-${++nFiles}.db`);

const database = () => {
  const db = new DatabaseSync(':memory:');
  createTables(db);
  return db;
};
const sha256 = (text: string) => createHash('sha256').update(text).digest('hex');

describe('the digest', () => {
  it('is that of all entries in their order', () => {
    const db = database();
    const digest = new RunningDigest(db, emptyDigest());
    expect([digest.proof, storedProof(db)]).toEqual([NO_ENTRIES, null]);
    digest.add('one\n');
    digest.add('two\n');
    expect([digest.entries, digest.proof.entries]).toEqual([2, 0]);
    digest.write();
    digest.committed();
    digest.add('three\n');
    digest.write();
    digest.committed();
    expect(digest.proof).toEqual({
      entries: 3,
      digest: sha256('one\ntwo\nthree\n'),
      publicKey: null,
      signature: null,
    });
    expect(storedProof(db)).toEqual(digest.proof);
    expect(db.prepare('SELECT count(*) AS n FROM proof').get()).toEqual({ n: 1 });
  });

  it('is not written where there is nothing new', () => {
    const db = database();
    const digest = new RunningDigest(db, emptyDigest());
    digest.write();
    digest.committed();
    expect(storedProof(db)).toBeNull();
  });

  it('goes on where the last commit left it after entries were rolled back, before and after it was written', () => {
    const db = database();
    const digest = new RunningDigest(db, emptyDigest());
    digest.add('one\n');
    digest.write();
    digest.committed();
    for (const writes of [false, true]) {
      db.exec('BEGIN');
      digest.add('lost\n');
      if (writes) digest.write();
      db.exec('ROLLBACK');
      digest.rolledBack();
      expect([digest.entries, digest.proof.digest]).toEqual([1, sha256('one\n')]);
    }
    digest.add('two\n');
    digest.write();
    digest.committed();
    expect(storedProof(db)).toMatchObject({ entries: 2, digest: sha256('one\ntwo\n') });
  });

  it('is signed in every commit once there is a key, and takes nothing without it from then on', () => {
    const { publicKey, privateKey } = generateKeyPairSync('ed25519');
    const db = database();
    const digest = new RunningDigest(db, emptyDigest());
    digest.signWith(privateKey);
    for (const entry of ['one\n', 'two\n']) {
      digest.add(entry);
      digest.write();
      digest.committed();
      const proof = storedProof(db)!;
      expect(isProofSignedBy(proof, publicKey)).toBe(true);
      expect(isProofSignedBy(proof, generateKeyPairSync('ed25519').publicKey)).toBe(false);
      expect(isProofSignedBy({ ...proof, entries: 9 }, null)).toBe(false);
      expect(isProofSignedBy({ ...proof, digest: sha256('other') }, null)).toBe(false);
    }
    const unsigned = new RunningDigest(db, { proof: storedProof(db)!, hash: createHash('sha256') });
    expect(() => unsigned.add('three\n')).toThrow(expect.objectContaining({ code: 'ERR_RUN_SIGNED' }));
  });
});

const row = (id: string, more: Partial<NewRow> = {}): NewRow => ({
  id,
  repeat: 0,
  state: 'answered',
  ...response(),
  ...more,
});
const intent = (key: string) => ({ key, mode: 'single', repeat: 0, recordIds: [key], attempt: 0 }) as const;
const answered = { outcome: 'answered', wastedTokens: 0 } as const;

/** The numbers and tables of all entries. */
function readNumbers(path: string): string[] {
  const db = new DatabaseSync(path, { readOnly: true });
  const tables = ['records', 'templates', 'calls', 'outcomes', 'rows', 'judgements', 'events'];
  const entries = tables.flatMap((table) =>
    db
      .prepare(`SELECT seq FROM ${table}`)
      .all()
      .map(({ seq }) => [Number(seq), table] as const),
  );
  db.close();
  return entries.sort(([a], [b]) => a - b).map((entry) => entry.join(' '));
}

describe('entries of a run file', () => {
  it('have one number each, across all tables', async () => {
    const path = newPath();
    const file = RunFile.write(path);
    file.setManifest({ model: 'm' });
    file.records.enter(
      recordsOf('ab').map((record, i) => [i, record] as const),
      false,
    );
    const call = await file.calls.begin(intent('a'));
    file.calls.end(call, answered, [row('a', { prompt: [{ role: 'user', content: '{case}' }] })]);
    file.judgements.enter({ recordId: 'a', repeat: 0, judge: 'j', pass: 0, rubric: 'r', outcome: {} });
    file.seal({ scoresHash: null, krisisVersion: null });
    file.close();
    expect(readNumbers(path)).toEqual([
      '1 events',
      '2 records',
      '3 records',
      '4 calls',
      '5 outcomes',
      '6 templates',
      '7 rows',
      '8 judgements',
      '9 events',
    ]);
    expect(verifyRun(path)).toMatchObject({ verdict: 'verified', entries: 9 });
  });

  it('keep their order, and the digest fits, where some were rolled back and are written again', async () => {
    const path = newPath();
    const file = RunFile.write(path);
    file.setManifest({ model: 'm' });
    const prompt = [{ role: 'user', content: '{case}' }] as const;
    file.rows.enter([row('a', { prompt })]);
    // Its own error takes the whole transaction with it; the row before is entered again.
    expect(() => file.rows.enter([row('b', { prompt }), row('c', { state: null as never })])).toThrow();
    file.rows.enter([row('d', { prompt })]);
    expect(() => file.events.add(null as never)).toThrow();
    expect(['a', 'b', 'c', 'd'].map((id) => file.rows.isDone(id, 0))).toEqual([true, false, false, true]);
    file.seal({ scoresHash: null, krisisVersion: null });
    file.close();
    expect(readNumbers(path)).toEqual(['1 events', '2 templates', '3 rows', '4 rows', '5 events']);
    expect(verifyRun(path)).toMatchObject({ verdict: 'verified', entries: 5 });
  });

  it('keep their numbers apart where a call was rolled back: no call is taken for another', async () => {
    const path = newPath();
    const file = RunFile.write(path);
    file.setManifest({ model: 'm' });
    file.rows.enter([row('d')]);
    file.proof();
    // Right after a commit, a call waits for the next.
    const lost = file.calls.begin(intent('a'));
    expect(() => file.rows.enter([row('c', { state: null as never })])).toThrow();
    await expect(lost).rejects.toThrow();
    file.calls.end(await file.calls.begin(intent('b')), answered, [row('b')]);
    expect([file.calls.ended('a'), file.calls.ended('b')]).toEqual([null, 'answered']);
    expect(file.calls.attempts('a').n).toBe(0);
    file.calls.end(await file.calls.begin(intent('a')), answered, [row('a')]);
    expect(file.calls.ended('a')).toBe('answered');
    file.seal({ scoresHash: null, krisisVersion: null });
    file.close();
    expect(verifyRun(path).verdict).toBe('verified');
  });

  it('go on after those of the process before', () => {
    const path = newPath();
    for (let i = 1; i <= 3; i++) {
      const file = RunFile.write(path);
      file.events.add('continued');
      expect(file.proof().entries).toBe(i);
      file.close();
    }
    const db = new DatabaseSync(path, { readOnly: true });
    const lines = db
      .prepare('SELECT seq, time, kind, data FROM events ORDER BY seq')
      .all()
      .map(({ seq, ...cells }) => EVENTS.covered(Number(seq), Object.values(cells) as (string | number)[]));
    expect(storedProof(db)).toMatchObject({ entries: 3, digest: sha256(lines.join('')) });
    db.close();
  });
});
