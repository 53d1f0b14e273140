import { copyFileSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { afterAll, afterEach, beforeAll, expect, it } from 'vitest';
import type { AddressPath } from '../src/viewer/addresses.ts';
import type {
  ComparePayload,
  RecordPayload,
  RunPayload,
  RunsPayload,
  VerificationMark,
} from '../src/viewer/api.ts';
import { exportSite } from '../src/viewer/export-site.ts';
import { servedRuns } from '../src/viewer/served-runs.ts';
import { viewedRuns } from '../src/viewer/viewed-runs.ts';
import { viewerApp } from '../src/viewer/viewer-app.ts';
import { krisis } from './krisis.ts';
import { pageBomb } from './page-bomb.ts';
import { APP, endRun, HEADERS, TOKEN, writeRun } from './viewer-fixture.ts';

const place = mkdtempSync(join(tmpdir(), 'krisis-viewer-hostile-'));
const good = join(place, 'good.db');
afterAll(() => rmSync(place, { recursive: true }));
beforeAll(async () => {
  await writeRun(good);
  endRun(good);
});

/** Limits for tests that are not about limits: a busy machine needs longer than the short ones. */
const PATIENT = { quickMs: 30_000, slowMs: 60_000 };

/** A folder with a good run, and a server for it whose patience is short. */
const closing: (() => void)[] = [];
afterEach(() => {
  for (const close of closing.splice(0)) close();
});
function serve(limits = { quickMs: 3000, slowMs: 3000 }, more = {}) {
  const folder = mkdtempSync(join(place, 'runs-'));
  copyFileSync(good, join(folder, 'good.db'));
  const runs = servedRuns({ folder, ...more }, limits);
  closing.push(runs.close);
  const app = viewerApp({ runs, appFiles: APP, host: '127.0.0.1', port: 7171, token: TOKEN });
  const get = async <T = Record<string, unknown>>(path: string) => {
    const response = await app.request(`/api/${path}`, { headers: HEADERS });
    return { status: response.status, body: (await response.json()) as T };
  };
  return { folder, get, runs };
}

function edited(path: string, sql: string): void {
  const db = new DatabaseSync(path);
  db.exec(sql);
  db.close();
}

it('lists the other runs when one never ends to be read, and names that one', async () => {
  const { folder, get } = serve();
  pageBomb(good, join(folder, 'bomb.db'), 'rows');
  // Without a stored report, the list counts rows.
  edited(join(folder, 'bomb.db'), 'DELETE FROM report');
  const { body } = await get<RunsPayload>('runs');
  expect(body.runs.map(({ id }) => id)).toEqual(['good']);
  expect(body.unreadable).toEqual([
    {
      path: 'bomb.db',
      error: expect.stringMatching(/^bomb\.db: could not be read .* other runs can be viewed/),
    },
  ]);
  expect(await get('runs/bomb')).toMatchObject({
    status: 503,
    body: { error: expect.stringContaining('bomb.db') },
  });
  expect((await get('runs/good')).status).toBe(200);
}, 60_000);

it('gives up on rows that never end, and answers other requests meanwhile', async () => {
  const { folder, get, runs } = serve({ quickMs: 20_000, slowMs: 8000 });
  for (const table of ['rows', 'records']) pageBomb(good, join(folder, `bomb-${table}.db`), table);
  await get('runs');
  let isStuck = true;
  const facets = get('runs/bomb-records/facets').finally(() => {
    isStuck = false;
  });
  expect((await get<RunsPayload>('runs')).body.runs.map(({ id }) => id)).toContain('good');
  expect((await get('runs/good')).status).toBe(200);
  expect(isStuck).toBe(true);
  expect(await facets).toEqual({
    status: 503,
    body: { error: expect.stringMatching(/^bomb-records\.db: could not be read \(no answer within/) },
  });
  // At once: the file has not changed.
  await expect(runs.get('runs/:id/facets', { id: 'bomb-records' })).rejects.toThrow(
    expect.objectContaining({ code: 'ERR_VIEW_TIMEOUT' }),
  );
  // Verification, which comes first in a comparison, notices pages that are there twice.
  expect(await get('compare?runs=good&runs=bomb-rows')).toMatchObject({
    status: 400,
    body: { error: expect.stringContaining('bomb-rows.db: cannot be opened as a run file') },
  });
  expect((await get('runs/good/records?sort=id')).status).toBe(200);
}, 90_000);

it('answers a request for the list while a comparison is under way', async () => {
  const { folder, get } = serve(PATIENT);
  copyFileSync(good, join(folder, 'other.db'));
  await get('runs');
  const ended: string[] = [];
  const note = (name: string) => () => ended.push(name);
  await Promise.all([
    get('compare?runs=good&runs=other').then(note('comparison')),
    get('runs').then(note('list')),
  ]);
  expect(ended).toEqual(['list', 'comparison']);
}, 60_000);

it('does not follow symbolic links unless asked to', async () => {
  const { folder, get, runs } = serve(PATIENT);
  symlinkSync(good, join(folder, 'link.db'));
  const { body } = await get<RunsPayload>('runs');
  expect([body.runs.map(({ id }) => id), body.unreadable]).toEqual([
    ['good'],
    [{ path: 'link.db', error: expect.stringContaining('is a symbolic link') }],
  ]);
  await expect(runs.get('runs/:id', { id: 'link' })).rejects.toThrow(
    expect.objectContaining({ code: 'ERR_RUN_SYMLINK' }),
  );
  const following = viewedRuns({ folder, followSymlinks: true });
  expect(following.get('runs', {}).runs).toHaveLength(2);
  following.close();
}, 60_000);

it('marks a run whose scores or rows were edited', async () => {
  const { folder, get } = serve(PATIENT);
  const path = join(folder, 'good.db');
  copyFileSync(good, join(folder, 'other.db'));
  const compared = async () =>
    (await get<ComparePayload>('compare?runs=good&runs=other')).body.alerts.filter((text) =>
      text.includes('unverified'),
    );
  expect(await compared()).toEqual([]);
  const marks = async () => {
    const line = (await get<RunsPayload>('runs')).body.runs.find(({ id }) => id === 'good');
    const run = (await get<RunPayload>('runs/good')).body;
    const whole = (await get<VerificationMark>('runs/good/verification')).body;
    return [line!.verification?.verdict, run.verification.verdict, whole.verdict];
  };
  expect(await marks()).toEqual(['verified', 'verified', 'verified']);
  edited(path, "UPDATE rows SET prediction = '\"yes\"' WHERE record_id = 'r4'");
  // The list checks the seal alone: it would take too long to read all rows of all runs.
  expect(await marks()).toEqual(['verified', 'unverified', 'unverified']);
  // A comparison reads the rows, and so do exports: of a long run, too, of which the page of the server first checks the seal.
  expect(await compared()).toEqual([expect.stringMatching(/^A: .*: unverified: the run file was changed/)]);
  const runs = viewedRuns({ folder });
  const sealed = { verdict: 'verified', checked: 'seal', text: 'the seal fits' };
  const site = exportSite({
    ...{ appFiles: APP, out: join(folder, 'site'), krisisVersion: '1' },
    runs: {
      ...runs,
      get: ((at: AddressPath, params: never) =>
        at === 'runs/:id'
          ? { ...(runs.get(at, params) as object), verification: sealed }
          : runs.get(at, params)) as typeof runs.get,
    },
  });
  runs.close();
  expect(site.runs.runs.map(({ id, verification }) => [id, verification?.verdict]).toSorted()).toEqual([
    ['good', 'unverified'],
    ['other', 'verified'],
  ]);
  expect(readFileSync(join(folder, 'site', site.files['runs/good']!), 'utf8')).toContain('unverified: ');
  edited(path, "INSERT OR REPLACE INTO report VALUES (1, '{}', '{}')");
  expect(await marks()).toEqual(['unverified', 'unverified', 'unverified']);
}, 60_000);

it('cuts a reply of 80 MB, and shows the rest of the run', async () => {
  const { folder, get } = serve(PATIENT);
  edited(
    join(folder, 'good.db'),
    "UPDATE rows SET raw_response = hex(zeroblob(40000000)) WHERE record_id = 'r4' AND repeat = 0",
  );
  const { body } = await get<RecordPayload>('runs/good/records/r4');
  expect(body.cut).toEqual(['the reply is cut: 80 MB, the first 1 MB is shown']);
  expect(body.raw_response).toBe('0'.repeat(1_000_000));
  expect((await get<RecordPayload>('runs/good/records/r3')).body.cut).toEqual([]);
  expect((await get('runs/good/records?sort=id')).body.total).toBe(120);
  expect((await get('runs/good/records?text=alert&search_in=reply')).status).toBe(200);
}, 60_000);

it('exports the runs that can be read, and names those that cannot', async () => {
  const folder = mkdtempSync(join(place, 'export-'));
  for (const name of ['good', 'bad']) copyFileSync(good, join(folder, `${name}.db`));
  edited(join(folder, 'bad.db'), "UPDATE rows SET state = 'unheard of'");
  writeFileSync(join(folder, 'text.db'), 'no database');
  const runs = viewedRuns({ folder });
  const progress: string[] = [];
  const site = exportSite({
    ...{ runs, appFiles: APP, out: join(folder, 'site'), krisisVersion: '1' },
    onProgress: ({ what }) => progress.push(what),
  });
  runs.close();
  expect(site.runs.runs.map(({ id }) => id)).toEqual(['good']);
  expect(site.notes.toSorted()).toEqual([
    expect.stringMatching(/^left out: bad\.db: .*damaged/),
    expect.stringMatching(/^left out: text\.db: /),
  ]);
  expect(new Set(progress)).toContain('good');
  const listed = await krisis(['list', folder]);
  expect([listed.code, listed.stdout]).toEqual([0, expect.stringContaining('good.db')]);
});
