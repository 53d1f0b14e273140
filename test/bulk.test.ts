import { once } from 'node:events';
import { readFileSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterEach, describe, expect, it } from 'vitest';
import {
  answersIn,
  command,
  KEYS,
  MAIN,
  type ModelName,
  manifestOf,
  query,
  runJson,
  SMALL,
  start,
  toEmulator,
  workingFolder,
} from './emulated-run.ts';
import type { BulkBehaviour } from './emulator/bulk.ts';
import type { EmulatorOptions } from './emulator/options.ts';
import { type Emulator, startEmulator } from './emulator/server.ts';

const FAST = ['--no-cache', '--bulk', '--set', 'bulkPoll=0.02'];
const SHAPES: readonly ModelName[] = [...MAIN, 'anthropic with a tool', 'xai', 'openai-compatible', 'azure'];
const MARKED: readonly ModelName[] = [...MAIN, 'xai'];

const open: Emulator[] = [];
afterEach(async () => {
  for (const emulator of open.splice(0)) await emulator.close();
});

async function provider(bulk: BulkBehaviour = {}, options: EmulatorOptions = {}): Promise<Emulator> {
  const emulator = await startEmulator({ ...options, bulk });
  open.push(emulator);
  return emulator;
}

const asking = (name: ModelName, emulator: Emulator, ...more: string[]) => [
  ...SMALL,
  ...toEmulator(name, emulator),
  ...FAST,
  ...more,
];

/** What an undisturbed run of ordinary calls answers. */
async function expectedAnswers(name: ModelName, options: EmulatorOptions = {}) {
  const emulator = await startEmulator(options);
  open.push(emulator);
  const { file } = await runJson([...SMALL, ...toEmulator(name, emulator), '--no-cache'], workingFolder());
  return answersIn(file);
}

const jobsIn = (file: string) =>
  query<{ state: string; n: number; why: string | null }>(file, 'SELECT state, n, why FROM bulk_jobs');

