import { generateKeyPairSync, type KeyObject } from 'node:crypto';
import { copyFileSync, readFileSync } from 'node:fs';
import { basename } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { afterAll, describe, expect, it } from 'vitest';
import { recordsOf, response, temporaryFolder } from '../../test/engine-fixture.ts';
import { exportBundle } from './bundle.ts';
import type { CallOutcome } from './calls.ts';
import { storedProof } from './digest.ts';
import type { NewRow } from './rows.ts';
import { RunFile } from './run-file.ts';
import type { MergedPart } from './seal.ts';
import { ENTRIES } from './tables.ts';
import { verifyRun } from './verify-run.ts';

const folder = temporaryFolder();
afterAll(folder.remove);
let made = 0;
const newPath = () => folder.file(`run-${++made}.db`);

const row = (id: string, more: Partial<NewRow> = {}): NewRow => ({
  id,
  repeat: 0,
  state: 'answered',
  ...response(),
  ...more,
});
const answered: CallOutcome = {
  outcome: 'answered',
  inputTokens: 10,
  outputTokens: 2,
  wastedTokens: 0,
  latencySeconds: 0.1,
  modelId: 'm-1',
  costUsd: 0.5,
};
const verdict = (recordId: string) =>
  ({ recordId, repeat: 0, judge: 'j', pass: 0, rubric: 'r', outcome: { items: [] } }) as const;
const NAME = 'Erika Mustermann';
const SCORES = { scores: { accuracy: { value: 0.5 } }, ledger: { n: 4 } };

interface Made {
  readonly sensitivity?: 'synthetic' | 'protected';
  readonly signKey?: KeyObject | undefined;
  readonly seals?: boolean;
}

/** A run with an entry of every kind; records are named like a patient. */
async function someRun({ sensitivity = 'synthetic', signKey, seals = true }: Made = {}): Promise<string> {
  const path = newPath();
  const file = RunFile.write(path, { signKey });
  file.setManifest({ model: 'm', identity: { repeats: 1 }, krisis_version: '1.2.3', sensitivity });
  const records = recordsOf('abcd').map((record, i) => [i, { ...record, id: `${NAME} ${i}` }] as const);
  file.records.enter(records.slice(0, 2), sensitivity === 'synthetic');
  file.records.enter(records.slice(2), sensitivity === 'synthetic', false);
  file.records.select([3]);
  file.events.add('started');
  await ask(file, [0, 1]);
  file.rows.enter([row(`${NAME} 3`, { state: 'failed', stateReason: 'timeout', prediction: null })]);
  file.judgements.enter(verdict(`${NAME} 0`));
  await file.calls.begin({ key: 'never came back', mode: 'single', repeat: 0, recordIds: ['x'], attempt: 0 });
  file.setManifest({ status: 'complete', ...SCORES });
  if (seals) seal(file);
  file.close();
  return path;
}

async function ask(file: RunFile, records: readonly number[]): Promise<void> {
  const recordIds = records.map((i) => `${NAME} ${i}`);
  const call = await file.calls.begin({
    key: recordIds.join(),
    mode: 'batch',
    repeat: 0,
    recordIds,
    attempt: 0,
  });
  const rows = recordIds.map((id) =>
    row(id, { rawResponse: '{"prediction": "yes"}', prompt: [{ role: 'user', content: '{case}' }] }),
  );
  file.calls.end(call, { ...answered, rawResponse: '{"prediction": "yes"}' }, rows);
}

function seal(file: RunFile): void {
  file.seal({ scoresHash: null, krisisVersion: '1.2.3' });
}

function edit(path: string, ...statements: readonly string[]): void {
  const db = new DatabaseSync(path);
  for (const sql of statements) db.exec(sql);
  db.close();
}

const continued = async (path: string, work: (file: RunFile) => unknown, signKey?: KeyObject) => {
  const file = RunFile.write(path, { signKey });
  try {
    await work(file);
  } finally {
    file.close();
  }
};
/** A session that adds an event, and seals the run. */
const session = (path: string, signKey?: KeyObject) =>
  continued(
    path,
    (file) => {
      file.events.add('continued');
      seal(file);
    },
    signKey,
  );

