import { generateKeyPairSync, type KeyObject } from 'node:crypto';
import { cpSync } from 'node:fs';
import { DatabaseSync } from 'node:sqlite';
import { afterAll, describe, expect, it } from 'vitest';
import { recordsOf, response, temporaryFolder } from '../../test/engine-fixture.ts';
import { exportBundle } from './bundle.ts';
import { digestOf, entryHash } from './chain.ts';
import type { CallOutcome, JournalRow } from './journal.ts';
import type { MergedPart } from './run-event.ts';
import { RunFile } from './run-file.ts';
import { verifyRun } from './verify-run.ts';

const folder = temporaryFolder();
afterAll(folder.remove);
let made = 0;
const newPath = () => folder.file(`run-${++made}.db`);

const row = (recordId: string, more: Partial<JournalRow> = {}): JournalRow => ({
  recordId,
  repeat: 0,
  state: 'answered',
  stateReason: null,
  ...response(),
  tokensEstimated: false,
  repaired: false,
  ...more,
});
const answered: CallOutcome = {
  outcome: 'answered',
  error: null,
  inputTokens: 10,
  outputTokens: 2,
  wastedTokens: 0,
  latencySeconds: 0.1,
  modelId: 'm-1',
  costUsd: 0.5,
  cachedAt: null,
  rawResponse: null,
};
const verdict = (recordId: string) =>
  ({ recordId, repeat: 0, judge: 'j', pass: 0, rubric: 'r', outcome: { items: [] } }) as const;
const NAME = 'Erika Mustermann';
const SCORES = { scores: { accuracy: { value: 0.5 } }, ledger: { n: 4 } };

interface Made {
  readonly sensitivity?: 'synthetic' | 'protected';
  readonly signKey?: KeyObject;
  readonly seals?: boolean;
}

/** A run with an entry of every kind; records are named like a patient. */
async function someRun({ sensitivity = 'synthetic', signKey, seals = true }: Made = {}): Promise<string> {
  const path = newPath();
  const file = RunFile.write(path);
  file.setManifest({ model: 'm', identity: { repeats: 1 }, krisis_version: '1.2.3', sensitivity });
  const records = recordsOf('abcd').map((record, i) => [i, { ...record, id: `${NAME} ${i}` }] as const);
  file.setRecords(records.slice(0, 2), sensitivity === 'synthetic');
  file.setRecords(records.slice(2), sensitivity === 'synthetic', false);
  file.select([3]);
  file.addEvent('started');
  await ask(file, [0, 1]);
  file.enter([row(`${NAME} 3`, { state: 'failed', stateReason: 'timeout', prediction: null })]);
  file.addJudgement(verdict(`${NAME} 0`));
  await file.begin({ key: 'never came back', mode: 'single', repeat: 0, recordIds: ['x'], attempt: 0 });
  file.setManifest({ status: 'complete', ...SCORES });
  if (seals) seal(file, signKey);
  file.close();
  return path;
}

async function ask(file: RunFile, records: readonly number[]): Promise<void> {
  const recordIds = records.map((i) => `${NAME} ${i}`);
  const call = await file.begin({ key: recordIds.join(), mode: 'batch', repeat: 0, recordIds, attempt: 0 });
  const rows = recordIds.map((id) =>
    row(id, { rawResponse: '{"prediction": "yes"}', prompt: [{ role: 'user', content: '{case}' }] }),
  );
  file.end(call, { ...answered, rawResponse: '{"prediction": "yes"}' }, rows);
}

function seal(file: RunFile, signKey?: KeyObject): void {
  file.seal({
    scoresHash: null,
    krisisVersion: '1.2.3',
    signKey,
  });
}

function edit(path: string, ...statements: readonly string[]): void {
  const db = new DatabaseSync(path);
  for (const sql of statements) db.exec(sql);
  db.close();
}

