import { execFileSync } from 'node:child_process';
import { once } from 'node:events';
import { createWriteStream, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { availableParallelism, loadavg, tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { spawnEmulator } from '../test/emulator/spawn.ts';
import { answers } from './fixture.ts';
import { type Measured, measured, measuredCount, NODE_FLAGS, timedProcess } from './measured-process.ts';

/**
 * `npm run bench [-- --quick]`: the command of the packed and installed package beside three clients that only call, against the same
 * server in the same run, and what else a user waits for. Best of three; `--quick` is one round, `--small` a tenth of the calls.
 * Measure on a quiet machine: where other work runs, ratios still mean something and seconds do not.
 */
const ROUNDS = process.argv.includes('--quick') ? 1 : 3;
const SCALE = process.argv.includes('--small') ? 10 : 1;
const CONCURRENCY = 64;
const MANY = 10_000 / SCALE;
const SCORED = 1_000_000 / SCALE;
const CLIENTS = { pool: 'undici pool', openai: 'openai', 'ai-sdk': 'generateText' } as const;
let runs = 0;
type Client = keyof typeof CLIENTS;
type Best = Record<'krisis' | Client, Measured>;

const root = resolve(import.meta.dirname, '..');
const folder = mkdtempSync(join(tmpdir(), 'krisis-bench-'));
const command = [...NODE_FLAGS, join(folder, 'node_modules/krisis/bin/krisis.js')];

try {
  install();
  await measureCalls();
  await measureScore();
  await measureStart();
  console.log(`load ${loadavg()[0]!.toFixed(1)} on ${availableParallelism()} cores`);
} finally {
  rmSync(folder, { recursive: true });
}

function install(): void {
  const npm = (args: readonly string[], cwd: string) =>
    execFileSync('npm', args, { cwd, encoding: 'utf8', stdio: ['ignore', 'pipe', 'ignore'] });
  const packed = npm(['pack', '--json', '--pack-destination', folder], root);
  const [{ filename }] = JSON.parse(packed.slice(packed.search(/^\[/m)));
  writeFileSync(join(folder, 'package.json'), '{"name":"bench","private":true}');
  npm(['install', '--prefer-offline', '--no-audit', '--no-fund', join(folder, filename)], folder);
}

async function measureCalls(): Promise<void> {
  const first: number[] = [];
  const last: number[] = [];
  const noted = { first, last };
  const rows: string[][] = [];
  const compare = async (n: number, latencyMs: number, must: number, aim: number) => {
    const best = await bestOfAll(n, latencyMs, latencyMs === 0 ? noted : null);
    const ratio = best.krisis.seconds / best.pool.seconds;
    line(`${n} calls at ${latencyMs} ms / pool`, ratio, must, aim, 'x');
    const name = `${n} calls at ${latencyMs} ms`;
    rows.push([name, ...Object.values(best).map(({ seconds }) => `${seconds.toFixed(2)} s`)]);
    return best;
  };
  head();
  const { krisis } = await compare(MANY, 0, 4.5, 3);
  await compare(MANY, 20, 1.5, 1.25);
  await compare(MANY / 5, 200, 1.12, 1.05);
  line(`first request of a cohort of ${MANY}`, Math.min(...first), 1, 0.6, 's');
  line(`last answer to the printed result, ${MANY}`, Math.min(...last), 1, 0.6, 's');
  line(`CPU of the whole run of ${MANY}`, krisis.cpuSeconds, 4.5, 3.3, 's');
  line(`peak memory, ${MANY}`, krisis.megabytes, 260, 200, 'MB');
  const large = await withEmulator(0, (emulator) => run(emulator.url, 10 * MANY));
  line(`peak memory, ${10 * MANY}`, large.megabytes, 340, 260, 'MB');
  const exponent = Math.log10(large.cpuSeconds / krisis.cpuSeconds);
  line(`exponent of CPU from ${MANY} to ${10 * MANY}`, exponent, 1.05, null, '');
  console.log(
    `\n| side by side | krisis run | ${Object.values(CLIENTS).join(' | ')} |\n|---|---|---|---|---|`,
  );
  for (const cells of rows) console.log(`| ${cells.join(' | ')} |`);
  console.log('');
}

/** Each way of calling in turn, so that all meet the same machine. */
async function bestOfAll(
  n: number,
  latencyMs: number,
  noted: { readonly first: number[]; readonly last: number[] } | null,
): Promise<Best> {
  const best: Partial<Best> = {};
  const keep = (way: keyof Best, found: Measured) => {
    if (found.seconds < (best[way]?.seconds ?? Number.POSITIVE_INFINITY)) best[way] = found;
  };
  await withEmulator(latencyMs, async (emulator) => {
    for (let i = 0; i < ROUNDS; i++) {
      await emulator.reset();
      const ours = await run(emulator.url, n);
      const { firstAt, lastAt } = await emulator.stats();
      noted?.first.push(ours.seconds - (ours.endedAt - firstAt!) / 1000);
      noted?.last.push((ours.endedAt - lastAt!) / 1000);
      keep('krisis', ours);
      for (const client of Object.keys(CLIENTS) as Client[]) {
        const args = [join(root, 'bench/call-loop.ts'), client, emulator.url, `${n}`, `${CONCURRENCY}`];
        keep(client, await measuredCount(args, folder, n));
      }
    }
  });
  return best as Best;
}

async function withEmulator<T>(
  latencyMs: number,
  work: (emulator: Awaited<ReturnType<typeof spawnEmulator>>) => Promise<T>,
): Promise<T> {
  const emulator = await spawnEmulator({ latencyMs });
  try {
    return await work(emulator);
  } finally {
    await emulator.close();
  }
}

/** A run with everything on, in a folder of its own, so that no reply is cached. */
async function run(url: string, n: number): Promise<Measured> {
  const cwd = join(folder, `run-${++runs}`);
  mkdirSync(cwd);
  const size = ['--n-records', `${n}`, '--test-size', '1', '--max-concurrency', `${CONCURRENCY}`];
  const model = ['--model', 'openai-compatible/bench', '--base-url', `${url}/v1`];
  const found = await measured([...command, 'run', 'ckd/detection', ...model, ...size, '--json'], cwd);
  rmSync(cwd, { recursive: true });
  const { ledger } = JSON.parse(found.stdout);
  if (ledger.n !== n || ledger.failed > 0) throw new Error(`not a whole run: ${JSON.stringify(ledger)}`);
  return found;
}

async function measureScore(): Promise<void> {
  const task = ['--task', 'detection', '--positive-label', 'present', '--json'];
  for (const kind of ['jsonl', 'json'] as const) {
    const file = join(folder, `answers.${kind}`);
    await writeRows(file, kind);
    const found: Measured[] = [];
    for (let i = 0; i < ROUNDS; i++) found.push(await measured([...command, 'score', file, ...task], folder));
    const { n } = JSON.parse(found[0]!.stdout);
    if (n !== SCORED) throw new Error(`${n} rows were scored`);
    const name = `score of ${SCORED} rows of ${kind}`;
    // A document is read piece by piece, which takes longer and must not take more memory.
    if (kind === 'jsonl') line(name, Math.min(...found.map(({ seconds }) => seconds)), 4.5, 3, 's');
    line(`${name}, peak memory`, Math.min(...found.map(({ megabytes }) => megabytes)), 350, 250, 'MB');
    rmSync(file);
  }
}

async function writeRows(file: string, kind: 'jsonl' | 'json'): Promise<void> {
  const stream = createWriteStream(file);
  let separator = kind === 'json' ? '[' : '';
  let text = '';
  for (const row of answers(SCORED, 'stated')) {
    text += `${separator}${JSON.stringify(row)}\n`;
    separator = kind === 'json' ? ',' : '';
    if (text.length < 2 ** 20) continue;
    if (!stream.write(text)) await once(stream, 'drain');
    text = '';
  }
  stream.end(kind === 'json' ? `${text}]\n` : text);
  await once(stream, 'finish');
}

async function measureStart(): Promise<void> {
  const model = ['--model', 'simulated/careful', '--n-records', '20', '--run', 'small.db'];
  await timedProcess([...command, 'run', 'ckd/detection', ...model], folder);
  for (const [args, must, aim] of [
    [['--version'], 80, 40],
    [['--help'], 150, 80],
    [['report', 'small.db'], 300, 200],
  ] as const) {
    const times: number[] = [];
    for (let i = 0; i < 5 * ROUNDS; i++)
      times.push((await timedProcess([...command, ...args], folder)).seconds * 1000);
    line(`krisis ${args.join(' ')}`, Math.min(...times), must, aim, 'ms');
  }
}

function head(): void {
  console.log('| measure | now | must | aim | |\n|---|---|---|---|---|');
}

function line(what: string, value: number, must: number, aim: number | null, unit: string): void {
  const digits = unit === 'MB' || unit === 'ms' ? 0 : 2;
  const verdict = aim !== null && value <= aim ? 'aim met' : value <= must ? 'met' : 'NOT MET';
  console.log(`| ${what} | ${value.toFixed(digits)} ${unit} | ${must} | ${aim ?? ''} | ${verdict} |`);
  if (value > must) process.exitCode = 1;
}
