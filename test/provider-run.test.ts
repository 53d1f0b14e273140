import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import {
  answersIn,
  command,
  countIn,
  emulator,
  MAIN,
  MODELS,
  query,
  runJson,
  SMALL,
  start,
  tableSuite,
  toEmulator,
  until,
  workingFolder,
} from './emulated-run.ts';
import type { RecordedRequest } from './emulator/desk.ts';
import type { EmulatorOptions } from './emulator/options.ts';

/** Runs against a provider that fails, costs or cannot be reached, and what the command makes of it. */

const portOf = ({ url }: { readonly url: string }) => Number(new URL(url).port);
const own = (suite: string) => ['run', suite, '--batch-size', '4', '--bootstrap', '0', '--json'];
/** Malformed in ways that nothing can mend. */
const UNREADABLE = ['prose', 'cut', 'no_list'] as const;

/** What an undisturbed run brings. */
async function undisturbed(args: readonly string[] = SMALL): Promise<unknown[]> {
  const server = await emulator();
  return answersIn((await runJson([...args, ...toEmulator('openai', server)], workingFolder())).file);
}

describe('one record that the server cannot take', () => {
  it('is given up after a few tries, and the others are answered', async () => {
    const rows = Array.from({ length: 24 }, (_, i) => ({
      id: `p${i}`,
      label: i % 2 === 0 ? 'ill' : 'well',
      note: i === 9 ? 'the one with the plumbago' : `unremarkable ${i}`,
    }));
    const suite = tableSuite(workingFolder(), rows);
    const cwd = workingFolder();
    const server = await emulator({ poison: 'plumbago', record: true });
    const args = [...own(suite), ...toEmulator('openai', server)];
    const run = await runJson(args, cwd);
    expect([run.code, run.status]).toEqual([3, 'complete']);
    expect(run.stderr).toContain('1 of 24 cases failed');
    expect(run.ledger).toMatchObject({ n: 24, failed_server: 1, not_run: 0, invalid: 0, refused: 0 });
    // Twice the same error ends a question: asked in a batch of four, of two, and alone.
    const poisoned = (await server.requests()).filter(({ body }) => body!.includes('plumbago'));
    expect(poisoned).toHaveLength(6);
    expect(
      query(run.file, "SELECT record_id FROM rows WHERE state = 'failed' AND state_reason = 'server'"),
    ).toEqual([{ record_id: 'p9' }]);
    // Failed is final: the same command asks nothing more.
    const { requests } = await server.stats();
    const again = await runJson([...args, '--keep-failed'], cwd);
    expect([again.code, again.ledger, (await server.stats()).requests]).toEqual([3, run.ledger, requests]);
  });
});

describe('a tenth of all batches malformed', () => {
  it('costs splits, and no row', async () => {
    const args = [...SMALL, '--n-records', '480', '--limit', '480'];
    const server = await emulator({ malformedShare: 0.1, malformedKinds: UNREADABLE, faultsPass: false });
    const run = await runJson([...args, ...toEmulator('anthropic', server)], workingFolder());
    expect(run.code, run.stderr).toBe(0);
    expect(answersIn(run.file)).toEqual(await undisturbed(args));
    const { okByPrompt, goodByPrompt, requests } = await server.stats();
    const spoiled = total(okByPrompt) - total(goodByPrompt);
    expect(spoiled).toBeGreaterThan(5);
    expect(run.execution).toMatchObject({ n_splits: spoiled, n_calls: requests, n_repaired: 0 });
    expect(run.execution.wasted_tokens).toBeGreaterThan(0);
  });
});

function total(byPrompt: Readonly<Record<string, number>>): number {
  return Object.entries(byPrompt).reduce((sum, [times, n]) => sum + Number(times) * n, 0);
}

