import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, afterEach } from 'vitest';
import { RunFile } from '../src/store/run-file.ts';
import { addViews } from '../src/store/tables.ts';
import type { RecordedRequest } from './emulator/desk.ts';
import type { EmulatorOptions } from './emulator/options.ts';
import { startEmulator } from './emulator/server.ts';
import type { EmulatorStats } from './emulator/tally.ts';
import { krisis, type Ran } from './krisis.ts';

/** One model of every provider: what follows the emulator's address, and the variable that its key is read from. */
export const MODELS = {
  openai: { model: 'openai/m', path: '/v1', keyVariable: 'OPENAI_API_KEY' },
  anthropic: { model: 'anthropic/claude-sonnet-4-5', path: '/v1', keyVariable: 'ANTHROPIC_API_KEY' },
  'anthropic with a tool': {
    model: 'anthropic/claude-3-haiku-20240307',
    path: '/v1',
    keyVariable: 'ANTHROPIC_API_KEY',
  },
  google: { model: 'google/m', path: '/v1beta', keyVariable: 'GOOGLE_GENERATIVE_AI_API_KEY' },
  xai: { model: 'xai/m', path: '/v1', keyVariable: 'XAI_API_KEY' },
  openrouter: { model: 'openrouter/some-lab/m', path: '/api/v1', keyVariable: 'OPENROUTER_API_KEY' },
  azure: { model: 'azure/m', path: '/openai', keyVariable: 'AZURE_API_KEY' },
  bedrock: { model: 'bedrock/amazon.nova-m-v1:0', path: '', keyVariable: 'AWS_BEARER_TOKEN_BEDROCK' },
  vertex: { model: 'vertex/m', path: '/v1/publishers/google', keyVariable: 'GOOGLE_VERTEX_API_KEY' },
  ollama: { model: 'ollama/m', path: '/v1', keyVariable: null },
  'openai-compatible': {
    model: 'openai-compatible/my/m',
    path: '/v1',
    keyVariable: 'OPENAI_COMPATIBLE_API_KEY',
  },
} as const;

export type ModelName = keyof typeof MODELS;
/** The three forms that all others are variations of. */
export const MAIN: readonly ModelName[] = ['openai', 'anthropic', 'google'];

/** A key for each provider, known from all others, in a form that no pattern knows. */
export const KEYS: Readonly<Record<string, string>> = Object.fromEntries(
  Object.values(MODELS).flatMap(({ keyVariable }) =>
    keyVariable === null ? [] : [[keyVariable, `canary-of-${keyVariable.toLowerCase().replaceAll('_', '')}`]],
  ),
);

/** Nothing of the developer's own keys, addresses and proxies reaches the command. */
const ENVIRONMENT = {
  PATH: process.env.PATH,
  HOME: tmpdir(),
  KRISIS_CONFIG_DIR: process.env.KRISIS_CONFIG_DIR,
  NO_COLOR: '1',
  KRISIS_TRUST_CONFIG: '1',
  AWS_REGION: 'eu-west-1',
  ...KEYS,
};

const folders: string[] = [];
afterAll(() => {
  for (const folder of folders) rmSync(folder, { recursive: true, force: true });
});

/** A working folder of one's own, whose config makes waits between retries short and intervals cheap. */
export function workingFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), 'krisis-emulated-'));
  folders.push(folder);
  writeFileSync(
    join(folder, 'krisis.config.yaml'),
    'run: { retryBaseSeconds: 0.02, retryMaxSeconds: 0.1 }\nscore: { bootstrap: 50 }\n',
  );
  return folder;
}

/** An emulated provider. Its answers are promises, as those of one in another process are. */
export interface TestEmulator {
  readonly url: string;
  stats(): Promise<EmulatorStats>;
  requests(): Promise<readonly RecordedRequest[]>;
  reset(): Promise<void>;
  close(): Promise<void>;
}

const emulators: TestEmulator[] = [];
afterEach(async () => {
  for (const emulator of emulators.splice(0)) await emulator.close();
});

/** An emulator in this process that ends with the test. */
export async function emulator(options: EmulatorOptions = {}): Promise<TestEmulator> {
  const server = await startEmulator(options);
  const started: TestEmulator = {
    url: server.url,
    stats: async () => server.stats(),
    requests: async () => [...server.requests],
    reset: async () => server.reset(),
    close: () => server.close(),
  };
  emulators.push(started);
  return started;
}

/** The flags that send a model's questions to an emulator. */
export function toEmulator(name: ModelName, { url }: { readonly url: string }): string[] {
  const { model, path } = MODELS[name];
  return ['--model', model, '--base-url', url + path];
}

