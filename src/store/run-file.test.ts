import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, readFileSync, statSync, truncateSync, writeFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { afterAll, describe, expect, it, onTestFinished, vi } from 'vitest';
import { recordsOf, response, temporaryFolder } from '../../test/engine-fixture.ts';
import { KrisisError } from '../core/errors.ts';
import { emptyLedger, enter, ledgerClass } from '../core/ledger.ts';
import type { PatientRecord } from '../core/patient-record.ts';
import type { NewRow } from './rows.ts';
import { RunFile } from './run-file.ts';
import { APPLICATION_ID, SCHEMA_VERSION } from './tables.ts';

const folder = temporaryFolder();
afterAll(folder.remove);

let made = 0;
const newPath = () => folder.file(`run-${++made}.db`);
const placed = (records: readonly PatientRecord[]) => records.map((record, i) => [i, record] as const);
const CANARY = 'CANARY-7fe2b1';

const row = (id: string, more: Partial<NewRow> = {}): NewRow => ({
  id,
  repeat: 0,
  state: 'answered',
  ...response(),
  ...more,
});

/** A finished run of four records, of which the last was never asked. */
async function someRun(path = newPath()): Promise<string> {
  const file = RunFile.write(path);
  const records = recordsOf('abcd').map((record, i) => ({
    ...record,
    label: i === 0 ? 'no' : 'yes',
    metadata: { place: i, nested: { deep: [1, null] } },
  }));
  file.setManifest({ model: 'm', identity: { repeats: 1 } });
  file.records.enter(placed(records), true);
  const callId = await file.calls.begin({
    key: 'k',
    mode: 'batch',
    repeat: 0,
    recordIds: ['c', 'a'],
    attempt: 0,
  });
  file.calls.end(
    callId,
    {
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
    },
    [
      row('c', {
        confidence: 0.25,
        rawResponse: '{"x": "\u0000ü"}',
        inputTokens: 5.5,
        tokensEstimated: true,
      }),
      row('a', { prediction: 1 }),
    ],
  );
  file.rows.enter([
    row('b', {
      state: 'failed',
      stateReason: 'timeout',
      problem: 'timeout',
      prediction: null,
      promptMode: 'single',
    }),
  ]);
  file.close();
  return path;
}

const bytes = (path: string) =>
  [path, `${path}-wal`, `${path}-journal`]
    .filter((name) => existsSync(name))
    .map((name) => readFileSync(name, 'latin1'))
    .join();

