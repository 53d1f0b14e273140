import { spawn } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { setTimeout as sleep } from 'node:timers/promises';
import { exactUpperBound } from '../src/statistics/proportions.ts';

/**
 * Early stopping through the real command, with simulated models on a table of 400 records: how often a model that is exactly at the limit passes, how many records a run saves, and whether killing and
 * continuing runs changes a verdict. Exits with 1 where a promise of docs/early-stopping.md does not hold.
 *
 *     node bench/early-stopping.ts [runs at the limit, default 400] [processes at once, default 2]
 */
const [nRuns = 400, atOnce = 2] = process.argv.slice(2).map(Number);
const N = 400;
const LIMIT = 0.8;
const ALPHA_SIDE = 0.025;
const folder = mkdtempSync(join(tmpdir(), 'krisis-early-'));
const ids = Array.from({ length: N }, (_, i) => i);
writeFileSync(
  join(folder, 'table.csv'),
  `id,value,answer\n${ids.map((i) => `r${i},${i % 17},${i % 2 ? 'yes' : 'no'}`).join('\n')}\n`,
);
writeFileSync(
  join(folder, 'suite.yaml'),
  'name: bench/early\nfile: table.csv\nsensitivity: synthetic\ncolumns:\n  value: { name: Value }\nid: id\nlabel: answer\nlabels: ["yes", "no"]\ninstructions: Is the answer yes or no?\n',
);

interface Outcome {
  readonly status: string;
  readonly lookedAt: number;
  readonly text: string;
}

function start(accuracy: number, seed: number, file: string, more = '') {
  const model = `simulated/careful?accuracy=${accuracy}&spread=0&deferral_recall=0&needless_deferral=0${more}`;
  const gate = `lower(accuracy) >= ${LIMIT}`;
  const args = [
    'run',
    'suite.yaml',
    '-m',
    model,
    '--seed',
    String(seed),
    '--run',
    file,
    '--stop-early',
    '--assert',
    gate,
  ];
  return spawn(
    process.execPath,
    [resolve('bin/krisis.js'), ...args, '--bootstrap', '0', '--no-cache', '--json'],
    {
      cwd: folder,
      stdio: ['ignore', 'pipe', 'inherit'],
    },
  );
}

async function finish(child: ReturnType<typeof start>): Promise<Outcome> {
  let text = '';
  child.stdout!.on('data', (chunk) => {
    text += chunk;
  });
  await new Promise((done) => child.on('close', done));
  const [verdict] = JSON.parse(text).stop_early.verdicts;
  return { status: verdict.status, lookedAt: verdict.looked_at, text: JSON.stringify(verdict) };
}

async function many<T>(n: number, work: (i: number) => Promise<T>): Promise<T[]> {
  const results: T[] = [];
  let next = 0;
  const worker = async () => {
    for (let i = next++; i < n; i = next++) results[i] = await work(i);
  };
  await Promise.all(Array.from({ length: atOnce! }, worker));
  return results;
}

const share = (n: number, of: number) => `${n} of ${of} (${((100 * n) / of).toFixed(1)} %)`;
let broken = 0;

async function atAccuracy(accuracy: number, n: number): Promise<void> {
  const outcomes = await many(n, (i) => finish(start(accuracy, i + 1, `run-${accuracy}-${i}.db`)));
  const count = (status: string) => outcomes.filter((outcome) => outcome.status === status).length;
  const rows = outcomes.map(({ lookedAt }) => lookedAt);
  const mean = rows.reduce((sum, looked) => sum + looked, 0) / n;
  console.log(
    `accuracy ${accuracy}: pass ${share(count('pass'), n)}, fail_shown ${count('fail_shown')}, fail_unreachable ${count('fail_unreachable')}, fail_not_shown ${count('fail_not_shown')}; mean records ${mean.toFixed(0)} of ${N}, saved ${(100 - (100 * mean) / N).toFixed(0)} %`,
  );
  if (accuracy !== LIMIT) return;
  const passed = count('pass');
  // More passes than a true rate of ALPHA_SIDE would bring in 95 % of such series.
  const expected = ALPHA_SIDE * n + 1.645 * Math.sqrt(ALPHA_SIDE * (1 - ALPHA_SIDE) * n);
  console.log(
    `false passes: ${share(passed, n)}, stated at most ${100 * ALPHA_SIDE} %; exact 95 % upper bound ${(100 * exactUpperBound(passed, n)!).toFixed(1)} %`,
  );
  if (passed > expected) broken += 1;
}

/** Kills a run four times, each time after more rows, and lets it end. */
async function killed(i: number): Promise<{ same: boolean; kills: number }> {
  const accuracy = i % 2 ? 0.9 : 0.8;
  const slow = '&latency_ms=40';
  const whole = await finish(start(accuracy, 1000 + i, `whole-${i}.db`, slow));
  const file = `killed-${i}.db`;
  let kills = 0;
  for (; kills < 4; kills++) {
    const child = start(accuracy, 1000 + i, file, slow);
    child.stdout!.resume();
    const ended = new Promise((done) => child.on('close', done));
    while (child.exitCode === null && rowsIn(file) < 5 + 12 * kills + (i % 7)) await sleep(5);
    if (child.exitCode !== null) break;
    child.kill('SIGKILL');
    await ended;
  }
  const resumed = await finish(start(accuracy, 1000 + i, file, slow));
  return { same: resumed.text === whole.text, kills };
}

function rowsIn(file: string): number {
  try {
    using db = new DatabaseSync(join(folder, file), { readOnly: true });
    return Number(db.prepare('SELECT count(*) AS n FROM rows').get()!.n);
  } catch {
    // Not there yet, or not yet a run file.
    return 0;
  }
}

try {
  await atAccuracy(LIMIT, nRuns!);
  const some = Math.max(4, Math.round(nRuns! / 10));
  for (const accuracy of [0.7, 0.85, 0.9, 0.95]) await atAccuracy(accuracy, some);
  const resumed = await many(Math.max(2, Math.round(nRuns! / 20)), killed);
  const nKills = resumed.reduce((sum, { kills }) => sum + kills, 0);
  const changed = resumed.filter(({ same }) => !same).length;
  console.log(
    `killed and continued: ${resumed.length} runs, ${nKills} kills; verdicts that changed: ${changed}`,
  );
  if (changed > 0) broken += 1;
} finally {
  rmSync(folder, { recursive: true });
}
process.exitCode = broken === 0 ? 0 : 1;