const keys = () => generateKeyPairSync('ed25519');
/** What is wrong, in one line each. */
const problemsOf = (path: string) =>
  verifyRun(path).problems.map(({ problem, kind, where }) => `${problem} ${kind}: ${where}`);

describe('a run file that nothing was done to', () => {
  it('is verified: when it was sealed, by which version, and that the seal is not signed', async () => {
    const path = await someRun();
    expect(verifyRun(path)).toMatchObject({
      verdict: 'verified',
      checked: 'everything',
      entriesAfterSeal: 0,
      problems: [],
      nProblems: 0,
      seals: 1,
      seal: { krisisVersion: '1.2.3', signed: false, keyFingerprint: null },
      unsignedEntries: 0,
      startedBy: '1.2.3',
      mergedFrom: null,
    });
    expect(verifyRun(path).textsChecked).toBe(5);
  });

  it('is unsealed while it is written, and after a kill: entries since the last seal are counted', async () => {
    const path = await someRun({ seals: false });
    expect(verifyRun(path)).toMatchObject({ verdict: 'unsealed', seals: 0, seal: null });
    const { entries, entriesAfterSeal } = verifyRun(path);
    expect(entriesAfterSeal).toBe(entries);
    const file = RunFile.write(path);
    file.events.add('continued');
    expect(verifyRun(path)).toMatchObject({ verdict: 'unsealed', entriesAfterSeal: entries + 1 });
    seal(file);
    expect(verifyRun(path)).toMatchObject({ verdict: 'verified', entriesAfterSeal: 0 });
    file.close();
  });

  it('is verified as a copy without features, and without the key of a protected run', async () => {
    for (const sensitivity of ['synthetic', 'protected'] as const) {
      const [bare, full] = [newPath(), newPath()];
      const path = await someRun({ sensitivity });
      exportBundle(path, bare, { withFeatures: false, force: false });
      exportBundle(path, full, { withFeatures: true, force: false });
      for (const copy of [bare, full]) {
        expect(verifyRun(copy)).toMatchObject({ verdict: 'verified', seals: 1 });
        const db = new DatabaseSync(copy);
        expect(db.prepare('SELECT * FROM secrets').all()).toEqual([]);
        db.close();
        expect(verifyRun(copy).textsChecked).toBeGreaterThan(0);
      }
    }
  });

  it('is verified when a copy of a protected run is continued with a key of its own', async () => {
    const copy = newPath();
    exportBundle(await someRun({ sensitivity: 'protected' }), copy, { withFeatures: false, force: false });
    await continued(copy, async (file) => {
      await ask(file, [2]);
      seal(file);
    });
    expect(verifyRun(copy)).toMatchObject({ verdict: 'verified', textsChecked: 2 });
  });

  it('keeps texts that SQLite cannot store as they are, and numbers that are none', async () => {
    const path = newPath();
    await continued(path, (file) => {
      file.records.enter([[0, { id: 'a\uD800\u0000b', features: {}, label: 'x', metadata: {} }]], true);
      file.rows.enter([
        row('a\uD800\u0000b', { stateReason: '\uDC00', confidence: Number.NaN, rawResponse: '\uD800' }),
      ]);
      seal(file);
    });
    expect(verifyRun(path)).toMatchObject({ verdict: 'verified', textsChecked: 2 });
  });
});

