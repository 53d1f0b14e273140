import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, describe, expect, it } from 'vitest';
import { createRandom } from '../src/statistics/random.ts';
import { ENTRIES } from '../src/store/tables.ts';
import { verifyRun } from '../src/store/verify-run.ts';
import { query } from './emulated-run.ts';
import { krisis } from './krisis.ts';
import { minutes, rounds } from './torture/rounds.ts';

/**
 * kill -9 at random moments of a run with batches, splits, retries and failures. After going on until it is done: every record has one result, no call that came back was made
 * again, and the scores are those of a run that nobody disturbed.
 */
const folder = mkdtempSync(join(tmpdir(), 'krisis-kill-'));
afterAll(() => rmSync(folder, { recursive: true }));

const KILLS = rounds(20);
const N_RECORDS = rounds(400);
const CONCURRENCY = 3;
const flaky = 'simulated/flaky?latency_ms=40&malformed=0.15&flaky=0.1&poisoned=0.02';
const args = (file: string, model: string) => [
  'run',
  'ckd/detection',
  '--model',
  model,
  '--n-records',
  String(N_RECORDS),
  '--batch-size',
  '4',
  '--max-concurrency',
  String(CONCURRENCY),
  '--run',
  file,
  '--bootstrap',
  '50',
  '--fail-on-error',
  '1',
  '--json',
];
const disturbed = join(folder, 'disturbed.db');

/** Rows that are safe in the file; 0 while there is none. */
function rowsIn(file: string): number {
  try {
    return query<{ n: number }>(file, 'SELECT count(*) AS n FROM rows')[0]!.n;
  } catch {
    return 0;
  }
}

/** Lets the run get some rows further, then kills it wherever it is; or lets it end. */
async function runFurther(rows: number, thenMilliseconds: number): Promise<'killed' | 'ended'> {
  const goal = rowsIn(disturbed) + rows;
  const child = spawn(process.execPath, [resolve('bin/krisis.js'), ...args(disturbed, flaky)], {
    stdio: 'ignore',
  });
  const ended = once(child, 'exit') as Promise<[number | null, NodeJS.Signals | null]>;
  while (child.exitCode === null && rowsIn(disturbed) < goal) await sleep(10);
  await sleep(thenMilliseconds);
  child.kill('SIGKILL');
  const [, signal] = await ended;
  return signal === 'SIGKILL' ? 'killed' : 'ended';
}

describe('a run that is killed again and again', () => {
  it('loses nothing, repeats nothing, and ends where it would have ended', {
    timeout: minutes(10),
  }, async () => {
    const random = createRandom(Date.now() % 100_000);
    let rowsSeen = 0;
    for (let kill = 1; kill <= KILLS; kill++) {
      expect(await runFurther(1 + random.integer(14), random.integer(60)), `kill ${kill}`).toBe('killed');
      const rows = rowsIn(disturbed);
      expect(rows).toBeGreaterThan(rowsSeen);
      rowsSeen = rows;
      const { verdict, entries, entriesAfterSeal } = verifyRun(disturbed);
      expect([verdict, entriesAfterSeal]).toEqual(['unsealed', entries]);
    }
    const last = await krisis(args(disturbed, flaky));
    expect([last.code, last.stderr]).toEqual([0, expect.stringContaining('continuing')]);
    expect(verifyRun(disturbed)).toMatchObject({ verdict: 'verified', seals: 1, entriesAfterSeal: 0 });
    const undisturbed = await krisis(args(join(folder, 'undisturbed.db'), flaky));
    expect(undisturbed.code).toBe(0);

    const perRecord = query<{ n: number }>(
      disturbed,
      'SELECT count(*) AS n FROM rows GROUP BY record_id, repeat',
    );
    expect(perRecord).toHaveLength(N_RECORDS);
    expect(perRecord.every(({ n }) => n === 1)).toBe(true);
    const again = query(
      disturbed,
      "SELECT key FROM all_calls WHERE outcome IS NOT NULL AND outcome != 'retry' GROUP BY key HAVING count(*) > 1",
    );
    expect(again).toEqual([]);
    const attempts = query(
      disturbed,
      'SELECT key, attempt FROM all_calls WHERE outcome IS NOT NULL GROUP BY key, attempt HAVING count(*) > 1',
    );
    expect(attempts).toEqual([]);
    const inFlight = query<{ n: number }>(
      disturbed,
      'SELECT count(*) AS n FROM all_calls WHERE outcome IS NULL',
    )[0]!.n;
    expect(inFlight).toBeLessThanOrEqual(KILLS * CONCURRENCY);

    const [a, b] = [JSON.parse(last.stdout), JSON.parse(undisturbed.stdout)];
    expect(a.ledger).toEqual(b.ledger);
    expect(a.metrics).toEqual(b.metrics);
    const rows = (file: string) =>
      query(
        file,
        'SELECT record_id, repeat, state, state_reason, prediction, confidence FROM rows ORDER BY record_id, repeat',
      );
    expect(rows(disturbed)).toEqual(rows(join(folder, 'undisturbed.db')));
  });

  it('changes nothing when it is done', async () => {
    const content = () =>
      [...ENTRIES.map(({ name }) => name), 'proof', 'report', 'pacing'].map((table) =>
        query(disturbed, `SELECT * FROM ${table}`),
      );
    const before = content();
    expect((await krisis([...args(disturbed, flaky), '--keep-failed'])).code).toBe(0);
    expect(content()).toEqual(before);
  });
});
