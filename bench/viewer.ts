import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { gzipSync } from 'node:zlib';
import { recordsSql } from '../src/store/queries/query-records.ts';
import { indexRecords, type RecordIndex } from '../src/store/queries/record-index.ts';
import { RunFile } from '../src/store/run-file.ts';
import { exportSite } from '../src/viewer/export-site.ts';
import { parseFilter } from '../src/viewer/parse-filter.ts';
import { servedRuns } from '../src/viewer/served-runs.ts';
import { viewedRuns } from '../src/viewer/viewed-runs.ts';
import { viewerApp } from '../src/viewer/viewer-app.ts';
import { findChromium } from '../test/chromium.ts';
import { fastest, report } from './fixture.ts';
import { measureComparisons } from './viewer-comparisons.ts';
import { measureOpening } from './viewer-opening.ts';
import { writeViewerRun } from './viewer-runs.ts';

/** The viewer on a run of a hundred thousand rows: a filtered page beside the same bare SQL, the time until a page answers beside that of a run of a hundred rows, and the size of the app. */
const N = 100_000;
const SMALL_N = 100;
const TIMES = 15;
/** Filters, and the same condition in terms of the run file's own tables. */
const QUERIES = [
  {
    query: 'outcome=answered_wrong&confidence_from=0.9&sort=-confidence',
    where: "w.state = 'answered' AND w.prediction <> r.label AND w.confidence >= 0.9",
    order: 'w.confidence DESC',
  },
  {
    query: 'group=sex:female&stratum=3&should_abstain=true&sort=id',
    where:
      "r.metadata ->> 'sex' = 'female' AND r.metadata ->> 'ckd_stage' = 3 AND r.metadata ->> 'should_abstain' = 1",
    order: 'r.id',
  },
  { query: 'text=r99&sort=prediction', where: "instr(r.id, 'r99') > 0", order: 'w.prediction' },
  {
    query: 'confidence_from=0.5&confidence_to=0.6',
    where: 'w.confidence >= 0.5 AND w.confidence < 0.6',
    order: 'r.position',
  },
  {
    query: 'usable=true&sort=-id&offset=50000',
    where: "w.state = 'answered' AND w.confidence BETWEEN 0 AND 1",
    order: 'r.id DESC',
  },
];
const folder = mkdtempSync(join(tmpdir(), 'krisis-bench-'));
try {
  const small = await writeViewerRun(folder, SMALL_N);
  const large = await writeViewerRun(folder, N);
  await measurePages(large);
  measureExport(large);
  await measureComparisons();
  measureApp(resolve(import.meta.dirname, '../dist-web'));
  const browser = findChromium();
  if (browser === null) console.log('no Chromium: the time until a page answers was not measured');
  else await measureOpening(folder, { small, large, browser });
} finally {
  rmSync(folder, { recursive: true });
}

async function measurePages(run: string): Promise<void> {
  const runs = servedRuns({ folder });
  const app = viewerApp({ runs, appFiles: new Map(), host: '127.0.0.1', port: 7171, token: 'bench' });
  const index = indexOf(join(folder, `${run}.db`));
  const db = new DatabaseSync(join(folder, `${run}.db`), { readOnly: true });
  try {
    for (const { query, where, order } of QUERIES) {
      let total = 0;
      let best = Number.POSITIVE_INFINITY;
      for (let i = 0; i < TIMES; i++) {
        const start = performance.now();
        const response = await app.request(`/api/runs/${run}/records?${query}`, {
          headers: { host: 'localhost:7171', authorization: 'Bearer bench' },
        });
        const page = (await response.json()) as { total: number; rows: unknown[] };
        best = Math.min(best, performance.now() - start);
        if (page.rows?.length !== 100) throw new Error(`${query}: ${JSON.stringify(page).slice(0, 200)}`);
        total = page.total;
      }
      const bare = fastest(TIMES, () => bareOnIndex(index, query, total));
      const onFile = fastest(3, () => bareOnFile(db, { query, where, order, total }));
      const what = `page ${query}, ${total} rows in ${best.toFixed(1)} ms`;
      report(`${what} / bare SQL on the same index in memory`, best / bare, 3);
      report(`${what} / bare SQL on the run file`, best / onFile, 3);
    }
  } finally {
    db.close();
    index.close();
    await runs.close();
  }
}

/** An export of the run beside reading all its rows once. */
function measureExport(run: string): void {
  const path = join(folder, `${run}.db`);
  const read = fastest(3, () => {
    const file = RunFile.read(path);
    for (const _ of file.rows.read({ all: true }));
    file.close();
  });
  const runs = viewedRuns({ run: path });
  const start = performance.now();
  exportSite({ runs, appFiles: new Map(), out: join(folder, 'site'), krisisVersion: 'bench' });
  const took = performance.now() - start;
  runs.close();
  report(`export of ${N} rows in ${(took / 1000).toFixed(1)} s / reading the rows`, took / read, 20);
}

function indexOf(path: string): RecordIndex {
  const file = RunFile.read(path);
  const started = performance.now();
  const index = indexRecords(file.rows.read({ all: true }), {
    stratum: { key: 'ckd_stage', label: 'stage' },
  });
  const seconds = (performance.now() - started) / 1000;
  console.log(
    `index of ${N} rows, in a thread of its own, once for each version of the file: ${seconds.toFixed(1)} s`,
  );
  file.close();
  return index;
}

/** The hardest to compare with: everything is in memory and typed already. The same rows, and every column that a page of them shows. */
function bareOnIndex(index: RecordIndex, query: string, total: number): void {
  const filter = parseFilter(new URLSearchParams(query));
  const { count, page, values } = recordsSql(index, filter);
  const columns =
    'id, repeat, outcome, label, prediction, confidence, should_abstain, stratum, group_0, group_1';
  const found = index.db.prepare(count).get(...values)!.total;
  const rows = index.db
    .prepare(page.replace('SELECT n', `SELECT ${columns}`))
    .all(...values, 100, filter.offset ?? 0);
  if (found !== total || rows.length !== 100) throw new Error(`${query}: ${found} rows, not ${total}`);
}

/** What somebody would write by hand: no index of ours, the tables as they are. */
function bareOnFile(
  db: DatabaseSync,
  { query, where, order, total }: { query: string; where: string; order: string; total: number },
): void {
  const from = `FROM records r LEFT JOIN rows w ON w.record_id = r.id AND w.repeat = 0 WHERE ${where}`;
  const offset = Number(new URLSearchParams(query).get('offset') ?? 0);
  const found = db.prepare(`SELECT count(*) AS total ${from}`).get()!.total;
  const rows = db
    .prepare(
      `SELECT r.id, r.label, r.metadata, w.state, w.prediction, w.confidence ${from} ORDER BY ${order} LIMIT 100 OFFSET ?`,
    )
    .all(offset);
  if (found !== total || rows.length !== 100)
    throw new Error(`${query}: ${found} rows in the file, not ${total}`);
}

function measureApp(built: string): void {
  if (!existsSync(built)) throw new Error(`${built}: the app is not there; npm run build:web builds it`);
  // A review packet is a page of its own, which the viewer never loads.
  const names = ['index.html', 'app.js', 'app.css'];
  const bytes = names.map((name) => gzipSync(readFileSync(join(built, name))).length);
  const sum = bytes.reduce((all, one) => all + one, 0);
  report(`the app, gzipped (${(sum / 1000).toFixed(0)} kB) / 300 kB`, sum / 300_000, 1);
}