const continued = async (path: string, work: (file: RunFile) => unknown) => {
  const file = RunFile.write(path);
  await work(file);
  file.close();
};

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
      adoptedAt: null,
      startedBy: '1.2.3',
      mergedFrom: null,
      textsNotChecked: 0,
    });
    expect(verifyRun(path).textsChecked).toBe(5);
  });

  it('is verified while it is written, and after a kill: entries since the last seal are counted', async () => {
    const path = await someRun({ seals: false });
    expect(verifyRun(path)).toMatchObject({ verdict: 'verified', seals: 0, seal: null });
    const { entries, entriesAfterSeal } = verifyRun(path);
    expect(entriesAfterSeal).toBe(entries);
    const file = RunFile.write(path);
    file.addEvent('continued');
    expect(verifyRun(path)).toMatchObject({ verdict: 'verified', entriesAfterSeal: entries + 1 });
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
      }
      expect(verifyRun(bare).textsNotChecked).toBe(sensitivity === 'protected' ? 1 : 0);
    }
  });

  it('is verified when a copy of a protected run is continued with a key of its own', async () => {
    const copy = newPath();
    exportBundle(await someRun({ sensitivity: 'protected' }), copy, { withFeatures: false, force: false });
    await continued(copy, (file) => ask(file, [2]));
    expect(verifyRun(copy)).toMatchObject({ verdict: 'verified', textsChecked: 1, textsNotChecked: 1 });
  });

  it('keeps texts that SQLite cannot store as they are, and numbers that are none', async () => {
    const path = newPath();
    await continued(path, (file) => {
      file.setRecords([[0, { id: 'a\uD800\u0000b', features: {}, label: 'x', metadata: {} }]], true);
      file.enter([
        row('a\uD800\u0000b', { stateReason: '\uDC00', confidence: Number.NaN, rawResponse: '\uD800' }),
      ]);
    });
    expect(verifyRun(path)).toMatchObject({ verdict: 'verified', textsChecked: 2 });
  });
});

describe('a run that is continued', () => {
  it('gets a new seal that names the old one; nothing sealed is rewritten', async () => {
    const path = await someRun();
    const before = verifyRun(path);
    const sealed = chainOf(path);
    await continued(path, async (file) => {
      file.select([2]);
      await ask(file, [2]);
      seal(file);
    });
    expect(chainOf(path).slice(0, sealed.length)).toEqual(sealed);
    const after = verifyRun(path);
    expect(after).toMatchObject({ verdict: 'verified', seals: 2, entriesAfterSeal: 0 });
    expect(after.entries).toBeGreaterThan(before.entries);
  });

  it('writes nothing where nothing changes', async () => {
    const path = await someRun();
    const before = chainOf(path);
    await continued(path, (file) => {
      file.setManifest({ status: 'complete', ...SCORES });
      file.setRecords([[0, { ...recordsOf('a')[0]!, id: `${NAME} 0` }]], true);
      file.select([3]);
      file.enter([row(`${NAME} 3`)]);
      file.addJudgement(verdict(`${NAME} 0`));
      expect(file.hasUnsealedEntries()).toBe(false);
    });
    expect(chainOf(path)).toEqual(before);
  });

  it('does not lose its place when a transaction is rolled back', async () => {
    const path = await someRun();
    await continued(path, async (file) => {
      const wrong = { ...row('q'), state: null as never };
      expect(() => file.enter([row('p'), wrong])).toThrow();
      await ask(file, [2]);
    });
    expect(verifyRun(path)).toMatchObject({ verdict: 'verified' });
  });
});