describe('krisis run --bulk', () => {
  it.each(SHAPES)(
    'asks %s in one job, deletes everything there, and answers as ordinary calls do',
    async (name) => {
      const emulator = await provider();
      const run = await runJson(asking(name, emulator), workingFolder());
      expect([run.code, run.status]).toEqual([0, 'complete']);
      expect(answersIn(run.file)).toEqual(await expectedAnswers(name));
      const { problems, files, jobs, jobsCreated } = emulator.bulk();
      expect({ problems, files, jobs, jobsCreated }).toEqual({
        problems: [],
        files: [],
        jobs: 0,
        jobsCreated: 1,
      });
      expect(
        query(
          run.file,
          'SELECT via, count(*) AS n, count(latency_seconds) AS timed FROM all_calls GROUP BY via',
        ),
      ).toEqual([
        { via: 'bulk', n: 5, timed: 0 },
        { via: 'http', n: 1, timed: 1 },
      ]);
    },
  );

  it.each(MARKED)('survives expired, failed and unreadable requests of %s', async (name) => {
    const faults: EmulatorOptions = { malformedShare: 0.4 };
    const emulator = await provider({ expiredShare: 0.4, errorShare: 0.3 }, faults);
    const run = await runJson(asking(name, emulator), workingFolder());
    expect([run.code, run.status]).toEqual([0, 'complete']);
    expect(answersIn(run.file)).toEqual(await expectedAnswers(name, faults));
    const { problems, files, jobs } = emulator.bulk();
    expect({ problems, files, jobs }).toEqual({ problems: [], files: [], jobs: 0 });
    expect(jobsIn(run.file).every(({ state }) => state === 'removed')).toBe(true);
  });

  it('asks what is left by ordinary calls with --bulk-rest now', async () => {
    const emulator = await provider({ expiredShare: 0.5 });
    const run = await runJson(asking('openai', emulator, '--set', 'bulkRest=now'), workingFolder());
    expect(run.status).toBe('complete');
    expect(emulator.bulk().jobsCreated).toBe(1);
    expect(run.execution.calls_made).toMatchObject([{ via: 'http' }, { via: 'bulk' }]);
  });

  it('costs half, keeps a budget, and says so in the plan', async () => {
    const emulator = await provider();
    const priced = ['--set', 'price=1,1'];
    const ordinary = await runJson(
      [...SMALL, ...toEmulator('openai', emulator), '--no-cache', ...priced],
      workingFolder(),
    );
    const bulk = await runJson(
      asking('openai', emulator, ...priced, '--set', 'bulkTrial=0'),
      workingFolder(),
    );
    expect(bulk.execution.cost_usd).toBeCloseTo(ordinary.execution.cost_usd! / 2, 12);
    const planned = await command(
      asking('openai', emulator, ...priced, '--dry-run').filter((arg) => arg !== '--json'),
      workingFolder(),
    );
    expect(planned.stdout).toMatch(/bulk/);
    const poor = await runJson(asking('openai', emulator, ...priced, '--budget', '0.02'), workingFolder());
    expect([poor.code, poor.status]).toEqual([3, 'stopped']);
    expect(poor.execution.cost_usd ?? 0).toBeLessThanOrEqual(0.02);
  });

  it('leaves after submission with --detach, and the same command takes in the results', async () => {
    const emulator = await provider({ looks: 3 });
    const folder = workingFolder();
    const first = await runJson(asking('openai', emulator, '--detach'), folder);
    expect([first.code, first.status]).toEqual([3, 'waiting']);
    const listed = await command(['ops', 'bulk'], folder);
    expect(listed.stdout).toMatch(/openai\/m {2}batch_\w+ {2}5 requests {2}submitted/);
    // Asking by ordinary calls now would pay twice: ERR_BULK_PENDING.
    const ordinary = await command([...SMALL, ...toEmulator('openai', emulator), '--no-cache'], folder);
    expect([ordinary.code, ordinary.stderr]).toEqual([
      2,
      expect.stringContaining('Add --bulk to read the results'),
    ]);
    const soon = await command(['ops', 'bulk', 'wait', 'latest', '--poll', 'soon'], folder);
    expect([soon.code, soon.stderr]).toEqual([2, expect.stringContaining('Expected a duration')]);
    const address = ['--base-url', `${emulator.url}/v1`];
    const waited = await command(['ops', 'bulk', 'wait', 'latest', '--poll', '0.01s', ...address], folder);
    expect([waited.code, waited.stdout]).toEqual([
      0,
      expect.stringContaining('as before:\n    krisis run ckd/staging --model openai/m --bulk\n'),
    ]);
    const last = await runJson(asking('openai', emulator), folder);
    expect([last.code, last.status]).toEqual([0, 'complete']);
    expect(emulator.bulk()).toMatchObject({ jobsCreated: 1, files: [] });
  });

  it('sends no key to an address that only the run file names', async () => {
    const emulator = await provider({ looks: 1000 });
    const folder = workingFolder();
    await runJson(asking('openai', emulator, '--detach'), folder);
    await emulator.close();
    // In its place, whoever made the run file listens.
    const keys: unknown[] = [];
    const listener = createServer(({ headers }, response) => {
      keys.push(headers.authorization);
      response.writeHead(500).end('{}');
    }).listen(Number(new URL(emulator.url).port), '127.0.0.1');
    await once(listener, 'listening');
    for (const action of ['wait', 'cancel']) {
      const { code, stderr } = await command(['ops', 'bulk', action, 'latest'], folder);
      expect([code, stderr]).toEqual([2, expect.stringContaining(`add --base-url ${emulator.url}/v1`)]);
    }
    expect(keys).toEqual([]);
    const address = { OPENAI_BASE_URL: `${emulator.url}/v1` };
    const named = await command(['ops', 'bulk', 'cancel', 'latest'], folder, address);
    expect(named.stderr).toContain(`asking openai/m at ${new URL(emulator.url).host}`);
    expect(keys).toContain(`Bearer ${KEYS.OPENAI_API_KEY}`);
    listener.close();
  });

  it('cancels, and the same command takes in what was finished and asks the rest', async () => {
    const emulator = await provider({ looks: 1000 });
    const folder = workingFolder();
    await runJson(asking('anthropic', emulator, '--detach'), folder);
    const address = ['--base-url', `${emulator.url}/v1`];
    const cancelled = await command(['ops', 'bulk', 'cancel', 'latest', ...address], folder);
    expect([cancelled.code, cancelled.stderr]).toEqual([
      0,
      expect.stringContaining('asked to cancel msgbatch_'),
    ]);
    expect(cancelled.stdout).toContain('krisis run ckd/staging --model anthropic/claude-sonnet-4-5 --bulk\n');
    const last = await runJson(asking('anthropic', emulator, '--set', 'bulkRest=now'), folder);
    expect([last.code, last.status]).toEqual([0, 'complete']);
    expect(emulator.bulk()).toMatchObject({ jobsCreated: 1, jobs: 0 });
  });

  it('fails the row of a refused request, and stops when all of a job are refused', async () => {
    const some = await provider({ refusedShare: 0.4 });
    const run = await runJson(asking('openai', some, '--set', 'bulkTrial=0'), workingFolder());
    expect(run.status).toBe('complete');
    expect(query(run.file, "SELECT DISTINCT state_reason FROM rows WHERE state = 'failed'")).toEqual([
      { state_reason: 'rejected' },
    ]);
    const all = await provider({ refusedShare: 1 });
    const stopped = await runJson(asking('openai', all, '--set', 'bulkTrial=0'), workingFolder());
    expect([stopped.code, stopped.status]).toEqual([3, 'stopped']);
  });

  it('takes in failed rows that it asked again before it left, and asks them once', async () => {
    const behaviour: { refusedShare: number; looks: number } = { refusedShare: 0.4, looks: 2 };
    const emulator = await provider(behaviour);
    const folder = workingFolder();
    const bulk = (...more: string[]) =>
      runJson(asking('openai', emulator, '--set', 'bulkTrial=0', ...more), folder);
    expect((await bulk()).status).toBe('complete');
    behaviour.refusedShare = 0;
    expect((await bulk('--detach')).status).toBe('waiting');
    const last = await bulk();
    expect([last.code, last.status]).toEqual([0, 'complete']);
    expect(emulator.bulk()).toMatchObject({ jobsCreated: 2, files: [] });
  });

  it('stops before a job is submitted when the ordinary call before it is refused', async () => {
    const emulator = await provider({}, { auth: 'invalid' });
    const folder = workingFolder();
    // The second start has no answer to go by either.
    for (const _ of [1, 2]) {
      const run = await runJson(asking('openai', emulator), folder);
      expect([run.code, run.status, emulator.bulk().asked]).toEqual([3, 'stopped', []]);
    }
  });

  it('submits a job again that was too much for the queue, and stops at any other refusal', async () => {
    const full = await provider({ rejectFirst: { jobs: 1, code: 'token_limit_exceeded' } });
    const run = await runJson(asking('openai', full), workingFolder());
    expect([run.status, full.bulk().jobsCreated, full.bulk().files]).toEqual(['complete', 2, []]);
    const wrong = await provider({ rejectFirst: { jobs: 1, code: 'mismatched_model' } });
    const stopped = await runJson(asking('openai', wrong), workingFolder());
    expect([stopped.code, stopped.stderr]).toEqual([
      3,
      expect.stringContaining('mismatched_model in line 3'),
    ]);
  });

  it('says loudly that results are gone, and pays twice only when told to', async () => {
    const behaviour = { resultsGone: true };
    const emulator = await provider(behaviour);
    const folder = workingFolder();
    const run = await runJson(asking('openai', emulator), folder);
    expect([run.code, run.stderr]).toEqual([
      3,
      expect.stringContaining('the provider no longer has the results'),
    ]);
    behaviour.resultsGone = false;
    expect((await runJson(asking('openai', emulator), folder)).status).toBe('stopped');
    const again = await runJson(asking('openai', emulator, '--set', 'bulkAgain=true'), folder);
    expect(again.status).toBe('complete');
  });

  it.each(MARKED)('ignores a result of %s to a request that nobody made', async (name) => {
    const emulator = await provider({ strangeResult: 'beside' });
    const run = await runJson(asking(name, emulator), workingFolder());
    expect([run.code, run.status]).toEqual([0, 'complete']);
    expect(run.stderr).toContain('1 result to requests of others ignored');
    expect(answersIn(run.file)).toEqual(await expectedAnswers(name));
    expect(emulator.bulk()).toMatchObject({ problems: [], files: [], jobs: 0, jobsCreated: 1 });
  });

  it.each(MARKED)('puts a request to %s into three jobs at most, whatever their results', async (name) => {
    const emulator = await provider({ strangeResult: 'alone' });
    const run = await runJson(asking(name, emulator), workingFolder());
    expect([run.code, run.status]).toEqual([0, 'complete']);
    expect(emulator.bulk()).toMatchObject({ problems: [], jobsCreated: 3 });
    expect(query(run.file, 'SELECT DISTINCT via FROM outcomes')).toEqual([{ via: 'http' }]);
  });

  it('keeps what was set aside for requests that an ended job does not mention', async () => {
    const emulator = await provider({ strangeResult: 'alone' });
    const priced = ['--set', 'price=1,1', '--budget', '0.05', '--set', 'bulkTrial=0'];
    const run = await runJson(asking('openai', emulator, ...priced), workingFolder());
    expect([run.code, run.status, run.stderr]).toEqual([
      3,
      'stopped',
      expect.stringContaining('the budget has no room for the next request of a bulk job'),
    ]);
    expect(emulator.bulk().jobsCreated).toBe(1);
  });

  it('pays for results that are always gone three times at most', async () => {
    const emulator = await provider({ resultsGone: true });
    const run = await runJson(asking('openai', emulator, '--set', 'bulkAgain=true'), workingFolder());
    expect([run.status, emulator.bulk().jobsCreated]).toEqual(['complete', 3]);
  });

  it('says what could not be deleted, and tries again', async () => {
    const behaviour = { keepsAll: true };
    const emulator = await provider(behaviour);
    const folder = workingFolder();
    const run = await runJson(asking('openai', emulator), folder);
    expect(run.status).toBe('complete');
    expect(jobsIn(run.file)[0]!.why).toMatch(/^still with the provider: file file-/);
    expect((await command(['ops', 'bulk'], folder)).stdout).toContain('still with the provider');
    behaviour.keepsAll = false;
    await runJson(asking('openai', emulator), folder);
    expect(emulator.bulk().files).toEqual([]);
  });

  /** Changes a run file as anyone could before passing it on. */
  const forge = (file: string, change: string) => {
    const db = new DatabaseSync(file);
    db.exec(change);
    db.close();
  };

  it.each(MARKED)('deletes nothing of %s that only the run file calls ours', async (name) => {
    const behaviour = { keepsAll: true };
    const emulator = await provider(behaviour);
    const [folder, other] = [workingFolder(), workingFolder()];
    const run = await runJson(asking(name, emulator), folder);
    const victim = await runJson(asking(name, emulator), other);
    const ids = ['remote_id', 'input_file', 'result_files'] as const;
    const [named] = query<Record<(typeof ids)[number], string | null>>(
      victim.file,
      `SELECT ${ids.join(', ')} FROM bulk_jobs`,
    );
    const quoted = (text: string | null) => (text === null ? 'NULL' : `'${text}'`);
    forge(run.file, `UPDATE bulk_jobs SET ${ids.map((id) => `${id} = ${quoted(named![id])}`).join(', ')}`);
    behaviour.keepsAll = false;
    const deletions = () => emulator.bulk().asked.filter((line) => line.startsWith('DELETE')).length;
    const before = [emulator.bulk().files, deletions()];
    const { stderr } = await runJson(asking(name, emulator), folder);
    expect(stderr).toContain('not removed');
    expect(jobsIn(run.file)[0]!.why).toContain('which is not known to be of this run');
    expect([emulator.bulk().files, deletions()]).toEqual(before);
  });

  it.each([
    ['openai', '../models'],
    ['anthropic', '..'],
    ['google', 'batches/a/../../models'],
    ['xai', 'a?b'],
  ] as const)('sends nothing to an address of %s that is made of the id %s', async (name, id) => {
    const emulator = await provider({ looks: 1000 });
    const folder = workingFolder();
    const run = await runJson(asking(name, emulator, '--detach'), folder);
    forge(run.file, `UPDATE bulk_jobs SET remote_id = '${id}'`);
    const asked = emulator.bulk().asked.length;
    const address = toEmulator(name, emulator).slice(2);
    for (const args of [
      ['ops', 'bulk', 'wait', run.file],
      ['ops', 'bulk', 'cancel', run.file],
    ]) {
      const { code, stderr } = await command([...args, ...address], folder);
      expect([code, stderr]).toEqual([3, expect.stringContaining('has characters that no id has')]);
    }
    const again = await runJson(asking(name, emulator), folder);
    expect([again.code, again.stderr]).toEqual([3, expect.stringContaining('has characters that no id has')]);
    expect(emulator.bulk().asked).toHaveLength(asked);
  });

  it('sweeps what no run knows', async () => {
    const emulator = await provider({ looks: 1000 });
    const folder = workingFolder();
    const run = await runJson(asking('openai', emulator, '--detach'), folder);
    const sweep = ['ops', 'bulk', 'sweep', 'openai', '--base-url', `${emulator.url}/v1`];
    expect((await command(sweep, folder)).stdout).toContain(
      'every file and job of krisis belongs to a run here',
    );
    const elsewhere = workingFolder();
    expect((await command(sweep, elsewhere)).stdout).toContain('1 found');
    expect(emulator.bulk().files).toHaveLength(1);
    expect((await command([...sweep, '--yes'], elsewhere)).stdout).toContain('1 deleted');
    expect([emulator.bulk().files, run.status]).toEqual([[], 'waiting']);
  });

  it('asks open questions and their judge in two rounds of jobs', async () => {
    const behaviour = { keepsAll: true };
    const emulator = await provider(behaviour);
    const questions = (...more: string[]) => [
      'run',
      'open/clinical',
      '--limit',
      '4',
      '--json',
      ...toEmulator('openai', emulator),
      '--judge',
      'openai/judge',
      '--set',
      `judgeBaseUrl=${emulator.url}/v1`,
      '--no-cache',
      ...more,
    ];
    const folder = workingFolder();
    const verdicts = (name: string) =>
      query(
        join(folder, name),
        "SELECT record_id, judge, pass, json_extract(outcome, '$.verdicts') AS v FROM judgements ORDER BY 1, 2, 3",
      );
    const ordinary = await command(questions('--run', 'ordinary.db'), folder);
    const inBulk = questions('--run', 'bulk.db', '--bulk', '--set', 'bulkPoll=0.02');
    const bulk = await command(inBulk, folder);
    expect([ordinary.code, bulk.code]).toEqual([0, 0]);
    expect(verdicts('bulk.db')).toEqual(verdicts('ordinary.db'));
    expect(
      query(join(folder, 'bulk.db'), 'SELECT lane, count(*) AS n FROM bulk_jobs GROUP BY lane'),
    ).toHaveLength(2);
    // What could not be deleted is deleted by the next start, although nothing is left to ask.
    expect(emulator.bulk().files).not.toEqual([]);
    behaviour.keepsAll = false;
    expect((await command(inBulk, folder)).code).toBe(0);
    expect(emulator.bulk()).toMatchObject({ files: [], problems: [] });
  });

  describe('krisis judge --bulk', () => {
    /** A run of four questions, judged by words, and the command that has a model judge it. */
    async function answered(emulator: Emulator) {
      const folder = workingFolder();
      const args = ['run', 'open/clinical', '--limit', '4', '--judge', 'baseline/lexical', '--run', 'run.db'];
      const ran = await command([...args, ...toEmulator('openai', emulator), '--no-cache'], folder);
      expect(ran.code, ran.stderr).toBe(0);
      const judging = (...more: string[]) => [
        ...['judge', 'run.db', '--judge', 'openai/judge', '--base-url', `${emulator.url}/v1`, '--json'],
        ...['--no-cache', ...more],
      ];
      const file = join(folder, 'run.db');
      return { folder, file, judging, bulk: (...more: string[]) => judging(...FAST, ...more) };
    }
    /** A run of open questions does not say where its file is. */
    const judgeJson = async (args: readonly string[], folder: string) => {
      const ran = await command(args, folder);
      return { ...ran, status: JSON.parse(ran.stdout).status };
    };
    const verdictsIn = (file: string) =>
      query(
        file,
        `SELECT DISTINCT record_id, pass, json_extract(outcome, '$.verdicts') AS v FROM judgements WHERE judge = 'openai/judge' ORDER BY 1, 2`,
      );
    const judgedVia = (file: string) =>
      query(file, "SELECT via, count(*) AS n FROM all_calls WHERE mode = 'judge' GROUP BY via");

    it('leaves, is found again, costs half, and gives the verdicts of ordinary calls', async () => {
      const emulator = await provider({ looks: 2 });
      const ordinary = await answered(emulator);
      const priced = ['--set', 'price=1,1', '--set', 'bulkTrial=0'];
      expect((await command(ordinary.judging('--set', 'price=1,1'), ordinary.folder)).code).toBe(0);
      const { folder, file, judging, bulk } = await answered(emulator);
      const left = await judgeJson(bulk(...priced, '--detach'), folder);
      expect([left.code, left.status, manifestOf(file).status]).toEqual([3, 'waiting', 'complete']);
      const next = 'as before:\n    krisis judge run.db --judge openai/judge --bulk\n';
      expect((await command(['ops', 'bulk', 'list', 'run.db'], folder)).stdout).toContain(next);
      const address = { OPENAI_BASE_URL: `${emulator.url}/v1` };
      const waited = await command(['ops', 'bulk', 'wait', 'run.db', '--poll', '0.01'], folder, address);
      expect([waited.code, waited.stdout]).toEqual([0, expect.stringContaining(next)]);
      const twice = await command(judging(), folder);
      expect([twice.code, twice.stderr]).toEqual([2, expect.stringContaining('Add --bulk')]);
      // Other calls than those that were submitted: their replies are left for the command that asks for them.
      const others = await judgeJson(bulk('--set', 'bulkRest=now', '--temperature', '0.5'), folder);
      expect([others.code, others.stderr]).toEqual([
        0,
        expect.stringContaining('replies belong to another command'),
      ]);
      const last = await judgeJson(bulk(...priced), folder);
      expect([last.code, last.status]).toEqual([0, 'complete']);
      expect(emulator.bulk()).toMatchObject({ files: [], problems: [] });
      expect(new Set(Object.values(emulator.bulk().timesAsked))).toEqual(new Set([1]));
      expect(jobsIn(file).map(({ state }) => state)).toEqual(['removed', 'removed']);
      const [cost, full] = [file, ordinary.file].map(
        (path) =>
          query<{ usd: number }>(path, "SELECT sum(cost_usd) AS usd FROM all_calls WHERE mode = 'judge'")[0]!
            .usd,
      );
      expect(cost).toBeCloseTo(full! / 2, 12);
      expect(verdictsIn(file)).toEqual(verdictsIn(ordinary.file));
    });

    it('continues after a kill with nothing asked or created twice', async () => {
      const behaviour: { silentAt?: number } = { silentAt: 2 };
      const emulator = await provider(behaviour);
      const { folder, file, bulk } = await answered(emulator);
      const { child, ended } = start(bulk(), folder);
      while (emulator.bulk().asked.length < 2) await sleep(10);
      child.kill('SIGKILL');
      await ended;
      delete behaviour.silentAt;
      const run = await judgeJson(bulk(), folder);
      expect([run.code, run.status]).toEqual([0, 'complete']);
      expect(judgedVia(file)).toEqual([
        { via: 'bulk', n: 3 },
        { via: 'http', n: 1 },
      ]);
      const { timesAsked, files, problems, jobsCreated } = emulator.bulk();
      expect({ files, problems, jobsCreated }).toEqual({ files: [], problems: [], jobsCreated: 1 });
      expect(new Set(Object.values(timesAsked))).toEqual(new Set([1]));
    });
  });

  it.each([
    [['--set', 'bulkMax=5'], 'bulkMax needs bulk jobs: add --bulk'],
    [['--bulk', '--model', 'ollama/m'], 'ollama/m has no bulk jobs'],
    [['--bulk', '--set', 'bulkWait=soon', '--model', 'openai/m'], 'a duration such as'],
  ])('refuses %j', async (args, message) => {
    const ran = await command(
      ['run', 'ckd/staging', '--limit', '5', '--model', 'openai/m', ...args],
      workingFolder(),
    );
    expect([ran.code, ran.stderr]).toEqual([2, expect.stringContaining(message)]);
  });
});

