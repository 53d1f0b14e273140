import { readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterEach, describe, expect, it } from 'vitest';
import { createRandom } from '../src/statistics/random.ts';
import { verifyRun } from '../src/store/verify-run.ts';
import {
  command,
  countIn,
  emulator,
  query,
  runJson,
  SMALL,
  start,
  toEmulator,
  until,
  workingFolder,
} from './emulated-run.ts';
import { loopbackServer, sendJson } from './loopback-server.ts';
import { minutes, rounds } from './torture/rounds.ts';

/** Two hundred records, one in each call, many of them at the same time. */
const MANY = [
  ...['run', 'ckd/staging', '--n-records', '500', '--limit', '200', '--bootstrap', '0', '--json'],
  ...['--max-concurrency', '64', '--model', 'openai-compatible/m'],
];

type Answer = Parameters<typeof loopbackServer>[0];

const closing: (() => Promise<void>)[] = [];
afterEach(async () => {
  for (const close of closing.splice(0)) await close();
});

/** A server that gives every request the same answer, after a moment. */
async function alwaysAnswering(answer: Answer) {
  const server = await loopbackServer((received, response) => {
    setTimeout(() => answer(received, response), 5);
  });
  closing.push(server.close);
  return server;
}

const loginPage: Answer = (_, response) => {
  response.writeHead(200, { 'content-type': 'text/html' });
  response.end('<!doctype html><title>Log in</title>');
};

const emptyReply = {
  id: 'r',
  object: 'chat.completion',
  created: 1,
  model: 'm',
  choices: [{ index: 0, message: { role: 'assistant', content: '' }, finish_reason: 'stop' }],
  usage: { prompt_tokens: 5, completion_tokens: 0, total_tokens: 5 },
};

describe('a run that cannot succeed', () => {
  it.each<[string, Answer, RegExp]>([
    ['a login page', loginPage, /Stopped: 20 calls failed alike before any succeeded: .*web page/],
    [
      'a refused request',
      (_, response) => sendJson(response, { error: { message: 'unknown parameter' } }, 400),
      /Stopped: .*unknown parameter/,
    ],
    [
      'an empty reply',
      (_, response) => sendJson(response, emptyReply),
      /Stopped: 20 calls failed alike before any succeeded: .*empty/,
    ],
  ])('stops with exit code 3 after about twenty calls, not 200: %s', async (_, answer, cause) => {
    const server = await alwaysAnswering(answer);
    const ran = await runJson([...MANY, '--base-url', `${server.url}/v1`], workingFolder());
    expect([ran.code, ran.status]).toEqual([3, 'stopped']);
    expect(ran.stderr).toMatch(cause);
    expect(server.received.length).toBeGreaterThan(0);
    expect(server.received.length).toBeLessThanOrEqual(21);
  });

  it('goes on with the same command once it can, and asks the rows of that start again', async () => {
    const cwd = workingFolder();
    const server = await alwaysAnswering(loginPage);
    const args = [...MANY, '--base-url', `${server.url}/v1`];
    const stopped = await runJson(args, cwd);
    expect(stopped.ledger).toMatchObject({ failed_malformed: 20, not_run: 180 });
    expect(stopped.stderr).toContain('krisis: run the same command to ask the 20 failed cases again\n');
    await server.close();
    await emulator({ port: Number(new URL(server.url).port) });
    const again = await runJson(args, cwd);
    expect(again.stderr).toContain('asking 20 failed cases again; --keep-failed leaves them\n');
    expect([again.code, again.status, again.run_file]).toEqual([0, 'complete', stopped.run_file]);
    expect([again.ledger.not_run, again.execution.n_asked_again]).toEqual([0, 20]);
    expect(verifyRun(again.file).verdict).toBe('verified');
  });
});