describe('a run that is continued', () => {
  it('gets a new seal over everything before it; nothing sealed is rewritten', async () => {
    const path = await someRun();
    const before = verifyRun(path);
    const sealed = entriesOf(path);
    await continued(path, async (file) => {
      file.records.select([2]);
      await ask(file, [2]);
      seal(file);
    });
    expect(entriesOf(path).slice(0, sealed.length)).toEqual(sealed);
    const after = verifyRun(path);
    expect(after).toMatchObject({ verdict: 'verified', seals: 2, entriesAfterSeal: 0 });
    expect(after.entries).toBeGreaterThan(before.entries);
    expect(after.seal!.entries).toBe(after.entries - 1);
  });

  it('writes nothing where nothing changes', async () => {
    const path = await someRun();
    const before = entriesOf(path);
    await continued(path, (file) => {
      file.setManifest({ status: 'complete', ...SCORES });
      file.records.enter([[0, { ...recordsOf('a')[0]!, id: `${NAME} 0` }]], true);
      file.records.select([3]);
      file.rows.enter([row(`${NAME} 3`)]);
      file.judgements.enter(verdict(`${NAME} 0`));
      expect(file.hasUnsealedEntries()).toBe(false);
    });
    expect(entriesOf(path)).toEqual(before);
  });

  it('does not lose its place when a transaction is rolled back', async () => {
    const path = await someRun();
    await continued(path, async (file) => {
      const wrong = { ...row('q'), state: null as never };
      const { entries } = file.proof();
      expect(() => file.rows.enter([row('p'), wrong])).toThrow();
      expect(file.proof().entries).toBe(entries);
      await ask(file, [2]);
      seal(file);
    });
    expect(verifyRun(path)).toMatchObject({ verdict: 'verified' });
  });
});

/** Every entry of the file as it is stored, in order. */
function entriesOf(path: string): Record<string, unknown>[] {
  const db = new DatabaseSync(path, { readOnly: true });
  const entries = ENTRIES.flatMap(({ name }) =>
    db
      .prepare(`SELECT * FROM ${name}`)
      .all()
      .map((entry): Record<string, unknown> => ({ table: name, ...entry })),
  );
  db.close();
  return entries.sort((a, b) => Number(a.seq) - Number(b.seq));
}

