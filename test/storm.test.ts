import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { describe, expect, it } from 'vitest';
import { createRandom } from '../src/statistics/random.ts';
import {
  answersIn,
  command,
  countIn,
  emulator,
  type ModelName,
  query,
  runJson,
  SMALL,
  spawnRunJson,
  start,
  toEmulator,
  until,
  workingFolder,
} from './emulated-run.ts';
import type { RecordedRequest } from './emulator/desk.ts';
import type { EmulatorStats } from './emulator/tally.ts';
import { minutes, rounds } from './torture/rounds.ts';

/** What a provider says about waiting is kept, whoever asks and however the process that heard it ended; and a run that is killed again and again ends as if nobody had disturbed it. */

/** The clocks of two processes are read to the millisecond, and not at the same moment. */
const graceMs = 3;
const always = { perSecond: 1e6, burst: 1e6 } as const;
const none = Number.POSITIVE_INFINITY;

describe('a storm of 429', () => {
  it.each<[ModelName, 'seconds' | 'ms' | 'date' | 'body']>([
    ['openai', 'seconds'],
    ['openai', 'ms'],
    ['anthropic', 'seconds'],
    ['anthropic', 'date'],
    ['google', 'date'],
    ['google', 'body'],
  ])('is waited out to the millisecond: %s, %s', async (name, header) => {
    const storm = { from: 2, to: 4, retryAfterSeconds: 0.6 };
    const server = await emulator({ storm, rateLimit: { ...always, header }, graceMs });
    const run = await runJson(
      [...SMALL, '--limit', '16', ...toEmulator(name, server), '--max-concurrency', '1'],
      workingFolder(),
    );
    expect([run.code, run.status, answersIn(run.file).length]).toEqual([0, 'complete', 16]);
    expect(await server.stats()).toMatchObject({ byStatus: { 200: 4, 429: 2 }, early: 0 });
    expect(earliestAfterWaits(await server.requests())).toBeGreaterThanOrEqual(-graceMs);
    expect(run.execution).toMatchObject({ n_rate_limits: 2, n_retries: 2 });
  });

  it('is waited out by everybody when many call at the same time', async () => {
    // What was sent before the word came back is nobody's fault; the wait is much longer than that takes.
    const storm = { from: 2, to: 8, retryAfterSeconds: 2 };
    const server = await emulator({ storm, graceMs, noticeMs: 500, latencyMs: 20 });
    const run = await runJson(
      [
        ...[...SMALL, '--limit', '16', '--batch-size', '1', '--max-concurrency', '8'],
        ...toEmulator('openai', server),
      ],
      workingFolder(),
    );
    expect([run.code, answersIn(run.file).length]).toEqual([0, 16]);
    expect(await server.stats()).toMatchObject({ byStatus: { 200: 16, 429: 6 }, early: 0 });
  });
});

describe('a server that is overloaded and says for how long', () => {
  it.each(['anthropic', 'google'] as const)('is waited for as well: %s', async (name) => {
    const status = name === 'anthropic' ? 529 : 503;
    const server = await emulator({ rateLimit: { perSecond: 1, burst: 4, status }, graceMs });
    const run = await runJson(
      [...SMALL, ...toEmulator(name, server), '--max-concurrency', '1'],
      workingFolder(),
    );
    expect([run.code, answersIn(run.file).length]).toEqual([0, 24]);
    const { byStatus, early } = await server.stats();
    expect([byStatus[200], early]).toEqual([6, 0]);
    expect(byStatus[status]).toBeGreaterThan(0);
  });
});

describe('a wait that another process was told of', () => {
  it('is kept by who runs at the same time in the same folder', async () => {
    const cwd = workingFolder();
    // One of them is told, while the others have most of their calls before them.
    const storm = { from: 12, to: 13, retryAfterSeconds: 2 };
    const server = await emulator({ storm, graceMs, noticeMs: 500, latencyMs: 250 });
    const flags = [...SMALL, '--batch-size', '1', '--max-concurrency', '2', ...toEmulator('openai', server)];
    const models = ['openai/a', 'openai/b', 'openai/c'];
    const runs = await Promise.all(
      models.map((model) =>
        spawnRunJson(
          flags.map((flag) => (flag === 'openai/m' ? model : flag)),
          cwd,
        ),
      ),
    );
    expect(runs.map(({ code }) => code)).toEqual([0, 0, 0]);
    expect(await server.stats()).toMatchObject({ byStatus: { 200: 72, 429: 1 }, early: 0 });
  });
});