describe('a run with failed rows', () => {
  /** Runs once against a provider with faults; the same command then meets one without. */
  async function failedOnce(faults: Parameters<typeof emulator>[0], more: readonly string[] = []) {
    const cwd = workingFolder();
    const broken = await emulator({ ...faults, faultsPass: false });
    const args = [...SMALL, ...toEmulator('openai-compatible', broken), '--batch-size', '1', ...more];
    const first = await runJson(args, cwd);
    await broken.close();
    const mended = await emulator({ port: Number(new URL(broken.url).port) });
    const failed = Object.entries(first.ledger).filter(([key]) => key.startsWith('failed_'));
    return { cwd, args, first, mended, nFailed: failed.reduce((sum, [, n]) => sum + n, 0) };
  }

  it('asks them again, says how many and for how much at most, and then changes nothing', async () => {
    const more = ['--set', 'price=1,2', '--set', 'maxRetries=0'];
    const { cwd, args, first, mended, nFailed } = await failedOnce({ serverErrorShare: 0.3 }, more);
    expect([first.code, nFailed > 2 && nFailed < 20]).toEqual([3, true]);
    expect(first.stderr).toContain(`krisis: run the same command to ask the ${nFailed} failed cases again\n`);
    const again = await runJson(args, cwd);
    expect(again.stderr).toMatch(
      new RegExp(
        `asking ${nFailed} failed cases again \\(at most \\$0\\.\\d+\\); --keep-failed leaves them\n`,
      ),
    );
    expect([again.code, again.status, (await mended.stats()).requests]).toEqual([0, 'complete', nFailed]);
    const history = query<{ state: string; attempt: number; n: number }>(
      again.file,
      'SELECT state, attempt, count(*) AS n FROM rows GROUP BY 1, 2 ORDER BY attempt, state DESC',
    );
    expect(history.filter(({ state }) => state === 'failed')).toEqual([
      { state: 'failed', attempt: 0, n: nFailed },
    ]);
    expect(history.reduce((sum, { n }) => sum + n, 0)).toBe(24 + nFailed);
    const calls = countIn(again.file, 'SELECT count(*) FROM all_calls');
    expect(again.execution.n_calls, 'calls of earlier attempts still count').toBe(calls);
    const csv = (await command(['report', again.file, '--format', 'csv'], cwd)).stdout.split('\r\n');
    expect(csv[0]).toMatch(/,attempt$/);
    expect(csv.filter((line) => line.endsWith(',1'))).toHaveLength(nFailed);
    const before = readFileSync(again.file);
    const third = await runJson(args, cwd);
    expect([third.code, readFileSync(again.file).equals(before)]).toEqual([0, true]);
    expect(third.stderr).not.toContain('failed case');
  });

  it('leaves them with --keep-failed', async () => {
    const { cwd, args, first, mended } = await failedOnce({ serverErrorShare: 0.3 }, [
      '--set',
      'maxRetries=0',
    ]);
    const before = readFileSync(first.file);
    const kept = await runJson([...args, '--keep-failed'], cwd);
    expect([kept.code, kept.ledger]).toEqual([3, first.ledger]);
    expect([(await mended.stats()).requests, readFileSync(first.file).equals(before)]).toEqual([0, true]);
  });

  it('asks for replies that were cut off only with a larger limit, in the same file, and says that limits differ', async () => {
    const { cwd, args, first, mended, nFailed } = await failedOnce({ truncatedShare: 0.3 });
    expect(first.ledger.failed_truncated).toBe(nFailed);
    const before = readFileSync(first.file);
    const same = await runJson(args, cwd);
    expect(same.stderr).toContain(
      `not asking ${nFailed} failed cases again: the reply was cut off; a larger --max-output-tokens would ask again\n`,
    );
    expect([(await mended.stats()).requests, readFileSync(first.file).equals(before)]).toEqual([0, true]);
    const larger = await runJson([...args, '--max-output-tokens', '4096', '--timeout', '60'], cwd);
    expect([larger.code, larger.file, (await mended.stats()).requests]).toEqual([0, first.file, nFailed]);
    const mixed = larger.warnings.find(({ code }) => code === 'settings_mixed');
    expect(mixed?.message).toMatch(
      new RegExp(
        `^Calls of this run were made with different limits: output tokens per case 2048 in \\d+ calls, 4096 in ${nFailed} calls; seconds until a timeout 300 in \\d+ calls, 60 in ${nFailed} calls\\.$`,
      ),
    );
    const text = await command(['report', larger.file], cwd);
    expect(text.stdout.replace(/\s+/g, ' ')).toContain(mixed!.message);
    const settings = query<{ settings: string }>(
      larger.file,
      'SELECT DISTINCT settings FROM all_calls ORDER BY id',
    );
    expect(settings.map((call) => JSON.parse(call.settings))).toEqual([
      { max_output_tokens: 2048, max_retries: 3, timeout_seconds: 300 },
      { max_output_tokens: 4096, max_retries: 3, timeout_seconds: 60 },
    ]);
  });
});

