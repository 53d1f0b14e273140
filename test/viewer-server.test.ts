import {
  copyFileSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { request } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { setTimeout as sleep } from 'node:timers/promises';
import { createContext, runInContext } from 'node:vm';
import { afterAll, afterEach, beforeAll, describe, expect, it, onTestFinished, vi } from 'vitest';
import { decisionFacts } from '../src/core/decision-class.ts';
import { readRun } from '../src/runs/read-run.ts';
import { runDocument } from '../src/runs/run-document.ts';
import type { RecordLine } from '../src/store/queries/record-line.ts';
import { RunFile } from '../src/store/run-file.ts';
import { ADDRESSES } from '../src/viewer/addresses.ts';
import type {
  ComparedRecordsPayload,
  ComparePayload,
  FacetsPayload,
  RecordPayload,
  RecordsPayload,
  RunLine,
  RunPayload,
  RunsPayload,
  SessionPayload,
  SuitePayload,
} from '../src/viewer/api.ts';
import { readAppFiles } from '../src/viewer/app-files.ts';
import type { ExportedSite } from '../src/viewer/export-format.ts';
import { exportSite } from '../src/viewer/export-site.ts';
import { listen } from '../src/viewer/listen.ts';
import type { ViewedPlace } from '../src/viewer/open-runs.ts';
import { parseFilter } from '../src/viewer/parse-filter.ts';
import { servedRuns } from '../src/viewer/served-runs.ts';
import { viewedRuns } from '../src/viewer/viewed-runs.ts';
import { viewerApp } from '../src/viewer/viewer-app.ts';
import { emulator, SMALL, start, toEmulator, until, workingFolder } from './emulated-run.ts';
import { answersOf } from './every-address.ts';
import { krisis } from './krisis.ts';
import { runInto } from './question-run-fixture.ts';
import { asStored, chartsOf } from './section-charts.ts';
import { APP, endRun, HEADERS, HOSTILE, TOKEN, writeRun } from './viewer-fixture.ts';

const folder = mkdtempSync(join(tmpdir(), 'krisis-viewer-'));
const runs = viewedRuns({ folder });
const faults: unknown[] = [];
const SERVER = { runs, appFiles: APP, host: '127.0.0.1', port: 7171, token: TOKEN };
const app = viewerApp({ ...SERVER, onFault: (error) => faults.push(error) });

beforeAll(async () => {
  await writeRun(join(folder, 'one.db'));
  await writeRun(join(folder, 'two.db'), { model: 'unit/other', wrongEvery: 5 });
  await writeRun(join(folder, 'else.db'), { suiteHash: 'cd'.repeat(32) });
  await writeRun(join(folder, 'secret.db'), { sensitivity: 'protected', suiteHash: 'ef'.repeat(32) });
  await runInto(join(folder, 'open.db'));
  writeFileSync(join(folder, 'broken.db'), 'no database');
});
afterEach(() => {
  expect(faults.splice(0)).toEqual([]);
});
afterAll(() => {
  runs.close();
  rmSync(folder, { recursive: true });
});

async function get<T = Record<string, unknown>>(path: string, headers: Record<string, string> = HEADERS) {
  const response = await app.request(path, { headers });
  return { status: response.status, headers: response.headers, body: (await response.json()) as T };
}

describe('runs', () => {
  it('lists runs from their files, and files that cannot be read', async () => {
    const { body, status } = await get<RunsPayload>('/api/runs');
    expect(status).toBe(200);
    expect(body.runs.map(({ id }) => id).sort()).toEqual(['else', 'one', 'open', 'secret', 'two']);
    expect(body.unreadable).toMatchObject([{ path: 'broken.db' }]);
    const one = body.runs.find(({ id }) => id === 'one')!;
    expect(one).toMatchObject({ kind: 'labels', n: 120, n_done: 112, status: 'complete', live: null });
    const report = readRun(join(folder, 'one.db'), { resamples: 0 });
    report.close();
    const { n, ...classes } = report.card.ledger;
    const there = Object.fromEntries(Object.entries(classes).filter(([, rows]) => rows > 0));
    expect(one.ledger).toEqual(there);
    expect(Object.values(one.ledger).reduce((sum, rows) => sum + rows, 0)).toBe(n);
    expect(body.runs.find(({ id }) => id === 'open')).toMatchObject({
      kind: 'questions',
      n: 3,
      ledger: { answered: 2, abstained: 1 },
    });
  });

  it('shows the numbers of the report', async () => {
    const { body } = await get<RunPayload>('/api/runs/one');
    const report = readRun(join(folder, 'one.db'));
    report.close();
    const { sections } = runDocument({ ...report, verification: null });
    expect(body.sections).toEqual(JSON.parse(JSON.stringify(sections)));
    expect(chartsOf(body.sections)).toMatchObject({
      reliability: [{ figures: { reliability: report.figures!.reliability } }],
      riskCoverage: [{ figures: { riskCoverage: JSON.parse(JSON.stringify(report.figures!.riskCoverage)) } }],
      confidence: report.figures!.confidence,
    });
    expect(body.is_inverted).toBe(report.threshold()!.confidenceStatus.status === 'inverted');
    const last = body.confidence_steps.at(-1)!;
    expect(last.n).toBe(report.figures!.riskCoverage.nUsable);
    const facts = report.evaluationResults
      .filter(({ confidence }) => confidence !== null && confidence >= 0 && confidence <= 1)
      .map((row) => decisionFacts(row))
      .filter(({ state, labelled, shouldAbstain }) => state === 'answered' && (labelled || shouldAbstain));
    expect([last.n, last.errors]).toEqual([
      facts.length,
      facts.filter(({ right, shouldAbstain }) => !right || shouldAbstain).length,
    ]);
    expect(body.facets).toMatchObject({
      label: ['no', 'null', 'yes'],
      stratum: ['1', '2', '3', '4', '5', 'none'],
    });
    expect(body.subgroups.sex).toEqual(['female', 'male']);
    expect(body.hides_text).toBe(false);
    expect((await get<RunPayload>('/api/runs/secret')).body.hides_text).toBe(true);
  });

  it('counts records in flight and rate limits of this session alone, as the terminal does', async () => {
    const path = join(folder, 'live.db');
    await writeRun(path, { n: 20, status: 'running' });
    const file = RunFile.write(path);
    try {
      const call = { mode: 'batch' as const, repeat: 0, attempt: 0 };
      await file.calls.begin({ ...call, key: 'of a killed process', recordIds: ['r12'] });
      // Times are whole milliseconds, and the call must be older than the event.
      await sleep(5);
      file.events.add('continued');
      await file.calls.begin({ ...call, key: 'new', recordIds: ['r1', 'r2', 'r3'] });
      const { body } = await get<RunsPayload>('/api/runs');
      const line = body.runs.find(({ id }) => id === 'live')!;
      expect(line.live).toEqual({ in_flight: 3, rate_limits: 0, seconds_left: null });
      expect(line.verification).toBeNull();
      const records = (await get<RecordsPayload>('/api/runs/live/records?sort=id')).body;
      expect(records.version).toBe(line.version);
      file.events.add('continued');
      const later = (await get<RecordsPayload>('/api/runs/live/records?sort=id')).body;
      expect(later.version).not.toBe(line.version);
    } finally {
      file.close();
      rmSync(path);
    }
  });

  it('shows new rows and calls in flight of a run that is being written', async () => {
    const path = join(folder, 'live.db');
    await writeRun(path, { n: 5, status: 'running' });
    expect((await get('/api/runs/live/records?outcome=answered_wrong')).body.total).toBe(4);
    const file = RunFile.write(path);
    try {
      await file.calls.begin({ key: 'new', mode: 'single', repeat: 0, recordIds: ['r1'], attempt: 0 });
      file.records.enter([[5, { id: 'r5', label: 'no', metadata: {}, features: {} }]], true);
      const { body } = await get<RunsPayload>('/api/runs');
      expect(body.runs.find(({ id }) => id === 'live')).toMatchObject({
        status: 'running',
        n: 12,
        live: { in_flight: 1, rate_limits: 2 },
      });
      expect((await get('/api/runs/live/records')).body.total).toBe(12);
      expect((await get<RunPayload>('/api/runs/live')).body.run.status).toBe('running');
    } finally {
      file.close();
      rmSync(path);
    }
  });
});

describe('a run that stores its overview', () => {
  it('gives the same payload without reading its rows', async () => {
    const path = join(folder, 'ended.db');
    await writeRun(path, { asksUrgency: true });
    const read = viewedRuns({ run: path });
    const slow = read.get('runs/:id', { id: 'ended' });
    const record = read.get('runs/:id/records/:record', { id: 'ended', record: 'r3', repeat: 1 });
    const pages = [
      {},
      { offset: 30, limit: 50 },
      { offset: 119 },
      { offset: 500 },
      { sort: 'harm' },
      { sort: 'harm', offset: 70, limit: 60 },
    ].map((filter) => [filter, read.get('runs/:id/records', { id: 'ended', ...filter })]);
    expect(read.quick('runs/:id', { id: 'ended' })).toBeNull();
    endRun(path);
    expect(read.quick('runs/:id', { id: 'ended' })).toEqual({
      ...asStored(slow),
      run: read.get('runs', {}).runs[0],
      // The end of the run added entries.
      verification: {
        verdict: 'verified',
        checked: 'everything',
        text: expect.stringMatching(/^verified: none of \d+ entries/),
        notice: expect.objectContaining({ title: 'This run file is verified' }),
      },
    });
    const { version, ...line } = read.get('runs', {}).runs[0]!;
    // Counted in the file before, and stored now.
    expect(line.decision_classes).toEqual(slow.run.decision_classes);
    expect(line.decision_classes!.missed_emergency).toBeGreaterThan(0);
    expect(line.leading[0]!.name).toBe('missed_emergency_rate');
    for (const [filter, page] of pages)
      expect(read.quick('runs/:id/records', { id: 'ended', ...(filter as object) })).toEqual({
        ...page,
        version,
      });
    expect(read.quick('runs/:id/records/:record', { id: 'ended', record: 'r3', repeat: 1 })).toEqual(record);
    expect(read.quick('runs/:id/records', { id: 'ended', sort: 'id' })).toBeNull();
    expect(() => read.get('runs/:id/records/:record', { id: 'ended', record: 'r3', repeat: 2 })).toThrow(
      'no such case',
    );
    expect(() => read.get('runs/:id/records/:record', { id: 'ended', record: 'nobody', repeat: 0 })).toThrow(
      expect.objectContaining({ code: 'ERR_RECORD_NOT_FOUND' }),
    );
    expect(() => read.get('runs/:id', { id: 'nobody' })).toThrow(
      expect.objectContaining({ code: 'ERR_RUN_NOT_FOUND' }),
    );
    expect(() => read.get('runs/:id/questions', { id: 'ended' })).toThrow(
      expect.objectContaining({ code: 'ERR_VIEW_NOT_FOUND' }),
    );
    read.close();
    rmSync(path);
  });

  it('is read again when it is continued', async () => {
    const path = join(folder, 'ended.db');
    await writeRun(path, { n: 20 });
    const read = viewedRuns({ run: path });
    endRun(path);
    const file = RunFile.write(path);
    file.setManifest({ status: 'running' });
    file.close();
    expect(read.quick('runs/:id', { id: 'ended' })).toBeNull();
    expect(read.get('runs/:id', { id: 'ended' }).run).toMatchObject({
      status: 'interrupted',
      headline: null,
    });
    read.close();
    rmSync(path);
  });
});

describe('records', () => {
  const total = async (query: string) =>
    (await get<RecordsPayload>(`/api/runs/one/records?${query}`)).body.total;

  it('are found by texts in replies, features and metadata where asked', async () => {
    expect(await total('text=site%202')).toBe(0);
    expect(await total('text=SITE%202&search_in=metadata')).toBe(40);
    expect(await total('text=onerror&search_in=features')).toBe(120);
    // Rows that were not run have no reply.
    expect(await total('text=onerror&search_in=reply')).toBe(112);
    expect(await total('text=onerror&search_in=reply&outcome=answered_wrong')).toBe(
      await total('outcome=answered_wrong'),
    );
    expect((await get('/api/runs/one/records?text=a&search_in=secrets')).status).toBe(400);
  });

  it('have the metadata columns that were asked for', async () => {
    const { rows } = (await get<RecordsPayload>('/api/runs/one/records?column=number&column=none&limit=2'))
      .body;
    expect(rows.map(({ metadata }) => metadata)).toEqual([{ number: 0 }, { number: 1 }]);
    const sorted = (await get<RecordsPayload>('/api/runs/one/records?column=site&sort=-id&limit=1')).body;
    expect(sorted.rows[0]!.metadata).toEqual({ site: 'site 2' });
  });

  it('are counted by the values of each filter, under the other filters', async () => {
    const query = 'outcome=answered_wrong&label=yes&group=sex:female';
    const { body } = await get<FacetsPayload>(`/api/runs/one/facets?${query}`);
    expect(body.total).toBe(await total(query));
    for (const { value, n } of body.counts.outcome)
      expect([value, n]).toEqual([value, await total(`outcome=${value}&label=yes&group=sex:female`)]);
    expect(body.counts.label.map(({ value }) => value).sort()).toEqual(['no', 'null', 'yes']);
    expect(body.groups.sex).toEqual([
      { value: 'female', n: body.total },
      { value: 'male', n: 0 },
    ]);
    expect(body.columns).toContain('number');
    expect(body.searchable).toEqual(['reply', 'features', 'metadata']);
  });

  it('are downloaded as CSV and JSON lines, all rows of the filter', async () => {
    const ask = (path: string) => app.request(`/api/runs/one/${path}`, { headers: HEADERS });
    const csv = await ask('records.csv?outcome=answered_wrong&column=site&include=reply');
    expect(csv.headers.get('content-disposition')).toContain("attachment; filename*=UTF-8''one.csv");
    const [head] = (await csv.text()).split('\r\n');
    expect(head).toBe(
      'id,repeat,case_kind,decision_class,must_act,urgent,outcome,label,prediction,confidence,should_abstain,reasons,stratum,metadata.site,reply',
    );
    const lines = (await (await ask('records.jsonl?outcome=answered_wrong')).text()).trim().split('\n');
    expect(lines).toHaveLength(await total('outcome=answered_wrong'));
    expect(Object.keys(JSON.parse(lines[0]!))).not.toContain('reply');
    expect((await ask('records.csv?colour=red')).status).toBe(400);
    expect((await ask('records.csv?include=secrets')).status).toBe(400);
  });

  it('have the prompt as it was sent, where the file has what is needed', async () => {
    const { body } = await get<RecordPayload>('/api/runs/one/records/r3');
    expect(body.prompt_sent).toEqual([{ role: 'user', content: expect.stringContaining('value: 3') }]);
    const secret = (await get<RecordPayload>('/api/runs/secret/records/r3')).body;
    expect([secret.prompt_sent, secret.prompt_sent_reason]).toEqual([
      null,
      'the suite is protected, so its features are not shown',
    ]);
  });
});

describe('comparisons', () => {
  it('have the answers side by side, and lists of who is right', async () => {
    const ask = async (query = '') =>
      (await get<ComparedRecordsPayload>(`/api/compare/records?runs=one&runs=two${query}`)).body;
    const all = await ask();
    expect([all.by, all.total, all.counts.all]).toEqual(['accuracy', 60, 60]);
    for (const show of ['differing', 'only_baseline_right', 'only_others_right', 'all_wrong'] as const) {
      const { total, rows } = await ask(`&show=${show}`);
      expect([show, total]).toEqual([show, all.counts[show]]);
      expect(total).toBeGreaterThan(0);
      const [first] = rows;
      const right = first!.sides.map((side) => side.right);
      if (show === 'only_baseline_right') expect(right).toEqual([true, false]);
      if (show === 'only_others_right') expect(right).toEqual([false, true]);
      if (show === 'all_wrong') expect(right).toEqual([false, false]);
    }
    const flips = (await get('/api/runs/one/records?flips=two:only_a&repeat=0')).body.total;
    expect(all.counts.only_baseline_right).toBe(flips);
    expect((await ask('&text=r59')).total).toBe(1);
    expect((await get('/api/compare/records?runs=one')).status).toBe(400);
  });

  it('take three runs, and runs of open questions', async () => {
    await runInto(join(folder, 'open2.db'));
    const three = (await get<ComparePayload>('/api/compare?runs=one&runs=two&runs=one')).body;
    expect([three.runs.length, three.reason]).toEqual([3, null]);
    const open = (await get<ComparePayload>('/api/compare?runs=open&runs=open2')).body;
    expect([open.reason, open.sections.map(({ id }) => id)]).toEqual([null, ['models', 'pair-1', 'method']]);
    const records = (await get<ComparedRecordsPayload>('/api/compare/records?runs=open&runs=open2')).body;
    expect([records.by, records.total, records.counts.differing]).toEqual(['items', 3, 0]);
    expect(records.rows[0]!.sides.map(({ answers }) => answers[0]!.text)).not.toContain(null);
    expect(records.rows.flatMap(({ items }) => items).length).toBeGreaterThan(0);
    rmSync(join(folder, 'open2.db'));
  });

  it('lists all runs of a suite, also where none has stored scores', async () => {
    const { body } = await get<SuitePayload>('/api/suites/unit%2Fsuite');
    expect([body.n_runs, body.n_models, body.n_hidden]).toEqual([4, 2, 0]);
    const links = JSON.stringify((body.all ?? body.newest).section).match(/\/runs\/\w+/g);
    expect(links!.toSorted()).toEqual(['/runs/else', '/runs/one', '/runs/secret', '/runs/two']);
    expect((await get('/api/suites/nothing')).status).toBe(404);
  });
});

describe('servedRuns', () => {
  it('gives the same payloads and errors from its processes', async () => {
    const served = servedRuns({ folder });
    const there = viewerApp({ runs: served, appFiles: APP, host: '127.0.0.1', port: 7171, token: TOKEN });
    const paths = [
      'runs/one',
      'runs/one/records?sort=-confidence&limit=3',
      'runs/one/records/r3',
      'runs/open/questions',
      'compare/first?runs=one&runs=two',
      'compare/first?runs=two&runs=one',
      'compare?runs=one&runs=two',
      'compare/records?runs=one&runs=two&show=differing&limit=3',
      'runs/one/facets?outcome=answered_wrong',
      'runs/one/verification',
      'suites/unit%2Fsuite',
      'runs/nobody',
      'runs/one/records?group=none:1',
      'runs/one/records/nobody',
    ];
    for (const path of paths) {
      const response = await there.request(`/api/${path}`, { headers: HEADERS });
      const { status, body } = await get(`/api/${path}`);
      expect([path, response.status, await response.json()]).toEqual([path, status, body]);
    }
    served.close();
  });

  it('starts no process once it is closed', async () => {
    const served = servedRuns({ folder });
    await served.get('runs', {});
    served.close();
    await expect(served.get('runs', {})).rejects.toMatchObject({ code: 'ERR_VIEW_NOT_FOUND' });
  });
});

describe('unusual and damaged files', () => {
  it('finds runs and records with any name', async () => {
    const id = 'a b%2F?#&ä';
    await writeRun(join(folder, `${id}.db`), { n: 3, idOf: (i) => `p/${i}?&%` });
    const address = `/api/runs/${encodeURIComponent(id)}`;
    expect((await get<RunPayload>(address)).body.run.id).toBe(id);
    const record = await get<RecordPayload>(`${address}/records/${encodeURIComponent('p/1?&%')}?repeat=1`);
    expect(record.body).toMatchObject({ id: 'p/1?&%', repeat: 1, attempts: [{ outcome: 'answered' }] });
    rmSync(join(folder, `${id}.db`));
    expect(await get(address)).toMatchObject({ status: 404 });
  });

  it('lists unreadable files with the reason', async () => {
    const newer = join(folder, 'newer.db');
    await writeRun(newer, { n: 3 });
    const db = new DatabaseSync(newer);
    db.exec('PRAGMA user_version = 99');
    db.close();
    mkdirSync(join(folder, 'folder.db'));
    writeFileSync(join(folder, 'empty.db'), '');
    const { body } = await get<RunsPayload>('/api/runs');
    expect(body.unreadable.map(({ path, error }) => [path, error]).sort()).toEqual([
      ['broken.db', expect.stringContaining('may be damaged')],
      ['empty.db', expect.stringContaining('is empty')],
      ['folder.db', expect.stringContaining('cannot be opened')],
      ['newer.db', expect.stringContaining('update krisis')],
    ]);
    const { status, body: refused } = await get('/api/runs/newer');
    expect([status, refused.error]).toEqual([
      400,
      expect.stringMatching(/^newer\.db: was written by a newer/),
    ]);
    for (const name of ['newer.db', 'folder.db', 'empty.db']) rmSync(join(folder, name), { recursive: true });
  });

  it('reports files that were deleted meanwhile', async () => {
    const [gone, place] = [join(folder, 'gone'), join(folder, 'gone', 'run.db')];
    await writeRun(place, { n: 3 });
    const read = viewedRuns({ run: place });
    read.get('runs/:id', { id: 'run' });
    rmSync(place);
    for (const ask of [
      () => read.get('runs/:id', { id: 'run' }),
      () => read.get('runs/:id/records/:record', { id: 'run', record: 'r1', repeat: 0 }),
      () => read.get('runs/:id/records', { id: 'run' }),
    ])
      expect(ask).toThrow(/^run\.db: was deleted/);
    expect(read.get('runs', {})).toMatchObject({ runs: [], unreadable: [{ path: 'run.db' }] });
    rmSync(gone, { recursive: true });
    expect(() => viewedRuns({ folder: gone }).get('runs', {})).toThrow('the folder of runs was deleted');
    read.close();
  });
});

describe('a run that another process is writing', () => {
  /** Polls the only run of a folder, like a page. */
  function watched(cwd: string) {
    const place = join(cwd, '.krisis/runs');
    const watching = viewedRuns({ folder: place });
    const look = () => (existsSync(place) ? (watching.get('runs', {}).runs[0] ?? null) : null);
    return { look, close: () => watching.close() };
  }
  const SLOW = { latencyMs: 150, rateLimit: { perSecond: 12, burst: 2, header: 'ms' as const } };

  it('shows its progress, calls in flight and rate limits until it is complete', async () => {
    const [cwd, server] = [workingFolder(), await emulator(SLOW)];
    const { ended } = start(
      [...SMALL, ...toEmulator('openai', server), '--max-concurrency', '4', '--bootstrap', '50'],
      cwd,
    );
    const { look, close } = watched(cwd);
    const seen: RunLine[] = [];
    await until('a run that is complete', () => {
      const line = look();
      if (line !== null) seen.push(line);
      return line?.status === 'complete';
    });
    expect((await ended).code).toBe(0);
    close();
    const running = seen.filter(({ status }) => status === 'running');
    const grown = [...new Set(running.map(({ n_done }) => n_done))];
    expect(grown.length).toBeGreaterThan(2);
    expect(grown).toEqual([...grown].sort((a, b) => a - b));
    expect(Math.max(...running.map(({ live }) => live!.in_flight))).toBeGreaterThan(0);
    expect(Math.max(...running.map(({ live }) => live!.rate_limits))).toBeGreaterThan(0);
    const left = running.filter(({ n_done }) => n_done > 0).map(({ live }) => live!.seconds_left);
    expect(left.length).toBeGreaterThan(0);
    for (const seconds of left) expect(seconds).toBeGreaterThanOrEqual(0);
    expect(running.every(({ headline }) => headline === null)).toBe(true);
    const last = seen.at(-1)!;
    expect(last).toMatchObject({ status: 'complete', n: 24, n_done: 24, live: null });
    expect(last.headline?.interval).not.toBeNull();
  });

  it('is interrupted when its process is killed', async () => {
    const [cwd, server] = [workingFolder(), await emulator(SLOW)];
    const { child, ended } = start(
      [...SMALL, ...toEmulator('openai', server), '--max-concurrency', '1'],
      cwd,
    );
    const { look, close } = watched(cwd);
    await until('a first row', () => (look()?.n_done ?? 0) > 0);
    child.kill('SIGKILL');
    await ended;
    const line = look()!;
    expect(line).toMatchObject({ status: 'interrupted', live: null, headline: null, n: 24 });
    expect(line.n_done).toBeLessThan(24);
    expect(line.ledger.not_run).toBe(24 - line.n_done);
    close();
  });
});

describe('records', () => {
  it('filters, sorts and pages records', async () => {
    const { body } = await get<{ total: number; rows: RecordLine[] }>(
      '/api/runs/one/records?outcome=answered_wrong&group=sex:female&sort=-confidence&limit=5',
    );
    expect(body.rows).toHaveLength(5);
    expect(body.total).toBeGreaterThan(5);
    for (const row of body.rows)
      expect(row).toMatchObject({ outcome: 'answered_wrong', groups: { sex: 'female' } });
  });

  it.each(['sort=x', 'group=none:1', 'flips=nobody', 'nonsense=1'])(
    'rejects %s with a reason',
    async (query) => {
      const { status, body } = await get(`/api/runs/one/records?${query}`);
      expect(status).toBe(400);
      expect(body.error).toMatch(/expected|there is no/);
    },
  );

  it('returns all details of a record, with hostile text unchanged', async () => {
    const { body, headers } = await get<RecordPayload>('/api/runs/one/records/r3?repeat=1');
    expect(headers.get('content-type')).toMatch(/^application\/json/);
    expect(body).toMatchObject({ id: 'r3', repeat: 1, raw_response: HOSTILE, features: { note: HOSTILE } });
    expect(body.attempts.map(({ outcome, error }) => [outcome, error])).toEqual([
      ['retry', 'rate_limit: slow down'],
      ['answered', null],
    ]);
    expect((await get<RecordPayload>('/api/runs/one/records/r12')).body).toMatchObject({
      outcome: 'not_run',
      attempts: [],
    });
    expect((await get<RecordPayload>('/api/runs/secret/records/r3')).body.features).toBeNull();
    expect((await get('/api/runs/one/records/nobody')).status).toBe(404);
    expect((await get('/api/runs/one/records/r3?repeat=x')).status).toBe(400);
  });

  it('filters by the flips of a comparison, from either side', async () => {
    const { body } = await get<ComparePayload>('/api/compare?runs=one&runs=two');
    const flips = body.flips[0]!;
    const ids = async (run: string, filter: string) => {
      const found = await get<{ rows: RecordLine[] }>(
        `/api/runs/${run}/records?flips=${filter}&repeat=0&sort=id`,
      );
      return found.body.rows.map(({ id }) => id);
    };
    const sorted = (list: readonly string[]) =>
      list.toSorted((a, b) => Number(a.slice(1)) - Number(b.slice(1)));
    expect(flips.only_a.length).toBeGreaterThan(0);
    expect(await ids('one', 'two:only_a')).toEqual(sorted(flips.only_a));
    expect(await ids('two', 'one:only_b')).toEqual(sorted(flips.only_a));
    expect(await ids('one', 'two:only_b')).toEqual(sorted(flips.only_b));
  });
});

describe('comparisons and questions', () => {
  it('gives the reason why two runs are not compared', async () => {
    expect((await get('/api/compare?runs=one&runs=else')).body).toMatchObject({
      flips: [],
      reason: expect.stringContaining('the runs have different cases of'),
      sections: [{ id: 'charts' }],
    });
    expect((await get('/api/compare?runs=one&runs=open')).body).toMatchObject({
      sections: [],
      reason: expect.stringContaining('open questions'),
    });
    expect((await get('/api/compare?runs=one')).status).toBe(400);
    expect(() => ADDRESSES.compare.query(new URLSearchParams('runs=one'))).toThrow(
      expect.objectContaining({ code: 'ERR_VIEW_ADDRESS_INVALID' }),
    );
    expect(() => runs.get('runs/:id/records', { id: 'one', flips: 'else:only_a' })).toThrow(
      expect.objectContaining({ code: 'ERR_RUNS_NOT_COMPARABLE' }),
    );
    expect((await get('/api/compare?runs=one&runs=nobody')).status).toBe(404);
  });

  it('returns answers with verdicts and quotes', async () => {
    const { body } = await get<{ evaluation_results: { id: string; raw_response: string }[] }>(
      '/api/runs/open/questions',
    );
    expect(body.evaluation_results.map(({ id }) => id)).toEqual(['fistula', 'missed', 'biopsy']);
    expect((await get<RunPayload>('/api/runs/open')).body.sections).toEqual([]);
    expect((await get('/api/runs/one/questions')).status).toBe(404);
  });
});

describe('open questions', () => {
  it('return verdicts, positions of quotes, scores, and the reliability of the judge', async () => {
    const cwd = mkdtempSync(join(tmpdir(), 'krisis-viewer-'));
    const args = ['--model', 'baseline/reference', '--judge', 'baseline/lexical', '--set', 'passes=3'];
    expect((await krisis(['run', 'open/clinical', ...args], { cwd })).code).toBe(0);
    const read = viewedRuns({ folder: join(cwd, '.krisis/runs') });
    const [line] = read.get('runs', {}).runs;
    const payload = JSON.parse(JSON.stringify(read.get('runs/:id/questions', { id: line!.id })));
    expect(line!.ledger).toEqual({ answered: 22, abstained: 4 });
    for (const { question, raw_response, rubric } of payload.evaluation_results) {
      expect([typeof question, typeof raw_response]).toEqual(['string', 'string']);
      for (const { instruction, verdict, quotes } of rubric.verdicts) {
        expect([typeof instruction, verdict]).toEqual([
          'string',
          expect.stringMatching(/^(present|absent)$/),
        ]);
        for (const { text, start: from, end } of quotes) expect(raw_response.slice(from, end)).toBe(text);
      }
    }
    const quoted = payload.evaluation_results.flatMap(
      (answer: { rubric: { verdicts: { quotes: unknown[] }[] } }) =>
        answer.rubric.verdicts.flatMap(({ quotes }) => quotes),
    );
    expect(quoted.length).toBeGreaterThan(50);
    const [traits] = payload.sections.filter(({ id }: { id: string }) => id === 'traits');
    expect(JSON.stringify(traits)).toMatch(/\["recall","1\.000"/);
    const judge = JSON.stringify(payload.sections.find(({ id }: { id: string }) => id === 'judge'));
    expect(judge).toContain('baseline/lexical: over 3 passes agreement 1.000, flip rate 0.000');
    expect(payload.warnings.join()).toContain('Judge not calibrated');
    read.close();
    rmSync(cwd, { recursive: true });
  });
});

describe('the guard', () => {
  it('sends its headers with every response, including errors', async () => {
    for (const path of ['/', '/api/runs', '/api/none', '/none.js']) {
      const { headers } = await app.request(path, { headers: HEADERS });
      expect(headers.get('content-security-policy')).toMatch(/^default-src 'none'; script-src 'self';/);
      expect(headers.get('content-security-policy')).not.toContain('unsafe');
      for (const part of ['object-src', 'base-uri', 'form-action', 'frame-ancestors'])
        expect(headers.get('content-security-policy')).toContain(`${part} 'none'`);
      expect(headers.get('x-content-type-options')).toBe('nosniff');
      expect(headers.get('referrer-policy')).toBe('no-referrer');
      expect(headers.get('cache-control')).toBe(path.startsWith('/api') ? 'no-store' : 'no-cache');
    }
    expect(
      (await app.request('/', { headers: { host: 'evil.example' } })).headers.get('content-security-policy'),
    ).not.toBeNull();
  });

  it('accepts only its own host names', async () => {
    for (const host of ['127.0.0.1:7171', 'LOCALHOST:7171', '[::1]:7171'])
      expect((await get('/api/runs', { ...HEADERS, host })).status).toBe(200);
    for (const host of ['evil.example', 'localhost', 'localhost:80', 'localhost:7171.evil.example', ''])
      expect((await get('/api/runs', { ...HEADERS, host })).status).toBe(403);
    const { host: _, ...hostless } = HEADERS;
    expect((await get('/api/runs', hostless)).status).toBe(403);
  });

  it('accepts only its own origin', async () => {
    expect((await get('/api/runs', { ...HEADERS, origin: 'http://localhost:7171' })).status).toBe(200);
    for (const origin of ['http://evil.example', 'null', 'http://localhost:7172', 'https://localhost:7171'])
      expect((await get('/api/runs', { ...HEADERS, origin })).status).toBe(403);
    expect((await get('/api/runs', { ...HEADERS, 'sec-fetch-site': 'cross-site' })).status).toBe(403);
  });

  it('accepts only GET and HEAD', async () => {
    for (const method of ['POST', 'PUT', 'DELETE', 'PATCH', 'OPTIONS'])
      expect((await app.request('/api/runs', { method, headers: HEADERS })).status).toBe(405);
    const head = await app.request('/api/runs', { method: 'HEAD', headers: HEADERS });
    expect([head.status, await head.text()]).toEqual([200, '']);
  });

  it.each([
    '/api/runs/..%2Fone',
    '/api/runs/..%2F..%2Fetc%2Fpasswd',
    '/..%2Fpackage.json',
    '/api/runs/%00',
    '/api/runs/%E0%A4%A',
  ])('does not leave the folder for %s', async (path) => {
    expect((await get(path)).status).toBe(404);
  });

  it('refuses every address without a token, on loopback too, and serves only its page', async () => {
    const edit = viewerApp({ ...SERVER, edit: () => ({}) as never });
    const paths = edit.routes
      .filter(({ path }) => path.startsWith('/api/'))
      .map(({ path }) =>
        path
          .replace(':id', 'one')
          .replace(/:record\b.*/, 'r3')
          .replace(':suite', 'unit%2Fsuite'),
      );
    expect(paths.length).toBeGreaterThanOrEqual(Object.keys(ADDRESSES).length + 3);
    const others = [
      '/api',
      '/api/none',
      '/none',
      '/%61pi/runs',
      '//api/runs',
      '/API/runs',
      '/api/../api/runs',
    ];
    const { authorization: _, ...bare } = HEADERS;
    const queries = ['', `?token=${TOKEN}`, '?runs=one&runs=two'];
    for (const path of [...paths, ...others].flatMap((one) => queries.map((query) => `${one}${query}`)))
      for (const headers of [
        bare,
        { ...bare, cookie: `krisis_7171=${TOKEN}` },
        { ...bare, authorization: `Basic ${TOKEN}` },
        { ...bare, authorization: 'Bearer' },
      ]) {
        const response = await edit.request(path, { headers });
        expect([path, response.status]).toEqual([path, 403]);
        expect(Object.keys((await response.json()) as object)).toEqual(['error']);
      }
    const notes = { method: 'PUT', body: '{}', headers: { ...bare, origin: 'http://localhost:7171' } };
    expect((await edit.request('/api/runs/one/notes', notes)).status).toBe(403);
    // The page itself contains no data.
    for (const path of ['/', '/index.html', '/assets/app.js'])
      expect([path, (await edit.request(path, { headers: bare })).status]).toEqual([path, 200]);
  });

  it('exchanges the token for a cookie and a key, which are needed together', async () => {
    const asked: string[] = [];
    const there = viewerApp({ ...SERVER, onSession: () => asked.push('session') });
    const { authorization, ...bare } = HEADERS;
    const start = (headers: Record<string, string>) =>
      there.request('/api/session', { method: 'POST', headers: { ...bare, ...headers } });
    for (const headers of [
      {},
      { authorization: 'Bearer wrong' },
      { authorization, origin: 'http://a.example' },
    ])
      expect((await start(headers)).status).toBe(403);
    expect(asked).toEqual([]);
    const entered = await start({ authorization, origin: 'http://localhost:7171' });
    expect([entered.status, asked]).toEqual([200, ['session']]);
    const { key } = (await entered.json()) as SessionPayload;
    const header = entered.headers.get('set-cookie')!;
    expect(header).toMatch(/^krisis_7171=\S+; Path=\/api; HttpOnly; SameSite=Strict$/);
    expect(header).not.toContain(TOKEN);
    const cookie = header.split(';')[0]!;
    const ask = (more: Record<string, string>) =>
      there.request('/api/runs', { headers: { ...bare, ...more } });
    expect(cookie).not.toContain(key);
    const both = { cookie, 'krisis-key': key };
    expect((await ask(both)).status).toBe(200);
    // Browsers send the cookie to every port of this host, but not the key.
    for (const more of [
      { cookie },
      { 'krisis-key': key },
      { ...both, cookie: `${cookie}0` },
      { cookie, 'krisis-key': cookie },
    ])
      expect((await ask(more)).status).toBe(403);
    // A link has no headers.
    for (const [query, status] of [
      [`?key=${key}`, 200],
      ['', 403],
    ] as const)
      expect(
        (await there.request(`/api/runs/one/records.csv${query}`, { headers: { ...bare, cookie } })).status,
      ).toBe(status);
    // The credentials of a proxy in front of the server are not ours.
    expect((await ask({ ...both, authorization: 'Basic cHJveHk6cHJveHk=' })).status).toBe(200);
    // A token is asked for, even with a cookie: another one may belong to another reviewer.
    expect((await start(both)).status).toBe(403);
  });

  it('lets the right token pass at once, however many wrong ones came before', async () => {
    vi.useFakeTimers({ toFake: ['Date'] }).setSystemTime(0);
    onTestFinished(() => void vi.useRealTimers());
    const there = viewerApp(SERVER);
    const ask = (token: string, remoteAddress: string, more: RequestInit = {}) =>
      there.request(
        more.method === 'POST' ? '/api/session' : '/api/runs',
        { ...more, headers: { ...HEADERS, authorization: `Bearer ${token}` } },
        { incoming: { socket: { remoteAddress } } },
      );
    const wrong: number[] = [];
    for (let i = 0; i < 100; i++) wrong.push((await ask(`wrong${i}`, '10.0.0.1')).status);
    expect(wrong).toEqual([...Array(6).fill(403), ...Array(94).fill(429)]);
    const entered = await ask(TOKEN, '10.0.0.1', { method: 'POST' });
    expect(entered.status).toBe(200);
    expect((await ask(TOKEN, '10.0.0.1')).status).toBe(200);
    const refused = await ask('wrong', '10.0.0.1', { method: 'POST' });
    expect([refused.status, refused.headers.get('retry-after')]).toEqual([429, '1']);
    expect((await ask('wrong', '10.0.0.2')).status).toBe(403);
  });

  it('does not count cookies as guesses', async () => {
    const there = viewerApp(SERVER);
    const { authorization: _, ...bare } = HEADERS;
    for (let i = 0; i < 100; i++) {
      const headers = { ...bare, cookie: `krisis_7171=stale${i}` };
      expect((await there.request('/api/runs', { headers })).status).toBe(403);
    }
    const headers = { ...bare, authorization: 'Bearer wrong' };
    expect((await there.request('/api/runs', { headers })).status).toBe(403);
    expect((await there.request('/api/runs', { headers: HEADERS })).status).toBe(200);
  });

  it('protects a real port; listen tries the next port if one is in use', async () => {
    const options = { runs, appFiles: APP, host: '127.0.0.1', token: TOKEN };
    const first = await listen({ ...options, port: 0 });
    await expect(listen({ ...options, port: first.port })).rejects.toMatchObject({
      code: 'ERR_PORT_UNAVAILABLE',
      message: expect.stringContaining('it is in use'),
    });
    const second = await listen({ ...options, port: first.port, orNext: true });
    try {
      expect(second.port).not.toBe(first.port);
      expect(first.origin).toBe(`http://127.0.0.1:${first.port}`);
      expect(await statusAt(first.port, {})).toBe(200);
      expect(await statusAt(first.port, { authorization: '' })).toBe(403);
      expect(await statusAt(first.port, { host: `evil.example:${first.port}` })).toBe(403);
      expect(await statusAt(first.port, { origin: 'http://evil.example' })).toBe(403);
      expect(await statusAt(second.port, { host: `localhost:${first.port}` })).toBe(403);
    } finally {
      await Promise.all([first.close(), second.close()]);
    }
  });
});

function statusAt(port: number, headers: Record<string, string>): Promise<number> {
  return new Promise((resolve, reject) => {
    const { authorization } = HEADERS;
    const options = { host: '127.0.0.1', port, path: '/api/runs', headers: { authorization, ...headers } };
    request(options, (response) => {
      response.resume();
      resolve(response.statusCode!);
    })
      .on('error', reject)
      .end();
  });
}

describe('exportSite', () => {
  const options = { runs, appFiles: APP, krisisVersion: '1' };

  /** Runs the scripts like a page. */
  function loaded(out: string, ...paths: string[]): Record<string, unknown> {
    const page = createContext({});
    for (const path of ['data/site.js', ...paths]) runInContext(readFileSync(join(out, path), 'utf8'), page);
    return JSON.parse(runInContext('JSON.stringify(krisisExport)', page));
  }

  it('writes the same payloads as classic scripts', async () => {
    const out = join(folder, 'site');
    exportSite({ ...options, out });
    const site = loaded(out).site as ExportedSite;
    const files = [
      ...Object.values(site.files),
      ...Object.values(site.records).flatMap(({ lines, details }) => [...lines, ...details]),
    ];
    const values = loaded(out, ...files);
    expect(JSON.stringify(values)).not.toContain(folder);
    for (const [address, file] of Object.entries(site.files)) {
      if (address.includes('secret')) continue;
      expect(values[file], address).toEqual((await get(`/api/${address}`)).body);
    }
    expect(Object.keys(site.files).sort()).toEqual([
      'compare/first?runs=one&runs=two',
      'compare?runs=one&runs=two',
      ...['else', 'one', 'open', 'open/questions', 'secret', 'two'].map((id) => `runs/${id}`),
      'suites/unit%2Fadvice',
      'suites/unit%2Fsuite',
    ]);
    const { lines, details, n } = site.records.one!;
    const exported = lines.flatMap((file) => values[file] as RecordLine[]);
    expect(exported).toHaveLength(n);
    expect(exported.slice(0, 100)).toEqual((await get('/api/runs/one/records')).body.rows);
    expect((values[details[0]!] as RecordPayload[])[3]).toEqual({
      ...(await get('/api/runs/one/records/r3')).body,
      prompt_sent: null,
      prompt_sent_reason: 'an export has the template and the case apart',
    });
    for (const file of files)
      expect(readFileSync(join(out, file), 'utf8')).not.toMatch(/<\/?script|[\u2028\u2029]/i);
    expect(readFileSync(join(out, 'index.html'), 'utf8')).toBe(
      '<!doctype html><head><script src="./data/site.js"></script><script defer src="./assets/app.js"></script></head><body></body>',
    );
  });

  /** All that a server says about a folder of runs. */
  async function answersFor(place: ViewedPlace): Promise<string> {
    const own = viewedRuns(place);
    const there = viewerApp({ runs: own, appFiles: APP, host: '127.0.0.1', port: 7171, token: TOKEN });
    const answers = await answersOf(async (path) => {
      const response = await there.request(`/${path}`, { headers: HEADERS });
      return { status: response.status, headers: response.headers, body: await response.text() };
    });
    if (place.withholdsText)
      for (const query of [
        'text=near_threshold',
        'text=alert&search_in=reply',
        'text=site%201&search_in=metadata',
      ])
        expect([
          query,
          own.get('runs/:id/records', { id: 'a', ...parseFilter(new URLSearchParams(query)) }).total,
        ]).toEqual([query, 0]);
    own.close();
    return [...answers.values()].join('\n');
  }

  it('leaves out text of a protected suite by default, in an export and for other machines', async () => {
    const text = (out: string) =>
      readdirSync(join(out, 'data'))
        .map((name) => readFileSync(join(out, 'data', name), 'utf8'))
        .join('');
    const secrets = mkdtempSync(join(folder, 'secrets-'));
    for (const name of ['a.db', 'b.db']) copyFileSync(join(folder, 'secret.db'), join(secrets, name));
    const questions = join(secrets, 'open.db');
    copyFileSync(join(folder, 'open.db'), questions);
    const file = RunFile.write(questions);
    file.setManifest({ sensitivity: 'protected' });
    file.close();
    const only = { ...options, runs: viewedRuns({ folder: secrets }) };
    const [without, within] = [join(folder, 'without'), join(folder, 'within')];
    const { notes } = exportSite({ ...only, out: without });
    exportSite({ ...only, out: within, includeText: true });
    only.runs.close();
    const served = await answersFor({ folder: secrets, withholdsText: true });
    const shown = await answersFor({ folder: secrets });
    expect(notes.join()).toContain('patient and model text is left out');
    // From the model, a provider, the metadata; a question, an instruction, an answer.
    const secret = [
      'alert(1)',
      'slow down',
      'site 1',
      'near_threshold',
      'biopsy show',
      'Feels for the thrill',
      'potassium builds up',
    ];
    for (const words of secret) expect([words, text(without).includes(words)]).toEqual([words, false]);
    for (const words of secret) expect([words, text(within).includes(words)]).toEqual([words, true]);
    // The same over every address, for other machines and for this one.
    for (const words of secret) expect([words, served.includes(words)]).toEqual([words, false]);
    for (const words of secret) expect([words, shown.includes(words)]).toEqual([words, true]);
    rmSync(secrets, { recursive: true });
  });

  it('needs a run', () => {
    const empty = viewedRuns({ folder: 'docs' });
    expect(() => exportSite({ ...options, runs: empty, out: join(folder, 'none') })).toThrow(
      expect.objectContaining({ code: 'ERR_NO_RUNS' }),
    );
  });

  it('replaces an earlier export when forced, and never anything else', () => {
    const out = join(folder, 'again');
    exportSite({ ...options, out });
    expect(() => exportSite({ ...options, out })).toThrow(
      expect.objectContaining({ code: 'ERR_EXPORT_EXISTS' }),
    );
    writeFileSync(join(out, 'CNAME'), 'kept');
    exportSite({ ...options, out, force: true });
    expect(readFileSync(join(out, 'CNAME'), 'utf8')).toBe('kept');
    expect(() => exportSite({ ...options, out: folder, force: true })).toThrow(
      'is not empty and not an export',
    );
    expect(() => exportSite({ ...options, out: join(folder, 'one.db') })).toThrow(
      expect.objectContaining({ code: 'ERR_EXPORT_FOLDER_INVALID' }),
    );
    expect(() => readAppFiles(folder)).toThrow(expect.objectContaining({ code: 'ERR_VIEWER_NOT_BUILT' }));
  });

  it('leaves nothing behind when it fails', () => {
    const out = join(folder, 'half');
    const failing = {
      ...runs,
      get: ((path, params) => {
        if (path === 'compare') throw new Error('the disk is full');
        return runs.get(path, params);
      }) as typeof runs.get,
    };
    expect(() => exportSite({ ...options, runs: failing, out })).toThrow('the disk is full');
    const earlier = join(folder, 'again');
    const before = readFileSync(join(earlier, 'data', 'site.js'), 'utf8');
    expect(() => exportSite({ ...options, runs: failing, out: earlier, force: true })).toThrow('disk');
    expect(readFileSync(join(earlier, 'data', 'site.js'), 'utf8')).toBe(before);
    const names = [...readdirSync(folder), ...readdirSync(earlier)];
    expect(names.filter((name) => name.includes('half') || name.includes('partial'))).toEqual([]);
  });
});

describe('krisis view', () => {
  function token(mode: number, text = 'x'.repeat(30)): string {
    const path = join(folder, `token-${mode}-${text.length}`);
    writeFileSync(path, `${text}\n`, { mode });
    return path;
  }

  it('rejects an unknown run, and says where to look', async () => {
    // A folder of its own: where there are runs, as after the README's commands, the message names
    // them.
    const { code, stdout, stderr } = await krisis(['view', 'nobody', '--no-open'], { cwd: folder });
    expect([code, stdout]).toEqual([2, '']);
    expect(stderr).toBe('krisis: nobody: no such run\nkrisis list shows the runs there are.\n');
  });

  it.each([
    ['a token in the command line', [folder, '--token', 'x'.repeat(30)], 'use --token-file FILE'],
    ['a token file that is missing', [folder, '--token-file', 'nowhere'], 'cannot be read (ENOENT)'],
    ['a token file that others can read', [folder, '--token-file', token(0o640)], 'chmod 600'],
    ['a short token', [folder, '--token-file', token(0o600, 'abcdefgh')], 'at least 20 letters'],
    ['a token with blanks', [folder, '--token-file', token(0o600, 'a b '.repeat(9))], 'at least 20 letters'],
    ['an export option without export', [folder, '--force'], 'needs --export'],
    ['text without export', [folder, '--include-text'], 'needs --export or --host'],
    ['an invalid port', [folder, '--port', '70000'], 'expected 0 to 65535'],
    ['a file that is not a run', ['README.md'], 'cannot be opened as a run file'],
    ['a folder without runs', ['docs'], 'no runs in docs; create one with krisis run'],
    [
      'an export into a folder with other contents',
      [folder, '--export', 'docs'],
      'is not empty and not an export',
    ],
  ])('rejects %s in one line', async (_, args, message) => {
    const { code, stdout, stderr } = await krisis(['view', ...args, '--no-open']);
    expect([code, stdout, stderr]).toEqual([2, '', expect.stringContaining(message)]);
    expect(stderr.trim().split('\n')).toHaveLength(1);
  });

  it('explains how to create a run if the folder has none', async () => {
    const empty = mkdtempSync(join(tmpdir(), 'krisis-viewer-'));
    const { code, stderr } = await krisis(['view'], { cwd: empty });
    expect([code, stderr]).toEqual([
      2,
      expect.stringContaining('no runs in .krisis/runs; create one with krisis run'),
    ]);
    expect(readdirSync(empty)).toEqual([]);
    rmSync(empty, { recursive: true });
  });
});