/** By how much the request that came closest to an announced moment came after it; each request counts against all that was announced before it. */
function earliestAfterWaits(requests: readonly RecordedRequest[]): number {
  let until = 0;
  let closest = none;
  for (const { time, waitUntil } of requests) {
    if (until > 0) closest = Math.min(closest, time - until);
    until = Math.max(until, waitUntil ?? 0);
  }
  return closest;
}

describe('a wait that the process does not live to see the end of', () => {
  const pacing = 'SELECT max(moment) FROM pacing';
  const args = (name: ModelName, server: { readonly url: string }, file: string) => [
    ...SMALL,
    ...toEmulator(name, server),
    '--max-concurrency',
    '1',
    '--run',
    file,
  ];

  it('is kept by the same run and, in the same folder, by other models of that provider', async () => {
    const cwd = workingFolder();
    const file = join(cwd, 'a.db');
    const server = await emulator({ storm: { from: 2, to: 3, retryAfterSeconds: 4 }, graceMs });
    const killed = start(args('openai', server, file), cwd);
    await until('a wait in the file', () => countIn(file, pacing) > 0);
    killed.child.kill('SIGKILL');
    expect((await killed.ended).code).toBeNull();
    const other = args('openai', server, 'b.db').map((arg) => (arg === 'openai/m' ? 'openai/another' : arg));
    const [again, another] = await Promise.all([
      // From elsewhere: what the folder knows is not there, but what the run knows is.
      spawnRunJson(args('openai', server, file), workingFolder()),
      spawnRunJson(other, cwd),
    ]);
    expect([again.code, another.code]).toEqual([0, 0]);
    const { requests, early, okByPrompt } = await server.stats();
    // Three before the kill, of which one was refused; four and six after it.
    expect([requests, early, okByPrompt]).toEqual([13, 0, { 1: 12 }]);
    expect(earliestAfterWaits(await server.requests())).toBeGreaterThanOrEqual(-graceMs);
    expect(answersIn(another.file)).toEqual(answersIn(again.file));
  });

  it('is kept when it is an hour: no call, Ctrl-C ends it and says how to go on, and starting again makes no call either', async () => {
    const cwd = workingFolder();
    const file = join(cwd, 'hour.db');
    const server = await emulator({ storm: { from: 1, to: 2, retryAfterSeconds: 3600 } });
    const hour = args('anthropic', server, 'hour.db').filter((arg) => arg !== '--json');
    for (const round of ['first', 'second']) {
      const { child, ended } = start(hour, cwd);
      await until(`the wait of the ${round} run`, () => countIn(file, pacing) > 0 && isRunning(file));
      await sleep(700);
      expect((await server.stats()).requests).toBe(2);
      child.kill('SIGINT');
      const { code, stdout } = await ended;
      expect([code, stdout]).toEqual([130, expect.stringMatching(/continue +the same command/)]);
    }
    expect(await server.stats()).toMatchObject({ requests: 2, byStatus: { 200: 1, 429: 1 } });
    expect(answersIn(file)).toHaveLength(4);
    // Who does not ask that provider does not wait for it.
    const elsewhere = await runJson(args('anthropic', await emulator(), 'elsewhere.db'), cwd);
    expect([elsewhere.code, answersIn(elsewhere.file).length]).toEqual([0, 24]);
  });
});

/** Whether a process says that it is at it; one that is interrupted says so when it ends. */
function isRunning(file: string): boolean {
  return (
    countIn(
      file,
      "SELECT data ->> '$.status' = 'running' FROM events WHERE kind = 'manifest' AND data ->> '$.status' IS NOT NULL ORDER BY seq DESC LIMIT 1",
    ) === 1
  );
}

describe('places that adapt', () => {
  it('bring all rows through a limit of 200 a second with bursts of 20', async () => {
    const server = await emulator({
      rateLimit: { perSecond: 200, burst: 20, header: 'ms' },
      latencyMs: 30,
    });
    const run = await runJson(
      [
        'run',
        'ckd/staging',
        '--n-records',
        '800',
        '--batch-size',
        '1',
        '--bootstrap',
        '0',
        '--json',
        ...toEmulator('openai', server),
      ],
      workingFolder(),
    );
    expect([run.code, run.status]).toEqual([0, 'complete']);
    const rows = answersIn(run.file) as { state: string }[];
    expect(rows).toHaveLength(800);
    expect(rows.filter(({ state }) => state === 'failed')).toEqual([]);
    const { okByPrompt, byStatus } = await server.stats();
    expect(okByPrompt).toEqual({ 1: 800 });
    expect(run.execution.n_rate_limits).toBe(byStatus[429] ?? 0);
  });
});

