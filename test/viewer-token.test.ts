import {
  chmodSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import type { Page } from 'playwright-core';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { temporaryFolder } from './engine-fixture.ts';
import { krisis } from './krisis.ts';
import { loopbackServer, sendJson } from './loopback-server.ts';
import { startView, type ViewProcess, withToken } from './view-process.ts';
import { browserTest, canBrowse, isBuilt, open, problems, viewOf } from './viewer-browser.ts';
import { writeRun } from './viewer-fixture.ts';

/** Who gets to see what `krisis view` serves: those who have its token. */

const folder = temporaryFolder();
const runs = folder.file('runs');
const views: ViewProcess[] = [];
beforeAll(async () => {
  mkdirSync(runs);
  await writeRun(join(runs, 'one.db'), { n: 10 });
});
afterEach(async () => {
  for (const view of views.splice(0)) await view.stop();
});
afterAll(folder.remove);

async function view(options?: readonly string[], env: Readonly<Record<string, string>> = {}) {
  const started = await startView(runs, undefined, env, options);
  views.push(started);
  return started;
}

async function statusOf({ url }: ViewProcess, token?: string): Promise<number> {
  const headers: Record<string, string> = token === undefined ? {} : { authorization: `Bearer ${token}` };
  return (await fetch(`${url}api/runs/one/records`, { headers })).status;
}

const shows = (page: Page, text: string) => page.getByText(text).first().waitFor();

describe.runIf(isBuilt)('krisis view', () => {
  it('makes a token on every start, which every request needs', async () => {
    const [first, second] = [await view(), await view()];
    for (const { token } of [first, second]) expect(token).toMatch(/^[\w-]{32}$/);
    expect(first.token).not.toBe(second.token);
    expect(await statusOf(first, first.token)).toBe(200);
    expect(await statusOf(first)).toBe(403);
    expect(await statusOf(second, first.token)).toBe(403);
  });

  it('makes one for other machines too, and says that they can connect', async () => {
    const open = await view(['--no-open', '--host', '0.0.0.0']);
    expect(new URL(open.url).hostname).toBe('127.0.0.1');
    expect(open.output()).toContain('other machines can connect');
    expect([await statusOf(open), await statusOf(open, open.token)]).toEqual([403, 200]);
  });

  it('prints the address that it listens on, not a name that may lead elsewhere', async () => {
    const { url } = await view(['--no-open', '--host', 'localhost']);
    expect(url).toMatch(/^http:\/\/(127\.0\.0\.1|\[::1\]):\d+\/$/);
  });

  it('takes a token from a private file or from the environment, and does not print it', async () => {
    const [inFile, inVariable] = ['in-a-file/+=.~_-0123456789', 'in-a-variable-0123456789'];
    const path = folder.file('token');
    writeFileSync(path, `${inFile}\nmore\n`, { mode: 0o600 });
    const byFile = await view(['--no-open', '--token-file', path]);
    const byVariable = await view(undefined, { KRISIS_VIEW_TOKEN: inVariable });
    for (const [started, token] of [
      [byFile, inFile],
      [byVariable, inVariable],
    ] as const) {
      expect(started.output()).not.toContain(token);
      expect([await statusOf(started), await statusOf(started, token)]).toEqual([403, 200]);
    }
    const env = { ...process.env, KRISIS_VIEW_TOKEN: inVariable };
    const { code, stderr } = await krisis(['view', runs, '--token-file', path], { env });
    expect([code, stderr]).toEqual([2, expect.stringContaining('both name a token: leave one out')]);
  });

  it.runIf(process.platform === 'linux')(
    'opens the browser through a private file, so that no argument contains the token',
    async () => {
      const [home, bin] = [folder.file('home'), folder.file('bin')];
      for (const path of [home, bin]) mkdirSync(path);
      // Stands in for the browser: keeps its arguments.
      const calls = folder.file('arguments');
      writeFileSync(
        join(bin, 'xdg-open'),
        `#!/bin/sh\nprintf '%s\\n' "$@" > ${calls}.new && mv ${calls}.new ${calls}\n`,
      );
      chmodSync(join(bin, 'xdg-open'), 0o755);
      const env = { HOME: home, PATH: `${bin}:${process.env.PATH}` };
      const pages = () =>
        readdirSync(home)
          .filter((name) => name.endsWith('.html'))
          .map((name) => join(home, name));
      for (const isVisited of [true, false]) {
        const started = await startView(runs, undefined, env, []);
        try {
          await expect.poll(() => existsSync(calls), { timeout: 15_000 }).toBe(true);
          const [path, ...others] = readFileSync(calls, 'utf8').trim().split('\n');
          expect(others).toEqual([]);
          expect(pages()).toEqual([path]);
          expect(path).not.toContain(started.token);
          expect(readFileSync(`/proc/${started.pid}/cmdline`, 'utf8')).not.toContain(started.token);
          expect((statSync(path!).mode & 0o777).toString(8)).toBe('600');
          expect(readFileSync(path!, 'utf8')).toContain(`0;url=${started.url}#token=${started.token}"`);
          if (isVisited && canBrowse) {
            const page = await open(pathToFileURL(path!).href);
            await shows(page, 'unit/model');
            expect(pages()).toEqual([]);
            // Before the server stops: the page may still be loading.
            await page.close();
          } else if (isVisited) {
            const headers = { authorization: `Bearer ${started.token}` };
            expect((await fetch(`${started.url}api/session`, { method: 'POST', headers })).status).toBe(200);
            expect(pages()).toEqual([]);
          }
        } finally {
          await started.stop();
        }
        expect(pages()).toEqual([]);
        rmSync(calls);
      }
    },
  );
});

describe('the page', () => {
  browserTest('takes the token out of its address, and opens again without it', async () => {
    const { url, token } = await viewOf(runs);
    const page = await open(`${url}#/runs/one/records?sort=id`);
    await page.locator('[role=row] a').first().waitFor();
    expect(page.url()).toBe(`${url}#/runs/one/records?sort=id`);
    const [cookie] = await page.context().cookies(`${url}api/runs`);
    expect(cookie).toMatchObject({ httpOnly: true, sameSite: 'Strict', expires: -1 });
    expect(cookie!.value).not.toContain(token);
    expect(
      await page.evaluate('JSON.stringify([document.cookie, localStorage, sessionStorage, history.state])'),
    ).not.toContain(token);
    const other = await page.context().newPage();
    await other.goto(`${url}#/runs/one`);
    await other.locator('.cards li').first().waitFor();
    await other.goto(url);
    await shows(other, 'unit/model');
  });

  browserTest('says what to do without a token, and goes on when the new address is pasted', async () => {
    const earlier = await viewOf(runs, ['--port', '0']);
    const page = await open(earlier.url);
    await shows(page, 'unit/model');
    await earlier.stop();
    // Started again on the same port: the cookie of the browser is stale.
    const again = await viewOf(runs, ['--port', new URL(earlier.url).port]);
    await page.goto('about:blank');
    await page.goto(again.url);
    await shows(page, 'open the complete address that krisis printed');
    expect(problems.splice(0).join()).toContain('403');
    await page.goto(withToken(again.url, again.token));
    await shows(page, 'unit/model');
    expect(page.url()).not.toContain('token');
  });

  browserTest('gives a server on another port of this machine nothing to read runs with', async () => {
    const { url } = await viewOf(runs);
    const other = await loopbackServer((_, response) => sendJson(response, {}));
    try {
      const page = await open(url);
      await shows(page, 'unit/model');
      await page.goto(`${other.url}/api/`);
      await page.evaluate("fetch('/api/runs')");
      const { cookie } = other.received.find(({ path }) => path === '/api/runs')!.headers;
      // Browsers do send it: cookies know no ports.
      expect(cookie).toContain(`krisis_${new URL(url).port}=`);
      expect(await page.evaluate('localStorage.length')).toBe(0);
      expect((await fetch(`${url}api/runs`, { headers: { cookie: cookie! } })).status).toBe(403);
    } finally {
      await other.close();
    }
    problems.splice(0);
  });

  browserTest('does not open with a wrong token, even in a browser that knows the right one', async () => {
    const { url } = await viewOf(runs);
    const page = await open(url);
    await shows(page, 'unit/model');
    await page.goto(withToken(`${url}#/runs/one`, 'wrong'));
    await shows(page, 'the token is wrong: open the complete address that krisis printed');
    expect(problems.splice(0).join()).toContain('403');
    await page.reload();
    await page.locator('.cards li').first().waitFor();
  });
});
