import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { listRuns } from '../src/store/list-runs.ts';
import { krisis } from './krisis.ts';

const folders: string[] = [];
const folder = () => {
  const made = mkdtempSync(join(tmpdir(), 'krisis-run-'));
  folders.push(made);
  return made;
};
afterAll(() => {
  for (const made of folders) rmSync(made, { recursive: true });
});
const small = ['--n-records', '60', '--bootstrap', '50'];

describe('krisis run', () => {
  it('without arguments runs a demonstration that a newcomer can read', async () => {
    const cwd = folder();
    // Its exact numbers are in the fixture of test/widths.test.ts.
    writeFileSync(join(cwd, 'krisis.config.yaml'), 'score: { bootstrap: 50 }\n');
    const { code, stdout, stderr } = await krisis(['run'], { cwd });
    expect(code).toBe(0);
    expect(stderr).toContain('nothing leaves this machine');
    for (const model of [
      'baseline/majority',
      'baseline/guideline-defer',
      'baseline/logistic',
      'simulated/careful',
      'simulated/overconfident',
    ]) {
      expect(stdout).toMatch(new RegExp(`^ {2}${model} +\\d+ \\(`, 'm'));
    }
    expect(stdout).toMatch(
      /^ {2}! baseline\/majority: Missed 57 of 57 emergencies: 57 answered without a flag\./m,
    );
    expect(stdout).not.toMatch(/^ {2}! baseline\/guideline-defer/m);
    expect(stdout).toContain('simulated, answers are made up: simulated/careful, simulated/overconfident');
    expect(readdirSync(join(cwd, '.krisis/runs')).filter((name) => name.endsWith('.db'))).toHaveLength(6);
    const listed = JSON.parse((await krisis(['list', '--json'], { cwd })).stdout);
    expect(
      listed.runs.map(({ status, n, n_done }: { status: string; n: number; n_done: number }) => [
        status,
        n,
        n_done,
      ]),
    ).toEqual(Array(6).fill(['complete', 1000, 1000]));
  });

  it('prints one JSON object, and one with runs for several models', async () => {
    const cwd = folder();
    const one = JSON.parse(
      (await krisis(['run', 'ckd/detection', '--model', 'simulated/careful', '--json', ...small], { cwd }))
        .stdout,
    );
    expect(Object.keys(one)).toEqual(
      expect.arrayContaining(['run_file', 'suite', 'model', 'ledger', 'metrics', 'execution', 'warnings']),
    );
    const { n, ...classes } = one.ledger;
    expect([n, Object.values<number>(classes).reduce((a, b) => a + b, 0)]).toEqual([60, 60]);
    expect(one.metrics.sensitivity.details.positive_label).toBe('present');
    const fields = [
      'batch_size',
      'max_concurrency',
      'n_input_records',
      'n_api_batches',
      'elapsed_seconds',
      'records_per_second',
      'input_tokens',
      'output_tokens',
      'token_total',
      'prompt_capture',
      'prompt_data_policy',
      'prompt_modes',
      'n_prompts_captured',
      'prompt_templates_count',
      'prompt_templates',
    ];
    expect(Object.keys(one.execution)).toEqual(expect.arrayContaining(fields));
    expect(one.execution).toMatchObject({
      batch_size: 1,
      n_api_batches: 60,
      token_total: null,
      simulated: true,
    });
    const two = JSON.parse(
      (
        await krisis(
          ['run', 'ckd/detection', '--model', 'baseline/guideline,baseline/random', '--json', ...small],
          {
            cwd,
          },
        )
      ).stdout,
    );
    expect(two.runs.map(({ model }: { model: string }) => model)).toEqual([
      'baseline/guideline',
      'baseline/random',
    ]);
  });

  it('goes on from a smaller limit, and changes nothing when done', async () => {
    const cwd = folder();
    const run = async (limit: string) =>
      JSON.parse(
        (
          await krisis(
            ['run', 'ckd/staging', '--model', 'simulated/careful', '--json', '--limit', limit, ...small],
            {
              cwd,
            },
          )
        ).stdout,
      );
    const first = await run('16');
    const second = await run('40');
    expect([first.ledger.n, second.ledger.n, second.run_file]).toEqual([16, 40, first.run_file]);
    expect(second.execution.n_calls).toBe(40);
    expect(await run('40')).toEqual({ ...second, nothing_asked: true });
  });

  it('refuses a file that holds another run, and shows the difference', async () => {
    const cwd = folder();
    const args = ['run', 'ckd/staging', '--model', 'simulated/careful', '--run', 'a.db', ...small];
    expect((await krisis(args, { cwd })).code).toBe(0);
    const before = readFileSync(join(cwd, 'a.db'));
    const { code, stderr } = await krisis([...args, '--batch-size', '4', '--arm', 'egfr_shown'], { cwd });
    expect(code).toBe(2);
    expect(stderr).toContain('batch_size: 1 there, 4 now');
    expect(stderr).toContain('arm: "natural" there, "egfr_shown" now');
    expect(readFileSync(join(cwd, 'a.db'))).toEqual(before);
  });

  it('starts another run with --new', async () => {
    const cwd = folder();
    const args = ['run', 'ckd/staging', '--model', 'simulated/careful', '--new', '--json', ...small];
    const [first, second] = [await krisis(args, { cwd }), await krisis(args, { cwd })];
    expect(JSON.parse(second.stdout).run_file).not.toBe(JSON.parse(first.stdout).run_file);
  });

  it('counts failed rows in the exit code, as told', async () => {
    const args = ['run', 'ckd/staging', '--model', 'simulated/careful?poisoned=0.1', '--json', ...small];
    const strict = await krisis(args, { cwd: folder() });
    expect(strict.code).toBe(3);
    expect(strict.stderr).toMatch(/\d+ of 60 cases failed/);
    const card = JSON.parse(strict.stdout);
    expect(card.ledger.failed_server).toBeGreaterThan(0);
    expect(card.metrics.accuracy.bounds.lower).toBeLessThan(card.metrics.accuracy.value);
    expect((await krisis([...args, '--fail-on-error', '0.5'], { cwd: folder() })).code).toBe(0);
  });

  it('asks every record again with --repeat, and draws records', async () => {
    const { ledger, method, execution } = JSON.parse(
      (
        await krisis(
          ['run', 'ckd/staging', '--model', 'simulated/careful', '--repeat', '3', '--json', ...small],
          {
            cwd: folder(),
          },
        )
      ).stdout,
    );
    expect([ledger.n, method.cluster, execution.repeats]).toEqual([180, 'id', 3]);
  });

  it('asks one record at a time; with batches, rows carry their call and intervals draw calls', async () => {
    const cwd = folder();
    const run = async (...more: string[]) =>
      JSON.parse(
        (
          await krisis(['run', 'ckd/staging', '--model', 'simulated/careful', '--json', ...small, ...more], {
            cwd,
          })
        ).stdout,
      );
    const alone = await run('--run', 'alone.db');
    expect(alone.metrics.accuracy.interval).toMatchObject({ method: 'wilson', unit: 'row' });
    const batched = await run('--batch-size', '8', '--run', 'batched.db');
    expect(batched.method.cluster).toBe('call');
    expect(batched.metrics.accuracy.interval.unit).toBe('cluster');
    // Continued from its file, a run keeps its batch size.
    expect((await run('--run', 'batched.db')).execution.batch_size).toBe(8);
    const report = (...args: string[]) => krisis(['report', ...args], { cwd });
    const rows = (file: string) =>
      report(file, '--format', 'json').then(({ stdout }) => JSON.parse(stdout).evaluation_results);
    const calls = Map.groupBy<string, { call: string }>(await rows('batched.db'), ({ call }) => call);
    expect([...calls.values()].every(({ length }) => length <= 8)).toBe(true);
    expect([calls.size, calls.has('null')]).toEqual([8, false]);
    expect((await rows('alone.db')).every(({ call }: { call: string | null }) => call === null)).toBe(true);
    const csv = (await report('batched.db', '--format', 'csv')).stdout.split('\r\n');
    expect(csv[0]!.split(',')).toContain('call');
    // An export scores the same.
    await report('batched.db', '--format', 'json', '-o', 'rows.json');
    const scored = JSON.parse(
      (await krisis(['score', 'rows.json', '--bootstrap', '50', '--json'], { cwd })).stdout,
    );
    expect(scored.metrics.accuracy.interval).toEqual(batched.metrics.accuracy.interval);
  });

  it('clusters by a key of the records, and refuses one that no record has before the first call', async () => {
    const cwd = folder();
    const args = ['run', 'ckd/staging', '--model', 'simulated/careful', '--json', ...small, '--run', 'r.db'];
    const wrong = await krisis([...args, '--cluster', 'patient'], { cwd });
    expect([wrong.code, wrong.stderr]).toEqual([
      2,
      expect.stringContaining('--cluster: no case has metadata.patient; the keys are: '),
    ]);
    expect((await krisis([...args, '--stratify', 'sexx', '--limit', '5'], { cwd })).code).toBe(2);
    expect(readdirSync(cwd)).toEqual([]);
    const { method } = JSON.parse((await krisis([...args, '--cluster', 'sex'], { cwd })).stdout);
    expect(method.cluster).toBe('sex');
    const report = JSON.parse(
      (await krisis(['report', 'r.db', '--format', 'metrics-json', '--cluster', 'id'], { cwd })).stdout,
    );
    expect(report.metrics.brier_top_label.interval.unit).toBe('cluster');
    // One row per cluster.
    expect(report.metrics.accuracy.interval.method).toBe('wilson');
    const other = await krisis(
      ['run', 'ckd/staging', '--model', 'simulated/overconfident', ...small, '--run', 's.db'],
      { cwd },
    );
    expect(other.code).toBe(0);
    const { comparisons } = JSON.parse(
      (await krisis(['compare', 'r.db', 's.db', '--cluster', 'sex', '--json'], { cwd })).stdout,
    );
    expect(comparisons[0].clusters).toEqual({ key: 'sex', n: 2 });
  });

  it('says what it would ask, and asks nothing, with --dry-run', async () => {
    const cwd = folder();
    const { code, stdout } = await krisis(
      ['run', 'ckd/staging', '--model', 'simulated/careful', '--dry-run', '--limit', '100'],
      { cwd },
    );
    expect([code, stdout]).toEqual([
      0,
      expect.stringMatching(/100 cases in 100 calls, about \d+ input tokens; nothing was asked/),
    ]);
    expect(readdirSync(cwd)).toEqual([]);
  });

  it('plans for a model of a provider without its key, and asks for it before a run', async () => {
    const env = { ...process.env, OPENAI_API_KEY: undefined, ANTHROPIC_API_KEY: undefined };
    const cwd = folder();
    const planned = await krisis(
      [
        'run',
        'open/bcl2',
        '--model',
        'openai/gpt-5-mini',
        '--judge',
        'anthropic/claude-sonnet-4-5',
        '--dry-run',
      ],
      { cwd, env },
    );
    expect([planned.code, planned.stderr]).toEqual([0, '']);
    expect(planned.stdout).toContain('nothing was asked');
    const labels = ['run', 'ckd/staging', '--model', 'openai/gpt-5-mini', '--limit', '2'];
    expect((await krisis([...labels, '--dry-run'], { cwd, env })).stdout).toContain('2 cases in 2 calls');
    const asked = await krisis(labels, { cwd, env });
    expect([asked.code, asked.stderr]).toEqual([
      2,
      'krisis: openai/gpt-5-mini needs a key: set OPENAI_API_KEY\n',
    ]);
    expect(readdirSync(cwd)).toEqual([]);
  });

  it('lists the keys when none is the one to group by, before the first call', async () => {
    const cwd = folder();
    const { code, stderr } = await krisis(
      ['run', 'ckd/staging', '--model', 'simulated/careful', '--group-by', 'sexx'],
      { cwd },
    );
    expect(code).toBe(2);
    expect(stderr).toMatch(
      /--group-by: no case has metadata.sexx; did you mean sex\? The keys are: .*\bage\b.*\bsex\b/,
    );
    expect(readdirSync(cwd)).toEqual([]);
  });

  it('replays recorded answers, and fails what was not recorded', async () => {
    const cwd = folder();
    await krisis(['check', 'ckd/staging', '--export', 'records.jsonl', '--n-records', '10'], { cwd });
    const records = readFileSync(join(cwd, 'records.jsonl'), 'utf8')
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line));
    const rows = records.slice(0, 8).map(({ id, label, metadata }) => ({
      id,
      prediction: label ?? 1,
      ground_truth: label,
      abstained: false,
      confidence: 0.9,
      metadata,
    }));
    writeFileSync(join(cwd, 'answers.jsonl'), rows.map((row) => JSON.stringify(row)).join('\n'));
    const { code, stdout } = await krisis(
      [
        'run',
        'ckd/staging',
        '--model',
        'replay/answers.jsonl',
        '--json',
        '--n-records',
        '10',
        '--bootstrap',
        '0',
      ],
      { cwd },
    );
    expect([code, JSON.parse(stdout).ledger.failed_not_recorded]).toEqual([3, 2]);
  });

  it('runs a suite and a backend of a config', async () => {
    const cwd = folder();
    writeFileSync(
      join(cwd, 'krisis.config.ts'),
      `import { defineBackend, defineConfig, defineSuite } from 'krisis';
      const task = { id: 'mine/parity', labels: ['even', 'odd'], ordered: false, defaultArm: 'natural', arms: { natural: { instructions: 'Even or odd?' } }, primaryEndpoint: { metric: 'accuracy', arm: 'natural', why: 'a test' } };
      const load = () => [1, 2, 3, 4].map((value) => ({ id: 'n' + value, features: { secret: 'CANARY-' + value, value }, label: value % 2 ? 'odd' : 'even', metadata: {} }));
      export default defineConfig({
        suites: [defineSuite({ name: 'mine/parity', task, load })],
        backends: [defineBackend({ name: 'mine/honest', evaluate: ({ features }) => ({ prediction: Number(features.value) % 2 ? 'odd' : 'even', abstained: false, confidence: 1 }) })],
      });`,
    );
    const { code, stdout, stderr } = await krisis(
      ['run', 'mine/parity', '--model', 'mine/honest', '--json', '--run', 'mine.db'],
      { cwd },
    );
    expect([code, stderr]).toEqual([0, '']);
    expect(JSON.parse(stdout).metrics.accuracy.value).toBe(1);
    // The suite is protected: what the patients are like is in no file.
    for (const name of readdirSync(cwd))
      if (name !== 'krisis.config.ts') expect(readFileSync(join(cwd, name)).includes('CANARY-')).toBe(false);
  });

  it.each([
    [['run', 'ckd/staging'], 'no model named'],
    [['run', 'ckd/staging', '--model', 'openia/gpt-9'], 'no model "openia/gpt-9"'],
    [['run', 'ckd/staging', '--model', 'openai/gpt-9'], 'OPENAI_API_KEY'],
    [['run', 'ckd/staging', '--model', 'baseline/best'], 'best'],
    [
      ['run', 'ckd/staging', '--model', 'simulated/careful?accuracy=2'],
      'accuracy is "2"; expected a number from 0 to 1',
    ],
    [['run', 'ckd/staging', '--model', 'simulated/careful', '--arm', 'loud'], 'no arm "loud"'],
    [
      ['run', 'ckd/staging', '--model', 'simulated/careful', '--batch-size', '0'],
      'Expected a whole number, 1 or more',
    ],
    [
      ['run', 'ckd/staging', '--model', 'baseline/random,simulated/careful', '--run', 'x.db'],
      '--run names one file',
    ],
    [['run', 'ckd/staging', '--model', 'replay/none.jsonl'], 'no such file'],
  ])('%j: exit code 2 and a clear line', async (args, message) => {
    const { code, stdout, stderr } = await krisis(args, { cwd: folder() });
    expect([code, stdout]).toEqual([2, '']);
    expect(stderr).toContain(message);
    expect(stderr).not.toMatch(/\n\s+at /);
  });

  it('refuses a damaged and a foreign file, and leaves them as they are', async () => {
    const cwd = folder();
    writeFileSync(
      join(cwd, 'text.db'),
      'not a database at all, but long enough to look like something else entirely',
    );
    const { code, stderr } = await krisis(
      ['run', 'ckd/staging', '--model', 'simulated/careful', '--run', 'text.db', ...small],
      { cwd },
    );
    expect([code, readFileSync(join(cwd, 'text.db'), 'utf8').slice(0, 14)]).toEqual([2, 'not a database']);
    expect(stderr).toContain('text.db');
  });

  it('drains on the first Ctrl-C, says how to go on, and goes on', async () => {
    const cwd = folder();
    const slow = [
      'run',
      'ckd/staging',
      '--model',
      'simulated/careful?latency_ms=400',
      '--run',
      'slow.db',
      '--batch-size',
      '2',
      '--max-concurrency',
      '2',
      '--n-records',
      '60',
      '--bootstrap',
      '0',
    ];
    const child = spawn(process.execPath, [resolve('bin/krisis.js'), ...slow], {
      cwd,
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    let output = '';
    child.stdout.on('data', (chunk) => (output += chunk));
    child.stderr.on('data', (chunk) => (output += chunk));
    const now = () => listRuns(cwd).runs[0] ?? { nDone: 0, status: '' };
    while (now().nDone < 4) await new Promise((later) => setTimeout(later, 20));
    expect(now().status).toBe('running');
    child.kill('SIGINT');
    const [code] = await once(child, 'close');
    expect([code, output]).toEqual([130, expect.stringMatching(/^ {2}continue +the same command$/m)]);
    const { nDone: before, status } = now();
    expect([status, before < 60]).toEqual(['interrupted', true]);
    const { code: last, stdout } = await krisis([...slow, '--max-concurrency', '16', '--json'], { cwd });
    expect([last, JSON.parse(stdout).ledger.n, JSON.parse(stdout).ledger.not_run]).toEqual([0, 60, 0]);
  });
});

