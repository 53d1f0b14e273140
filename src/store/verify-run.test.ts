import { generateKeyPairSync, type KeyObject } from 'node:crypto';
import { copyFileSync, readFileSync } from 'node:fs';
import { basename } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { afterAll, describe, expect, it } from 'vitest';
import { recordsOf, response, temporaryFolder } from '../../test/engine-fixture.ts';
import { cutEntries, forgeProof } from '../../test/forge-proof.ts';
import { exportBundle } from './bundle.ts';
import type { CallOutcome } from './call.ts';
import { isProofSignedBy, storedProof } from './digest.ts';
import { queryRun } from './open-database.ts';
import type { NewRow } from './rows.ts';
import { RunFile } from './run-file.ts';
import type { MergedPart } from './seal.ts';
import { ENTRIES, ROWS } from './tables.ts';
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
const REPORT = { line: '{"accuracy":0.5}', content: '{"scores":{"accuracy":0.5}}' };

interface Made {
  readonly sensitivity?: 'synthetic' | 'protected';
  readonly signKey?: KeyObject | undefined;
  readonly seals?: boolean;
}

/** A run with an entry of every kind; records are named like a patient. */
async function someRun({ sensitivity = 'synthetic', signKey, seals = true }: Made = {}): Promise<string> {
  const path = newPath();
  const file = RunFile.write(path, { signKey });
  file.setManifest({ model: 'm', identity: { repeats: 1 }, krisisVersion: '1.2.3', sensitivity });
  const records = recordsOf('abcd').map((record, i) => [i, { ...record, id: `${NAME} ${i}` }] as const);
  file.records.enter(records, sensitivity === 'synthetic');
  file.events.add('started');
  await ask(file, [0, 1]);
  file.rows.enter([row(`${NAME} 3`, { state: 'failed', stateReason: 'timeout', prediction: null })]);
  file.judgements.enter(verdict(`${NAME} 0`));
  await file.calls.begin({ key: 'never came back', mode: 'single', repeat: 0, recordIds: ['x'], attempt: 0 });
  file.setManifest({ status: 'complete' });
  file.storeReport(REPORT);
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
const listProblems = (path: string) =>
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
    const sealed = readEntries(path);
    await continued(path, async (file) => {
      await ask(file, [2]);
      seal(file);
    });
    expect(readEntries(path).slice(0, sealed.length)).toEqual(sealed);
    const after = verifyRun(path);
    expect(after).toMatchObject({ verdict: 'verified', seals: 2, entriesAfterSeal: 0 });
    expect(after.entries).toBeGreaterThan(before.entries);
    expect(after.seal!.entries).toBe(after.entries - 1);
  });

  it('writes nothing where nothing changes', async () => {
    const path = await someRun();
    const before = readEntries(path);
    await continued(path, nothingNew);
    expect(readEntries(path)).toEqual(before);
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

/** Writes what the run has already. */
function nothingNew(file: RunFile): void {
  file.setManifest({ status: 'complete' });
  file.storeReport(REPORT);
  file.records.enter([[0, { ...recordsOf('a')[0]!, id: `${NAME} 0` }]], true);
  file.rows.enter([row(`${NAME} 3`)]);
  file.judgements.enter(verdict(`${NAME} 0`));
  expect(file.hasUnsealedEntries()).toBe(false);
}

/** Every entry of the file as it is stored, in order. */
function readEntries(path: string): Record<string, unknown>[] {
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

const EVERYTHING = 'changed entries: everything before the seal';
const hasProblem = (path: string, problem: string, { seal }: ReturnType<typeof verifyRun>) =>
  expect(listProblems(path)).toContain(
    problem === EVERYTHING ? `changed entries: entries 1 to ${seal!.entries}` : problem,
  );

describe('a run file that was edited', () => {
  it.each([
    ["UPDATE rows SET prediction = '\"no\"' WHERE record_id LIKE '% 1'", EVERYTHING],
    ["UPDATE rows SET confidence = 0.99 WHERE record_id LIKE '% 0'", EVERYTHING],
    ["UPDATE rows SET confidence = 9e999 WHERE record_id LIKE '% 0'", 'changed entries: entry 10'],
    ["DELETE FROM rows WHERE state = 'failed'", 'dropped entries: entries 12 to 12'],
    [
      "CREATE TEMP TABLE copied AS SELECT * FROM rows LIMIT 1; UPDATE copied SET record_id = 'x', seq = 1; INSERT INTO rows SELECT * FROM copied",
      'added entries: a second entry 1',
    ],
    [
      "CREATE TEMP TABLE copied AS SELECT * FROM rows LIMIT 1; UPDATE copied SET record_id = 'x', seq = -1; INSERT INTO rows SELECT * FROM copied",
      'added entries: a second entry -1',
    ],
    [
      "CREATE TEMP TABLE copied AS SELECT * FROM rows LIMIT 1; UPDATE copied SET record_id = 'x', seq = 17; INSERT INTO rows SELECT * FROM copied",
      'changed entries: 17 entries, where the digest covers 16',
    ],
    ['UPDATE records SET label = \'"no"\' WHERE position = 1', EVERYTHING],
    ["UPDATE records SET features = '{}' WHERE position = 1", 'text_changed record: record 1'],
    ['DELETE FROM records WHERE position = 2', 'dropped entries: entries 4 to 4'],
    ['UPDATE outcomes SET cost_usd = 0', EVERYTHING],
    ["UPDATE outcomes SET raw_response = 'better'", 'text_changed call: call 7'],
    ['UPDATE outcomes SET call_id = (SELECT max(seq) FROM calls)', EVERYTHING],
    ['UPDATE calls SET reserved_usd = 1', EVERYTHING],
    ["UPDATE judgements SET outcome = '{}'", EVERYTHING],
    ['DELETE FROM judgements', 'dropped entries: entries 13 to 13'],
    ["UPDATE events SET data = '{\"x\":1}' WHERE kind = 'started'", EVERYTHING],
    ["UPDATE templates SET prompt = '{}'", EVERYTHING],
    ["UPDATE events SET data = json_set(data, '$.model', 'other') WHERE seq = 1", EVERYTHING],
    ["UPDATE events SET data = json_remove(data, '$.model') WHERE seq = 1", EVERYTHING],
    ["UPDATE events SET data = json_set(data, '$.seed', 1) WHERE seq = 1", EVERYTHING],
    ['DELETE FROM events WHERE seq = 1', 'dropped entries: entries 1 to 1'],
    ["UPDATE proof SET digest = 'ab'", 'changed entries: entries 16 to 16'],
    ['UPDATE proof SET entries = 15', 'changed entries: 16 entries, where the digest covers 15'],
    ['UPDATE proof SET entries = 17', 'changed entries: 16 entries, where the digest covers 17'],
    [
      "UPDATE proof SET public_key = 'ab', signature = 'ab'",
      'signature digest: the signature of the last entries is missing or wrong',
    ],
    [
      "UPDATE events SET data = json_set(data, '$.entries', 3) WHERE kind = 'sealed'",
      'changed seal: entry 16',
    ],
    ["UPDATE events SET data = '[]' WHERE kind = 'sealed'", 'changed seal: entry 16'],
  ])('%s', async (sql, problem) => {
    const path = await someRun();
    const before = verifyRun(path);
    edit(path, sql);
    expect(verifyRun(path).verdict).toBe('unverified');
    hasProblem(path, problem, before);
    expect(listProblems(path).join()).not.toContain(NAME);
    expect(() => RunFile.write(path)).toThrow(expect.objectContaining({ code: 'ERR_RUN_UNVERIFIED' }));
  });

  it('is unverified whichever column that entries commit to was edited, in every table', async () => {
    const path = await someRun();
    const copy = newPath();
    for (const table of ENTRIES)
      for (const column of ['seq', ...table.sqlNames.slice(0, table.nCovered)]) {
        copyFileSync(path, copy);
        // Works for numbers and texts, and null.
        edit(
          copy,
          `UPDATE ${table.name} SET ${column} = CASE typeof(${column}) WHEN 'text' THEN ${column} || ' ' ELSE coalesce(${column}, 0) + 1000 END WHERE seq = (SELECT min(seq) FROM ${table.name})`,
        );
        expect([table.name, column, verifyRun(copy).verdict]).toEqual([table.name, column, 'unverified']);
      }
  });

  it('is refused where a table was made to take a flag that is no flag', async () => {
    const path = await someRun();
    const lax = ROWS.ddl
      .replace('TABLE rows', 'TABLE lax')
      .replace('abstained INTEGER NOT NULL', 'abstained INTEGER');
    edit(
      path,
      `${lax}; INSERT INTO lax SELECT * FROM rows; DROP TABLE rows; ALTER TABLE lax RENAME TO rows`,
      'UPDATE rows SET abstained = NULL',
    );
    for (const open of [verifyRun, RunFile.read, RunFile.write])
      expect(() => open(path)).toThrow(expect.objectContaining({ code: 'ERR_RUN_FILE' }));
  });

  it('names the session in which something was changed', async () => {
    const path = await someRun();
    const first = verifyRun(path).entries;
    await session(path);
    await session(path);
    edit(path, `UPDATE events SET time = 1 WHERE seq = ${first + 1}`);
    expect(listProblems(path)).toEqual([`changed entries: entries ${first} to ${first + 1}`]);
  });

  it('lists at most 20 problems, and counts all', async () => {
    const path = newPath();
    await continued(path, (file) =>
      file.rows.enter(Array.from({ length: 30 }, (_, i) => row(`r${i}`, { rawResponse: `text ${i}` }))),
    );
    edit(path, "UPDATE rows SET raw_response = 'better'");
    const { problems, nProblems } = verifyRun(path);
    expect([problems.length, nProblems]).toEqual([20, 30]);
  });

  it.each([
    ['of it was changed', "UPDATE report SET content = '{}'"],
    ['of its line in lists was changed', "UPDATE report SET line = '{}'"],
    ['was deleted', 'DELETE FROM report'],
    ['is not text', "UPDATE report SET content = x'00'"],
  ])('shows that what is stored as the report %s, even where the digest was made to fit', async (_, sql) => {
    for (const signKey of [undefined, keys().privateKey]) {
      const path = await someRun({ signKey });
      edit(path, sql);
      expect(listProblems(path)).toEqual([
        'changed report: the stored report is not the one that was sealed',
      ]);
      forgeProof(path, { fitSeals: true });
      expect(listProblems(path)).toEqual([
        'changed report: the stored report is not the one that was sealed',
      ]);
    }
  });

  it('shows a report that was added to a run without one', async () => {
    const path = newPath();
    await session(path);
    edit(path, "INSERT INTO report VALUES (1, '{}', '{}')");
    expect(listProblems(path)).toEqual(['changed report: the stored report is not the one that was sealed']);
  });

  it('checks the seal and the line of the report only where it has more entries than are to be read, and says so', async () => {
    const path = await someRun();
    const quick = () => verifyRun(path, { maxEntries: 5 });
    expect(quick()).toMatchObject({ verdict: 'verified', checked: 'seal', seals: 1 });
    edit(path, 'UPDATE rows SET confidence = 0.1');
    expect(quick()).toMatchObject({ verdict: 'verified', checked: 'seal' });
    edit(path, "UPDATE report SET line = '{}'");
    expect(quick()).toMatchObject({ verdict: 'unverified', checked: 'seal' });
  });
});

describe('a run file that was cut short', () => {
  it('is found to be changed, wherever it was cut', async () => {
    const path = await someRun();
    const { entries } = verifyRun(path);
    const copy = newPath();
    for (let kept = 0; kept < entries; kept++) {
      copyFileSync(path, copy);
      cutEntries(copy, kept);
      expect(listProblems(copy)).toContain(
        `changed entries: ${kept} entries, where the digest covers ${entries}`,
      );
    }
  });

  it.each([
    ['an earlier seal', 0],
    ['the middle of a session', 1],
  ])('back to %s is unverified where it was signed, whatever digest it states', async (_, more) => {
    const { publicKey, privateKey } = keys();
    const path = await someRun({ signKey: privateKey });
    const { entries } = verifyRun(path);
    await session(path, privateKey);
    cutEntries(path, entries + more);
    expect(verifyRun(path).verdict).toBe('unverified');
    forgeProof(path);
    expect(listProblems(path)).toEqual([
      'signature digest: the signature of the last entries is missing or wrong',
    ]);
    expect(() => RunFile.write(path, { signKey: privateKey })).toThrow('unverified');
    // The forger's own signature fits, and is not the one that is asked for.
    forgeProof(path, { signKey: keys().privateKey });
    expect(verifyRun(path, { publicKey }).verdict).toBe('unverified');
  });

  it('back to an earlier seal is like a run that ended there, where nothing is signed', async () => {
    const path = await someRun();
    const { entries, head } = verifyRun(path);
    await session(path);
    cutEntries(path, entries);
    expect(verifyRun(path).verdict).toBe('unverified');
    forgeProof(path);
    expect(verifyRun(path)).toMatchObject({ verdict: 'verified', entries, head });
  });
});

describe('a signed run', () => {
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

  it('takes nothing that is not signed: it cannot be continued without a key', async () => {
    const { publicKey, privateKey } = keys();
    const path = await someRun({ signKey: privateKey });
    const before = readEntries(path);
    for (const work of [
      (file: RunFile) => file.events.add('continued'),
      (file: RunFile) => ask(file, [2]),
      (file: RunFile) => file.rows.enter([row('new')]),
      (file: RunFile) => file.setManifest({ model: 'other' }),
      seal,
    ])
      await expect(continued(path, work)).rejects.toThrow(
        expect.objectContaining({ code: 'ERR_RUN_SIGNED' }),
      );
    expect(readEntries(path)).toEqual(before);
    expect(verifyRun(path, { publicKey }).verdict).toBe('verified');
  });

  it('is unsealed with a signature that fits while it is written, and after a kill', async () => {
    const { publicKey, privateKey } = keys();
    const path = newPath();
    const killed = newPath();
    const file = RunFile.write(path, { signKey: privateKey });
    file.setManifest({ model: 'm' });
    file.records.enter([[0, recordsOf('a')[0]!]], true);
    await ask(file, [0]);
    file.events.add('continued');
    // What a kill leaves: the file and its log.
    for (const end of ['', '-wal']) copyFileSync(path + end, killed + end);
    file.close();
    for (const left of [path, killed]) {
      expect(verifyRun(left)).toMatchObject({ verdict: 'unsealed', unsignedEntries: 0, nProblems: 0 });
      expect(isProofSignedBy(readProof(left)!, publicKey)).toBe(true);
    }
    await expect(session(killed)).rejects.toThrow(expect.objectContaining({ code: 'ERR_RUN_SIGNED' }));
    await session(killed, privateKey);
    expect(verifyRun(killed, { publicKey })).toMatchObject({ verdict: 'verified', unsignedEntries: 0 });
  });

  it('marks entries that were in the file and that no seal of its key covered, for good', async () => {
    const { publicKey, privateKey } = keys();
    const path = await someRun({ seals: false });
    const { entries } = verifyRun(path);
    await session(path, privateKey);
    expect(verifyRun(path)).toMatchObject({ verdict: 'verified', unsignedEntries: entries });
    await session(path, privateKey);
    expect(verifyRun(path, { publicKey })).toMatchObject({
      verdict: 'unverified',
      unsignedEntries: entries,
      problems: [{ where: `no signature covered ${entries} entries in time` }],
    });
  });

  it('marks them once, and only where something is written', async () => {
    const { privateKey } = keys();
    const path = await someRun();
    const before = readEntries(path);
    await continued(path, nothingNew, privateKey);
    expect(readEntries(path)).toEqual(before);
    expect(verifyRun(path)).toMatchObject({ verdict: 'verified', seal: { signed: false } });
    await session(path, privateKey);
    await continued(path, nothingNew, privateKey);
    const added = readEntries(path).slice(before.length);
    expect(added.map(({ kind }) => kind)).toEqual(['continued', 'unsigned_entries', 'sealed']);
    expect(JSON.parse(String(added[1]!.data))).toEqual({ first: 1, last: before.length });
  });

  it('marks them also where the first write was rolled back', async () => {
    const { privateKey } = keys();
    const path = await someRun();
    const { entries } = verifyRun(path);
    await continued(
      path,
      async (file) => {
        expect(() => file.rows.enter([row('p'), { ...row('q'), state: null as never }])).toThrow();
        await ask(file, [2]);
        seal(file);
      },
      privateKey,
    );
    expect(verifyRun(path)).toMatchObject({ verdict: 'verified', unsignedEntries: entries });
    expect(readEntries(path).filter(({ kind }) => kind === 'unsigned_entries')).toHaveLength(1);
  });

  it('marks what a forger appended, whatever marks and seals are among it', async () => {
    const [{ publicKey, privateKey }, forger] = [keys(), keys()];
    const path = await someRun({ signKey: privateKey });
    const { entries } = verifyRun(path);
    await continued(
      path,
      async (file) => {
        file.events.add('unsigned_entries', { first: 1e9 + 1, last: 1e9 });
        file.events.add('unsigned_entries', { first: 'x' });
        await ask(file, [2]);
        seal(file);
      },
      forger.privateKey,
    );
    // The one mark that says so.
    edit(path, `DELETE FROM events WHERE seq = ${entries + 1}`);
    for (const { name } of ENTRIES) edit(path, `UPDATE ${name} SET seq = seq - 1 WHERE seq > ${entries}`);
    edit(path, `DELETE FROM events WHERE kind = 'sealed' AND seq > ${entries}`);
    forgeProof(path, { signKey: forger.privateKey });
    expect(verifyRun(path).verdict).toBe('unsealed');
    await session(path, privateKey);
    expect(verifyRun(path).unsignedEntries).toBeGreaterThan(4);
    expect(verifyRun(path, { publicKey }).verdict).toBe('unverified');
  });

  it('is unverified with entries that a forger appended, sealed and did not sign', async () => {
    const { privateKey } = keys();
    const path = await someRun({ signKey: privateKey });
    const { entries } = verifyRun(path);
    edit(
      path,
      `INSERT INTO events SELECT ${entries} + 1, time, 'continued', '{}' FROM events WHERE seq = 1`,
      `INSERT INTO events SELECT ${entries} + 2, time, kind, data FROM events WHERE kind = 'sealed'`,
    );
    const first = readSealText(path, 0);
    forgeProof(path, { fitSeals: true });
    // The seal of the run stays signed, the forged one is not.
    edit(path, `UPDATE events SET data = '${first}' WHERE seq = ${entries}`);
    fitLastSeal(path);
    expect(verifyRun(path).seals).toBe(2);
    expect(listProblems(path)).toEqual([
      'signature digest: the signature of the last entries is missing or wrong',
    ]);
    expect(() => RunFile.write(path, { signKey: privateKey })).toThrow('unverified');
  });

  it('is unverified, or no longer signed, once a forger without the key has edited it', async () => {
    const { publicKey, privateKey } = keys();
    const path = await someRun({ signKey: privateKey });
    edit(path, 'UPDATE rows SET confidence = 0.99');
    expect(verifyRun(path).verdict).toBe('unverified');
    forgeProof(path);
    expect(verifyRun(path).verdict).toBe('unverified');
    forgeProof(path, { fitSeals: true });
    // Nothing is left of the signatures: that shows where one is required, or where the run is signed again.
    expect(verifyRun(path)).toMatchObject({ verdict: 'verified', seal: { signed: false } });
    expect(verifyRun(path, { publicKey }).verdict).toBe('unverified');
    const { entries } = verifyRun(path);
    await session(path, privateKey);
    expect(verifyRun(path, { publicKey })).toMatchObject({
      verdict: 'unverified',
      unsignedEntries: entries,
    });
  });

  it('cannot have a seal from another run, or from an earlier place in the same one', async () => {
    const { privateKey } = keys();
    const longer = await someRun({ signKey: privateKey });
    await continued(
      longer,
      async (file) => {
        await ask(file, [2]);
        seal(file);
      },
      privateKey,
    );
    for (const from of [longer, null]) {
      const path = await someRun({ signKey: privateKey });
      const copied = JSON.parse(readSealText(from ?? path));
      await continued(
        path,
        (file) => {
          // As many entries as the copied seal covers, where there are fewer.
          while (file.proof().entries < copied.entries) file.events.add('continued');
          file.events.add('sealed', copied);
        },
        privateKey,
      );
      expect(verifyRun(path).verdict).toBe('unverified');
      expect(() => RunFile.write(path)).toThrow(expect.objectContaining({ code: 'ERR_RUN_UNVERIFIED' }));
    }
  });

  it('marks nothing where every session was signed by the key', async () => {
    const { publicKey, privateKey } = keys();
    const path = await someRun({ signKey: privateKey });
    await continued(
      path,
      async (file) => {
        await ask(file, [2]);
        seal(file);
        file.events.add('continued');
        seal(file);
      },
      privateKey,
    );
    expect(verifyRun(path, { publicKey })).toMatchObject({ verdict: 'verified', unsignedEntries: 0 });
  });

  it.each([
    ['no key', () => undefined],
    ['another key', () => keys().privateKey],
  ])('over entries that were sealed with %s marks them', async (_, other) => {
    const { publicKey, privateKey } = keys();
    const path = await someRun({ signKey: other() });
    const { entries } = verifyRun(path);
    await session(path, privateKey);
    expect(verifyRun(path)).toMatchObject({ verdict: 'verified', unsignedEntries: entries });
    expect(verifyRun(path, { publicKey }).verdict).toBe('unverified');
  });

  it('has a signature that does not fit a changed seal', async () => {
    const path = await someRun({ signKey: keys().privateKey });
    edit(path, "UPDATE events SET data = json_set(data, '$.krisis_version', '9') WHERE kind = 'sealed'");
    expect(verifyRun(path).problems).toContainEqual(expect.objectContaining({ problem: 'signature' }));
  });

  it('is unverified where the signature of its digest was taken away, or taken from an earlier commit', async () => {
    const { privateKey } = keys();
    const path = await someRun({ signKey: privateKey });
    const { publicKey, signature } = readProof(path)!;
    await session(path, privateKey);
    const copy = newPath();
    for (const sql of [
      'UPDATE proof SET signature = NULL, public_key = NULL',
      'UPDATE proof SET signature = NULL',
      'UPDATE proof SET public_key = NULL',
      `UPDATE proof SET signature = '${signature}', public_key = '${publicKey}'`,
    ]) {
      copyFileSync(path, copy);
      edit(copy, sql);
      expect(listProblems(copy)).toEqual([
        'signature digest: the signature of the last entries is missing or wrong',
      ]);
    }
  });
});

const readProof = (path: string) => queryRun(path, storedProof);

/** A seal as it is stored, by default the last. */
const readSealText = (path: string, place = -1) =>
  String(
    readEntries(path)
      .filter(({ kind }) => kind === 'sealed')
      .at(place)!.data,
  );

/** Makes the last seal fit what is before it, and the digest fit it all. */
function fitLastSeal(path: string): void {
  const last = readEntries(path).at(-1)!;
  cutEntries(path, Number(last.seq) - 1);
  forgeProof(path);
  const { entries, digest } = readProof(path)!;
  const data = JSON.stringify({ ...JSON.parse(String(last.data)), entries, digest });
  edit(path, `INSERT INTO events VALUES (${last.seq}, ${last.time}, 'sealed', '${data}')`);
  forgeProof(path);
}

describe('a run file without its proof', () => {
  it.each([
    ['its digest', 'DELETE FROM proof', 'dropped digest: the digest of the entries is missing'],
    [
      'its digest, the seals and the stored report',
      "DELETE FROM proof; DELETE FROM events WHERE kind = 'sealed'; DELETE FROM report",
      'dropped digest: the digest of the entries is missing',
    ],
    [
      'the last entries, with the seal',
      ENTRIES.map(({ name }) => `DELETE FROM ${name} WHERE seq > 14`).join('; '),
      'changed entries: 14 entries, where the digest covers 16',
    ],
    [
      'its seal',
      "DELETE FROM events WHERE kind = 'sealed'",
      'changed entries: 15 entries, where the digest covers 16',
    ],
    ['its events', 'DELETE FROM events', 'dropped entries: entries 1 to 1'],
    [
      'all entries',
      ENTRIES.map(({ name }) => `DELETE FROM ${name}`).join('; '),
      'changed entries: 0 entries, where the digest covers 16',
    ],
  ])('lacks %s: it is unverified, and cannot be continued', async (_, sql, problem) => {
    for (const signKey of [undefined, keys().privateKey]) {
      const path = await someRun({ signKey });
      edit(path, sql);
      expect(verifyRun(path).verdict).toBe('unverified');
      expect(listProblems(path)).toContain(problem);
      const before = readFileSync(path);
      for (const key of [undefined, signKey])
        expect(() => RunFile.write(path, { signKey: key })).toThrow(
          expect.objectContaining({ code: 'ERR_RUN_UNVERIFIED', value: path }),
        );
      expect(readFileSync(path).equals(before)).toBe(true);
    }
  });

  it('lacks a seal in the middle: the seals after it do not fit', async () => {
    const path = await someRun();
    for (let i = 0; i < 2; i++) await session(path);
    expect(verifyRun(path)).toMatchObject({ verdict: 'verified', seals: 3 });
    edit(
      path,
      "DELETE FROM events WHERE seq = (SELECT seq FROM events WHERE kind = 'sealed' LIMIT 1 OFFSET 1)",
    );
    expect(verifyRun(path).verdict).toBe('unverified');
    expect(() => RunFile.write(path)).toThrow('unverified');
  });

  it('lacks its last seal, with a digest made to fit: it is like a killed run, which can be continued', async () => {
    const path = await someRun();
    edit(path, "DELETE FROM events WHERE kind = 'sealed'");
    forgeProof(path);
    expect(verifyRun(path).verdict).toBe('unsealed');
    await continued(path, seal);
    expect(verifyRun(path).verdict).toBe('verified');
  });

  it('lacks every seal of a signed run: the entries stay marked when it is signed again', async () => {
    const { publicKey, privateKey } = keys();
    const path = await someRun({ signKey: privateKey });
    edit(path, "DELETE FROM events WHERE kind = 'sealed'");
    forgeProof(path);
    await continued(path, seal, privateKey);
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
    ['edited', `UPDATE outcomes SET raw_response = '${FORGED}'`],
    [
      'edited, and the secrets deleted',
      `DELETE FROM secrets; UPDATE outcomes SET raw_response = '${FORGED}'`,
    ],
    ['edited, and its salt deleted', `UPDATE outcomes SET raw_response = '${FORGED}', reply_salt = NULL`],
    ['edited, with a salt of its own', `UPDATE outcomes SET raw_response = '${FORGED}', reply_salt = '00'`],
    ['without its salt', 'UPDATE outcomes SET reply_salt = NULL'],
    ['with another salt', "UPDATE outcomes SET reply_salt = 'ab'"],
    ['that was never there', "UPDATE rows SET raw_response = 'more'"],
    ['not text', "UPDATE outcomes SET raw_response = x'00'"],
  ])('is %s: the file is unverified', async (_, sql) => {
    for (const signKey of [undefined, keys().privateKey]) {
      const path = await someRun({ sensitivity: 'protected', signKey });
      expect(verifyRun(path)).toMatchObject({ verdict: 'verified', textsChecked: 1 });
      edit(path, sql);
      expect(verifyRun(path).verdict).toBe('unverified');
      expect(listProblems(path).join()).toContain('text_changed');
    }
  });

  it('is checked in a bundle as well, which has no key of the run', async () => {
    const copy = newPath();
    exportBundle(await someRun({ sensitivity: 'protected' }), copy, { withFeatures: false, force: false });
    edit(copy, `UPDATE outcomes SET raw_response = '${FORGED}'`);
    expect(listProblems(copy)).toEqual(['text_changed call: call 7']);
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
      const { digest: head, entries } = file.proof();
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
    expect(readEntries(path)[0]).toMatchObject({ seq: 1, table: 'events', kind: 'merged' });
  });
});

describe('a run in memory', () => {
  it('has neither digest nor seal', () => {
    const file = RunFile.inMemory();
    file.setManifest({ model: 'm' });
    seal(file);
    expect([file.proof().entries, file.hasUnsealedEntries(), file.events.read()]).toEqual([0, false, []]);
    file.close();
  });
});
