import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { describe, expect, it } from 'vitest';
import { command, countIn, emulator, SMALL, type TestEmulator, workingFolder } from './emulated-run.ts';
import type { EmulatorOptions } from './emulator/options.ts';

/** Behind one name and one address, another model can answer from one day to the next: no gate passes on the answers of the old one. */

const MODEL = 'openai-compatible/prod';
/** The old model answers everything; the new one abstains on every case. */
const OLD: EmulatorOptions = { abstainShare: 0 };
const NEW: EmulatorOptions = { abstainShare: 1 };
/** The old model meets it, and the new one does not. */
const GATE = ['--assert', 'answer_rate >= 0.9'];

interface Gate {
  readonly status: string;
  readonly reason?: string;
  readonly message: string;
}

function at({ url }: TestEmulator, cwd: string) {
  const run = async (...more: string[]) => {
    const args = [...SMALL, '--batch-size', '1', '--model', MODEL, '--base-url', `${url}/v1`, ...more];
    const ran = await command(args, cwd);
    const json = ran.stdout === '' ? {} : JSON.parse(ran.stdout);
    return { ...ran, json, gate: json.gates?.[0] as Gate | undefined };
  };
  return run;
}

/** The first model was asked all 24 questions; then the second took its place. */
async function swapped() {
  const cwd = workingFolder();
  const old = await emulator(OLD);
  const first = await at(old, cwd)(...GATE);
  expect([first.code, first.gate!.status]).toEqual([0, 'pass']);
  await old.close();
  const server = await emulator({ ...NEW, port: Number(new URL(old.url).port) });
  return { cwd, server, run: at(server, cwd), first };
}

describe('a model that was replaced behind its name', () => {
  it('passes no gate on the answers of the old one', async () => {
    const { run, server, first, cwd } = await swapped();
    const again = await run(...GATE);
    expect([again.code, again.gate]).toMatchObject([3, { status: 'undecided', reason: 'nothing_asked' }]);
    expect(again.gate!.message).toContain('--new');
    expect(again.stderr).toMatch(
      /: finished on \d{4}-\d\d-\d\d \d\d:\d\d UTC; nothing was asked\. --new asks again/,
    );
    expect(again.stderr).not.toContain('continuing');
    expect(again.json).toMatchObject({ run_file: first.json.run_file, nothing_asked: true });
    expect((await server.stats()).requests).toBe(0);
    for (const more of [['--new'], ['--run', 'other.db'], ['--new', '--run', 'third.db']]) {
      const { code, gate, json } = await run(...GATE, ...more);
      expect([code, gate!.status]).toEqual([1, 'fail']);
      expect(json.execution).toMatchObject({ n_calls: 24, n_cache_hits: 0, oldest_cache_hit: null });
    }
    expect((await server.stats()).requests).toBe(3 * 24);
    // What was stored is meant as it is stored.
    const report = await command(['report', first.json.run_file, ...GATE], cwd);
    expect([report.code, report.stdout]).toEqual([0, expect.stringMatching(/^PASS /m)]);
  });

  it('is asked by --new and by --repeat without a condition, too', async () => {
    const { run } = await swapped();
    for (const more of [['--new'], ['--repeat', '2']]) {
      const { code, json } = await run(...more);
      expect([code, json.execution.n_cache_hits, json.ledger.abstained]).toEqual([0, 0, json.ledger.n]);
    }
  });

  it('decides nothing by cached replies that were asked for with --cache', async () => {
    const { run, cwd, server } = await swapped();
    const { code, gate, json } = await run(...GATE, '--new', '--cache', '--run', 'cached.db');
    expect([code, gate]).toMatchObject([3, { status: 'undecided', reason: 'cached_replies' }]);
    expect(gate!.message).toMatch(
      /24 of 24 replies come from the cache \(oldest from \d{4}-\d\d-\d\d \d\d:\d\d UTC\): .*--new/,
    );
    expect(json.execution).toMatchObject({ n_calls: 0, n_cache_hits: 24, n_replies: 24 });
    // The time is that of the reply, not of the run that took it from the cache.
    const given = countIn(join(cwd, '.krisis/cache.db'), 'SELECT min(created_at) FROM replies');
    expect(Date.parse(json.execution.oldest_cache_hit)).toBe(Math.floor(given * 1000));
    const failing = await run('--assert', 'answer_rate < 0.9', '--cache', '--run', 'failing.db');
    expect([failing.code, failing.gate!.reason]).toEqual([3, 'cached_replies']);
    expect((await server.stats()).requests).toBe(0);
    for (const format of ['text', 'md', 'html', 'junit', 'json', 'metrics-json']) {
      const report = await command(['report', 'cached.db', '--format', format, ...GATE], cwd);
      expect([format, report.code]).toEqual([format, 3]);
      expect(report.stdout.replace(/\s+/g, ' ')).toContain(
        '24 of 24 replies come from the cache (oldest from',
      );
      if (format === 'junit' || format.endsWith('json')) expect(report.stdout).toContain('cached_replies');
    }
    await run('--new', '--run', 'fresh.db');
    for (const [baseline, candidate] of [
      ['fresh.db', 'cached.db'],
      ['cached.db', 'fresh.db'],
    ] as const) {
      const { code: compared, stdout } = await command(
        ['compare', baseline, candidate, '--non-inferior', baseline, '--margin', '0.9', '--json'],
        cwd,
      );
      expect([compared, JSON.parse(stdout).gates[0].reason]).toEqual([3, 'cached_replies']);
    }
  });

  it('is named on the first screen where its replies come from the cache', async () => {
    const { cwd, server } = await swapped();
    const args = [
      ...SMALL.filter((word) => word !== '--json'),
      ...['--batch-size', '1', '--base-url', `${server.url}/v1`],
    ];
    const cached = /24 of 24 replies come from the cache \(oldest from \d{4}-\d\d-\d\d \d\d:\d\d UTC\)/;
    const one = await command([...args, '--model', MODEL, '--run', 'one.db'], cwd);
    expect(one.stdout.split('\n').slice(0, 5).join(' ')).toMatch(cached);
    const both = await command([...args, '--model', `${MODEL},simulated/careful`, '--cache', '--new'], cwd);
    expect(both.stdout.replace(/\s+/g, ' ')).toMatch(
      new RegExp(`${cached.source}: a new run \\(--new\\) asks again: ${MODEL}`),
    );
  });
});