function chainOf(path: string): unknown[] {
  const db = new DatabaseSync(path);
  const chain = db.prepare('SELECT * FROM chain ORDER BY seq').all();
  db.close();
  return chain;
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
      "INSERT INTO rows SELECT 'x', repeat, attempt, state, state_reason, prediction, abstained, confidence, confidence_source, deferral_reason, raw_response, reply_start, reply_end, reply_length, reply_hash, kept_hash, reply_order, template, mode, call, input_tokens, output_tokens, total_tokens, tokens_estimated, repaired, problem, status, token_confidence, urgent FROM rows LIMIT 1",
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
    expect(verifyRun(path).verdict).toBe('changed');
    expect(problemsOf(path)).toContain(problem);
    expect(problemsOf(path).join()).not.toContain(NAME);
  });

  it('is found to be changed where entries were cut off together with what they are about', async () => {
    const path = await someRun();
    edit(path, "DELETE FROM rows WHERE state = 'failed'", 'DELETE FROM chain WHERE seq > 15');
    expect(verifyRun(path).verdict).toBe('changed');
  });

  it('lists at most 20 problems, and counts all', async () => {
    const path = newPath();
    await continued(path, (file) => file.enter(Array.from({ length: 30 }, (_, i) => row(`r${i}`))));
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
    const quick = () => verifyRun(path, { mostEntries: 5 });
    expect(quick()).toMatchObject({ verdict: 'verified', checked: 'seal', seals: 1 });
    edit(path, 'UPDATE rows SET confidence = 0.1');
    expect(quick()).toMatchObject({ verdict: 'verified', checked: 'seal' });
    edit(path, "UPDATE manifest SET value = '0' WHERE key = 'scores'");
    expect(quick()).toMatchObject({ verdict: 'changed', checked: 'seal' });
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
      verdict: 'changed',
      problems: [{ problem: 'signature', where: 'the last seal is not signed by this key' }],
    });
  });

  it('is required where a key is expected', async () => {
    const path = await someRun();
    expect(verifyRun(path, { publicKey: keys().publicKey }).verdict).toBe('changed');
  });

  it('does not cover what was added after it', async () => {
    const { publicKey, privateKey } = keys();
    const path = await someRun({ signKey: privateKey });
    await continued(path, (file) => ask(file, [2]));
    expect(verifyRun(path).verdict).toBe('verified');
    expect(verifyRun(path, { publicKey })).toMatchObject({ problems: [{ problem: 'signature' }] });
  });

  it('does not fit a changed seal', async () => {
    const path = await someRun({ signKey: keys().privateKey });
    edit(path, "UPDATE events SET data = json_set(data, '$.krisis_version', '9') WHERE kind = 'sealed'");
    expect(verifyRun(path).problems).toContainEqual(expect.objectContaining({ problem: 'signature' }));
  });
});

describe('a file of an earlier version', () => {
  it('has no chain, so nothing can be said', () => {
    expect(verifyRun('test/fixtures/v0.1/complete.db')).toMatchObject({
      verdict: 'not_chained',
      entries: 0,
      startedBy: '0.1.0',
    });
  });

  it.each(['complete', 'failed-rows', 'interrupted', 'protected', 'questions'])(
    '%s is not sealed before it is first written to by this version, and is from then on',
    async (name) => {
      const path = newPath();
      cpSync(`test/fixtures/v0.1/${name}.db`, path);
      await continued(path, seal);
      const { verdict, adoptedAt, seals, problems } = verifyRun(path);
      expect([verdict, seals, problems]).toEqual(['verified', 1, []]);
      expect(Date.now() - Date.parse(adoptedAt!)).toBeLessThan(60_000);
      edit(path, "UPDATE rows SET state = 'not_run'");
      expect(verifyRun(path).verdict).toBe('changed');
    },
  );
});

describe('a merged run', () => {
  it('begins with the ends of its parts', async () => {
    const parts: MergedPart[] = [];
    for (const part of [await someRun(), await someRun()]) {
      const file = RunFile.write(part);
      const { hash: head, entries } = file.head();
      parts.push({ run_id: null, head, entries });
      file.close();
    }
    const path = newPath();
    await continued(path, (file) => {
      file.beginMerged(parts);
      expect(() => file.beginMerged(parts)).toThrow(expect.objectContaining({ code: 'ERR_ARGUMENT' }));
      seal(file);
    });
    expect(verifyRun(path)).toMatchObject({ verdict: 'verified', mergedFrom: parts });
    expect(chainOf(path)[0]).toMatchObject({ seq: 1, kind: 'event', ref: '1' });
  });
});

describe('a run in memory', () => {
  it('has no chain', () => {
    const file = RunFile.inMemory();
    file.setManifest({ model: 'm' });
    seal(file);
    expect([file.head().entries, file.hasUnsealedEntries(), file.events()]).toEqual([0, false, []]);
    file.close();
  });
});
