import { existsSync, readdirSync, readFileSync, statSync } from 'node:fs';
import { basename } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { afterAll, describe, expect, it, onTestFinished } from 'vitest';
import {
  type Asked,
  allYes,
  response,
  scriptedBackend,
  suiteOf,
  task,
  temporaryFolder,
} from '../../test/engine-fixture.ts';
import { KrisisError } from '../core/errors.ts';
import type { PatientRecord } from '../core/patient-record.ts';
import type { BackendResponse } from '../models/backend.ts';
import { BackendError } from '../models/backend-error.ts';
import { defineBackend } from '../models/define-backend.ts';
import { RunFile } from '../store/run-file.ts';
import { ENTRIES } from '../store/tables.ts';
import { defineSuite } from '../suites/define-suite.ts';
import { run as runToFile } from './run.ts';
import { runIdentity } from './run-identity.ts';
import type { RunOptions as RunToFileOptions } from './run-options.ts';

const folder = temporaryFolder();
afterAll(folder.remove);
let made = 0;
const newPath = () => folder.file(`run-${++made}.db`);

/** Thirty records, one letter each, every third of them `no`. */
const IDS = 'abcdefghijklmnopqrstuvwxyzABCD';
const records: PatientRecord[] = [...IDS].map((id, i) => ({
  id,
  features: { value: i },
  label: i % 3 === 0 ? 'no' : 'yes',
  metadata: { should_abstain: i % 5 === 0, must_act: i === 6 },
}));
const suite = suiteOf(records, { sensitivity: 'synthetic' });

/** Breaks batches with an `e`, is too slow at first on some, abstains and errs by record. */
function moody({ ids, mode, time }: Asked): BackendResponse[] {
  if (mode === 'batch' && ids.length > 1 && ids.includes('e'))
    throw new BackendError('malformed', 'half', {
      partial: [...ids].map((id) => (id < 'k' && id !== 'e' ? response({ confidence: 0.6 }) : null)),
    });
  if (ids.includes('q')) throw new BackendError('truncated', 'cut');
  if (ids.includes('s') && time === 1) throw new BackendError('timeout', 'too slow');
  return [...ids].map((id) =>
    response({
      prediction: id < 'f' ? 'no' : 'yes',
      abstained: 'fkp'.includes(id),
      confidence: ids.length / 10,
      inputTokens: 3,
      outputTokens: 1,
      totalTokens: 4,
    }),
  );
}

function options(path: string | undefined, more: Partial<RunToFileOptions> = {}): RunToFileOptions {
  return {
    suite,
    backend: scriptedBackend(moody),
    krisisVersion: '1.2.3',
    seed: 42,
    batchSize: 4,
    maxConcurrency: 1,
    scoring: { resamples: 0 },
    ...(path !== undefined && { path }),
    ...more,
  };
}

const TABLES = [...ENTRIES.map(({ name }) => name), 'proof', 'report', 'pacing'];
function content(path: string) {
  const db = new DatabaseSync(path, { readOnly: true });
  try {
    return TABLES.map((table) => db.prepare(`SELECT * FROM ${table}`).all());
  } finally {
    db.close();
  }
}
const readManifest = (path: string) => {
  const file = RunFile.read(path);
  try {
    return file.manifest();
  } finally {
    file.close();
  }
};
const readRows = (path: string) => {
  const file = RunFile.read(path);
  try {
    // Calls have other numbers where some were made again, and take another time.
    return [...file.rows.read({ all: true })].map(({ callId: _, latencyMs: __, ...row }) => row);
  } finally {
    file.close();
  }
};

