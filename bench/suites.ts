import { createHash } from 'node:crypto';
import { CkdSuite } from '../src/entries/ckd.ts';
import { diabetesSuite } from '../src/entries/diabetes.ts';
import type { Suite } from '../src/suites/suite.ts';
import { report } from './fixture.ts';

/** The processor time that generating, labelling, counting and hashing a record takes, beside writing the same record as JSON and hashing it. */
const N = 20_000;
const ROUNDS = 3;

const size = { nRecords: N, testSize: 1 };
const SUITES: readonly (() => Suite)[] = [
  ...(['detection', 'staging', 'progression'] as const).map((task) => () => new CkdSuite({ task, ...size })),
  ...(['diagnosis', 'control', 'trend'] as const).map((task) => () => diabetesSuite({ task, ...size })),
];

for (const make of SUITES) {
  const suite = make();
  const records = [...suite.stream!()];
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
    await make().describe();
    ours = Math.min(ours, cpuMs() - written);
  }
  const perRecord = (ms: number) => `${(ms / N).toFixed(4)} ms`;
  console.log(`${suite.name}, per record: JSON and hash ${perRecord(floor)}, suite ${perRecord(ours)}`);
  report(`${suite.name}, suite / JSON and hash`, ours / floor, 12);
}

function cpuMs(): number {
  const { user, system } = process.cpuUsage();
  return (user + system) / 1000;
}