describe.each(MAIN)('an account of %s with which no call can succeed', (name) => {
  it.each<[NonNullable<EmulatorOptions['auth']>, RegExp]>([
    ['invalid', new RegExp(`check ${MODELS[name].keyVariable}`)],
    ['forbidden', new RegExp(`check ${MODELS[name].keyVariable}`)],
    ['unknown_model', /no such model/],
    ['quota', /needs credit or a higher limit/],
  ])('stops the run at once, and it goes on when that is mended: %s', async (auth, words) => {
    const cwd = workingFolder();
    const broken = await emulator({ auth });
    const args = [...SMALL, ...toEmulator(name, broken), '--max-concurrency', '2'];
    const stopped = await runJson(args, cwd);
    expect([stopped.code, stopped.status]).toEqual([3, 'stopped']);
    expect(stopped.stderr).toMatch(words);
    expect(stopped.ledger).toMatchObject({ n: 24, not_run: 24 });
    expect((await broken.stats()).requests).toBeLessThanOrEqual(2);
    await broken.close();
    const mended = await emulator({ port: portOf(broken) });
    const run = await runJson(args, cwd);
    expect([run.code, run.status, run.file]).toEqual([0, 'complete', stopped.file]);
    expect(run.ledger.not_run).toBe(0);
    expect(await mended.stats()).toMatchObject({ requests: 6, repeated: 0 });
  });
});

describe('credit that ends in the middle', () => {
  it('keeps what was paid for, and only the rest is asked when there is more', async () => {
    const cwd = workingFolder();
    const poor = await emulator({ quotaAfter: 3 });
    const args = [...SMALL, ...toEmulator('openai', poor), '--max-concurrency', '1'];
    const stopped = await runJson(args, cwd);
    expect([stopped.code, stopped.status, stopped.ledger.not_run]).toEqual([3, 'stopped', 12]);
    expect(stopped.stderr).toContain('needs credit or a higher limit');
    expect((await poor.stats()).requests).toBe(4);
    const kept = answersIn(stopped.file);
    expect(kept).toHaveLength(12);
    await poor.close();
    const paid = await emulator({ port: portOf(poor) });
    const run = await runJson(args, cwd);
    expect([run.code, run.status]).toEqual([0, 'complete']);
    expect((await paid.stats()).requests).toBe(3);
    expect(answersIn(run.file)).toEqual(await undisturbed());
    expect(answersIn(run.file)).toEqual(expect.arrayContaining(kept));
  });
});

describe('a server that is away', () => {
  const patience = ['--set', 'maxRetries=2'];

  it('stops the run, as often as it is tried, and loses no row', async () => {
    const cwd = workingFolder();
    const gone = await emulator();
    await gone.close();
    const args = [...SMALL, ...toEmulator('openai', gone), ...patience];
    for (let time = 0; time < 3; time++) {
      const away = await runJson(args, cwd);
      expect([away.code, away.status]).toEqual([3, 'stopped']);
      expect(away.ledger).toMatchObject({ n: 24, not_run: 24 });
      expect(away.stderr).toMatch(/cannot reach .*ECONNREFUSED.*tried \d+ times\. Run it again to continue/);
      expect(answersIn(away.file)).toEqual([]);
    }
    const back = await emulator({ port: portOf(gone) });
    const run = await runJson(args, cwd);
    expect([run.code, run.status]).toEqual([0, 'complete']);
    expect(answersIn(run.file)).toEqual(await undisturbed());
    expect((await back.stats()).requests).toBe(6);
  });

  it('and goes away while it is asked, with calls under way, costs no row either', async () => {
    const cwd = workingFolder();
    const dying = await emulator({ latencyMs: 100 });
    const args = [
      ...[...SMALL, ...toEmulator('google', dying), ...patience],
      ...['--max-concurrency', '4', '--batch-size', '1', '--run', 'r.db'],
    ];
    const { ended } = start(args, cwd);
    await until('some rows', () => countIn(join(cwd, 'r.db'), 'SELECT count(*) FROM rows') >= 6);
    await dying.close();
    const stopped = await ended;
    expect([stopped.code, stopped.stderr]).toEqual([
      3,
      expect.stringContaining('tried 3 times. Run it again to continue'),
    ]);
    const failed = countIn(join(cwd, 'r.db'), "SELECT count(*) FROM rows WHERE state = 'failed'");
    expect(failed).toBe(0);
    await emulator({ port: portOf(dying) });
    const run = await runJson(args, cwd);
    expect([run.code, run.ledger.n, run.ledger.not_run]).toEqual([0, 24, 0]);
    expect(answersIn(run.file)).toEqual(await undisturbed());
  });
});

