import { execFileSync, spawn } from 'node:child_process';
import { existsSync, mkdtempSync, rmSync } from 'node:fs';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { krisis } from './krisis.ts';

/**
 * A run against llama.cpp's own server with a model of 260,000 parameters, which writes stories: what counts is that the server accepts the requests, keeps to the schema, and that its replies are read. Skipped
 * where neither `LLAMA_SERVER` nor ../shared has the server and the model.
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

describe.skipIf(program === null)("llama.cpp's server (skipped where it cannot be had)", () => {
  const cwd = mkdtempSync(join(tmpdir(), 'krisis-llama-'));
  let server: ReturnType<typeof spawn>;
  let url: string;

  beforeAll(async () => {
    const port = await freePort();
    url = `http://127.0.0.1:${port}`;
    const args = ['--host', '127.0.0.1', '--port', String(port), '-c', '32768', '-np', '4', '-t', '1'];
    server = spawn(program!, ['-m', MODEL, ...args, '--chat-template', 'chatml', '--alias', 'stories'], {
      stdio: 'ignore',
    });
    for (let tries = 0; tries < 300; tries++) {
      if ((await fetch(`${url}/health`).catch(() => null))?.ok) return;
      await new Promise((done) => setTimeout(done, 100));
    }
    throw new Error('the server did not start');
  }, 60_000);
  afterAll(() => {
    server?.kill();
    rmSync(cwd, { recursive: true });
  });

  const run = async (...more: string[]) => {
    const args = ['run', 'ckd/detection', '--n-records', '50', '--limit', '4', '--batch-size', '1'];
    const model = ['--model', 'openai-compatible/stories', '--base-url', `${url}/v1`];
    const { code, stdout, stderr } = await krisis([...args, ...model, '--json', ...more], { cwd });
    if (stdout === '') throw new Error(`exit ${code}: ${stderr}`);
    return JSON.parse(stdout);
  };

  it('answers within the schema, with its name and its tokens', async () => {
    const { ledger, execution } = await run(
      '--max-output-tokens',
      '400',
      '--temperature',
      '0',
      '--set',
      'logprobs=true',
    );
    expect(ledger).toMatchObject({ n: 4, invalid: 0, refused: 0, not_run: 0 });
    expect(execution).toMatchObject({ n_calls: 4, n_replies: 4, n_repaired: 0, model_ids: ['stories'] });
    expect(execution.input_tokens).toBeGreaterThan(1000);
    expect(execution.output_tokens).toBeGreaterThan(0);
  }, 120_000);

  it('says what went wrong where a reply does not fit', async () => {
    const { ledger } = await run('--max-output-tokens', '5', '--temperature', '0');
    expect(ledger).toMatchObject({ n: 4, failed_truncated: 4 });
  }, 120_000);
});

async function freePort(): Promise<number> {
  const server = createServer();
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done));
  const { port } = server.address() as { port: number };
  await new Promise((done) => server.close(done));
  return port;
}
