import { existsSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import axe from 'axe-core';
import { type Browser, chromium, type Page } from 'playwright-core';
import { afterAll, afterEach, expect, it } from 'vitest';
import type { RunLine, RunsPayload } from '../src/viewer/api.ts';
import { findChromium } from './chromium.ts';
import { startView, type ViewProcess, withToken } from './view-process.ts';

const executablePath = findChromium();
export const isBuilt = existsSync('dist-web/index.html');
/** Why browser tests cannot run here; null if they can. */
const missing =
  executablePath === null
    ? 'no Chromium found: install it or set CHROMIUM_PATH'
    : isBuilt
      ? null
      : 'the viewer is not built: npm run build:web';
export const canBrowse = missing === null;
if (missing !== null)
  console.warn(`\n!!! The viewer is NOT tested in a browser, and those tests are skipped: ${missing} !!!\n`);

/** A test in a browser. If it is skipped, its title says why. */
export function browserTest(title: string, test: () => Promise<void>): void {
  if (missing === null) it(title, test);
  else it.skip(`${title} (SKIPPED: ${missing})`, test);
}

export const DESKTOP = { width: 1280, height: 900 };
export const TELEPHONE = { width: 390, height: 844 };

/** Long enough for a busy machine; prevents a test from hanging. */
const PATIENCE_MS = 100_000;

/** Errors that a page has logged, including violations of its content security policy. Any fails the test. */
export const problems: string[] = [];
const views: ViewProcess[] = [];
const folders: string[] = [];
/** Pages of the test that runs, and pages that tests before it have left: a new page costs more than what is loaded into it. */
const opened: { readonly page: Page; readonly isPlain: boolean }[] = [];
const left: Page[] = [];
let isLeaving = false;
let browser: Browser | undefined;

afterEach(async () => {
  isLeaving = true;
  for (const each of opened.splice(0)) await leave(each);
  isLeaving = false;
  expect(problems.splice(0)).toEqual([]);
});

afterAll(async () => {
  await browser?.close();
  for (const view of views) await view.stop();
  for (const folder of folders) rmSync(folder, { recursive: true, force: true });
});

export function newFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), 'krisis-viewer-'));
  folders.push(folder);
  return folder;
}

/** Starts the real `krisis view` on a folder of runs; it stops after the tests. */
export async function viewOf(folder: string, options: readonly string[] = []): Promise<Viewed> {
  const view = await startView(folder, undefined, {}, ['--no-open', ...options]);
  views.push(view);
  const api = async <T>(path: string): Promise<T> => {
    const response = await view.fetch(`api/${path}`);
    expect(response.status, path).toBe(200);
    return (await response.json()) as T;
  };
  return {
    url: view.url,
    token: view.token,
    stop: view.stop,
    api,
    runs: async () => (await api<RunsPayload>('runs')).runs,
  };
}

export interface Viewed {
  readonly url: string;
  readonly token: string;
  readonly stop: () => Promise<void>;
  readonly api: <T>(path: string) => Promise<T>;
  readonly runs: () => Promise<readonly RunLine[]>;
}

interface Opened {
  readonly size?: { readonly width: number; readonly height: number };
  readonly colorScheme?: 'light' | 'dark';
  readonly before?: (page: Page) => Promise<unknown>;
}

/**
 * Opens an address in a browser that remembers nothing of other tests; pages of `viewOf` with their
 * token.
 */
export async function open(url: string, { size = DESKTOP, colorScheme, before }: Opened = {}): Promise<Page> {
  const page = left.pop() ?? (await newPage());
  opened.push({ page, isPlain: before === undefined });
  await page.setViewportSize(size);
  await page.emulateMedia({ colorScheme: colorScheme ?? 'light' });
  await before?.(page);
  const view = views.find((one) => url.startsWith(one.url));
  await page.goto(view === undefined ? url : withToken(url, view.token));
  return page;
}

async function newPage(): Promise<Page> {
  browser ??= await chromium.launch({ executablePath: executablePath!, args: ['--no-sandbox'] });
  const context = await browser.newContext();
  context.setDefaultTimeout(PATIENCE_MS);
  const page = await context.newPage();
  page.on('pageerror', (error) => problems.push(error.message));
  page.on('dialog', (dialog) => {
    // A page may ask whether to stay, of a test that has ended.
    if (isLeaving) return void dialog.accept();
    problems.push(`a dialog opened: ${dialog.message()}`);
    void dialog.dismiss();
  });
  page.on('console', (message) => {
    if (message.type() === 'error') problems.push(message.text());
  });
  return page;
}

/** Makes a page forget what a test did with it. One that was prepared, closed or not alone in its context is not used again. */
async function leave({ page, isPlain }: (typeof opened)[number]): Promise<void> {
  const context = page.context();
  if (!isPlain || page.isClosed() || context.pages().length > 1) return context.close();
  await page.unrouteAll({ behavior: 'ignoreErrors' });
  await context.clearPermissions();
  if (page.url() !== 'about:blank') await page.evaluate('localStorage.clear(); sessionStorage.clear()');
  await page.mouse.move(0, 0);
  await page.goto('about:blank');
  // Not before: the page may still load, which needs its cookie.
  await context.clearCookies();
  left.push(page);
}

/** Serious and critical findings of axe. */
export async function seriousFaults(page: Page): Promise<unknown> {
  await page.evaluate(axe.source);
  return page.evaluate(
    `axe.run({ resultTypes: ['violations'] }).then(({ violations }) => violations
      .filter(({ impact }) => impact === 'serious' || impact === 'critical')
      .map(({ id, nodes }) => id + ': ' + nodes.slice(0, 3).map(({ html }) => html.slice(0, 160)).join(' | ')))`,
  );
}

/** How much wider the page is than the screen. */
export function overflow(page: Page): Promise<number> {
  return page.evaluate('document.documentElement.scrollWidth - window.innerWidth') as Promise<number>;
}

/** Addresses of links, in the order of the page. */
export async function hrefsOf(links: ReturnType<Page['locator']>): Promise<string[]> {
  return Promise.all((await links.all()).map(async (link) => (await link.getAttribute('href'))!));
}