describe('the cache', () => {
  const cached = (cwd: string) => countIn(join(cwd, '.krisis/cache.db'), 'SELECT count(*) FROM replies');

  it('answers what was asked before, unless told otherwise or cleared', async () => {
    const cwd = workingFolder();
    const server = await emulator();
    const args = [...SMALL, ...toEmulator('openai', server)];
    const first = await runJson(args, cwd);
    expect([first.execution.n_calls, first.execution.n_cache_hits, cached(cwd)]).toEqual([6, 0, 6]);
    const second = await runJson([...args, '--run', 'second.db'], cwd);
    expect([second.execution.n_calls, second.execution.n_cache_hits]).toEqual([0, 6]);
    expect((await server.stats()).requests).toBe(6);
    expect(second.execution.model_ids).toEqual(['m']);
    expect(answersIn(second.file)).toEqual(answersIn(first.file));
    const fresh = await runJson([...args, '--run', 'fresh.db', '--no-cache'], cwd);
    expect([fresh.execution.n_calls, fresh.execution.n_cache_hits]).toEqual([6, 0]);
    const cleared = await command(['ops', 'cache', 'clear', '--json'], cwd);
    expect(JSON.parse(cleared.stdout)).toMatchObject({ n_removed: 6 });
    expect(cached(cwd)).toBe(0);
    const anew = await runJson([...args, '--run', 'anew.db'], cwd);
    expect([anew.execution.n_calls, anew.execution.n_cache_hits, cached(cwd)]).toEqual([6, 0, 6]);
    // Another cap is another question.
    const other = await runJson([...args, '--run', 'other.db', '--max-output-tokens', '2000'], cwd);
    expect(other.execution.n_cache_hits).toBe(0);
  });

  it('has an entry of its own for each repeat, read only if asked for', async () => {
    const cwd = workingFolder();
    const server = await emulator();
    const args = [...SMALL, ...toEmulator('openai', server), '--new'];
    await runJson(args, cwd);
    const twice = await runJson([...args, '--repeat', '2', '--cache'], cwd);
    expect([twice.execution.n_calls, twice.execution.n_cache_hits, cached(cwd)]).toEqual([6, 6, 12]);
    const again = await runJson([...args, '--repeat', '2', '--cache'], cwd);
    expect([again.execution.n_calls, again.execution.n_cache_hits]).toEqual([0, 12]);
    expect(answersIn(again.file)).toHaveLength(48);
    expect((await server.stats()).requests).toBe(12);
    const asked = await runJson([...args, '--repeat', '2'], cwd);
    expect([asked.execution.n_calls, asked.execution.n_cache_hits]).toEqual([12, 0]);
  });

  it('keeps no refusal, and nothing that went wrong', async () => {
    const cwd = workingFolder();
    const server = await emulator({
      refusalShare: 0.4,
      malformedShare: 0.3,
      malformedKinds: UNREADABLE,
      faultsPass: false,
    });
    const args = [...SMALL, ...toEmulator('openai', server), '--new', '--cache'];
    const first = await runJson(args, cwd);
    expect(first.ledger.refused).toBeGreaterThan(0);
    const stats = await server.stats();
    expect(cached(cwd)).toBe(total(stats.goodByPrompt));
    const second = await runJson(args, cwd);
    // What was good comes from the cache, all else is asked again.
    expect(second.execution.n_cache_hits).toBe(total(stats.goodByPrompt));
    expect(second.execution.n_calls).toBe(stats.requests - total(stats.goodByPrompt));
    expect(answersIn(second.file)).toEqual(answersIn(first.file));
  });

  it('keeps nothing of a protected suite', async () => {
    const cwd = workingFolder();
    const rows = Array.from({ length: 8 }, (_, i) => ({
      id: `p${i}`,
      label: i % 2 ? 'ill' : 'well',
      age: i,
    }));
    const suite = tableSuite(workingFolder(), rows);
    const server = await emulator();
    const args = [...own(suite), ...toEmulator('openai', server), '--new', '--cache'];
    for (const _ of ['first', 'second']) {
      const { execution } = await runJson(args, cwd);
      expect([execution.n_calls, execution.n_cache_hits, cached(cwd)]).toEqual([2, 0, 0]);
    }
    expect((await server.stats()).requests).toBe(4);
  });
});