describe('a run file', () => {
  it('is read back as it was written, rows in the order of the records with their truth', async () => {
    const file = RunFile.read(await someRun());
    expect(file.manifest()).toMatchObject({
      model: 'm',
      identity: { repeats: 1 },
      kind: 'labels',
      seed: null,
    });
    expect(file.records.count()).toBe(4);
    const rows = [...file.rows.read()];
    expect(
      rows.map(({ id, groundTruth, prediction, state }) => [id, groundTruth, prediction, state]),
    ).toEqual([
      ['a', 'no', 1, 'answered'],
      ['b', 'yes', null, 'failed'],
      ['c', 'yes', 'yes', 'answered'],
    ]);
    expect(rows[2]).toEqual({
      id: 'c',
      call: null,
      state: 'answered',
      stateReason: null,
      prediction: 'yes',
      groundTruth: 'yes',
      abstained: false,
      confidence: 0.25,
      urgent: null,
      deferralReason: null,
      metadata: { place: 2, nested: { deep: [1, null] } },
      repeat: 0,
      confidenceSource: 'stated',
      rawResponse: '{"x": "\u0000ü"}',
      prompt: null,
      attempt: 0,
      callId: expect.any(Number),
      promptMode: 'batch',
      inputTokens: 5.5,
      outputTokens: null,
      totalTokens: null,
      tokensEstimated: true,
      repaired: false,
      tokenConfidence: null,
      replyOrder: null,
      score: null,
      checked: null,
      problem: null,
      httpStatus: null,
      latencyMs: 100,
    });
    expect(rows[1]).toMatchObject({
      stateReason: 'timeout',
      problem: 'timeout',
      promptMode: 'single',
      confidence: null,
    });
    file.close();
  });

  it('gives what was never asked as not_run, when all is asked for', async () => {
    const file = RunFile.read(await someRun());
    const all = [...file.rows.read({ all: true })];
    expect(all.map(({ id, state }) => [id, state])).toEqual([
      ['a', 'answered'],
      ['b', 'failed'],
      ['c', 'answered'],
      ['d', 'not_run'],
    ]);
    expect(all[3]).toMatchObject({
      prediction: null,
      groundTruth: 'yes',
      abstained: false,
      confidence: null,
    });
    const ledger = emptyLedger();
    for (const one of all) enter(ledger, ledgerClass(one));
    expect(ledger).toEqual({
      ...emptyLedger(),
      n: 4,
      answered_correct: 1,
      answered_wrong: 1,
      failed_timeout: 1,
      not_run: 1,
    });
    expect(Object.fromEntries(file.rows.countStates())).toEqual({ answered: 2, failed: 1 });
    expect([file.rows.countMissing(1), file.rows.countMissing(2)]).toEqual([1, 5]);
    file.close();
  });

  it('keeps repeats apart, the first of all records before the second of any', async () => {
    const file = RunFile.write(newPath());
    file.records.enter(placed(recordsOf('ab')), false);
    file.rows.enter([row('b', { repeat: 1 }), row('a'), row('a', { repeat: 1 })]);
    const rows = [...file.rows.read({ all: true, nRepeats: 2 })];
    expect(rows.map(({ id, repeat, state }) => `${id}${repeat} ${state}`)).toEqual([
      'a0 answered',
      'b0 not_run',
      'a1 answered',
      'b1 answered',
    ]);
    file.close();
  });

  it('keeps the first answer to a record, whatever comes later', async () => {
    const file = RunFile.write(newPath());
    file.records.enter(placed(recordsOf('a')), false);
    file.rows.enter([row('a', { prediction: 'yes' })]);
    file.rows.enter([row('a', { prediction: 'no' })]);
    expect([...file.rows.read()].map(({ prediction }) => prediction)).toEqual(['yes']);
    file.close();
  });

  it('enters a call and its rows together or not at all', async () => {
    const file = RunFile.write(newPath());
    file.records.enter(placed(recordsOf('ab')), false);
    const callId = await file.calls.begin({
      key: 'k',
      mode: 'batch',
      repeat: 0,
      recordIds: ['a', 'b'],
      attempt: 0,
    });
    const unstorable = row('b', { state: undefined as never });
    const outcome = {
      outcome: 'answered' as const,
      error: null,
      inputTokens: null,
      outputTokens: null,
      wastedTokens: 0,
      latencySeconds: 0,
      modelId: null,
      costUsd: null,
      cachedAt: null,
      rawResponse: null,
    };
    expect(() => file.calls.end(callId, outcome, [row('a'), unstorable])).toThrow();
    expect([file.calls.ended('k'), file.rows.isDone('a', 0)]).toEqual([null, false]);
    file.calls.end(callId, outcome, [row('a'), row('b')]);
    expect(file.calls.ended('k')).toBe('answered');
    file.close();
  });

  it('stores a prompt template once, and says how many rows used it', async () => {
    const path = newPath();
    const prompt = (text: string) => [{ role: 'user' as const, content: text }];
    const first = RunFile.write(path);
    first.records.enter(placed(recordsOf('abcd')), false);
    first.rows.enter([
      row('a', { prompt: prompt('[data] one') }),
      row('b', { prompt: prompt('[data] one') }),
    ]);
    first.close();
    const second = RunFile.write(path);
    second.rows.enter([
      row('c', { prompt: prompt('[data] one') }),
      row('d', { prompt: prompt('[data] two'), promptMode: 'single' }),
    ]);
    const stored = second.rows.templates();
    expect(stored).toMatchObject([
      { mode: 'batch', prompt: prompt('[data] one'), n: 3 },
      { mode: 'single', prompt: prompt('[data] two'), n: 1 },
    ]);
    expect(stored[1]!.id).toBeGreaterThan(stored[0]!.id);
    expect([...second.rows.read()].map((read) => read.prompt)).toEqual(
      ['one', 'one', 'one', 'two'].map((name) => prompt(`[data] ${name}`)),
    );
    second.close();
  });
});