it('replies from the cache are counted for each suite of a group', async () => {
  const cwd = workingFolder();
  const { url } = await emulator();
  const args = ['run', 'hypertension', '--model', MODEL, '--base-url', `${url}/v1`];
  const run = (...more: string[]) =>
    command([...args, '--n-records', '40', '--limit', '3', '--bootstrap', '0', ...more], cwd);
  expect((await run()).stdout).not.toContain('from the cache');
  const { stdout, stderr } = await run('--new', '--cache');
  const lines = stdout
    .replace(/\s+/g, ' ')
    .match(/! hypertension.\w+, \S+: 3 of 3 replies come from the cache/g);
  expect([lines?.length, stderr]).toEqual([4, `asking ${MODEL} at ${new URL(url).host}\n`]);
});

describe('conditions on several models of which one is finished', () => {
  it('are undecided for that one alone', async () => {
    const cwd = workingFolder();
    const run = (models: string, ...more: string[]) =>
      command([...SMALL, '--model', models, ...more, '--assert', 'answer_rate >= 0.1'], cwd);
    await run('simulated/careful');
    const both = await run('simulated/careful,baseline/guideline');
    const { gates, runs } = JSON.parse(both.stdout);
    expect(both.code).toBe(3);
    expect(gates).toMatchObject([
      { text: expect.stringContaining('simulated/careful'), status: 'undecided', reason: 'nothing_asked' },
      { text: expect.stringContaining('baseline/guideline'), status: 'pass' },
    ]);
    expect(runs.map(({ nothing_asked: nothing }: { nothing_asked?: boolean }) => nothing)).toEqual([
      true,
      undefined,
    ]);
    // A failure still wins.
    const failing = await command(
      [...SMALL, '--model', 'simulated/careful,baseline/always-defer', '--assert', 'answer_rate >= 0.1'],
      cwd,
    );
    expect(failing.code).toBe(1);
  });

  it('are decided by a run that goes on with a larger limit', async () => {
    const cwd = workingFolder();
    const run = (limit: string) =>
      command(
        [...SMALL, '--model', 'simulated/careful', '--limit', limit, '--assert', 'answer_rate >= 0.1'],
        cwd,
      );
    expect([(await run('12')).code, (await run('24')).code, (await run('24')).code]).toEqual([0, 0, 3]);
  });
});

describe('parts of a run', () => {
  it('say that nothing was asked, and their cached replies are counted when they are merged', async () => {
    const { cwd, run } = await swapped();
    const parts = ['1/2', '2/2'].map((shard) => ['--shard', shard, '--run', `part-${shard[0]}.db`]);
    for (const part of parts) expect((await run(...part)).code).toBe(0);
    const again = await run(...parts[0]!);
    expect([again.code, again.stderr]).toEqual([0, expect.stringContaining('nothing was asked')]);
    await command(['runs', 'merge', 'whole.db', 'part-1.db', 'part-2.db'], cwd);
    const { code, stdout } = await command(['report', 'whole.db', ...GATE], cwd);
    expect(code).toBe(3);
    expect(stdout.replace(/\s+/g, ' ')).toContain('24 of 24 replies come from the cache (oldest from');
  });
});

