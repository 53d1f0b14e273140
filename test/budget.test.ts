import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { describe, expect, it } from 'vitest';
import { createRandom } from '../src/statistics/random.ts';
import {
  command,
  countIn,
  emulator,
  query,
  runJson,
  SMALL,
  start,
  type TestEmulator,
  toEmulator,
  workingFolder,
} from './emulated-run.ts';
import { minutes, rounds } from './torture/rounds.ts';

/** What the emulator charges, at the prices of the command, never passes the budget: not with untrue usage, not with many calls in flight, not across kills. */

const PRICE = { input: 100, output: 200 };
const priced = ['--set', `price=${PRICE.input},${PRICE.output}`, '--max-output-tokens', '300'];

async function charged(server: TestEmulator): Promise<number> {
  const { inputTokens, outputTokens } = (await server.stats()).charged;
  return (inputTokens * PRICE.input + outputTokens * PRICE.output) / 1e6;
}

describe('a budget', () => {
  it.each(['missing', 'zero', 'negative', 'absurd', 'one', 'a thousandth', 'a 24th'] as const)(
    'is kept where the usage of replies is %s: they are counted at their most, and the report says so',
    async (usage) => {
      const server = await emulator({ usage });
      const args = [...SMALL, ...toEmulator('openai', server), ...priced, '--budget', '2.2'];
      const run = await runJson(args, workingFolder());
      expect([run.code, run.status]).toEqual([3, 'stopped']);
      expect(await charged(server)).toBeLessThanOrEqual(2.2);
      expect(run.execution.cost_usd).toBeLessThanOrEqual(2.2);
      expect(run.execution.cost_usd).toBeGreaterThanOrEqual(await charged(server));
      const answered = (await server.stats()).byStatus[200]!;
      expect(run.execution.n_settled_at_reserve).toBe(answered);
      expect(run.warnings.map(({ code }) => code)).toContain('cost_at_reserve');
      expect(query(run.file, 'SELECT DISTINCT cost_basis FROM all_calls')).toEqual([
        { cost_basis: 'reserve' },
      ]);
    },
  );

  it.each(['negative', 'absurd', 'one', 'a thousandth', 'a 24th'] as const)(
    'or none, counts that cannot be true are stored nowhere: %s',
    async (usage) => {
      const server = await emulator({ usage });
      const run = await runJson([...SMALL, ...toEmulator('openai', server)], workingFolder());
      expect([run.code, run.status]).toEqual([0, 'complete']);
      const { input_tokens: input, token_total: total, wasted_tokens: wasted } = run.execution;
      // A reply of 24 tokens and more takes more than one, so that a 24th of them can be true.
      expect([input, wasted]).toEqual([null, 0]);
      for (const table of ['all_calls', 'rows'])
        expect(query(run.file, `SELECT DISTINCT input_tokens FROM ${table}`)).toEqual([
          { input_tokens: null },
        ]);
      const counts = query<Record<string, number | null>>(
        run.file,
        'SELECT DISTINCT output_tokens AS n FROM all_calls',
      );
      for (const { n } of counts) expect(n === null || Number.isInteger(n)).toBe(true);
      expect(total === null || Number.isInteger(total)).toBe(true);
    },
  );

  it('believes counts that the texts allow: a provider that reports half is charged for half', async () => {
    const server = await emulator({ usage: 'half' });
    const args = [...SMALL, ...toEmulator('openai', server), ...priced, '--budget', '50'];
    const run = await runJson(args, workingFolder());
    expect([run.code, run.execution.n_settled_at_reserve]).toEqual([0, 0]);
    expect(run.execution.cost_usd! / (await charged(server))).toBeCloseTo(0.5, 1);
  });

  it('is passed by no more than the first call where the provider ignores the cap on output', async () => {
    const budget = 13;
    const server = await emulator({ overrun: () => 9, latencyMs: 30 });
    const args = [...SMALL, ...toEmulator('openai', server), ...priced, '--max-concurrency', '64'];
    const cwd = workingFolder();
    const run = await runJson([...args, '--budget', String(budget)], cwd);
    expect([run.code, run.status]).toEqual([3, 'stopped']);
    expect(run.stderr).toContain('an earlier call took 9.0 times the tokens that it should take at most');
    const calls = query<{ reserved: number; cost: number }>(
      run.file,
      'SELECT reserved_usd AS reserved, cost_usd AS cost FROM all_calls ORDER BY id',
    );
    expect(await charged(server)).toBeLessThanOrEqual(budget + calls[0]!.cost);
    expect(run.execution.cost_usd).toBeCloseTo(await charged(server), 6);
    expect(calls.length).toBeGreaterThan(1);
    for (const { reserved, cost } of calls.slice(1)) expect(cost).toBeLessThanOrEqual(reserved);
    // Processes that continue learn it from the stored calls.
    for (let i = 0; i < 3; i++) await runJson([...args, '--budget', String(budget)], cwd);
    expect(await charged(server)).toBeLessThanOrEqual(budget + calls[0]!.cost);
  });

  it('is passed by the calls in flight where the provider begins later to ignore the cap', async () => {
    const [budget, concurrency] = [40, 4];
    const server = await emulator({ overrun: (number) => (number < 5 ? null : 9), latencyMs: 30 });
    const args = [
      'run',
      'ckd/staging',
      '--n-records',
      '600',
      '--batch-size',
      '4',
      '--bootstrap',
      '0',
      '--json',
    ];
    const run = await runJson(
      [
        ...args,
        ...toEmulator('openai', server),
        ...priced,
        '--max-concurrency',
        `${concurrency}`,
        '--budget',
        `${budget}`,
      ],
      workingFolder(),
    );
    expect([run.code, run.status]).toEqual([3, 'stopped']);
    const [{ most } = { most: 0 }] = query<{ most: number }>(
      run.file,
      'SELECT max(cost_usd) AS most FROM all_calls',
    );
    expect(await charged(server)).toBeLessThanOrEqual(budget + concurrency * most);
    expect(run.execution.cost_usd).toBeCloseTo(await charged(server), 6);
  });

  it('counts replies that were cut off at their most, too, where their usage cannot be true', async () => {
    const server = await emulator({ usage: 'one' });
    const tight = [
      '--set',
      `price=${PRICE.input},${PRICE.output}`,
      '--max-output-tokens',
      '5',
      '--budget',
      '0.9',
    ];
    const run = await runJson([...SMALL, ...toEmulator('openai', server), ...tight], workingFolder());
    expect([run.code, run.status]).toEqual([3, 'stopped']);
    expect(await charged(server)).toBeLessThanOrEqual(0.9);
    expect(query(run.file, 'SELECT DISTINCT outcome, cost_basis FROM all_calls')).toEqual([
      { outcome: 'truncated', cost_basis: 'reserve' },
    ]);
  });

  it('lets the first call go out alone, and the others after it', async () => {
    const server = await emulator({ latencyMs: 200 });
    const args = [...SMALL, ...toEmulator('openai', server), ...priced, '--max-concurrency', '6'];
    const run = await runJson([...args, '--budget', '50'], workingFolder());
    expect(run.status).toBe('complete');
    const [first, ...others] = await server.requests();
    expect(others).toHaveLength(5);
    // A timer may fire a millisecond early.
    for (const { time } of others) expect(time).toBeGreaterThanOrEqual(first!.time + 199);
    expect((await server.stats()).maxInFlight).toBeGreaterThan(1);
  });

  it('is kept by 64 calls of eight records in flight, which wait for one another and use it to the end', async () => {
    const server = await emulator({ latencyMs: 30 });
    const args = [
      'run',
      'ckd/staging',
      '--n-records',
      '1200',
      '--batch-size',
      '8',
      '--bootstrap',
      '0',
      '--json',
    ];
    const run = await runJson(
      [...args, ...toEmulator('openai', server), ...priced, '--max-concurrency', '64', '--budget', '8'],
      workingFolder(),
    );
    expect([run.code, run.status]).toEqual([3, 'stopped']);
    const paid = await charged(server);
    expect(paid).toBeLessThanOrEqual(8);
    expect(run.execution.cost_usd).toBeCloseTo(paid, 6);
    // It stops only when no call is in flight and the next could pass the budget.
    const [{ most } = { most: 0 }] = query<{ most: number }>(
      run.file,
      'SELECT max(reserved_usd) AS most FROM all_calls',
    );
    expect(paid).toBeGreaterThan(8 - most);
  });

  it('is kept across a dozen kills and more: what was never settled counts as spent until it is released', {
    timeout: minutes(4),
  }, async () => {
    const cwd = workingFolder();
    const file = join(cwd, 'killed.db');
    let latencyMs = 150;
    const server = await emulator({ latencyMs: () => latencyMs });
    const base = [
      'run',
      'ckd/staging',
      '--n-records',
      '900',
      '--batch-size',
      '4',
      '--bootstrap',
      '0',
      '--json',
    ];
    const args = [
      ...base,
      ...toEmulator('openai', server),
      ...priced,
      '--max-concurrency',
      '4',
      '--run',
      file,
    ];
    const random = createRandom(Date.now() % 100_000);
    let kills = 0;
    for (; kills < rounds(12); kills++) {
      const begun = countIn(file, 'SELECT count(*) FROM all_calls');
      const { child, ended } = start([...args, '--budget', '50'], cwd);
      while (child.exitCode === null && countIn(file, 'SELECT count(*) FROM all_calls') < begun + 8)
        await sleep(10);
      await sleep(random.integer(200));
      child.kill('SIGKILL');
      await ended;
      expect(await charged(server), `kill ${kills + 1}`).toBeLessThanOrEqual(50);
    }
    latencyMs = 0;
    const stopped = await runJson([...args, '--budget', '50'], cwd);
    const paid = await charged(server);
    expect([stopped.code, stopped.status]).toEqual([3, 'stopped']);
    expect(stopped.stderr).toMatch(/\$[\d.]+ spent, \$[\d.]+ reserved for calls .*, \$[\d.]+ left/);
    expect(stopped.stderr).toContain('--set releaseUnsettled=true');
    expect(paid).toBeLessThanOrEqual(50);
    const { cost_usd: settled, unsettled_usd: unsettled } = stopped.execution;
    expect(settled! + unsettled!).toBeLessThanOrEqual(50);
    expect(settled! + unsettled!).toBeGreaterThanOrEqual(paid - 1e-9);
    expect(stopped.warnings.map(({ code }) => code)).toContain('cost_unsettled');

    const released = await runJson([...args, '--budget', '50', '--set', 'releaseUnsettled=true'], cwd);
    expect(released.execution.unsettled_usd).toBeNull();
    expect(released.execution.cost_usd).toBeGreaterThan(settled!);
    const events = query<{ kind: string; data: string }>(file, 'SELECT kind, data FROM events');
    const event = JSON.parse(events.find(({ kind }) => kind === 'budget_released')!.data);
    expect(event).toMatchObject({ last_call: expect.any(Number), unsettled_usd: unsettled });
  });

  it('is not used by calls that were turned away, and is by those that may have been answered', async () => {
    const rateLimit = { perSecond: 1e6, burst: 1e6, header: 'ms' } as const;
    const away = await emulator({ storm: { from: 0, to: 3, retryAfterSeconds: 0.05 }, rateLimit });
    const args = (server: TestEmulator) => [
      ...SMALL,
      ...toEmulator('openai', server),
      ...priced,
      '--max-concurrency',
      '1',
    ];
    const limited = await runJson([...args(away), '--limit', '4'], workingFolder());
    expect(query(limited.file, "SELECT cost_usd, cost_basis FROM all_calls WHERE outcome = 'retry'")).toEqual(
      Array.from({ length: 3 }, () => ({ cost_usd: 0, cost_basis: 'nothing' })),
    );
    const silent = await emulator({ stallShare: 0.3 });
    const cwd = workingFolder();
    const late = await runJson([...args(silent), '--timeout', '0.3'], cwd);
    const timeouts = query<Record<string, unknown>>(
      late.file,
      "SELECT reserved_usd = cost_usd AS whole, cost_basis FROM all_calls WHERE error LIKE 'timeout:%'",
    );
    expect(timeouts.length).toBeGreaterThan(0);
    for (const call of timeouts) expect(call).toEqual({ whole: 1, cost_basis: 'reserve' });
    const nobody = ['--model', 'openai/m', '--base-url', 'http://127.0.0.1:9/v1', '--run', 'r.db'];
    expect((await command([...SMALL, ...nobody, ...priced], cwd)).code).toBe(3);
    expect(query(join(cwd, 'r.db'), 'SELECT DISTINCT cost_basis FROM all_calls')).toEqual([
      { cost_basis: 'nothing' },
    ]);
  });

  it('is compared with what a run can cost at most before anything is asked', async () => {
    const server = await emulator();
    const args = [...SMALL, ...toEmulator('openai', server), ...priced];
    const { stdout } = await command([...args, '--dry-run'], workingFolder());
    const [plan] = JSON.parse(stdout).plan;
    const run = await runJson(args, workingFolder());
    const [reserved] = query<{ sum: number; most: number }>(
      run.file,
      'SELECT sum(reserved_usd) AS sum, max(reserved_usd) AS most FROM all_calls',
    );
    // The run asks about other records first than the plan counts.
    expect(plan.max_cost_usd / reserved!.sum).toBeCloseTo(1, 1);
    expect(plan.max_call_cost_usd / reserved!.most).toBeCloseTo(1, 1);
    expect(plan.max_cost_usd).toBeGreaterThan(plan.estimated_cost_usd);
  });
});