describe('a killed run with bulk jobs', () => {
  /** Every request about jobs of an undisturbed run: the process dies after each of them was carried out and before it was answered. */
  const STEPS = { openai: 10, anthropic: 6, google: 6, xai: 7 } as const;

  it.each(
    Object.entries(STEPS).flatMap(([name, n]) => Array.from({ length: n }, (_, i) => [name, i + 1] as const)),
  )('of %s continues after step %s with nothing asked or created twice', async (name, silentAt) => {
    const shape = name as ModelName;
    const behaviour: { silentAt?: number } = { silentAt };
    const emulator = await provider(behaviour);
    const folder = workingFolder();
    const { child, ended } = start(asking(shape, emulator), folder);
    let isOver = false;
    void ended.then(() => {
      isOver = true;
    });
    while (emulator.bulk().asked.length < silentAt && !isOver) await sleep(10);
    child.kill('SIGKILL');
    await ended;
    delete behaviour.silentAt;
    const run = await runJson(asking(shape, emulator), folder);
    expect([run.code, run.status]).toEqual([0, 'complete']);
    const { timesAsked, files, jobs, problems, jobsCreated } = emulator.bulk();
    expect({ files, jobs, problems, jobsCreated }).toEqual({
      files: [],
      jobs: 0,
      problems: [],
      jobsCreated: 1,
    });
    expect(new Set(Object.values(timesAsked))).toEqual(new Set([1]));
    expect(answersIn(run.file)).toHaveLength(24);
  });
});

