import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { CkdSuite } from '../src/domains/ckd/ckd-suite.ts';
import { parsePersonality } from '../src/models/simulated/personality.ts';
import { simulatedBackend } from '../src/models/simulated/simulated-backend.ts';
import { type Journal, RunFile } from '../src/store/run-file.ts';
import { execute } from '../test/execute.ts';

/** What the engine costs beside a bare loop over the same backend: journaling, splitting, order and progress. Nothing is asserted: a simulated model answers in no time. */
const suite = new CkdSuite({ task: 'staging', nRecords: 10_000, testSize: 1 });
const records = await suite.load();
const backend = simulatedBackend('simulated/careful', parsePersonality('careful'), records, 42);
const batchSize = 8;

const bare = await seconds(async () => {
  for (let from = 0; from < records.length; from += batchSize) {
    await backend.evaluateBatch(records.slice(from, from + batchSize), suite.task);
  }
});
const run = (journal: Journal) =>
  execute({ records, task: suite.task, backend, journal, batchSize, maxConcurrency: 4 });
const memory = await seconds(async () => {
  const journal = RunFile.inMemory();
  await run(journal);
  journal.close();
});
const folder = mkdtempSync(join(tmpdir(), 'krisis-bench-'));
let files = 0;
const file = await seconds(async () => {
  const journal = RunFile.write(join(folder, `${files++}.db`));
  await run(journal);
  journal.close();
});
rmSync(folder, { recursive: true });
console.log(`${records.length} records in batches of ${batchSize}`);
console.log(`engine in memory / bare loop: ${(memory / bare).toFixed(2)}`);
console.log(`engine with run file / bare loop: ${(file / bare).toFixed(2)}`);

async function seconds(work: () => Promise<unknown>): Promise<number> {
  let best = Number.POSITIVE_INFINITY;
  for (let i = 0; i < 3; i++) {
    const start = performance.now();
    await work();
    best = Math.min(best, (performance.now() - start) / 1000);
  }
  return best;
}