describe('access', () => {
  it('can be read while it is written', async () => {
    const path = newPath();
    const writer = RunFile.write(path);
    writer.records.enter(placed(recordsOf('ab')), false);
    const reader = RunFile.read(path);
    expect([...reader.rows.read()]).toHaveLength(0);
    // What is entered is there for others a moment later, when it is committed.
    writer.rows.enter([row('a')]);
    await vi.waitFor(() => expect([...reader.rows.read()].map(({ id }) => id)).toEqual(['a']));
    writer.rows.enter([row('b')]);
    await vi.waitFor(() => expect([...reader.rows.read()]).toHaveLength(2));
    reader.close();
    writer.close();
  });

  it('lets in no second writer, and the next one when the first is gone', async () => {
    const path = newPath();
    const writer = RunFile.write(path);
    expect(() => RunFile.write(path)).toThrow(KrisisError);
    expect(() => RunFile.write(path)).toThrow('another process is writing this run');
    writer.setManifest({ model: 'still writing' });
    writer.close();
    RunFile.write(path).close();
  });

  it('goes on after a writer that was killed, with everything it had entered', async () => {
    const path = newPath();
    const source = `
      const { RunFile } = await import(${JSON.stringify(resolve('src/store/run-file.ts'))});
      const file = (globalThis.file = RunFile.write(${JSON.stringify(path)}));
      file.setManifest({ model: 'm' });
      await file.calls.begin({ key: 'k', mode: 'batch', repeat: 0, recordIds: ['a'], attempt: 0 });
      console.log('written');
      setInterval(() => {}, 1000);`;
    const child = spawn(process.execPath, ['--input-type=module', '-e', source], {
      stdio: ['ignore', 'pipe', 'inherit'],
    });
    onTestFinished(() => void child.kill('SIGKILL'));
    await once(child.stdout, 'data');
    expect(() => RunFile.write(path)).toThrow('another process is writing this run');
    child.kill('SIGKILL');
    await once(child, 'exit');
    const reader = RunFile.read(path);
    expect(reader.manifest()).toMatchObject({ model: 'm' });
    reader.close();
    const next = RunFile.write(path);
    expect(next.manifest()).toMatchObject({ model: 'm' });
    expect(next.calls.ended('k')).toBeNull();
    next.close();
  });

  it('reads nothing where there is nothing', async () => {
    const path = newPath();
    expect(() => RunFile.read(path)).toThrow(expect.objectContaining({ code: 'ERR_RUN_NOT_FOUND' }));
    expect(existsSync(path)).toBe(false);
  });
});