describe('a run into a file', () => {
  it('is complete, and says what it is', async () => {
    const path = newPath();
    const started: [string, boolean][] = [];
    const run = await runToFile(
      options(path, { onStart: (file, continued) => started.push([file, continued]) }),
    );
    expect(started).toEqual([[path, false]]);
    expect(run).toMatchObject({
      path,
      status: 'complete',
      stoppedBecause: null,
    });
    expect(run.suiteDescription).toEqual(await suite.describe());
    const { n, ...classes } = run.card.ledger;
    expect([n, Object.values(classes).reduce((a, b) => a + b, 0)]).toEqual([30, 30]);
    expect(run.card.ledger).toMatchObject({ abstained: 2, failed_truncated: 1, not_run: 0 });
    expect(readManifest(path)).toMatchObject({
      identity: runIdentity({
        suiteHash: run.suiteHash!,
        task,
        backend: scriptedBackend(moody),
        batchSize: 4,
        repeats: 1,
      }),
      krisisVersion: '1.2.3',
      createdAt: expect.stringMatching(/^\d{4}-\d\d-\d\dT/),
      status: 'complete',
      suite: { suite_hash: run.suiteHash! },
      suiteName: 'demo/yes-no',
      sensitivity: 'synthetic',
      task: { id: 'demo/yes-no', labels: ['yes', 'no'], positiveLabel: 'yes', ordered: false, pack: null },
      arm: 'natural',
      instructions: 'Yes or no?',
      primaryEndpoint: { metric: 'accuracy' },
      model: 'scripted',
      simulated: false,
      parameters: {},
      seed: 42,
      nSelected: 30,
      elapsedSeconds: expect.any(Number),
      stoppedBecause: null,
      extras: JSON.parse(JSON.stringify(run.extras)),
    });
  });

  it('stores what the baselines of its suite score, on all records of the suite', async () => {
    const path = newPath();
    const learned = suiteOf(records, { training: () => [records[1]!, records[2]!] });
    const run = await runToFile(options(path, { suite: learned, limit: 6 }));
    expect(run.nRecords).toBe(6);
    expect(run.baselines).toMatchObject([
      { model: 'baseline/majority', n: 30, scores: { accuracy: { value: 20 / 30, n: 30 } } },
    ]);
    expect(readManifest(path).baselines).toEqual(run.baselines);
  });

  it('has its rows in the order of the suite, though it asks in another', async () => {
    const path = newPath();
    const backend = scriptedBackend(moody);
    await runToFile(options(path, { backend }));
    expect(
      readRows(path)
        .map(({ id }) => id)
        .join(''),
    ).toBe(IDS);
    expect(backend.calls[0]).not.toBe('abcd');
    expect(readRows(path).map(({ groundTruth }) => groundTruth)).toEqual(records.map(({ label }) => label));
  });

  it('asks every record as often as told', async () => {
    const run = await runToFile(
      options(newPath(), { repeats: 2, limit: 6, backend: scriptedBackend(allYes) }),
    );
    expect(run.card.ledger.n).toBe(12);
    expect(run.extras).toMatchObject({ repeats: 2, n_input_records: 6, n_api_batches: 4 });
  });

  it('asks records of a suite that streams as it would ask those of one that loads', async () => {
    const [streamed, loaded] = [newPath(), newPath()];
    const streaming = {
      ...suite,
      load: () => Promise.reject(new Error('not to be loaded')),
      stream: () => records,
    };
    const [a, b] = [scriptedBackend(moody), scriptedBackend(moody)];
    await runToFile(options(streamed, { suite: streaming, backend: a }));
    await runToFile(options(loaded, { backend: b }));
    expect(a.seen).toEqual(b.seen);
    expect(readRows(streamed)).toEqual(readRows(loaded));
  });

  it('shows the arm that was chosen', async () => {
    const backend = scriptedBackend(allYes);
    const path = newPath();
    await runToFile(options(path, { backend, arm: 'hinted' }));
    expect(backend.seen[0]!.features).toHaveProperty('hint', 'two');
    expect(readManifest(path)).toMatchObject({ arm: 'hinted', instructions: 'Yes or no? Mind the hint.' });
    await expect(runToFile(options(newPath(), { arm: 'none' }))).rejects.toThrow('has no arm "none"');
  });

  it('reads as "running" while it runs', async () => {
    const path = newPath();
    const seen: unknown[] = [];
    const backend = scriptedBackend((asked) => {
      seen.push(readManifest(path).status);
      return allYes(asked);
    });
    await runToFile(options(path, { backend, limit: 4 }));
    await runToFile(options(path, { backend, limit: 8 }));
    expect(seen).toEqual(['running', 'running']);
  });
});

