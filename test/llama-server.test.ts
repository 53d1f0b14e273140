import { execFileSync, spawn } from 'node:child_process';
import { existsSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { verifyRun } from '../src/store/verify-run.ts';
import { command, query, runJson, start, workingFolder } from './emulated-run.ts';

/**
 * Commands against llama.cpp's own server with a model of 260,000 parameters, which writes stories: what counts is that the server accepts the requests, keeps to the schema, and that
 * its replies are read. Skipped where neither `LLAMA_SERVER` nor ../shared has the server and the model.
 */
const MODEL = resolve('../shared/data/stories260k/stories260K.gguf');
const program = existsSync(MODEL) ? findServer() : null;

function findServer(): string | null {
  if (process.env.LLAMA_SERVER !== undefined) return process.env.LLAMA_SERVER;
  const installer = resolve('../shared/tools/get-llama-server');
  if (!existsSync(installer)) return null;
  try {
    const folder = join(tmpdir(), 'krisis-llama-server');
    return execFileSync(installer, [folder], {
      encoding: 'utf8',
      stdio: ['ignore', 'pipe', 'ignore'],
    }).trim();
  } catch {
    return null;
  }
}

/** Letters as labels: a text may well begin with one, so that they have most of the probability at their place. */
const LETTERS = [...'ABCDEFGHIJKLMNOPQRSTUVWXYZ'];

describe.skipIf(program === null)("llama.cpp's server (skipped where it cannot be had)", () => {
  let server: ReturnType<typeof spawn>;
  let url: string;
  let cwd: string;

  beforeAll(async () => {
    const port = await freePort();
    url = `http://127.0.0.1:${port}`;
    const args = ['--host', '127.0.0.1', '--port', String(port), '-c', '16384', '-np', '2', '-t', '1'];
    server = spawn(program!, ['-m', MODEL, ...args, '--chat-template', 'chatml', '--alias', 'stories'], {
      stdio: 'ignore',
    });
    cwd = workingFolder();
    writeSuite('letters', LETTERS.map((letter, i) => `${30 + i},${letter}`).join('\n'));
    writeSuite('long', `${'the cat sat on a mat. '.repeat(1500)},A`);
    writeFileSync(join(cwd, 'advice.yaml'), ADVICE);
    writeFileSync(join(cwd, 'answers.jsonl'), '{"id": "pain", "answer": "Take paracetamol."}\n');
    for (let tries = 0; tries < 300; tries++) {
      if ((await fetch(`${url}/health`).catch(() => null))?.ok) return;
      await sleep(100);
    }
    throw new Error('the server did not start');
  }, 60_000);
  afterAll(() => {
    server?.kill();
  });

  function writeSuite(name: string, rows: string): void {
    writeFileSync(join(cwd, `${name}.csv`), `seen,label\n${rows}\n`);
    const settings = ['sensitivity: synthetic', 'label: label', 'instructions: Which letter?'];
    const labels = `labels: [${LETTERS.map((letter) => `"${letter}"`).join(', ')}]`;
    const lines = [`name: ward/${name}`, `file: ${name}.csv`, ...settings, labels];
    writeFileSync(join(cwd, `${name}.yaml`), `${lines.join('\n')}\n`);
  }

  const model = () => ['--model', 'openai-compatible/stories', '--base-url', `${url}/v1`];
  const base = (suite: string) => ['run', suite, ...model(), '--no-cache', '--json'];
  const letters = (...more: string[]) => [
    ...base('letters.yaml'),
    ...['--set', 'reasoning=false', '--max-output-tokens', '300'],
    ...more,
  ];

  it('answers within the schema, with its name and its tokens', async () => {
    const args = ['--n-records', '50', '--limit', '2', '--max-output-tokens', '1000', '--temperature', '0'];
    const { ledger, execution } = await runJson([...base('ckd/detection'), ...args], cwd);
    expect(ledger).toMatchObject({ n: 2, invalid: 0, refused: 0, not_run: 0 });
    expect(execution).toMatchObject({ n_calls: 2, n_replies: 2, n_repaired: 0, model_ids: ['stories'] });
    expect(execution.input_tokens).toBeGreaterThan(1000);
    expect(execution.output_tokens).toBeGreaterThan(0);
  });

  it('gives log-probabilities that become a confidence, although it cuts blanks from the text', async () => {
    const { file } = await runJson(
      letters('--limit', '2', '--temperature', '0', '--set', 'logprobs=true'),
      cwd,
    );
    const rows = query<{ c: number | null }>(
      file,
      "SELECT token_confidence AS c FROM rows WHERE state = 'answered'",
    );
    expect(rows).toHaveLength(2);
    for (const { c } of rows) {
      expect(c).toBeGreaterThan(1 / LETTERS.length);
      expect(c).toBeLessThan(1);
    }
  });

  it('gets batches, and single cases where a batch is left unanswered', async () => {
    const { file, ledger } = await runJson(letters('--limit', '4', '--batch-size', '2'), cwd);
    expect(ledger).toMatchObject({ n: 4, invalid: 0, not_run: 0 });
    expect(Object.keys(ledger).filter((state) => state.startsWith('failed_'))).toEqual([]);
    const sizes = query<{ n: number }>(file, 'SELECT n_records AS n FROM all_calls').map(({ n }) => n);
    expect(sizes.filter((n) => n === 2)).toHaveLength(2);
  });

  it('is asked as often as there are repeats', async () => {
    const { file, ledger, execution } = await runJson(
      letters('--limit', '2', '--repeat', '3', '--temperature', '1'),
      cwd,
    );
    expect(ledger).toMatchObject({ n: 6, not_run: 0 });
    expect(execution).toMatchObject({ n_calls: 6, n_replies: 6, repeats: 3 });
    expect(query(file, 'SELECT DISTINCT repeat FROM rows ORDER BY repeat')).toHaveLength(3);
  });

  it.each([
    ['alone', ['--limit', '2']],
    ['in a batch', ['--limit', '2', '--batch-size', '2']],
    ['without a schema', ['--limit', '2', '--set', 'structuredOutput=false']],
  ])('that stops at the cap has failed, and has not answered: %s', async (_, flags) => {
    const { code, ledger, file } = await runJson(letters('--new', ...flags, '--max-output-tokens', '5'), cwd);
    expect(code).toBe(3);
    expect(ledger).toMatchObject({ n: 2, failed_truncated: 2, invalid: 0 });
    expect(query(file, "SELECT 1 FROM rows WHERE prediction != 'null'")).toEqual([]);
  });

  it('that stops at the cap in an answer in words has failed, too', async () => {
    const args = [...base('advice.yaml'), '--judge', 'baseline/lexical', '--max-output-tokens', '20'];
    const { code, stdout } = await command(args, cwd);
    expect([code, JSON.parse(stdout).ledger]).toMatchObject([3, { n: 1, failed_truncated: 1 }]);
  });

  it('refuses a question that is longer than its context, which is named', async () => {
    const { code, ledger, stderr } = await runJson(base('long.yaml'), cwd);
    expect([code, ledger]).toMatchObject([3, { n: 1, failed_too_long: 1 }]);
    expect(stderr).toContain('the question was too long for the model (HTTP 400)');
  });

  it('has no bulk jobs, and the message says what to do', async () => {
    const { code, stderr } = await runJson(letters('--limit', '2', '--new', '--bulk'), cwd);
    expect([code, stderr]).toEqual([3, expect.stringContaining('is asked without --bulk')]);
  });

  it('that is too slow is asked again by the same command', async () => {
    const args = letters('--limit', '2', '--set', 'maxRetries=0', '--run', 'slow.db');
    const slow = await runJson([...args, '--timeout', '0.005'], cwd);
    expect([slow.code, slow.ledger]).toMatchObject([3, { n: 2, failed_timeout: 2 }]);
    const { code, ledger, execution } = await runJson(args, cwd);
    expect([code, ledger.failed_timeout]).toEqual([0, undefined]);
    expect(execution).toMatchObject({ n_replies: 2, n_asked_again: 2 });
  });

  it('is left by Ctrl-C after the calls in flight, and asked for the rest alone', async () => {
    const args = letters('--limit', '20', '--max-concurrency', '1', '--run', 'stopped.db');
    const file = join(cwd, 'stopped.db');
    const { child, ended } = start(args, cwd);
    while (child.exitCode === null && countRows(file) < 2) await sleep(20);
    child.kill('SIGINT');
    const { code, stdout } = await ended;
    expect(code).toBe(130);
    expect(JSON.parse(stdout).ledger.not_run).toBeGreaterThan(0);
    expect(verifyRun(file).verdict).toBe('verified');
    const { ledger, execution } = await runJson(args, cwd);
    expect(ledger).toMatchObject({ n: 20, not_run: 0 });
    const keys = query<{ key: string }>(file, "SELECT key FROM all_calls WHERE outcome = 'answered'");
    expect(new Set(keys.map(({ key }) => key)).size).toBe(keys.length);
    expect(execution.n_replies).toBe(20);
  });

  it('is asked within a budget, by its own counts of tokens', async () => {
    const args = letters('--limit', '4', '--set', 'price=1,2', '--run', 'budget.db');
    const none = await runJson([...args, '--budget', '0.001'], cwd);
    expect([none.code, none.ledger.not_run, none.execution.n_calls]).toEqual([3, 4, 0]);
    const some = await runJson([...args, '--budget', '0.005'], cwd);
    expect(some.code).toBe(3);
    expect(some.ledger.not_run).toBeGreaterThan(0);
    expect(some.execution.n_calls).toBeGreaterThan(0);
    expect(some.execution.cost_usd).toBeLessThanOrEqual(0.005);
    const { code, ledger, execution } = await runJson([...args, '--budget', '1'], cwd);
    expect([code, ledger.not_run]).toEqual([0, 0]);
    const { input_tokens, output_tokens, cost_usd } = execution;
    expect(cost_usd).toBeCloseTo((input_tokens! + 2 * output_tokens!) / 1e6, 9);
  });

  it('is not asked by --dry-run, nor by krisis check', async () => {
    const before = await tasks();
    const plan = await command(letters('--limit', '4', '--set', 'price=1,2', '--dry-run'), cwd);
    expect([plan.code, JSON.parse(plan.stdout)]).toMatchObject([0, expect.anything()]);
    const env = { OPENAI_COMPATIBLE_BASE_URL: `${url}/v1` };
    const { stdout } = await command(['check', 'openai-compatible', '--json'], cwd, env);
    expect(JSON.parse(stdout)).toMatchObject({ host: url.replace('http://', ''), missing: null });
    expect(await tasks()).toEqual(before);
  });

  it('judges: verdicts that it leaves out are missing, and a reply that is cut off is a failure', async () => {
    const judge = ['--judge', 'openai-compatible/stories', '--base-url', `${url}/v1`, '--json'];
    const answers = ['--answers', 'answers.jsonl', '--questions', 'advice.yaml', '--temperature', '0'];
    const args = ['judge', ...answers, ...judge, '--run', 'judged.db'];
    const ran = await command(args, cwd);
    expect(ran.code, ran.stderr).toBe(3);
    const file = join(cwd, 'judged.db');
    const calls = query<{ model: string; tokens: number }>(
      file,
      "SELECT model_id AS model, output_tokens AS tokens FROM all_calls WHERE outcome = 'answered'",
    );
    expect(calls.length).toBeGreaterThan(0);
    for (const { model: name, tokens } of calls) expect([name, tokens > 0]).toEqual(['stories', true]);
    const [judgement] = query<{ outcome: string }>(file, 'SELECT outcome FROM judgements');
    expect(JSON.parse(judgement!.outcome)).toMatchObject({
      verdicts: [{ verdict: 'judge_error', reason: 'missing' }],
    });
    const cut = await command([...args.slice(0, -1), 'cut.db', '--max-output-tokens', '5'], cwd);
    expect(cut.code).toBe(3);
    expect(JSON.parse(cut.stdout).failures).toMatchObject([{ role: 'judge', problem: 'truncated' }]);
  });

  /** The last task of each slot of the server: a question is a task. */
  async function tasks(): Promise<number[]> {
    const slots = (await (await fetch(`${url}/slots`)).json()) as { id_task: number }[];
    return slots.map(({ id_task }) => id_task);
  }
});

const ADVICE = `name: ward/advice
sensitivity: synthetic
questions:
  - id: pain
    question: What may I take for a headache?
    rubric:
      metric_traits:
        - name: advice
          metrics: [recall]
          tp_instructions: [Names paracetamol]
`;

function countRows(file: string): number {
  try {
    return query(file, 'SELECT 1 FROM rows').length;
  } catch {
    return 0;
  }
}

async function freePort(): Promise<number> {
  const server = createServer();
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done));
  const { port } = server.address() as { port: number };
  await new Promise((done) => server.close(done));
  return port;
}
