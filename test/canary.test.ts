import { readdirSync, statSync } from 'node:fs';
import { join, relative } from 'node:path';
import { describe, expect, it } from 'vitest';
import {
  answersIn,
  command,
  countIn,
  emulator,
  KEYS,
  MAIN,
  MODELS,
  type ModelName,
  manifestOf,
  runJson,
  start,
  tableSuite,
  toEmulator,
  until,
  workingFolder,
} from './emulated-run.ts';
import type { Ran } from './krisis.ts';
import { textIn } from './text-in-file.ts';

/**
 * Patients whose values are known by sight, asked about by way of a provider that repeats all it is told, in replies and in errors. Nothing of them, and no key, may be found afterwards: not in
 * any file that the command wrote, and not in a word that it said.
 */
const N = 24;
const PATIENTS = Array.from({ length: N }, (_, i) => ({
  id: `p${i}`,
  label: i % 3 === 0 ? 'ill' : 'well',
  name: `Quibblewick-${i} Zoltan`,
  note: `Bakes marmaladecake at home; said "I never sleep", then
 moved to Kanariengasse ${i}, 50 % better (wörtlich)`,
  // Nine digits that all have in common: hashes are hex, and five digits in a row turn up in them by chance.
  ferritin: 839172645.25 + i / 1000,
}));

/** Parts of the values, too: whoever quotes half a sentence has still quoted it. */
const CANARIES = [
  'quibblewick',
  'zoltan',
  'marmaladecake',
  'i never sleep',
  'kanariengasse',
  '50 % better',
  '839172645',
];

function found(text: string): string[] {
  const lower = text.toLowerCase();
  return [...CANARIES, ...Object.values(KEYS)].filter((canary) => lower.includes(canary.toLowerCase()));
}

function everyFile(folder: string): string[] {
  return readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .map((name) => join(folder, name))
    .filter((path) => statSync(path).isFile());
}

/** What is found of patients and keys in the files of a folder and in what was said. */
function leaks(folder: string, ...said: readonly Ran[]): Record<string, string[]> {
  const inFiles = everyFile(folder).map((path) => [relative(folder, path), found(textIn(path))] as const);
  const inWords = said.map(
    ({ stdout, stderr }, i) => [`words of command ${i + 1}`, found(stdout + stderr)] as const,
  );
  return Object.fromEntries([...inFiles, ...inWords].filter(([, canaries]) => canaries.length > 0));
}

/** The suite lies elsewhere: what is in the working folder was written by the command. */
function protectedSuite(): string {
  return tableSuite(workingFolder(), PATIENTS);
}

const FAULTS = {
  serverErrorShare: 0.3,
  overloadedShare: 0.1,
  refusalShare: 0.1,
  truncatedShare: 0.5,
  malformedShare: 0.5,
  malformedSingles: true,
  partialShare: 0.1,
  repairableShare: 0.1,
  rateLimit: { perSecond: 40, burst: 4, header: 'ms' },
} as const;

const args = (suite: string, name: ModelName, server: { readonly url: string }) => [
  'run',
  suite,
  '--batch-size',
  '4',
  '--max-concurrency',
  '2',
  '--bootstrap',
  '0',
  '--fail-on-error',
  '1',
  '--run',
  'own.db',
  ...toEmulator(name, server),
];