describe('a run file that was edited', () => {
  it.each([
    [
      "UPDATE rows SET prediction = '\"no\"' WHERE record_id LIKE '% 1'",
      'changed row: record 1, repeat 0, attempt 0',
    ],
    [
      "UPDATE rows SET confidence = 0.99 WHERE record_id LIKE '% 0'",
      'changed row: record 0, repeat 0, attempt 0',
    ],
    ["DELETE FROM rows WHERE state = 'failed'", 'dropped row: record 3, repeat 0, attempt 0'],
    [
      "CREATE TEMP TABLE copied AS SELECT * FROM rows LIMIT 1; UPDATE copied SET record_id = 'x'; INSERT INTO rows SELECT * FROM copied",
      'added row: record that is not in the file, repeat 0, attempt 0',
    ],
    ['UPDATE records SET label = \'"no"\' WHERE position = 1', 'changed record: record 1'],
    ["UPDATE records SET features = '{}' WHERE position = 1", 'text_changed record: record 1'],
    ['UPDATE records SET selected = 0 WHERE position = 1', 'changed select: record 1'],
    ['UPDATE records SET selected = 1 WHERE position = 2', 'added select: record 2'],
    ['DELETE FROM records WHERE position = 2', 'dropped candidate: record 2'],
    ['UPDATE calls SET cost_usd = 0 WHERE id = 1', 'changed outcome: call 1'],
    ["UPDATE calls SET raw_response = 'better' WHERE id = 1", 'text_changed outcome: call 1'],
    ["UPDATE calls SET outcome = 'answered', finished_at = 1 WHERE id = 2", 'added outcome: call 2'],
    ['UPDATE calls SET reserved_usd = 1 WHERE id = 2', 'changed intent: call 2'],
    [
      "UPDATE judgements SET outcome = '{}'",
      'changed verdict: record 0, repeat 0, judge j, pass 0, rubric r, attempt 0',
    ],
    ['DELETE FROM judgements', 'dropped verdict: record 0, repeat 0, judge j, pass 0, rubric r, attempt 0'],
    ['UPDATE events SET data = \'{"x":1}\' WHERE id = 1', 'changed event: event 1'],
    ["UPDATE templates SET prompt = '{}'", 'changed template: template 1'],
    ["UPDATE manifest SET value = '\"other\"' WHERE key = 'model'", 'changed manifest: field model'],
    ["DELETE FROM manifest WHERE key = 'model'", 'dropped manifest: field model'],
    ["INSERT INTO manifest VALUES ('seed', '1')", 'added manifest: field seed'],
    ['DELETE FROM chain WHERE seq = 5', 'dropped chain: entries 5 to 5'],
    ["UPDATE chain SET kind = 'gift' WHERE seq = 5", 'changed chain: entry 5 has an unknown kind'],
    ['UPDATE chain SET digest = NULL WHERE seq = 1', 'changed manifest: field model'],
  ])('%s', async (sql, problem) => {
    const path = await someRun();
    edit(path, sql);
    expect(verifyRun(path).verdict).toBe('unverified');
    expect(problemsOf(path)).toContain(problem);
    expect(problemsOf(path).join()).not.toContain(NAME);
  });

  it('is found to be changed where entries were cut off together with what they are about', async () => {
    const path = await someRun();
    edit(path, "DELETE FROM rows WHERE state = 'failed'", 'DELETE FROM chain WHERE seq > 15');
    expect(verifyRun(path).verdict).toBe('unverified');
  });

  it('lists at most 20 problems, and counts all', async () => {
    const path = newPath();
    await continued(path, (file) => file.rows.enter(Array.from({ length: 30 }, (_, i) => row(`r${i}`))));
    edit(path, 'UPDATE rows SET confidence = 0.1');
    const { problems, nProblems } = verifyRun(path);
    expect([problems.length, nProblems]).toEqual([20, 30]);
  });

  it('shows a change of the stored scores even where its entry was made to fit', async () => {
    const path = await someRun();
    edit(path, 'UPDATE manifest SET value = \'{"accuracy":{"value":1}}\' WHERE key = \'scores\'');
    rechain(path);
    expect(problemsOf(path)).toContain('changed seal: the stored scores are not those that were sealed');
  });

  it('checks the seal and the manifest only where it has more entries than are to be read, and says so', async () => {
    const path = await someRun();
    const quick = () => verifyRun(path, { maxEntries: 5 });
    expect(quick()).toMatchObject({ verdict: 'verified', checked: 'seal', seals: 1 });
    edit(path, 'UPDATE rows SET confidence = 0.1');
    expect(quick()).toMatchObject({ verdict: 'verified', checked: 'seal' });
    edit(path, "UPDATE manifest SET value = '0' WHERE key = 'scores'");
    expect(quick()).toMatchObject({ verdict: 'unverified', checked: 'seal' });
  });
});

/** What a careful forger does: writes a chain that fits the manifest. */
function rechain(path: string): void {
  const db = new DatabaseSync(path);
  const chain = db.prepare('SELECT * FROM chain ORDER BY seq').all() as Record<string, string>[];
  const last = new Map(chain.filter(({ kind }) => kind === 'manifest').map((entry) => [entry.ref, entry]));
  for (const { ref, seq } of last.values()) {
    const { value } = db.prepare('SELECT value FROM manifest WHERE key = ?').get(ref!) as { value: string };
    const digest = digestOf('manifest', { value });
    const before = chain[Number(seq) - 2]?.hash ?? '0'.repeat(64);
    const hash = entryHash(before, 'manifest', ref!, digest);
    db.prepare('UPDATE chain SET digest = ?, hash = ? WHERE seq = ?').run(digest, hash, seq!);
  }
  db.close();
}

