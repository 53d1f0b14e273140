import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { report } from './fixture.ts';

/** Peak resident memory of `krisis run` with a simulated model, 10,000 records against 100,000. */
const folder = mkdtempSync(join(tmpdir(), 'krisis-bench-'));
try {
  const small = peakMegabytes(10_000);
  const large = peakMegabytes(100_000);
  console.log(`10,000 records: ${small.toFixed(0)} MB; 100,000 records: ${large.toFixed(0)} MB`);
  report('peak memory of 100,000 records / 320 MB', large / 320, 1);
  report('peak memory of 100,000 records / that of 10,000', large / small, 1.5);
} finally {
  rmSync(folder, { recursive: true });
}

function peakMegabytes(n: number): number {
  const args = [
    // As bin/krisis.js has it.
    '--max-semi-space-size=16',
    'bench/peak-memory.ts',
    'run',
    'ckd/staging',
    '--model',
    'simulated/careful',
    '--n-records',
    String(n),
    '--test-size',
    '1',
    '--bootstrap',
    '0',
    '--json',
    '--run',
    join(folder, `${n}.db`),
  ];
  const { stdout, stderr, status } = spawnSync(process.execPath, args, {
    encoding: 'utf8',
    maxBuffer: 1 << 28,
  });
  if (status !== 0) throw new Error(stderr);
  const { ledger } = JSON.parse(stdout);
  if (ledger.n !== n) throw new Error(`expected ${n} rows, got ${ledger.n}`);
  return Number(/peak (\d+)/.exec(stderr)![1]) / 1024;
}