describe('krisis runs export', () => {
  it('takes a run elsewhere, without patient data', async () => {
    const here = folder();
    await krisis(['run', 'ckd/staging', '--model', 'simulated/careful', '--run', 'a.db', ...small], {
      cwd: here,
    });
    expect(readFileSync(join(here, 'a.db')).includes('Clinical context')).toBe(true);
    expect((await krisis(['runs', 'export', 'a.db'], { cwd: here })).code).toBe(0);
    expect(readFileSync(join(here, 'a.krisis')).includes('Clinical context')).toBe(false);
    expect((await krisis(['runs', 'export', 'a.db'], { cwd: here })).stderr).toContain('--force');
    await krisis(['runs', 'export', 'a.db', '--include-features', '-o', 'full.krisis'], { cwd: here });
    expect(readFileSync(join(here, 'full.krisis')).includes('Clinical context')).toBe(true);
    const there = folder();
    expect((await krisis(['runs', 'import', join(here, 'a.krisis')], { cwd: there })).code).toBe(0);
    expect(JSON.parse((await krisis(['list', '--json'], { cwd: there })).stdout).runs[0]).toMatchObject({
      model: 'simulated/careful',
      status: 'complete',
      n_done: 60,
    });
    writeFileSync(join(there, 'bad.krisis'), 'nothing');
    expect(await krisis(['runs', 'import', 'bad.krisis'], { cwd: there })).toMatchObject({ code: 2 });
  });
});