describe('a signed seal', () => {
  it('is checked against the key that is expected', async () => {
    const [ours, other] = [keys(), keys()];
    const path = await someRun({ signKey: ours.privateKey });
    expect(verifyRun(path)).toMatchObject({ verdict: 'verified', seal: { signed: true } });
    expect(verifyRun(path).seal!.keyFingerprint).toMatch(/^[0-9a-f]{64}$/);
    expect(verifyRun(path, { publicKey: ours.publicKey }).verdict).toBe('verified');
    expect(verifyRun(path, { publicKey: other.publicKey })).toMatchObject({
      verdict: 'unverified',
      problems: [{ problem: 'signature', where: 'the last seal is not signed by this key' }],
    });
  });

  it('is required where a key is expected', async () => {
    const path = await someRun();
    expect(verifyRun(path, { publicKey: keys().publicKey }).verdict).toBe('unverified');
  });

  it('does not cover what was added after it', async () => {
    const { publicKey, privateKey } = keys();
    const path = await someRun({ signKey: privateKey });
    await continued(path, (file) => ask(file, [2]));
    const { entriesAfterSeal } = verifyRun(path);
    expect(verifyRun(path)).toMatchObject({ verdict: 'unsealed', unsignedEntries: entriesAfterSeal });
    expect(verifyRun(path, { publicKey })).toMatchObject({ problems: [{ problem: 'signature' }] });
  });

  it('marks entries that were in the file and that no seal of its key covered, for good', async () => {
    const { publicKey, privateKey } = keys();
    const path = await someRun({ signKey: privateKey });
    await continued(path, (file) => ask(file, [2]));
    const { entriesAfterSeal } = verifyRun(path);
    await continued(path, (file) => {
      file.events.add('continued');
      seal(file, privateKey);
    });
    expect(verifyRun(path)).toMatchObject({ verdict: 'verified', unsignedEntries: entriesAfterSeal });
    await continued(path, (file) => {
      file.events.add('continued');
      seal(file, privateKey);
    });
    expect(verifyRun(path, { publicKey })).toMatchObject({
      verdict: 'unverified',
      unsignedEntries: entriesAfterSeal,
      problems: [{ where: `no signature covered ${entriesAfterSeal} entries in time` }],
    });
  });

  it('marks what a forger appended, whatever marks and seals are among it', async () => {
    const { publicKey, privateKey } = keys();
    const path = await someRun({ signKey: privateKey });
    await continued(path, async (file) => {
      file.events.add('unsigned_entries', { first: 1e9 + 1, last: 1e9 });
      file.events.add('unsigned_entries', { first: 'x' });
      await ask(file, [2]);
      seal(file, keys().privateKey);
      seal(file);
    });
    await continued(path, (file) => {
      file.events.add('continued');
      seal(file, privateKey);
    });
    expect(verifyRun(path).unsignedEntries).toBeGreaterThan(5);
    expect(verifyRun(path, { publicKey }).verdict).toBe('unverified');
  });

  it('cannot be taken from another run, or from an earlier place in the same one', async () => {
    const { privateKey } = keys();
    const sealOf = (path: string) =>
      JSON.stringify(
        RunFile.use(path, (file) => file.events.read().findLast(({ kind }) => kind === 'sealed')!.data),
      );
    const longer = await someRun({ signKey: privateKey });
    await continued(longer, async (file) => {
      await ask(file, [2]);
      seal(file, privateKey);
    });
    for (const from of [longer, null]) {
      const path = await someRun({ signKey: privateKey });
      const copied = JSON.parse(sealOf(from ?? path));
      await continued(path, (file) => {
        // As many entries as the copied seal covers, where there are fewer.
        while (file.proof().entries < copied.entries) file.events.add('continued');
        file.events.add('sealed', copied);
      });
      expect(verifyRun(path).verdict).toBe('unverified');
      expect(() => RunFile.write(path)).toThrow(expect.objectContaining({ code: 'ERR_RUN_UNVERIFIED' }));
    }
  });

  it('marks nothing where every session was signed by the key', async () => {
    const { publicKey, privateKey } = keys();
    const path = await someRun({ signKey: privateKey });
    await continued(path, async (file) => {
      await ask(file, [2]);
      seal(file, privateKey);
      file.events.add('continued');
      seal(file, privateKey);
    });
    expect(verifyRun(path, { publicKey })).toMatchObject({ verdict: 'verified', unsignedEntries: 0 });
  });

  it.each([
    ['no key', () => undefined],
    ['another key', () => keys().privateKey],
  ])('over entries that were sealed with %s marks them', async (_, other) => {
    const { publicKey, privateKey } = keys();
    const path = await someRun({ signKey: other() });
    const { entries } = verifyRun(path);
    await continued(path, (file) => {
      file.events.add('continued');
      seal(file, privateKey);
    });
    expect(verifyRun(path)).toMatchObject({ verdict: 'verified', unsignedEntries: entries });
    expect(verifyRun(path, { publicKey }).verdict).toBe('unverified');
  });

  it('does not fit a changed seal', async () => {
    const path = await someRun({ signKey: keys().privateKey });
    edit(path, "UPDATE events SET data = json_set(data, '$.krisis_version', '9') WHERE kind = 'sealed'");
    expect(verifyRun(path).problems).toContainEqual(expect.objectContaining({ problem: 'signature' }));
  });
});

