import { spawn } from 'node:child_process';
import { once } from 'node:events';
import {
  chmodSync,
  existsSync,
  linkSync,
  mkdirSync,
  readdirSync,
  renameSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { join, resolve } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { describe, expect, it } from 'vitest';
import {
  answersIn,
  command,
  countIn,
  emulator,
  query,
  runJson,
  SMALL,
  start,
  toEmulator,
  until,
  workingFolder,
} from './emulated-run.ts';

/** What a run does when its file, its disk or its cache fails it: it says so once, never that it is complete, and keeps what was paid for where that is possible. */

const rows = 'SELECT count(*) FROM rows';
const slow = (server: { readonly url: string }, file: string) => [
  ...SMALL.filter((arg) => arg !== '--json'),
  '--batch-size',
  '1',
  '--max-concurrency',
  '1',
  ...toEmulator('openai', server),
  '--run',
  file,
];

describe('a run file that is taken away while it is written', () => {
  it.each([
    ['deleted', (file: string) => rmSync(file)],
    [
      'deleted with its log',
      (file: string) => {
        for (const end of ['', '-wal', '-shm']) rmSync(file + end);
      },
    ],
    ['renamed', (file: string) => renameSync(file, `${file}.old`)],
    [
      'replaced',
      (file: string) => {
        renameSync(file, `${file}.old`);
        writeFileSync(file, 'another file');
      },
    ],
  ] as const)('is noticed: %s', { timeout: 60_000 }, async (_, take) => {
    const cwd = workingFolder();
    const file = join(cwd, 'run.db');
    let latencyMs = 150;
    const server = await emulator({ latencyMs: () => latencyMs });
    const { ended } = start(slow(server, 'run.db'), cwd);
    await until('some rows', () => countIn(file, rows) >= 5);
    take(file);
    const { code, stdout, stderr } = await ended;
    expect([code, stdout]).toEqual([3, '']);
    expect(stderr).toMatch(/run\.db: was deleted, renamed or replaced while .* saved as run\.saved\.db/);
    const { requests } = await server.stats();
    expect(requests).toBeLessThan(24);
    // Every reply that came back is in the copy, and it continues.
    const saved = join(cwd, 'run.saved.db');
    expect(countIn(saved, rows)).toBe(requests);
    latencyMs = 0;
    const again = await command(slow(server, 'run.saved.db'), cwd);
    expect([again.code, answersIn(saved).length]).toEqual([0, 24]);
    expect((await server.stats()).requests).toBe(24);
  });
});

describe('a disk that is full', () => {
  it('ends the run with one message and exit code 3; rows that were written are kept, and it continues', {
    timeout: 60_000,
  }, async () => {
    const cwd = workingFolder();
    const server = await emulator();
    const args = [...slow(server, 'run.db'), '--no-cache'];
    // A limit on the size of files: the log of the run file passes it after some rows.
    const quoted = args.map((arg) => `'${arg}'`).join(' ');
    const script = `trap '' XFSZ; ulimit -f 300; exec ${process.execPath} ${resolve('bin/krisis.js')} ${quoted}`;
    const child = spawn('bash', ['-c', script], {
      cwd,
      env: { ...process.env, OPENAI_API_KEY: 'k', NO_COLOR: '1', NODE_DISABLE_COMPILE_CACHE: '1' },
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    let [stdout, stderr] = ['', ''];
    child.stdout.on('data', (text) => (stdout += text));
    child.stderr.on('data', (text) => (stderr += text));
    const [code] = await once(child, 'close');
    expect([code, stdout]).toEqual([3, '']);
    expect(stderr).toMatch(/run\.db: cannot be written: .*\n.*the same command continues/);
    expect(stderr.split('krisis: ')).toHaveLength(2);
    const kept = countIn(join(cwd, 'run.db'), rows);
    const asked = (await server.stats()).requests;
    expect(asked - kept).toBeLessThanOrEqual(1);
    const again = await command(args, cwd);
    expect([again.code, answersIn(join(cwd, 'run.db')).length]).toEqual([0, 24]);
    expect((await server.stats()).requests - 24).toBeLessThanOrEqual(1);
  });
});

describe('a place that cannot be written', () => {
  it('is refused before anything is asked, with one message', async () => {
    const cwd = workingFolder();
    const server = await emulator();
    mkdirSync(join(cwd, 'in-the-way'), { recursive: true });
    writeFileSync(join(cwd, 'in-the-way', 'file'), '');
    const refused = await command(slow(server, 'in-the-way/file/run.db'), cwd);
    expect([refused.code, refused.stdout]).toEqual([2, '']);
    expect(refused.stderr).toMatch(/^krisis: in-the-way\/file\/run\.db: cannot be written: .*\n/);
    expect((await server.stats()).requests).toBe(0);
  });

  it.skipIf(process.getuid?.() === 0)('is refused when it is a read-only file', async () => {
    const cwd = workingFolder();
    const server = await emulator();
    const first = await runJson([...SMALL, ...toEmulator('openai', server), '--limit', '4'], cwd);
    chmodSync(first.file, 0o444);
    const refused = await command([...SMALL, ...toEmulator('openai', server)], cwd);
    expect(refused.code).toBe(2);
    expect(refused.stderr).toContain('cannot be written');
  });
});

describe('a cache that another process has locked', () => {
  it('is left out with one warning, and the run does not wait for it', async () => {
    const cwd = workingFolder();
    const server = await emulator();
    const args = [...SMALL, ...toEmulator('openai', server)];
    await runJson([...args, '--limit', '4'], cwd);
    const lock = new DatabaseSync(join(cwd, '.krisis/cache.db'));
    lock.exec('BEGIN IMMEDIATE');
    const started = performance.now();
    const run = await runJson([...args, '--new'], cwd);
    expect(performance.now() - started).toBeLessThan(10_000);
    lock.close();
    expect([run.code, run.status]).toEqual([0, 'complete']);
    expect(run.stderr.match(/cache is left out/g)).toHaveLength(1);
  });
});

describe('two names of one file', () => {
  it.each([
    ['a symbolic link', symlinkSync],
    ['a hard link', linkSync],
  ])('share one lock: %s', { timeout: 60_000 }, async (_, link) => {
    const cwd = workingFolder();
    let latencyMs = 200;
    const server = await emulator({ latencyMs: () => latencyMs });
    const { ended } = start(slow(server, 'a.db'), cwd);
    await until('some rows', () => countIn(join(cwd, 'a.db'), rows) >= 2);
    link(join(cwd, 'a.db'), join(cwd, 'b.db'));
    const second = await command(slow(server, 'b.db'), cwd);
    expect([second.code, second.stderr]).toEqual([2, expect.stringContaining('another process is writing')]);
    latencyMs = 0;
    expect((await ended).code).toBe(0);
    const after = await command(slow(server, 'b.db'), cwd);
    expect([after.code, answersIn(join(cwd, 'b.db')).length]).toEqual([0, 24]);
    expect((await server.stats()).requests).toBe(24);
  });
});

describe('a provider that asks for a very long wait', () => {
  it('stops the run with the date; krisis ops waits shows it, and --set ignoreWaits=true forgets it', async () => {
    const cwd = workingFolder();
    const server = await emulator({ storm: { from: 2, to: 3, retryAfterSeconds: 90_000 } });
    const args = [...SMALL, ...toEmulator('openai', server), '--max-concurrency', '1'];
    for (const round of ['first', 'second']) {
      const stopped = await runJson(args, cwd);
      expect([round, stopped.code, stopped.status]).toEqual([round, 3, 'stopped']);
      expect(stopped.stderr).toMatch(/asks for no calls until \d{4}-\d\d-\d\d \d\d:\d\d UTC/);
      expect(stopped.stderr).toContain('--set ignoreWaits=true');
    }
    expect((await server.stats()).requests).toBe(3);
    const host = new URL(server.url).host;
    expect((await command(['ops', 'waits'], cwd)).stdout).toMatch(new RegExp(`^${host} +until \\d{4}-`));
    const json = JSON.parse((await command(['ops', 'waits', '--json'], cwd)).stdout);
    expect(json.waits).toEqual([{ host, until: expect.stringMatching(/Z$/) }]);
    const run = await runJson([...args, '--set', 'ignoreWaits=true'], cwd);
    expect([run.code, run.status]).toEqual([0, 'complete']);
    expect((await command(['ops', 'waits'], cwd)).stdout).toContain('no provider asked to wait');
    expect((await command(['ops', 'waits', 'clear'], cwd)).stdout).toBe('0 waits forgotten\n');
  });
});

describe('a run that was killed', () => {
  it('says how many calls may be asked again', { timeout: 60_000 }, async () => {
    const cwd = workingFolder();
    const file = join(cwd, 'run.db');
    let latencyMs = 1000;
    const server = await emulator({ latencyMs: () => latencyMs });
    const args = slow(server, 'run.db').map((arg) => (arg === '1' ? '2' : arg));
    const { child, ended } = start(args, cwd);
    await until('two calls', () => countIn(file, 'SELECT count(*) FROM all_calls') >= 2);
    child.kill('SIGKILL');
    await ended;
    latencyMs = 0;
    const again = await command(args, cwd);
    expect(again.stderr).toContain('continuing run.db; 2 calls had no outcome yet and may be asked again');
    expect(query(file, 'SELECT count(*) AS n FROM all_calls WHERE outcome IS NULL')).toEqual([{ n: 2 }]);
    expect(existsSync(join(cwd, 'run.saved.db')) || readdirSync(cwd).some((name) => /saved/.test(name))).toBe(
      false,
    );
  });
});

describe('replies of many megabytes', () => {
  const args = (server: { readonly url: string }) => [
    ...['run', 'ckd/staging', '--n-records', '40', '--limit', '40', '--batch-size', '8', '--bootstrap', '0'],
    ...['--json', '--no-cache', ...toEmulator('openai-compatible', server)],
  ];

  it('are stored up to a million characters, once per call, the rest as length and hash', async () => {
    const server = await emulator({ padding: 5e6 });
    const run = await runJson(args(server), workingFolder());
    expect([run.code, answersIn(run.file).length]).toEqual([0, 40]);
    const calls = query<Record<string, number>>(
      run.file,
      'SELECT length(raw_response) AS kept, reply_length AS length, length(reply_hash) AS hash FROM all_calls',
    );
    expect(calls).toHaveLength(5);
    for (const { kept, length, hash } of calls) {
      expect([kept, hash]).toEqual([2 ** 20, 64]);
      expect(length).toBeGreaterThan(5e6);
    }
    expect(statSync(run.file).size).toBeLessThan(8e6);
  });

  it('are given up beyond 16 MB, as replies that cannot be read', async () => {
    const server = await emulator({ padding: 20e6 });
    const run = await runJson([...args(server), '--limit', '4', '--fail-on-error', '1'], workingFolder());
    expect(run.ledger.failed_malformed).toBe(4);
    expect(statSync(run.file).size).toBeLessThan(2e6);
  });
});

describe('20,000 records in 128 MB of heap', () => {
  const run = async (...more: string[]) => {
    const args = ['run', 'ckd/staging', '--n-records', '20000', '--batch-size', '50', '--bootstrap', '20'];
    const child = spawn(
      process.execPath,
      [
        '--max-old-space-size=128',
        resolve('bin/krisis.js'),
        ...args,
        '--model',
        'simulated/careful',
        ...more,
      ],
      { cwd: workingFolder(), stdio: ['ignore', 'ignore', 'pipe'] },
    );
    let stderr = '';
    child.stderr.on('data', (text) => (stderr += text));
    const [code] = await once(child, 'close');
    return { code, stderr };
  };

  it('fit where the suite streams', { timeout: 600_000 }, async () => {
    expect((await run('--test-size', '1')).code).toBe(0);
  });

  it('are refused at once, with what they need, where the suite has a training part', async () => {
    const { code, stderr } = await run();
    expect([code, stderr]).toEqual([2, expect.stringMatching(/need about \d+ MB of heap, and Node has \d+/)]);
  });
});
