import { spawnSync } from 'node:child_process';
import { resolve } from 'node:path';
import { Readable } from 'node:stream';
import { main } from '../src/cli/main.ts';

export interface Ran {
  readonly code: number | null;
  readonly stdout: string;
  readonly stderr: string;
}

interface RunOptions {
  readonly cwd?: string;
  /** What the command reads from standard input. Default: nothing. */
  readonly input?: string;
  /** All variables the command sees. Default: those of this process, and COLUMNS so large that no line is broken. */
  readonly env?: Readonly<Record<string, string | undefined>>;
}

const COLUMNS = '2000';

let isRunning = false;

/**
 * Runs the command in this process, which saves the start of a new one. It sees its own working folder, environment, streams and exit code, so two cannot run at the same time: start
 * processes for that, and for whatever a test needs a process for (kills, signals, pipes).
 */
export async function krisis(args: readonly string[], options: RunOptions = {}): Promise<Ran> {
  if (isRunning) throw new Error('a command already runs in this process; await it first');
  isRunning = true;
  const undo: (() => void)[] = [];
  try {
    undo.push(
      setWorkingFolder(options.cwd),
      setEnvironment(options.env ?? { ...process.env, COLUMNS }),
      clearExitCode(),
    );
    undo.push(
      setProperty(process, 'stdin', Readable.from(options.input ? [Buffer.from(options.input)] : [])),
    );
    const stdout = capture(process.stdout, undo);
    const stderr = capture(process.stderr, undo);
    const code = await main(args);
    return { code, stdout: stdout(), stderr: stderr() };
  } finally {
    for (const restore of undo.reverse()) restore();
    isRunning = false;
  }
}

const bin = resolve('bin/krisis.js');

/** Runs the command as a user would: in a process of its own. */
export function krisisProcess(args: readonly string[], options: RunOptions = {}): Ran {
  const { status, stdout, stderr } = spawnSync(process.execPath, [bin, ...args], {
    encoding: 'utf8',
    cwd: options.cwd,
    input: options.input ?? '',
    env: { ...(options.env ?? { ...process.env, COLUMNS }), NO_COLOR: '1' },
  });
  return { code: status, stdout, stderr };
}

function setWorkingFolder(folder: string | undefined): () => void {
  const before = process.cwd();
  if (folder !== undefined) process.chdir(folder);
  return () => process.chdir(before);
}

function setEnvironment(env: NonNullable<RunOptions['env']>): () => void {
  const before = { ...process.env };
  replaceEnvironment(env);
  return () => replaceEnvironment(before);
}

function replaceEnvironment(env: NonNullable<RunOptions['env']>): void {
  for (const name of Object.keys(process.env)) if (env[name] === undefined) delete process.env[name];
  for (const [name, value] of Object.entries(env)) if (value !== undefined) process.env[name] = value;
}

function setProperty(target: object, name: string, value: unknown): () => void {
  const before = Object.getOwnPropertyDescriptor(target, name);
  Object.defineProperty(target, name, { value, configurable: true, writable: true, enumerable: true });
  return () => {
    if (before === undefined) Reflect.deleteProperty(target, name);
    else Object.defineProperty(target, name, before);
  };
}

function clearExitCode(): () => void {
  const before = process.exitCode;
  process.exitCode = undefined;
  return () => {
    process.exitCode = before;
  };
}

/** Collects what is written to a stream, which passes for a pipe meanwhile. */
function capture(stream: NodeJS.WriteStream, undo: (() => void)[]): () => string {
  const chunks: Buffer[] = [];
  const write = (chunk: string | Uint8Array, ...rest: unknown[]) => {
    chunks.push(Buffer.from(chunk as string));
    const callback = rest.at(-1);
    if (typeof callback === 'function') queueMicrotask(() => callback(null));
    return true;
  };
  undo.push(setProperty(stream, 'write', write), setProperty(stream, 'isTTY', false));
  return () => Buffer.concat(chunks).toString('utf8');
}