const CONFIG = `
import { existsSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';
import { BackendError, defineBackend } from 'krisis';
export default {
  backends: [defineBackend({
    name: 'own/moody',
    maxRetries: 0,
    evaluate: async ({ id }) => {
      await sleep(15);
      if (existsSync('broken') && Number(id.replace(/\\D/g, '')) % 2 === 0) throw new BackendError('server', 'down');
      return { prediction: 'G2', abstained: false, confidence: 0.5 };
    },
  })],
};
`;

describe('a command that is killed while it asks failed rows again', () => {
  it('loses no row, repeats only calls in flight, and ends as one that was not', {
    timeout: minutes(5),
  }, async () => {
    const cwd = workingFolder();
    rmSync(join(cwd, 'krisis.config.yaml'));
    writeFileSync(join(cwd, 'krisis.config.mjs'), CONFIG);
    writeFileSync(join(cwd, 'broken'), '');
    const file = join(cwd, 'run.db');
    const args = [
      ...['run', 'ckd/staging', '--n-records', '200', '--limit', '120', '--bootstrap', '0', '--json'],
      ...['--model', 'own/moody', '--batch-size', '4', '--max-concurrency', '3', '--run', file],
      ...['--fail-on-error', '1'],
    ];
    const first = await runJson(args, cwd);
    const nFailed = first.ledger.failed_server!;
    expect([first.status, nFailed > 30]).toEqual(['complete', true]);
    rmSync(join(cwd, 'broken'));
    const random = createRandom(Date.now() % 100_000);
    const nAgain = () => countIn(file, 'SELECT count(*) FROM rows WHERE attempt > 0');
    for (let kill = 0; kill < rounds(3); kill++) {
      const before = nAgain();
      const { child, ended } = start(args, cwd);
      await until('cases that were asked again', () => nAgain() > before || child.exitCode !== null);
      await sleep(random.integer(40));
      child.kill('SIGKILL');
      await ended;
      expect(['unsealed', 'verified']).toContain(verifyRun(file).verdict);
    }
    const last = await runJson(args, cwd);
    expect(last.ledger).toMatchObject({ n: 120, not_run: 0 });
    expect(Object.keys(last.ledger).filter((key) => key.startsWith('failed_'))).toEqual([]);
    expect(query(file, 'SELECT attempt, count(*) AS n FROM rows GROUP BY attempt')).toEqual([
      { attempt: 0, n: 120 },
      { attempt: 1, n: nFailed },
    ]);
    const twice = "SELECT key FROM all_calls WHERE outcome NOT IN ('retry') GROUP BY key HAVING count(*) > 1";
    expect(query(file, twice)).toEqual([]);
    expect(countIn(file, 'SELECT count(*) FROM all_calls WHERE outcome IS NULL')).toBeLessThanOrEqual(
      rounds(3) * 3,
    );
    expect(countIn(file, "SELECT count(*) FROM events WHERE kind = 'asked_again'")).toBe(1);
  });
});