/** Deletes the last seal with everything after the one before, so that the rest fits. */
const WITHOUT_LAST_SEAL = [
  'DELETE FROM chain WHERE seq = (SELECT max(seq) FROM chain)',
  "DELETE FROM events WHERE id = (SELECT max(id) FROM events WHERE kind = 'sealed')",
];

describe('a run file without its proof', () => {
  it.each([
    ['the whole chain', 'DELETE FROM chain', 'dropped chain: all entries'],
    [
      'the chain, the seals and the stored scores',
      "DELETE FROM chain; DELETE FROM events WHERE kind = 'sealed'; DELETE FROM manifest WHERE key IN ('scores', 'ledger')",
      'dropped chain: all entries',
    ],
    [
      'the entries after a seal, and the seal itself from the chain',
      'DELETE FROM chain WHERE seq > (SELECT max(seq) - 3 FROM chain)',
      'changed seal: event 2',
    ],
    [
      'the entry of the seal',
      'DELETE FROM chain WHERE seq = (SELECT max(seq) FROM chain)',
      'added event: event 2',
    ],
    ['the event of the seal', "DELETE FROM events WHERE kind = 'sealed'", 'dropped event: event 2'],
    ['the events', 'DELETE FROM events', 'dropped event: event 1'],
  ])('lacks %s: it is unverified, and cannot be continued', async (_, sql, problem) => {
    const path = await someRun();
    edit(path, sql);
    expect(verifyRun(path).verdict).toBe('unverified');
    expect(problemsOf(path)).toContain(problem);
    const before = readFileSync(path);
    expect(() => RunFile.write(path)).toThrow(
      expect.objectContaining({ code: 'ERR_RUN_UNVERIFIED', value: path }),
    );
    expect(readFileSync(path).equals(before)).toBe(true);
  });

  it('lacks a seal in the middle: the seals after it do not fit', async () => {
    const path = await someRun();
    for (let i = 0; i < 2; i++)
      await continued(path, (file) => {
        file.events.add('continued');
        seal(file);
      });
    expect(verifyRun(path)).toMatchObject({ verdict: 'verified', seals: 3 });
    edit(
      path,
      "DELETE FROM events WHERE id = (SELECT id FROM events WHERE kind = 'sealed' LIMIT 1 OFFSET 1)",
    );
    for (const maxEntries of [undefined, 0])
      expect(verifyRun(path, { maxEntries }).verdict).toBe('unverified');
    expect(() => RunFile.write(path)).toThrow('unverified');
  });

  it('lacks its last seal alone: it is like a killed run, which can be continued', async () => {
    const path = await someRun();
    edit(path, ...WITHOUT_LAST_SEAL);
    expect(verifyRun(path).verdict).toBe('unsealed');
    await continued(path, seal);
    expect(verifyRun(path).verdict).toBe('verified');
  });

  it('lacks the last seal of a signed run: the entries stay marked when it is signed again', async () => {
    const { publicKey, privateKey } = keys();
    const path = await someRun({ signKey: privateKey });
    edit(path, ...WITHOUT_LAST_SEAL);
    await continued(path, (file) => seal(file, privateKey));
    expect(verifyRun(path).verdict).toBe('verified');
    expect(verifyRun(path, { publicKey })).toMatchObject({ verdict: 'unverified', nProblems: 1 });
  });

  it('has nothing in it: it is unsealed, and can be continued', async () => {
    const path = newPath();
    RunFile.write(path).close();
    expect(verifyRun(path)).toMatchObject({ verdict: 'unsealed', entries: 0 });
    await continued(path, (file) => file.setManifest({ model: 'm' }));
  });
});