describe('a file that is not a run file', () => {
  const openings = [
    ['read', RunFile.read],
    ['write', RunFile.write],
  ] as const;

  /** Opening must fail with these words and leave the bytes and the folder as they were. */
  function refuses(path: string, words: string | RegExp) {
    const before = readFileSync(path);
    for (const [how, open] of openings) {
      expect(() => open(path), how).toThrow(KrisisError);
      expect(() => open(path), how).toThrow(words);
      expect(() => open(path), how).toThrow(expect.objectContaining({ code: 'ERR_RUN_FILE' }));
      expect(() => open(path), how).toThrow(path);
    }
    expect(readFileSync(path).equals(before)).toBe(true);
    expect(existsSync(`${path}.lock`)).toBe(false);
  }

  it('may be text', async () => {
    const path = newPath();
    writeFileSync(path, 'id,prediction\na,yes\n'.repeat(100));
    refuses(path, 'cannot be opened as a run file: file is not a database; it may be damaged');
  });

  it('may be the database of another program', async () => {
    const path = newPath();
    const db = new DatabaseSync(path);
    db.exec('CREATE TABLE patients (name TEXT)');
    db.close();
    refuses(path, 'is not a Krisis run file');
  });

  it('may be a database of another program that says so', async () => {
    const path = newPath();
    const db = new DatabaseSync(path);
    db.exec('PRAGMA application_id = 42; PRAGMA user_version = 1; CREATE TABLE x (y)');
    db.close();
    refuses(path, 'is not a Krisis run file');
  });

  it('may be of a newer Krisis', async () => {
    const path = await someRun();
    const db = new DatabaseSync(path);
    db.exec(`PRAGMA user_version = ${SCHEMA_VERSION + 1}; PRAGMA journal_mode = DELETE`);
    db.close();
    const before = readFileSync(path);
    for (const [, open] of openings) {
      expect(() => open(path)).toThrow(KrisisError);
      expect(() => open(path)).toThrow(
        `was written by a newer Krisis (schema ${SCHEMA_VERSION + 1}, this one knows ${SCHEMA_VERSION}); update krisis to read it`,
      );
      expect(() => open(path)).toThrow(expect.objectContaining({ code: 'ERR_RUN_FILE_NEWER' }));
    }
    expect(readFileSync(path).equals(before)).toBe(true);
  });

  it('may be one that claims another schema, to look as if it needed no digest', async () => {
    const path = await someRun();
    const db = new DatabaseSync(path);
    db.exec('PRAGMA user_version = 0; DELETE FROM proof; PRAGMA journal_mode = DELETE');
    db.close();
    const before = readFileSync(path);
    for (const [, open] of openings)
      expect(() => open(path)).toThrow('has schema 0, which this version of Krisis does not read');
    expect(readFileSync(path).equals(before)).toBe(true);
  });

  it('may be a run file that was cut', async () => {
    const path = await someRun();
    truncateSync(path, 3 * 4096);
    const reading = () => {
      const file = RunFile.read(path);
      try {
        return [
          file.manifest(),
          [...file.rows.read({ all: true })],
          file.calls.totals(),
          file.rows.templates(),
        ];
      } finally {
        file.close();
      }
    };
    expect(reading).toThrow(KrisisError);
    expect(reading).toThrow(/it may be damaged/);
  });

  it('may be a run file whose middle was written over', async () => {
    const path = await someRun();
    const content = readFileSync(path);
    content.fill(0x5a, 4096);
    writeFileSync(path, content);
    expect(() => RunFile.use(path, (file) => file.manifest())).toThrow(/damaged/);
  });

  it('may be a folder', async () => {
    expect(() => RunFile.read(folder.path)).toThrow(KrisisError);
    expect(() => RunFile.write(folder.path)).toThrow(KrisisError);
  });
});

describe('a file that is empty', () => {
  it('is taken for a new one on writing', async () => {
    const path = newPath();
    writeFileSync(path, '');
    expect(() => RunFile.read(path)).toThrow('is empty; there is no run in it yet');
    const file = RunFile.write(path);
    file.setManifest({ model: 'm' });
    file.close();
    const db = new DatabaseSync(path, { readOnly: true });
    expect({ ...db.prepare('PRAGMA user_version').get() }).toEqual({ user_version: SCHEMA_VERSION });
    expect({ ...db.prepare('PRAGMA application_id').get() }).toEqual({ application_id: APPLICATION_ID });
    db.close();
    const reader = RunFile.read(path);
    expect(reader.manifest()).toMatchObject({ model: 'm' });
    reader.close();
  });

  it('may have been left by a writer that was killed before its first entry', async () => {
    const path = newPath();
    const db = new DatabaseSync(path);
    db.exec('PRAGMA journal_mode = WAL');
    db.close();
    RunFile.write(path).close();
    RunFile.read(path).close();
  });
});