describe.each(MAIN)('patients shown to %s', (name) => {
  it('are in its questions, and in nothing that is left here', async () => {
    const cwd = workingFolder();
    const suite = protectedSuite();
    const server = await emulator({ ...FAULTS, echo: true, record: true, latencyMs: 20 });
    const killed = start(args(suite, name, server), cwd);
    await until('some rows', () => countIn(join(cwd, 'own.db'), 'SELECT count(*) FROM rows') > 4);
    killed.child.kill('SIGKILL');
    const first = await killed.ended;
    // What SQLite has not yet put in its place is looked at as well.
    expect(everyFile(cwd).map((path) => relative(cwd, path))).toContain('own.db-wal');
    expect(leaks(cwd, first)).toEqual({});

    const run = await runJson([...args(suite, name, server), '--json'], cwd);
    expect([run.code, run.ledger.n, answersIn(run.file).length]).toEqual([0, N, N]);
    expect(run.execution.n_retries).toBeGreaterThan(0);
    expect(run.execution.n_splits).toBeGreaterThan(0);
    expect(leaks(cwd, run)).toEqual({});
    // The patients did come back, in replies and in errors: of those there are lengths and hashes, and our own words.
    expect(countIn(run.file, 'SELECT count(*) FROM all_calls WHERE reply_length > 100')).toBeGreaterThan(0);
    expect(countIn(run.file, 'SELECT count(*) FROM all_calls WHERE raw_response IS NOT NULL')).toBe(0);
    expect(countIn(run.file, 'SELECT count(*) FROM rows WHERE raw_response IS NOT NULL')).toBe(0);
    expect(
      countIn(run.file, "SELECT count(*) FROM all_calls WHERE error LIKE '%(HTTP 5__)'"),
    ).toBeGreaterThan(0);
    const cache = join(cwd, '.krisis/cache.db');
    expect(countIn(cache, 'SELECT count(*) FROM replies')).toBe(0);

    const reports: Ran[] = [];
    for (const format of ['text', 'json', 'metrics-json', 'md', 'html', 'junit', 'csv'])
      reports.push(await command(['report', 'own.db', '--format', format, '-o', `report.${format}`], cwd));
    reports.push(await command(['list'], cwd), await command(['runs', 'export', 'own.db'], cwd));
    expect(reports.map(({ code }) => code)).toEqual(reports.map(() => 0));
    expect(everyFile(cwd).length).toBeGreaterThan(9);
    expect(leaks(cwd, ...reports)).toEqual({});

    // And yet the provider saw all of it, with the key where it belongs and nowhere else.
    const requests = await server.requests();
    const bodies = requests.map(({ body, path }) => body! + path).join('\n');
    expect(found(bodies)).toEqual(CANARIES);
    for (const { ferritin } of PATIENTS) expect(bodies).toContain(`ferritin: ${ferritin}`);
    const key = KEYS[MODELS[name].keyVariable!]!;
    for (const { headers } of requests) expect(JSON.stringify(headers)).toContain(key);
  });

  it('are not in a reply that was cut in the middle of them', async () => {
    const cwd = workingFolder();
    const server = await emulator({ echo: true });
    const cut = [...args(protectedSuite(), name, server), '--json'];
    for (const most of ['15', '23', '31', '39']) {
      const run = await runJson([...cut, '--max-output-tokens', most, '--run', `${most}.db`], cwd);
      // The run ends early when nothing can succeed.
      expect(run.ledger.failed_truncated).toBeGreaterThan(0);
      expect(run.ledger.failed_truncated! + run.ledger.not_run!).toBe(N);
      expect(leaks(cwd, run)).toEqual({});
    }
  });

  it.each(['invalid', 'quota', 'unknown_model'] as const)(
    'are not in what is said of an account: %s',
    async (auth) => {
      const cwd = workingFolder();
      const server = await emulator({ echo: true, auth });
      const run = await command(args(protectedSuite(), name, server), cwd);
      expect([run.code, run.stdout]).toEqual([3, expect.stringContaining('Stopped: ')]);
      expect(leaks(cwd, run)).toEqual({});
    },
  );
});

describe('patients and a provider elsewhere', () => {
  /** This machine by a name that does not say so: nothing leaves it, and the command cannot know. */
  const elsewhere = ({ url }: { readonly url: string }) => ({ url: url.replace('127.0.0.1', '0.0.0.0') });

  it.each([...MAIN, 'ollama', 'openai-compatible'] as const)(
    'are not sent without a word: %s',
    async (name) => {
      const cwd = workingFolder();
      const server = await emulator();
      const refused = await command(args(protectedSuite(), name, elsewhere(server)), cwd);
      expect([refused.code, refused.stdout]).toEqual([2, '']);
      expect(refused.stderr).toContain(`--allow-egress ${elsewhere(server).url.slice('http://'.length)}`);
      expect((await server.stats()).requests).toBe(0);
      expect(leaks(cwd, refused)).toEqual({});
      expect(everyFile(cwd).filter((path) => path.endsWith('own.db'))).toEqual([]);
    },
  );

  it('are not sent because another provider was named', async () => {
    const server = await emulator();
    const flags = [
      ...args(protectedSuite(), 'openai', elsewhere(server)),
      '--allow-egress',
      'anthropic,google',
    ];
    expect((await command(flags, workingFolder())).code).toBe(2);
    expect((await server.stats()).requests).toBe(0);
  });

  it('are refused by name before anything is resolved or connected', async () => {
    const refused = await command(
      args(protectedSuite(), 'openai', { url: 'http://192.0.2.1:9' }),
      workingFolder(),
    );
    expect([refused.code, refused.stderr]).toEqual([2, expect.stringContaining('192.0.2.1:9')]);
  });

  it('are sent when that is said, and the run says it: away at first, then there', async () => {
    const cwd = workingFolder();
    const suite = protectedSuite();
    const gone = await emulator();
    const port = Number(new URL(gone.url).port);
    await gone.close();
    const flags = [...args(suite, 'openai', elsewhere(gone)), '--allow-egress', '0.0.0.0', '--json'];
    const away = await runJson([...flags, '--set', 'maxRetries=0', '--timeout', '1'], cwd);
    expect([away.code, away.status, away.ledger.not_run]).toEqual([3, 'stopped', N]);
    expect(away.stderr).toContain('cannot reach');
    const server = await emulator({ port, echo: true, record: true });
    const run = await runJson(flags, cwd);
    expect([run.code, run.status, answersIn(run.file).length]).toEqual([0, 'complete', N]);
    expect(manifestOf(run.file).egress).toEqual({
      provider: 'openai',
      host: `0.0.0.0:${port}`,
      loopback: false,
      protected_data_allowed: true,
    });
    expect(found((await server.requests()).map(({ body }) => body).join())).toEqual(CANARIES);
    expect(leaks(cwd, away, run)).toEqual({});
  });
});