describe('limits that the user sets', () => {
  /** A machine that stood still for a moment sees two arrivals closer than their starts were. */
  const tolerance = 700;

  it('keeps to requests a minute', async () => {
    const server = await emulator();
    const args = [...SMALL, ...toEmulator('openai', server), '--batch-size', '1', '--set', 'rpm=480'];
    const run = await runJson(args, workingFolder());
    expect([run.code, run.execution.n_calls]).toEqual([0, 24]);
    const times = (await server.requests()).map(({ time }) => time);
    expect(worst(times, (from, to) => (to - from) * (60_000 / 480))).toBeLessThanOrEqual(tolerance);
  });

  it('keeps to tokens a minute', async () => {
    const perMinute = 90_000;
    const server = await emulator({ record: true });
    const args = [...SMALL, ...toEmulator('openai', server), '--set', `tpm=${String(perMinute)}`];
    const run = await runJson(args, workingFolder());
    expect([run.code, run.execution.n_calls]).toEqual([0, 6]);
    const requests = await server.requests();
    const needs = (request: RecordedRequest) => ((inputTokens(request) / perMinute) * 60_000) as number;
    const due = requests.map(needs);
    const times = requests.map(({ time }) => time);
    const between = (from: number, to: number) => due.slice(from + 1, to + 1).reduce((a, b) => a + b, 0);
    expect(worst(times, between)).toBeLessThanOrEqual(tolerance);
    // Were nothing held back, this would be seen.
    expect(between(0, 5)).toBeGreaterThan(2 * tolerance);
  });

  it('keeps to a budget, says so, and goes on with a larger one', async () => {
    const cwd = workingFolder();
    const server = await emulator();
    const priced = ['--set', 'price=100,200', '--max-output-tokens', '300', '--max-concurrency', '2'];
    const args = [...SMALL, ...toEmulator('openai', server), ...priced];
    // A call of four records takes about 1,100 tokens, 11 cents; at most it could take 85 cents.
    const stopped = await runJson([...args, '--budget', '1.1'], cwd);
    expect([stopped.code, stopped.status]).toEqual([3, 'stopped']);
    expect(stopped.stderr).toMatch(/budget of \$1\.10 is used up.*raise the budget to continue/);
    expect(stopped.execution.cost_usd).toBeGreaterThan(0);
    expect(stopped.execution.cost_usd).toBeLessThanOrEqual(1.1);
    expect(stopped.ledger.not_run).toBeGreaterThan(0);
    expect(stopped.ledger.not_run).toBeLessThan(24);
    const still = await runJson([...args, '--budget', '1.1'], cwd);
    expect([still.code, still.execution.cost_usd]).toEqual([3, stopped.execution.cost_usd]);
    const run = await runJson([...args, '--budget', '5'], cwd);
    expect([run.code, run.status, run.ledger.not_run]).toEqual([0, 'complete', 0]);
    const { input_tokens: input, output_tokens: output, cost_usd: cost } = run.execution;
    expect(cost).toBeCloseTo((input! * 100 + output! * 200) / 1e6, 9);
    expect(await server.stats()).toMatchObject({ requests: 6, repeated: 0 });
  });

  it('refuses a budget where no price is known', async () => {
    const server = await emulator();
    const args = [...SMALL, ...toEmulator('openai-compatible', server), '--budget', '1'];
    const refused = await command(args, workingFolder());
    expect([refused.code, refused.stdout, refused.stderr]).toEqual([
      2,
      '',
      expect.stringContaining('--set price=IN,OUT'),
    ]);
    expect((await server.stats()).requests).toBe(0);
  });

  it('says beforehand what a run would cost, and asks nothing', async () => {
    const cwd = workingFolder();
    const server = await emulator();
    const args = [...SMALL, ...toEmulator('openai', server), '--set', 'price=100,200'];
    const { stdout } = await command([...args, '--dry-run'], cwd);
    const [plan] = JSON.parse(stdout).plan;
    expect(plan).toMatchObject({ records: 24, calls: 6 });
    expect((await server.stats()).requests).toBe(0);
    const { execution } = await runJson(args, cwd);
    expect(plan.estimated_input_tokens / execution.input_tokens!).toBeCloseTo(1, 1);
    // Answers are estimated generously.
    expect(plan.estimated_cost_usd).toBeGreaterThan(execution.cost_usd!);
    expect(plan.estimated_cost_usd).toBeLessThan(2 * execution.cost_usd!);
    const text = await command([...args.filter((arg) => arg !== '--json'), '--dry-run'], cwd);
    expect(text.stdout).toContain(`$${plan.estimated_cost_usd.toFixed(4)}`);
    const unknown = await command([...SMALL, ...toEmulator('ollama', server), '--dry-run'], cwd);
    expect(JSON.parse(unknown.stdout).plan[0].estimated_cost_usd).toBeNull();
  });
});