describe('a job of another that was taken for ours after a kill', () => {
  it('is left alone, and its requests go into a job of their own', async () => {
    const behaviour: { silentAt?: number; strangeResult?: 'alone' } = { silentAt: 1, strangeResult: 'alone' };
    const emulator = await provider(behaviour);
    const folder = workingFolder();
    const { child, ended } = start(asking('anthropic', emulator), folder);
    while (emulator.bulk().asked.length < 1) await sleep(10);
    child.kill('SIGKILL');
    await ended;
    delete behaviour.silentAt;
    const run = await runJson(asking('anthropic', emulator), folder);
    expect([run.code, run.status]).toEqual([0, 'complete']);
    expect(run.stderr).toContain("another's job, taken for ours by time and size");
    expect(emulator.bulk().jobsCreated).toBe(3);
    expect(jobsIn(run.file)[0]).toMatchObject({
      state: 'removed',
      why: expect.stringContaining("another's"),
    });
  });
});

describe('protected data in bulk jobs', () => {
  const CANARY = 'Zanzibarova';
  const table = (folder: string) => {
    const rows = Array.from({ length: 6 }, (_, i) => `p${i},${CANARY}${i},${i % 2}`).join('\n');
    return { folder, csv: `id,name,label\n${rows}\n` };
  };

  it('need a permission of their own, and are nowhere afterwards', async () => {
    const emulator = await provider({}, { record: true });
    const folder = workingFolder();
    writeFileSync(join(folder, 'data.csv'), table(folder).csv);
    writeFileSync(
      join(folder, 'table.yaml'),
      'name: own/table\nfile: data.csv\nid: id\nlabel: label\nlabels: ["0", "1"]\ninstructions: Which?\n',
    );
    // Loopback is this machine: protected data may go there without being asked.
    const ran = await runJson(
      ['run', 'table.yaml', '--json', '--bootstrap', '0', ...toEmulator('openai', emulator), ...FAST],
      folder,
    );
    expect(ran.status).toBe('complete');
    expect(readFileSync(ran.file).includes(CANARY)).toBe(false);
    expect(manifestOf(ran.file).egress).toMatchObject({ bulk: true });
    expect(emulator.bulk().files).toEqual([]);
    const refused = await command(
      [
        'run',
        'table.yaml',
        '--model',
        'openai/m',
        '--bulk',
        '--allow-egress',
        'provider.invalid',
        '--base-url',
        'https://provider.invalid/v1',
      ],
      folder,
    );
    expect([refused.code, refused.stderr]).toEqual([
      2,
      expect.stringContaining('--allow-egress provider.invalid:bulk'),
    ]);
  });

  it.each(['protected', 'public'])('and the reason for which a job was rejected: %s', async (sensitivity) => {
    const emulator = await provider({ rejectFirst: { jobs: 1, code: `cannot take ${CANARY}3` } });
    const folder = workingFolder();
    writeFileSync(join(folder, 'data.csv'), table(folder).csv);
    writeFileSync(
      join(folder, 'table.yaml'),
      `name: own/table\nfile: data.csv\nid: id\nlabel: label\nlabels: ["0", "1"]\ninstructions: Which?\nsensitivity: ${sensitivity}\n`,
    );
    const args = ['run', 'table.yaml', '--json', '--bootstrap', '0', ...toEmulator('openai', emulator)];
    const ran = await runJson([...args, ...FAST], folder);
    expect([ran.code, ran.status]).toEqual([3, 'stopped']);
    const text = `${ran.stdout}${ran.stderr}${readFileSync(ran.file)}`;
    expect(text.includes('the reason is withheld')).toBe(sensitivity === 'protected');
    expect(text.includes(CANARY)).toBe(sensitivity === 'public');
  });
});
