import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { RunFile } from '../src/store/run-file.ts';
import { viewedRuns } from '../src/viewer/viewed-runs.ts';
import { report } from './fixture.ts';
import { writeViewerRun } from './viewer-runs.ts';

/**
 * Comparisons of runs of as many models, in CPU beside reading the same rows once, and the seconds that they may take on a quiet machine. The limits are of the ratios, and leave some room over what was measured
 * on a busy machine: 9.5 and 24 for five runs, 7.2 and 24 for twelve, 2.9 and 11 for two of 100,000 rows. Those two took 5.9 and 21.6 s of CPU there, more than their seconds; the others took less than theirs.
 */
const SIZES = [
  { runs: 5, rows: 1000, first: { ratio: 12, seconds: 1 }, rest: { ratio: 30, seconds: 2 } },
  { runs: 12, rows: 1000, first: { ratio: 12, seconds: 2 }, rest: { ratio: 30, seconds: 6 } },
  { runs: 2, rows: 100_000, first: { ratio: 4, seconds: 4 }, rest: { ratio: 15, seconds: 20 } },
] as const;

/** What a comparison shows first, and everything else after it, as the page asks for them. */
export async function measureComparisons(): Promise<void> {
  for (const { runs: n, rows, first, rest } of SIZES) {
    const folder = mkdtempSync(join(tmpdir(), 'krisis-bench-'));
    try {
      const ids: string[] = [];
      for (let model = 0; model < n; model++) ids.push(await writeViewerRun(folder, rows, model));
      const readAll = () => {
        for (const id of ids)
          RunFile.use(join(folder, `${id}.db`), (file) => {
            for (const _ of file.rows.readScored(1));
          });
      };
      const read = Math.min(...[1, 2, 3].map(() => measureCpu(readAll)));
      const viewed = viewedRuns({ folder });
      viewed.get('runs', {});
      for (const [path, { ratio, seconds }] of [
        ['compare/first', first],
        ['compare', rest],
      ] as const) {
        const cpu = measureCpu(() => viewed.get(path, { runs: ids }));
        const what = `${path} of ${n} runs of ${rows} rows in ${(cpu / 1000).toFixed(2)} s of CPU (may take ${seconds} s)`;
        report(`${what} / reading the rows`, cpu / read, ratio);
      }
      viewed.close();
    } finally {
      rmSync(folder, { recursive: true });
    }
  }
}

/** Milliseconds of CPU, which other processes change less than time. */
function measureCpu(work: () => void): number {
  const started = process.cpuUsage();
  work();
  const { user, system } = process.cpuUsage(started);
  return (user + system) / 1000;
}