/** How many milliseconds earlier than it may an arrival came, over all spans of arrivals; `least` is how long a span must be. */
function worst(times: readonly number[], least: (from: number, to: number) => number): number {
  let most = Number.NEGATIVE_INFINITY;
  for (let to = 1; to < times.length; to++)
    for (let from = 0; from < to; from++)
      most = Math.max(most, least(from, to) - (times[to]! - times[from]!));
  return most;
}

function inputTokens({ body }: RecordedRequest): number {
  const { messages } = JSON.parse(body!) as { messages: { content: string | { text: string }[] }[] };
  const characters = messages.reduce(
    (sum, { content }) => sum + (typeof content === 'string' ? content : content[0]!.text).length,
    0,
  );
  return Math.ceil(characters / 4);
}

describe('Ctrl-C with calls under way', () => {
  const args = (server: { readonly url: string }) => [
    ...[...SMALL, ...toEmulator('openai', server), '--max-concurrency', '3', '--run', 'r.db'],
  ];

  it('waits for them, keeps what they bring, and goes on from there', async () => {
    const cwd = workingFolder();
    let latencyMs = 1200;
    const server = await emulator({ latencyMs: () => latencyMs });
    const { child, ended } = start(
      args(server).filter((arg) => arg !== '--json'),
      cwd,
    );
    await until('three calls', async () => (await server.stats()).requests === 3);
    child.kill('SIGINT');
    const { code, stdout, stderr } = await ended;
    expect([code, stderr]).toEqual([130, expect.stringContaining('waiting for calls in flight')]);
    expect(stdout).toMatch(/continue +the same command/);
    expect(await server.stats()).toMatchObject({ requests: 3, byStatus: { 200: 3 } });
    expect(answersIn(join(cwd, 'r.db'))).toHaveLength(12);
    latencyMs = 0;
    const run = await runJson(args(server), cwd);
    expect([run.code, run.ledger.not_run]).toEqual([0, 0]);
    expect(await server.stats()).toMatchObject({ requests: 6, repeated: 0 });
    expect(answersIn(run.file)).toEqual(await undisturbed());
  });

  it('leaves at once when it comes twice, and goes on as well', async () => {
    const cwd = workingFolder();
    const server = await emulator({ latencyMs: 60_000 });
    const { child, ended } = start(args(server), cwd);
    let said = '';
    child.stderr!.on('data', (text) => (said += text));
    await until('three calls', async () => (await server.stats()).requests === 3);
    child.kill('SIGINT');
    await until('the first to be heard', () => said.includes('stopping'));
    child.kill('SIGINT');
    expect((await ended).code).toBe(130);
    await server.close();
    await emulator({ port: portOf(server) });
    const run = await runJson(args(server), cwd);
    expect([run.code, run.ledger.not_run]).toEqual([0, 0]);
    expect(answersIn(run.file)).toEqual(await undisturbed());
  });
});