describe('the same options again', () => {
  it('change nothing when the run is complete', async () => {
    const path = newPath();
    const first = await runToFile(options(path));
    const before = content(path);
    const backend = scriptedBackend(moody);
    const continued: boolean[] = [];
    const second = await runToFile(options(path, { backend, onStart: (_, went) => continued.push(went) }));
    expect(backend.calls).toEqual([]);
    expect(continued).toEqual([true]);
    expect(content(path)).toEqual(before);
    expect(second.extras).toEqual(first.extras);
    expect(second.card).toEqual(first.card);
    expect(second.status).toBe('complete');
  });

  it('may be faster: concurrency is no part of what a run is', async () => {
    const path = newPath();
    await runToFile(options(path));
    const before = content(path);
    await runToFile(options(path, { maxConcurrency: 7 }));
    expect(content(path)).toEqual(before);
  });
});

describe('a key to stratify by that records lack', () => {
  it('is refused, and leaves no file behind', async () => {
    const path = newPath();
    const refused = runToFile(options(path, { limit: 6, stratify: 'sexx' }));
    await expect(refused).rejects.toThrow('cannot stratify by "sexx": cases have label, ');
    expect([existsSync(path), existsSync(`${path}.lock`)]).toEqual([false, false]);
  });
});

describe('another limit', () => {
  it('goes on when it is larger, and keeps what is there', async () => {
    const path = newPath();
    const [first, second, third] = [1, 2, 3].map(() => scriptedBackend(moody));
    const small = await runToFile(options(path, { limit: 6, backend: first! }));
    expect([small.card.n, small.extras.n_input_records]).toEqual([6, 6]);
    const kept = readRows(path);
    const asked = new Set(first!.seen.map(({ id }) => id));
    expect(asked.size).toBe(6);

    const large = await runToFile(options(path, { limit: 15, backend: second! }));
    expect([large.card.n, large.extras.n_input_records, large.status]).toEqual([15, 15, 'complete']);
    expect(second!.seen.filter(({ id }) => asked.has(id))).toEqual([]);
    for (const row of kept) expect(readRows(path)).toContainEqual(row);

    const all = await runToFile(options(path, { backend: third! }));
    expect([all.card.n, all.status]).toEqual([30, 'complete']);
    expect(readManifest(path)).toMatchObject({ status: 'complete', nSelected: 30 });
  });

  it('asks nothing when it is smaller, and removes nothing', async () => {
    const path = newPath();
    await runToFile(options(path, { limit: 12 }));
    const before = content(path);
    const backend = scriptedBackend(moody);
    const run = await runToFile(options(path, { limit: 5, backend }));
    expect(backend.calls).toEqual([]);
    expect([run.card.n, run.status]).toEqual([12, 'complete']);
    expect(run.warnings).toContainEqual({
      code: 'limit_below_run',
      message: 'the run holds 12 cases; all of them are reported (a limit of 5 asks for fewer)',
    });
    expect(content(path)).toEqual(before);
  });

  it('does not complete a larger run that was interrupted', async () => {
    const path = newPath();
    const stop = new AbortController();
    const backend = scriptedBackend((asked) => {
      stop.abort();
      return allYes(asked);
    });
    await runToFile(options(path, { limit: 12, backend, signal: stop.signal }));
    const run = await runToFile(options(path, { limit: 4 }));
    expect(run.status).toBe('interrupted');
    expect(run.card.ledger).toMatchObject({ n: 12, not_run: 8 });
  });
});

