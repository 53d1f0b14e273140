import { createHash } from 'node:crypto';
import { CkdSuite } from '../src/suites/ckd/index.ts';
import { report } from './fixture.ts';

/** The processor time that generating, labelling, counting and hashing a record takes, beside writing the same record as JSON and hashing it. */
const N = 20_000;
const ROUNDS = 3;

for (const task of ['detection', 'staging', 'progression'] as const) {
  const options = { task, nRecords: N, testSize: 1 };
  const records = [...new CkdSuite(options).stream()];
  let floor = Number.POSITIVE_INFINITY;
  let ours = Number.POSITIVE_INFINITY;
  // In turns, so that both meet the same machine.
  for (let i = 0; i < ROUNDS; i++) {
    const started = cpuMs();
    const hash = createHash('sha256');
    for (const record of records) hash.update(JSON.stringify(record));
    hash.digest();
    const written = cpuMs();
    floor = Math.min(floor, written - started);
    await new CkdSuite(options).describe();
    ours = Math.min(ours, cpuMs() - written);
  }
  const perRecord = (ms: number) => `${(ms / N).toFixed(4)} ms`;
  console.log(`ckd/${task}, per record: JSON and hash ${perRecord(floor)}, suite ${perRecord(ours)}`);
  report(`ckd/${task}, suite / JSON and hash`, ours / floor, 12);
}

function cpuMs(): number {
  const { user, system } = process.cpuUsage();
  return (user + system) / 1000;
}