const KILLS = rounds(20);
const N_RECORDS = rounds(640);
const CONCURRENCY = 4;

/** How often a prompt was answered that had been answered before. */
function repeats({ okByPrompt }: EmulatorStats): number {
  return Object.entries(okByPrompt).reduce((sum, [times, n]) => sum + (Number(times) - 1) * n, 0);
}

describe('a run against a provider with every fault, killed again and again', () => {
  it('loses nothing, repeats nothing, and ends where it would have ended', {
    timeout: minutes(5),
  }, async () => {
    const cwd = workingFolder();
    const faults = {
      latencyMs: 25,
      rateLimit: { perSecond: 30, burst: 6, header: 'ms' },
      serverErrorShare: 0.06,
      overloadedShare: 0.04,
      resetShare: 0.04,
      stallShare: 0.03,
      malformedShare: 0.1,
      malformedKinds: ['prose', 'cut', 'no_list'],
      partialShare: 0.1,
    } as const;
    const server = await emulator(faults);
    const file = join(cwd, 'disturbed.db');
    const args = (address: { readonly url: string }, run: string) => [
      'run',
      'ckd/detection',
      '--n-records',
      String(N_RECORDS),
      '--batch-size',
      '4',
      '--max-concurrency',
      String(CONCURRENCY),
      '--timeout',
      '1.5',
      '--no-cache',
      '--bootstrap',
      '0',
      '--run',
      run,
      '--json',
      ...toEmulator('openai', address),
    ];
    const rowsIn = () => countIn(file, 'SELECT count(*) FROM rows');
    const random = createRandom(Date.now() % 100_000);
    let seen = 0;
    for (let kill = 1; kill <= KILLS; kill++) {
      const { child, ended } = start(args(server, file), cwd);
      // Some get a few rows further, others are killed wherever they are, even before they began.
      if (kill % 4 === 0) await sleep(random.integer(600));
      else {
        const goal = rowsIn() + 1 + random.integer(16);
        await until('more rows', () => child.exitCode !== null || rowsIn() >= goal);
        await sleep(random.integer(60));
      }
      child.kill('SIGKILL');
      expect((await ended).code, `kill ${kill}`).toBeNull();
      expect(rowsIn()).toBeGreaterThanOrEqual(seen);
      seen = rowsIn();
      // Only what was under way at a kill is asked again.
      expect(repeats(await server.stats())).toBeLessThanOrEqual(kill * CONCURRENCY);
    }
    expect(seen).toBeLessThan(N_RECORDS);
    const last = await runJson(args(server, file), cwd);
    expect([last.code, last.stderr]).toEqual([0, expect.stringContaining('continuing')]);
    const stats = await server.stats();
    expect(repeats(stats)).toBeLessThanOrEqual(KILLS * CONCURRENCY);
    expect(stats.maxInFlight).toBeLessThanOrEqual(CONCURRENCY);
    for (const status of ['429', '500', '503', 'reset', 'stalled'])
      expect(stats.byStatus[status], status).toBeGreaterThan(0);

    const { rateLimit: _, ...unlimited } = faults;
    const undisturbed = await runJson(args(await emulator(unlimited), join(cwd, 'undisturbed.db')), cwd);
    expect(undisturbed.code).toBe(0);
    const rows = answersIn(file);
    expect(rows).toHaveLength(N_RECORDS);
    expect(rows).toEqual(answersIn(undisturbed.file));
    expect(last.ledger).toEqual(undisturbed.ledger);
    expect(last.execution.n_splits).toBeGreaterThan(0);

    const twice = (what: string) =>
      query(
        file,
        `SELECT key FROM all_calls WHERE outcome ${what} GROUP BY key, attempt HAVING count(*) > 1`,
      );
    expect(twice('IS NOT NULL')).toEqual([]);
    expect(
      query(
        file,
        "SELECT key FROM all_calls WHERE outcome NOT IN ('retry') GROUP BY key HAVING count(*) > 1",
      ),
    ).toEqual([]);
    expect(countIn(file, 'SELECT count(*) FROM all_calls WHERE outcome IS NULL')).toBeLessThanOrEqual(
      KILLS * CONCURRENCY,
    );

    // Done is done.
    const before = query(file, 'SELECT * FROM all_calls');
    expect((await command(args(server, file), cwd)).code).toBe(0);
    expect(query(file, 'SELECT * FROM all_calls')).toEqual(before);
    expect((await server.stats()).requests).toBe(stats.requests);
  });
});