describe('another identity', () => {
  it.each<[string, Partial<RunToFileOptions>, RegExp]>([
    ['batch size', { batchSize: 5 }, /\n {2}batch_size: 4 there, 5 now\n/],
    ['arm', { arm: 'hinted' }, /\n {2}arm: "natural" there, "hinted" now\n {2}prompt_hash: /],
    ['model', { backend: scriptedBackend(moody, { name: 'other' }) }, /model: "scripted" there, "other" now/],
    [
      'sampling',
      { backend: scriptedBackend(moody, { parameters: { t: 1 } }) },
      /parameters: {} there, {"t":1} now/,
    ],
    ['repeats', { repeats: 2 }, /repeats: 1 there, 2 now/],
    ['suite', { suite: suiteOf(records.slice(1)) }, /suite_hash: "[0-9a-f]+" there, "[0-9a-f]+" now/],
  ])('is refused with the difference shown: %s', async (_, change, difference) => {
    const path = newPath();
    await runToFile(options(path, { limit: 4 }));
    const before = content(path);
    const refused = runToFile(options(path, change));
    await expect(refused).rejects.toThrow(KrisisError);
    await expect(refused).rejects.toThrow(`${path}: holds another run:`);
    await expect(refused).rejects.toThrow(difference);
    expect(content(path)).toEqual(before);
    await runToFile(options(path, { limit: 4 }));
  });
});

describe('without a path', () => {
  function inNewFolder() {
    const here = process.cwd();
    const there = temporaryFolder();
    process.chdir(there.path);
    onTestFinished(() => {
      process.chdir(here);
      there.remove();
    });
    return () => readdirSync('.krisis/runs').filter((name) => name.endsWith('.db'));
  }

  it('finds its own file again, and another for another run', async () => {
    const files = inNewFolder();
    const first = await runToFile(options(undefined, { limit: 4 }));
    const again = await runToFile(options(undefined, { limit: 8 }));
    expect(again.path).toBe(first.path);
    expect(files()).toEqual([basename(first.path)]);
    expect(basename(first.path)).toMatch(/^demo-yes-no_scripted_[0-9a-f]{8}\.db$/);
    const other = await runToFile(options(undefined, { batchSize: 2, limit: 4 }));
    expect(files().sort()).toEqual([basename(first.path), basename(other.path)].sort());
  });

  it('starts another file for a new run', async () => {
    const files = inNewFolder();
    const first = await runToFile(options(undefined, { limit: 4, startNew: true }));
    const before = content(first.path);
    const backend = scriptedBackend(moody);
    const second = await runToFile(options(undefined, { limit: 4, startNew: true, backend }));
    const third = await runToFile(options(undefined, { limit: 4, startNew: true }));
    expect(second.path).toBe(first.path.replace('.db', '-2.db'));
    expect(third.path).toBe(first.path.replace('.db', '-3.db'));
    expect(backend.calls).not.toEqual([]);
    expect(content(first.path)).toEqual(before);
    expect(files()).toHaveLength(3);
  });

  it('does not start a new run in an existing file', async () => {
    const path = newPath();
    await runToFile(options(path, { limit: 4, startNew: true }));
    const before = content(path);
    await expect(runToFile(options(path, { limit: 4, startNew: true }))).rejects.toThrow(
      'already exists; a new run needs a file of its own',
    );
    expect(content(path)).toEqual(before);
  });
});