describe('patient data', () => {
  const records = recordsOf('ab').map((record) => ({ ...record, features: { name: CANARY } }));

  it('of a protected suite is not in the file, nor beside it', async () => {
    const path = newPath();
    const file = RunFile.write(path);
    file.records.enter(placed(records), false);
    file.rows.enter([row('a')]);
    expect(bytes(path)).not.toContain(CANARY);
    expect(file.records.features(0)).toBeNull();
    file.close();
    expect(bytes(path)).not.toContain(CANARY);
  });

  it('is in the file where it may be, and in a copy only when asked for', async () => {
    const path = newPath();
    const file = RunFile.write(path);
    file.setManifest({ model: 'm' });
    file.records.enter(placed(records), true);
    file.rows.enter([row('a')]);
    expect(bytes(path)).toContain(CANARY);
    const [without, withAll] = [newPath(), newPath()];
    file.copyTo(without, false);
    file.copyTo(withAll, true);
    file.close();
    expect(bytes(without)).not.toContain(CANARY);
    expect(bytes(withAll)).toContain(CANARY);
    for (const [copy, features] of [
      [without, null],
      [withAll, { name: CANARY }],
    ] as const) {
      const read = RunFile.read(copy);
      expect(read.manifest()).toMatchObject({ model: 'm' });
      expect([...read.rows.read({ all: true })].map(({ state }) => state)).toEqual(['answered', 'not_run']);
      expect(read.records.features(0)).toEqual(features);
      read.close();
    }
  });

  it('can be left out of a copy while the run is written', async () => {
    const path = newPath();
    const writer = RunFile.write(path);
    writer.records.enter(placed(records), true);
    const reader = RunFile.read(path);
    const copy = newPath();
    reader.copyTo(copy, false);
    reader.close();
    writer.close();
    expect(bytes(copy)).not.toContain(CANARY);
  });
});

describe('events', () => {
  it('are kept in order, and never taken away', () => {
    const path = newPath();
    const file = RunFile.write(path);
    file.events.add('started', { limit: 3 });
    file.events.add('finished', { elapsed_seconds: 2 });
    file.close();
    const reader = RunFile.read(path);
    expect(reader.events.read()).toMatchObject([
      { kind: 'started', data: { limit: 3 } },
      { kind: 'finished', data: { elapsed_seconds: 2 } },
    ]);
    reader.close();
  });
});

describe('replies', () => {
  const outcome = {
    outcome: 'answered',
    error: null,
    inputTokens: null,
    outputTokens: null,
    wastedTokens: 0,
    latencySeconds: null,
    modelId: null,
    costUsd: null,
    cachedAt: null,
    rawResponse: null,
  } as const;

  async function withReply(reply: string, spans: readonly ({ start: number; end: number } | null)[]) {
    const path = newPath();
    const file = RunFile.write(path);
    file.setManifest({ model: 'm' });
    file.records.enter(placed(recordsOf('ab')), true);
    const id = await file.calls.begin({
      key: 'k',
      mode: 'batch',
      repeat: 0,
      recordIds: ['a', 'b'],
      attempt: 0,
    });
    const rows = ['a', 'b'].map((name, i) => row(name, { rawResponse: reply, replySpan: spans[i] ?? null }));
    file.calls.end(id, outcome, rows);
    file.close();
    return path;
  }

  it('are stored once per call, and a row gives its own part', async () => {
    const reply = `[${CANARY}] [ü😀: second]`;
    const path = await withReply(reply, [
      { start: 0, end: 15 },
      { start: 16, end: reply.length },
    ]);
    expect(bytes(path).split(CANARY)).toHaveLength(2);
    const texts = RunFile.use(path, (file) => [...file.rows.read()].map(({ rawResponse }) => rawResponse));
    expect(texts).toEqual([`[${CANARY}]`, '[ü😀: second]']);
    expect(RunFile.use(path, (file) => file.rows.findAnswer('b', 0)?.answer)).toBe('[ü😀: second]');
  });

  it('leave the reason for deferring and the order of the fields with the row', () => {
    const file = RunFile.inMemory();
    file.records.enter(placed(recordsOf('a')), true);
    const replyOrder = 'reasoning,abstained,prediction,confidence,reason';
    file.rows.enter([
      row('a', { state: 'abstained', abstained: true, deferralReason: 'data_missing', replyOrder }),
    ]);
    expect([...file.rows.read()]).toMatchObject([{ deferralReason: 'data_missing', replyOrder }]);
    expect([...file.rows.readScored()]).toMatchObject([{ deferralReason: 'data_missing' }]);
  });

  it('are cut when they are very long: 20 MB in a batch do not become 20 MB for every row', async () => {
    const path = await withReply('x'.repeat(20_000_000), []);
    expect(statSync(path).size).toBeLessThan(2_000_000);
  });
});