describe('judges', () => {
  const JUDGE = 'openai-compatible/judge';

  function questions(folder: string): void {
    const lines = Array.from({ length: 6 }, (_, i) => `  - { id: q${i}, question: "Question number ${i}?" }`);
    writeFileSync(
      join(folder, 'q.yaml'),
      `name: demo/open\nsensitivity: synthetic\nrubric:\n  metric_traits:\n    - { name: advice, metrics: [recall], tp_instructions: [Names ibuprofen] }\nquestions:\n${lines.join('\n')}\n`,
    );
  }

  it('are asked, not read from the cache, under the same rule', async () => {
    const cwd = workingFolder();
    questions(cwd);
    const { url } = await emulator();
    const roles = async (...more: string[]) => {
      const args = ['run', 'q.yaml', '--model', 'openai-compatible/writer', '--base-url', `${url}/v1`];
      const ran = await command(
        [...args, '--judge', JUDGE, '--set', `judgeBaseUrl=${url}/v1`, '--json', ...more],
        cwd,
      );
      const json = JSON.parse(ran.stdout);
      const hits = json.execution.roles.map(({ n_cache_hits: n }: { n_cache_hits: number }) => n);
      return { ...ran, json, hits };
    };
    expect((await roles('--run', 'a.db')).hits).toEqual([0, 0]);
    expect((await roles('--run', 'b.db')).hits).toEqual([6, 6]);
    expect((await roles('--run', 'c.db', '--new')).hits).toEqual([0, 0]);
    expect((await roles('--repeat', '2')).hits).toEqual([0, 0]);
    const gate = ['--assert', 'advice.recall >= 0'];
    expect((await roles('--run', 'd.db', ...gate)).hits).toEqual([0, 0]);
    const told = await roles('--run', 'e.db', ...gate, '--cache');
    expect([told.code, told.hits, told.json.gates[0].reason]).toEqual([3, [6, 6], 'cached_replies']);
  });

  it('judge stored answers from the cache unless records were asked several times', async () => {
    const cwd = workingFolder();
    questions(cwd);
    const { url } = await emulator();
    const model = ['--model', 'baseline/reference', '--judge', 'baseline/lexical'];
    const judged = async (file: string, ...more: string[]) => {
      const args = ['judge', file, '--judge', JUDGE, '--base-url', `${url}/v1`, '--json', ...more];
      const { stdout } = await command(args, cwd);
      const { roles } = JSON.parse(stdout).execution;
      const { n_calls, n_cache_hits } = roles.find(({ name }: { name: string }) => name === JUDGE);
      return { n_calls, n_cache_hits };
    };
    for (const [file, ...more] of [['a.db'], ['b.db'], ['c.db'], ['twice.db', '--repeat', '2']] as const)
      await command(['run', 'open/clinical', ...model, '--run', file, ...more], cwd);
    const { n_calls: n, n_cache_hits: before } = await judged('a.db');
    expect([n > 0, before]).toEqual([true, 0]);
    expect(await judged('b.db')).toEqual({ n_calls: 0, n_cache_hits: n });
    expect(await judged('c.db', '--no-cache')).toEqual({ n_calls: n, n_cache_hits: 0 });
    expect(await judged('twice.db')).toEqual({ n_calls: 2 * n, n_cache_hits: 0 });
    const both = await command(['judge', 'a.db', '--judge', JUDGE, '--cache', '--no-cache'], cwd);
    expect([both.code, both.stderr]).toEqual([2, expect.stringContaining('exclude each other')]);
  });
});

it('--cache and --no-cache exclude each other, in any order', async () => {
  const cwd = workingFolder();
  for (const flags of [
    ['--cache', '--no-cache'],
    ['--no-cache', '--cache'],
  ]) {
    const { code, stdout, stderr } = await command([...SMALL, '--model', 'simulated/careful', ...flags], cwd);
    expect([code, stdout]).toEqual([2, '']);
    expect(stderr).toContain('--cache and --no-cache exclude each other: give one of them');
  }
});

it('the config can ask for the cache, and a flag wins over it', async () => {
  const { cwd, run } = await swapped();
  writeFileSync(join(cwd, 'krisis.config.yaml'), 'run: { cache: true }\nscore: { bootstrap: 50 }\n');
  expect((await run('--new')).json.execution.n_cache_hits).toBe(24);
  expect((await run('--new', '--no-cache')).json.execution.n_cache_hits).toBe(0);
});

describe('a cache that someone else edited', () => {
  it.each([
    [
      'labels of replies',
      "UPDATE replies SET value = replace(value, 'abstained\\\":false', 'abstained\\\":true')",
    ],
    ['whole replies', 'UPDATE replies SET value = \'{"responses":[]}\''],
    ['their codes', "UPDATE replies SET mac = 'x'"],
  ])('is asked past, and mended by the new replies: %s', async (_, sql) => {
    const cwd = workingFolder();
    const server = await emulator(OLD);
    const run = at(server, cwd);
    const first = await run();
    const cache = new DatabaseSync(join(cwd, '.krisis/cache.db'));
    cache.exec(sql);
    cache.close();
    const forged = await run('--new', '--cache', '--run', 'forged.db');
    expect(forged.json.execution).toMatchObject({ n_calls: 24, n_cache_hits: 0 });
    expect(forged.json.ledger).toEqual(first.json.ledger);
    const again = await run('--new', '--cache', '--run', 'again.db');
    expect(again.json.execution).toMatchObject({ n_calls: 0, n_cache_hits: 24 });
    expect(again.json.ledger).toEqual(first.json.ledger);
    expect((await server.stats()).requests).toBe(48);
  });
});