describe('a run that was interrupted', () => {
  it('goes on, and ends with the same scorecard as one that was not', async () => {
    const undisturbed = newPath();
    const backend = scriptedBackend(moody);
    const whole = await runToFile(options(undisturbed, { backend }));
    for (const after of [1, 3, 5, 8]) {
      const path = newPath();
      const stop = new AbortController();
      const stopping = scriptedBackend((asked) => {
        if (stopping.calls.length === after) stop.abort();
        return moody(asked);
      });
      const first = await runToFile(options(path, { backend: stopping, signal: stop.signal }));
      expect(first.status).toBe('interrupted');
      expect(first.card.ledger.not_run).toBeGreaterThan(0);
      expect(readManifest(path)).toMatchObject({ status: 'interrupted' });
      const second = await runToFile(options(path));
      expect(second.status).toBe('complete');
      expect(second.card).toEqual(whole.card);
      expect(readRows(path)).toEqual(readRows(undisturbed));
      expect(second.extras).toMatchObject({
        n_calls: expect.any(Number),
        n_splits: whole.extras.n_splits,
        n_single_fallbacks: whole.extras.n_single_fallbacks,
        input_tokens: whole.extras.input_tokens,
      });
      expect(second.extras.elapsed_seconds).toBeGreaterThanOrEqual(first.extras.elapsed_seconds!);
    }
  });

  it('remembers how often and how long it had to wait', async () => {
    const path = newPath();
    const slow = (asked: Asked) => {
      if (asked.time === 1) throw new BackendError('rate_limit', 'slow', { retryAfterSeconds: 0.01 });
      return allYes(asked);
    };
    const first = await runToFile(options(path, { limit: 4, backend: scriptedBackend(slow) }));
    const second = await runToFile(options(path, { limit: 8, backend: scriptedBackend(slow) }));
    expect([first.extras.n_rate_limits, second.extras.n_rate_limits]).toEqual([1, 2]);
    expect(second.extras.waited_seconds).toBeGreaterThan(first.extras.waited_seconds!);
  });

  it('waits out what the server asked of the process before', async () => {
    const path = newPath();
    const stop = new AbortController();
    const backend = scriptedBackend(() => {
      setImmediate(() => stop.abort());
      throw new BackendError('rate_limit', 'slow', { retryAfterSeconds: 0.25 });
    });
    const before = Date.now();
    await runToFile(options(path, { limit: 4, backend, signal: stop.signal }));
    let asked = 0;
    const next = scriptedBackend((question) => {
      asked ||= Date.now();
      return allYes(question);
    });
    await runToFile(options(path, { limit: 4, backend: next }));
    expect(asked).toBeGreaterThanOrEqual(before + 250);
  });
});

describe('a run that stopped', () => {
  it('says why, keeps what is done, and goes on when the user has acted', async () => {
    const path = newPath();
    const poor = scriptedBackend((asked) => {
      if (poor.calls.length > 3) throw new BackendError('quota', 'top up your account');
      return allYes(asked);
    });
    const stopped = await runToFile(options(path, { backend: poor }));
    expect(stopped).toMatchObject({ status: 'stopped', stoppedBecause: 'quota: top up your account' });
    expect(stopped.card.ledger).toMatchObject({ n: 30, not_run: 18 });
    expect(readManifest(path)).toMatchObject({
      status: 'stopped',
      stoppedBecause: 'quota: top up your account',
    });
    const paid = scriptedBackend(allYes);
    const run = await runToFile(options(path, { backend: paid }));
    expect(run.status).toBe('complete');
    expect(paid.calls[0], 'the batch that was turned away, whole').toBe(poor.calls[3]);
    expect(paid.calls).toHaveLength(5);
    expect(run.card.ledger).toMatchObject({ n: 30, not_run: 0 });
    expect(readManifest(path)).toMatchObject({ status: 'complete', stoppedBecause: null });
  });

  it('lets the next one write, whatever ended it', async () => {
    const path = newPath();
    const broken = runToFile(
      options(path, {
        onProgress: () => {
          throw new Error('the live line broke');
        },
      }),
    );
    await expect(broken).rejects.toThrow('the live line broke');
    expect((await runToFile(options(path))).status).toBe('complete');
  });
});

describe('patient data', () => {
  const CANARY = 'CANARY-90ab12';
  const withCanary = records.slice(0, 8).map((record) => ({ ...record, features: { name: CANARY } }));
  const stored = async (sensitivity?: 'synthetic' | 'public' | 'protected') => {
    const path = newPath();
    let whileRunning = '';
    const backend = scriptedBackend((asked) => {
      expect(asked.records[0]!.features).toEqual({ name: CANARY });
      for (const name of [path, `${path}-wal`])
        if (existsSync(name)) whileRunning += readFileSync(name, 'latin1');
      return allYes(asked);
    });
    await runToFile(
      options(path, {
        suite: defineSuite({
          name: 'demo/yes-no',
          task,
          load: () => withCanary,
          ...(sensitivity && { sensitivity }),
        }),
        backend,
      }),
    );
    return (whileRunning + readFileSync(path, 'latin1')).includes(CANARY);
  };

  it('of a protected suite never reaches the file, and a suite is protected unless it says otherwise', async () => {
    expect(await stored('protected')).toBe(false);
    expect(await stored()).toBe(false);
  });

  it('that is synthetic or public is in the file', async () => {
    expect(await stored('synthetic')).toBe(true);
    expect(await stored('public')).toBe(true);
  });
});

