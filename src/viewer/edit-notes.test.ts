import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { temporaryFolder } from '../../test/engine-fixture.ts';
import { APP, HOSTILE, TOKEN, HEADERS as WITH_TOKEN, writeRun } from '../../test/viewer-fixture.ts';
import type { RunPayload, RunsPayload } from './api.ts';
import { notesEditor } from './edit-notes.ts';
import { exportSite } from './export-site.ts';
import { viewedRuns } from './viewed-runs.ts';
import { viewerApp } from './viewer-app.ts';

const folder = temporaryFolder();
const place = { folder: folder.path, mayEdit: true };
const runs = viewedRuns(place);
const server = { runs, appFiles: APP, host: '127.0.0.1', port: 7171, token: TOKEN };
const editing = viewerApp({ ...server, edit: notesEditor(place) });
const reading = viewerApp(server);
const HEADERS = {
  ...WITH_TOKEN,
  origin: 'http://localhost:7171',
  'content-type': 'application/json',
};

beforeAll(async () => {
  await writeRun(folder.file('one.db'), { n: 3 });
  await writeRun(folder.file('secret.db'), { n: 3, sensitivity: 'protected', suiteHash: 'ef'.repeat(32) });
});
afterAll(() => {
  runs.close();
  folder.remove();
});

async function put(id: string, body: unknown, headers: Readonly<Record<string, string>> = {}, app = editing) {
  const text = typeof body === 'string' ? body : JSON.stringify(body);
  const response = await app.request(`/api/runs/${id}/notes`, {
    method: 'PUT',
    headers: { ...HEADERS, ...headers },
    body: text,
  });
  return { status: response.status, body: await response.json() };
}

async function get<T>(path: string): Promise<T> {
  return (await (await editing.request(path, { headers: HEADERS })).json()) as T;
}

describe('notes over HTTP', () => {
  it('change field by field, and show in the list and on the page of the run', async () => {
    await get('/api/runs/one');
    expect(await put('one', { name: HOSTILE, tags: ['a'] })).toMatchObject({
      status: 200,
      body: { tags: ['a'] },
    });
    expect(await put('one', { hidden: true })).toMatchObject({
      body: { tags: ['a'], hidden: true, note: null },
    });
    const { runs: listed, may_edit } = await get<RunsPayload>('/api/runs');
    const { notes } = listed.find(({ id }) => id === 'one')!;
    expect([may_edit, notes.hidden, notes.name]).toEqual([true, true, HOSTILE.replace(/\s+/g, ' ')]);
    expect((await get<RunPayload>('/api/runs/one')).run.notes).toEqual(notes);
    await put('one', { name: null, tags: [], hidden: false });
  });

  it.each([
    ['another origin', { origin: 'http://evil.example' }, 403],
    ['another host', { host: 'evil.example', origin: 'http://evil.example' }, 403],
    ['a form', { 'content-type': 'text/plain' }, 415],
    ['another site', { 'sec-fetch-site': 'cross-site' }, 403],
  ])('are refused from %s', async (_, headers, status) => {
    expect(await put('one', { name: 'x' }, headers)).toMatchObject({ status });
    expect(existsSync(folder.file('one.notes.json'))).toBe(false);
  });

  it('are refused without an origin, in the wrong form, of other files and with a wrong token', async () => {
    const { origin: _, ...rest } = HEADERS;
    const asked = { method: 'PUT', headers: rest, body: '{}' };
    expect((await editing.request('/api/runs/one/notes', asked)).status).toBe(403);
    expect(await put('one', '{')).toMatchObject({ status: 400 });
    expect(await put('one', [1])).toMatchObject({ status: 400 });
    expect(await put('one', { note: 'x'.repeat(20_000) })).toMatchObject({ status: 400 });
    expect(await put('one', { note: 'x'.repeat(200_000) })).toMatchObject({ status: 413 });
    expect(await put('nothing', {})).toMatchObject({ status: 404 });
    expect(await put(encodeURIComponent('../one'), {})).toMatchObject({ status: 404 });
    for (const authorization of ['', 'Bearer wrong', `Basic ${TOKEN}`])
      expect(await put('one', { name: 'x' }, { authorization })).toMatchObject({ status: 403 });
    expect(existsSync(folder.file('one.notes.json'))).toBe(false);
  });

  it('of a protected run are not changed from other machines, which do not see them', async () => {
    const hosted = { ...place, withholdsText: true };
    const app = viewerApp({ ...server, edit: notesEditor(hosted) });
    expect(await put('secret', { name: 'x' }, {}, app)).toMatchObject({ status: 400 });
    expect(existsSync(folder.file('secret.notes.json'))).toBe(false);
    expect(await put('one', { name: 'x' }, {}, app)).toMatchObject({ status: 200 });
    await put('one', { name: null });
  });

  it('are the only thing that is written, and only when asked to', async () => {
    const before = readdirSync(folder.path).sort();
    expect(await put('one', { name: 'x' }, {}, reading)).toMatchObject({ status: 405 });
    for (const method of ['PUT', 'POST', 'DELETE', 'PATCH'])
      for (const path of ['/api/runs', '/api/runs/one', '/api/runs/one/records', '/']) {
        const { status } = await editing.request(path, { method, headers: HEADERS });
        expect([method, path, status]).toEqual([method, path, 405]);
      }
    expect(readdirSync(folder.path).sort()).toEqual(before);
  });

  it('that cannot be read are named, and the run is listed', async () => {
    writeFileSync(folder.file('one.notes.json'), '{}');
    const { runs: listed, unreadable } = await get<RunsPayload>('/api/runs');
    expect(listed.map(({ id }) => id)).toContain('one');
    expect(unreadable).toMatchObject([
      { path: 'one.notes.json', error: expect.stringMatching(/^one\.notes\.json: /) },
    ]);
    expect(await put('one', { name: 'x' })).toMatchObject({ status: 400 });
    writeFileSync(folder.file('one.notes.json'), '{"format":"krisis-notes-1"}');
  });

  it('of a protected run are not exported', async () => {
    await put('secret', { name: 'CANARY name', note: 'CANARY note', tags: ['CANARY tag'] });
    await put('one', { name: 'shown' });
    for (const includeText of [false, true]) {
      const out = folder.file(`site-${includeText}`);
      exportSite({ runs, appFiles: APP, out, krisisVersion: '0', includeText });
      const files = readdirSync(join(out, 'data')).map((name) =>
        readFileSync(join(out, 'data', name), 'utf8'),
      );
      expect(files.some((text) => text.includes('CANARY'))).toBe(includeText);
      expect(files.some((text) => text.includes('shown'))).toBe(true);
    }
  });
});
