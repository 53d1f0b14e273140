import { spawn } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';

export interface Measured {
  readonly seconds: number;
  /** When it ended, in milliseconds of the clock. */
  readonly endedAt: number;
  /** CPU of the process and its Node children. */
  readonly cpuSeconds: number;
  /** The sum of their peaks of resident memory. */
  readonly megabytes: number;
  readonly stdout: string;
}

/** The command of this clone. */
export const BIN = resolve(import.meta.dirname, '../bin/krisis.js');
const [firstLine] = readFileSync(BIN, 'utf8').split('\n', 1) as [string];
/** What Node is started with where the command is run by its name. */
export const NODE_FLAGS: readonly string[] = firstLine.split(' ').filter((word) => word.startsWith('--'));

interface Usage {
  readonly megabytes: number;
  readonly cpuSeconds: number;
}

const HOOK = new URL('./report-usage.ts', import.meta.url).href;

/** Runs a node process and measures it as a whole, its start included. One that fails is an error. */
export async function measured(args: readonly string[], cwd: string): Promise<Measured> {
  const folder = mkdtempSync(join(tmpdir(), 'krisis-usage-'));
  const file = join(folder, 'usage.jsonl');
  try {
    const env = { NODE_OPTIONS: `--import ${HOOK}`, KRISIS_BENCH_USAGE: file };
    const timed = await timedProcess(args, cwd, env);
    const lines = readFileSync(file, 'utf8').trimEnd().split('\n');
    const usage = lines.map((line) => JSON.parse(line) as Usage);
    const sum = (key: keyof Usage) => usage.reduce((total, one) => total + one[key], 0);
    return { ...timed, cpuSeconds: sum('cpuSeconds'), megabytes: sum('megabytes') };
  } finally {
    rmSync(folder, { recursive: true });
  }
}

/** Only the time, without anything loaded into the process: for commands that take less than a second. */
export function timedProcess(
  args: readonly string[],
  cwd: string,
  env: NodeJS.ProcessEnv = {},
): Promise<Pick<Measured, 'seconds' | 'endedAt' | 'stdout'>> {
  return new Promise((done, fail) => {
    const started = performance.now();
    const child = spawn(process.execPath, args, { cwd, env: { ...process.env, ...env } });
    let stdout = '';
    let stderr = '';
    child.stdout.on('data', (chunk) => {
      stdout += chunk;
    });
    child.stderr.on('data', (chunk) => {
      stderr += chunk;
    });
    child.on('close', (code) => {
      const seconds = (performance.now() - started) / 1000;
      if (code !== 0) return fail(new Error(`${args.join(' ')}: ${code} ${stderr}`));
      done({ seconds, endedAt: Date.now(), stdout });
    });
  });
}

/** What the process printed must be this number: one that lost rows is not fast. */
export async function measuredCount(args: readonly string[], cwd: string, n: number): Promise<Measured> {
  const found = await measured(args, cwd);
  if (Number(found.stdout) !== n)
    throw new Error(`${args.join(' ')}: expected ${n}, printed ${found.stdout}`);
  return found;
}