describe('a run whose suite has another sensitivity now', () => {
  it.each([
    ['synthetic', 'protected'],
    ['public', 'protected'],
    ['protected', 'public'],
    ['public', 'synthetic'],
  ] as const)('is not continued: %s, then %s', async (before, now) => {
    const path = newPath();
    await runToFile(options(path, { suite: suiteOf(records, { sensitivity: before }), limit: 8 }));
    const [bytes, { mode }] = [readFileSync(path), statSync(path)];
    const backend = scriptedBackend(moody);
    const again = runToFile(options(path, { suite: suiteOf(records, { sensitivity: now }), backend }));
    await expect(again).rejects.toMatchObject({
      code: 'ERR_RUN_DIFFERS',
      message: expect.stringContaining(`while the suite was ${before}, and the suite is ${now} now`),
    });
    expect(backend.calls).toEqual([]);
    expect([readFileSync(path), statSync(path).mode]).toEqual([bytes, mode]);
  });
});

describe('the prompt that a backend declares', () => {
  const protectedSuite = suiteOf(records, { sensitivity: 'protected' });
  const promptsIn = (path: string) =>
    RunFile.use(path, (file) => file.rows.templates().map(({ prompt }) => JSON.stringify(prompt)));
  const declare = (content: string) => [{ role: 'user' as const, content }];

  it('is read before the first record, and not again', async () => {
    const filled = (value: unknown) => declare(`The value is ${value}.`);
    const assigned = {
      ...defineBackend({
        name: 'assigned',
        evaluate: ({ features }) => {
          Object.assign(assigned, { promptTemplate: filled(features.value) });
          return { prediction: 'yes', abstained: false };
        },
      }),
    };
    const template = declare('The value is {value}.');
    const edited = defineBackend({
      name: 'edited',
      promptTemplate: template,
      evaluate: ({ features }) => {
        template[0]!.content = `The value is ${features.value}.`;
        return { prediction: 'yes', abstained: false, prompt: filled(features.value) };
      },
    });
    let seen: unknown = null;
    const computed = Object.defineProperty(
      {
        ...defineBackend({
          name: 'computed',
          evaluate: ({ features }) => {
            seen = features.value;
            return { prediction: 'yes', abstained: false };
          },
        }),
      },
      'promptTemplate',
      { get: () => (seen === null ? declare('The value is {value}.') : filled(seen)) },
    );
    // A second run with the same backend must not read what the first left there.
    for (const [backend, expected] of [
      [assigned, []],
      [edited, []],
      [computed, ['The value is {value}.']],
    ] as const)
      for (const path of [newPath(), newPath()]) {
        await runToFile(options(path, { suite: protectedSuite, backend, limit: 6 }));
        const stored = expected.map((content) => JSON.stringify(declare(content)));
        expect(promptsIn(path), backend.name).toEqual(stored);
      }
  });

  it('is what decides whether prompts of public records may hold their values', async () => {
    const policy = async (more: object) => {
      const backend = defineBackend({
        name: 'own',
        evaluate: () => ({ prediction: 'yes', abstained: false, ...more }),
        ...more,
      });
      return (await runToFile(options(newPath(), { backend, limit: 3 }))).extras.prompt_data_policy;
    };
    expect(await policy({})).toBe('patient_data_redacted');
    expect(await policy({ promptTemplate: declare('The value is {value}.') })).toBe('patient_data_redacted');
    expect(await policy({ prompt: declare('The value is 7.') })).toBe('patient_data_stored');
  });
});