describe('a kept text of a protected run', () => {
  const FORGED = 'better';
  it.each([
    ['edited', `UPDATE calls SET raw_response = '${FORGED}' WHERE id = 1`],
    ['edited, and the secrets deleted', `DELETE FROM secrets; UPDATE calls SET raw_response = '${FORGED}'`],
    ['edited, and its salt deleted', `UPDATE calls SET raw_response = '${FORGED}', reply_salt = NULL`],
    ['edited, with a salt of its own', `UPDATE calls SET raw_response = '${FORGED}', reply_salt = '00'`],
    ['without its salt', 'UPDATE calls SET reply_salt = NULL'],
    ['with another salt', "UPDATE calls SET reply_salt = 'ab'"],
    ['that was never there', "UPDATE rows SET raw_response = 'more'"],
  ])('is %s: the file is unverified', async (_, sql) => {
    const path = await someRun({ sensitivity: 'protected' });
    expect(verifyRun(path)).toMatchObject({ verdict: 'verified', textsChecked: 1 });
    edit(path, sql);
    expect(verifyRun(path).verdict).toBe('unverified');
    expect(problemsOf(path).join()).toContain('text_changed');
  });

  it('is checked in a bundle as well, which has no key of the run', async () => {
    const copy = newPath();
    exportBundle(await someRun({ sensitivity: 'protected' }), copy, { withFeatures: false, force: false });
    edit(copy, `UPDATE calls SET raw_response = '${FORGED}' WHERE id = 1`);
    expect(problemsOf(copy)).toEqual(['text_changed outcome: call 1']);
  });

  it('leaves a copy together with its salt, so that its hash cannot be guessed', async () => {
    const copy = newPath();
    const path = newPath();
    const file = RunFile.write(path);
    file.setManifest({ sensitivity: 'protected' });
    file.records.enter([[0, recordsOf('a')[0]!]], true);
    file.close();
    const salts = (of: string) => {
      const db = new DatabaseSync(of);
      const found = db.prepare('SELECT features, features_salt FROM records').all();
      db.close();
      return found.map((row) => Object.values(row).map((cell) => cell !== null));
    };
    exportBundle(path, copy, { withFeatures: false, force: false });
    expect([salts(path), salts(copy)]).toEqual([[[true, true]], [[false, false]]]);
  });
});

describe('a merged run', () => {
  it('begins with the ends of its parts', async () => {
    const parts: MergedPart[] = [];
    for (const part of [await someRun(), await someRun()]) {
      const file = RunFile.write(part);
      const { hash: head, entries } = file.proof();
      const { sealedAt } = verifyRun(part).seal!;
      const name = basename(part);
      parts.push({ file: name, run_id: null, head, entries, sealed_at: sealedAt, key_fingerprint: null });
      file.close();
    }
    const path = newPath();
    await continued(path, (file) => {
      file.beginMerged(parts);
      expect(() => file.beginMerged(parts)).toThrow(expect.objectContaining({ code: 'ERR_ARGUMENT' }));
      seal(file);
    });
    expect(verifyRun(path)).toMatchObject({ verdict: 'verified', mergedFrom: parts });
    expect(entriesOf(path)[0]).toMatchObject({ seq: 1, kind: 'event', ref: '1' });
  });
});

describe('a run in memory', () => {
  it('has no chain', () => {
    const file = RunFile.inMemory();
    file.setManifest({ model: 'm' });
    seal(file);
    expect([file.proof().entries, file.hasUnsealedEntries(), file.events.read()]).toEqual([0, false, []]);
    file.close();
  });
});