/** Twenty-four records in six batches: small enough to be run many times. */
export const SMALL = [
  'run',
  'ckd/staging',
  '--n-records',
  '60',
  '--limit',
  '24',
  '--batch-size',
  '4',
  '--bootstrap',
  '0',
  '--json',
];

interface Started {
  readonly child: ChildProcess;
  readonly ended: Promise<Ran>;
}

/** Starts the command in a process of its own, and does not wait for it. */
export function start(args: readonly string[], cwd: string): Started {
  const child = spawn(process.execPath, [resolve('bin/krisis.js'), ...args], {
    cwd,
    env: ENVIRONMENT,
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  let stdout = '';
  let stderr = '';
  child.stdout.setEncoding('utf8').on('data', (text: string) => (stdout += text));
  child.stderr.setEncoding('utf8').on('data', (text: string) => (stderr += text));
  const ended = once(child, 'close').then(([code]) => ({ code: code as number | null, stdout, stderr }));
  return { child, ended };
}

/** Runs the command in this process to its end. */
export function command(
  args: readonly string[],
  cwd: string,
  more: Readonly<Record<string, string>> = {},
): Promise<Ran> {
  return krisis(args, { cwd, env: { ...ENVIRONMENT, ...more } });
}

/** What `krisis run --json` says of one run. */
interface RunJson {
  readonly run_file: string;
  readonly status: string;
  readonly ledger: Readonly<Record<string, number>>;
  readonly execution: Readonly<Record<string, number>> & { readonly model_ids: readonly string[] };
  readonly warnings: readonly { readonly code: string; readonly message: string }[];
}

type JsonRun = Ran & RunJson & { readonly file: string };

/** Runs the command with `--json` in this process and reads what it prints; `file` is the whole path of the run file. */
export async function runJson(args: readonly string[], cwd: string): Promise<JsonRun> {
  return readRunJson(await command(args, cwd), cwd);
}

/** The same in a process of its own: several may run at the same time. */
export async function spawnRunJson(args: readonly string[], cwd: string): Promise<JsonRun> {
  return readRunJson(await start(args, cwd).ended, cwd);
}

function readRunJson(ran: Ran, cwd: string): JsonRun {
  if (ran.stdout === '') throw new Error(`the command printed nothing; exit code ${ran.code}: ${ran.stderr}`);
  const json = JSON.parse(ran.stdout) as RunJson;
  return { ...ran, ...json, file: resolve(cwd, json.run_file) };
}

/** Queries a run file; `all_calls` has calls with their outcomes. */
export function query<Row>(file: string, sql: string): Row[] {
  const db = new DatabaseSync(file, { readOnly: true });
  try {
    addViews(db);
    return db.prepare(sql).all() as Row[];
  } finally {
    db.close();
  }
}

export function manifestOf(file: string): Record<string, unknown> {
  return RunFile.use(file, ({ events }) =>
    Object.assign({}, ...events.read('manifest').map(({ data }) => data)),
  );
}

/** All that a model decides of the rows of a run. */
export function answersIn(file: string): unknown[] {
  return query(
    file,
    'SELECT record_id, repeat, state, state_reason, prediction, abstained, confidence, deferral_reason FROM rows ORDER BY record_id, repeat',
  );
}

/** A number that a run file holds; 0 while there is no such file or table. */
export function countIn(file: string, sql: string): number {
  try {
    return Number(Object.values(query<Record<string, number>>(file, sql)[0] ?? {})[0] ?? 0);
  } catch {
    return 0;
  }
}

/** Waits for something to become true. The patience is long, and only there so that a test cannot hang. */
export async function until(what: string, isSo: () => boolean | Promise<boolean>): Promise<void> {
  for (const started = Date.now(); !(await isSo()); await sleep(10))
    if (Date.now() - started > 60_000) throw new Error(`this never came: ${what}`);
}

/** A table of patients and its suite, without a word about sensitivity; gives back the suite's path. */
export function tableSuite(
  folder: string,
  rows: readonly Readonly<Record<string, string | number>>[],
  more = '',
): string {
  const columns = Object.keys(rows[0]!);
  const cell = (value: unknown) => `"${String(value).replaceAll('"', '""')}"`;
  const lines = rows.map((row) => columns.map((column) => cell(row[column])).join(','));
  writeFileSync(join(folder, 'patients.csv'), `${columns.join(',')}\n${lines.join('\n')}\n`);
  const shown = columns.filter((column) => column !== 'id' && column !== 'label');
  writeFileSync(
    join(folder, 'patients.yaml'),
    `name: own/patients\nfile: patients.csv\nid: id\nlabel: label\nlabels: [ill, well]\ncolumns: [${shown.join(', ')}]\ninstructions: Is the patient ill or well?\n${more}`,
  );
  return join(folder, 'patients.yaml');
}
