import { existsSync, globSync, readFileSync } from 'node:fs';
import { extname, join } from 'node:path';
import type { Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { HOW_TO, SECTIONS, slug } from '../site/pages.ts';
import { loopbackServer } from './loopback-server.ts';
import { browserTest, DESKTOP, open, overflow, seriousFaults, TELEPHONE } from './viewer-browser.ts';

const BUILT = 'site/dist';
const TYPES: Record<string, string> = {
  '.html': 'text/html; charset=utf-8',
  '.js': 'text/javascript',
  '.css': 'text/css',
  '.svg': 'image/svg+xml',
  '.png': 'image/png',
  '.wasm': 'application/wasm',
};
const NARROW = TELEPHONE;
const WIDE = { ...DESKTOP, width: 1440 };
/** Starlight's own: its name is "Search", and it shows the keys as well. */
const SEARCH_BUTTON = 'label-content-name-mismatch: <button data-open-modal';
const faults = async (page: Page) =>
  ((await seriousFaults(page)) as string[]).filter((fault) => !fault.startsWith(SEARCH_BUTTON));
const pages = SECTIONS.flatMap(({ pages }) => pages);

it('shows every page of the docs once', () => {
  const files = globSync(['*.md', 'dev/*.md'], { cwd: 'docs' }).map((file) => file.replace(/\.md$/, ''));
  expect([...pages].sort()).toEqual(files.sort());
  expect(SECTIONS.map(({ title }) => title)).toEqual(expect.arrayContaining(HOW_TO));
});

describe('the built site', () => {
  let server: Awaited<ReturnType<typeof loopbackServer>>;
  beforeAll(async () => {
    expect(existsSync(`${BUILT}/index.html`), 'run npm run site').toBe(true);
    server = await loopbackServer(({ path }, response) => {
      const asked = decodeURIComponent(path.replace(/[?#].*/, ''));
      const file = join(BUILT, asked.endsWith('/') ? `${asked}index.html` : asked);
      if (!existsSync(file)) return void response.writeHead(404).end();
      response.writeHead(200, { 'content-type': TYPES[extname(file)] ?? 'application/octet-stream' });
      response.end(readFileSync(file));
    });
  });
  afterAll(() => server?.close());

  it.each(['llms.txt', 'llms-full.txt', 'llms-small.txt'])('has %s for tools that read docs', (file) => {
    expect(readFileSync(join(BUILT, file), 'utf8')).toMatch(/Krisis/);
  });

  it('has the API reference, with every entry of the package', () => {
    const { exports } = JSON.parse(readFileSync('package.json', 'utf8'));
    const entries = Object.keys(exports).filter((entry) => !entry.endsWith('.json'));
    expect(globSync('modules/*.html', { cwd: `${BUILT}/api` })).toHaveLength(entries.length);
    expect(readFileSync(`${BUILT}/api/functions/index.defineMetric.html`, 'utf8')).toContain('proportion');
  });

  it.each(pages)('links %s to pages and to files of the repository only', (name) => {
    const text = readFileSync(join(BUILT, slug(name), 'index.html'), 'utf8');
    for (const [, path] of text.matchAll(/href="https:\/\/github\.com\/[^/]+\/krisis\/blob\/main\/([^"#]+)/g))
      expect(existsSync(path!), path).toBe(true);
  });

  for (const [title, size] of [
    ['a wide screen', WIDE],
    ['a telephone', NARROW],
  ] as const)
    browserTest(`fits ${title}, without serious faults of access`, async () => {
      for (const name of ['', 'rows/', 'metrics/', 'gating/']) {
        const page = await open(`${server.url}/${name}`, { size });
        await page.locator('main').waitFor();
        expect(await overflow(page), name).toBeLessThanOrEqual(0);
        // Scrollable samples become tab stops a moment after loading.
        await expect.poll(() => faults(page), { timeout: 10_000, message: name }).toEqual([]);
      }
    });

  browserTest('shifts nothing while a page loads', async () => {
    for (const name of ['', 'tutorial/', 'metrics/', 'intervals/']) {
      const page = await open(`${server.url}/${name}`, { size: WIDE });
      await page.waitForLoadState('networkidle');
      expect(await page.evaluate(layoutShift), name).toBeLessThan(0.01);
    }
  });

  browserTest('can be read and walked through without script', async () => {
    const scripted = await open(server.url, { size: WIDE });
    const context = await scripted
      .context()
      .browser()!
      .newContext({ javaScriptEnabled: false, viewport: WIDE });
    try {
      const page = await context.newPage();
      await page.goto(`${server.url}/tutorial/`);
      expect(await page.locator('main h1').innerText()).not.toBe('');
      expect(await page.locator('main pre').first().isVisible()).toBe(true);
      const sidebar = page.getByRole('navigation', { name: 'Main' });
      // Groups are opened by the browser itself.
      await sidebar.getByText('Decide', { exact: true }).click();
      await sidebar.locator('a[href="/gating/"]').click();
      expect(new URL(page.url()).pathname).toBe('/gating/');
      await page.locator('main a[href^="/"]').first().click();
      expect(await page.locator('main h1').isVisible()).toBe(true);
      await page.goto(`${server.url}/api/modules/index.html`);
      expect(await page.getByText('defineMetric').first().isVisible()).toBe(true);
    } finally {
      await context.close();
    }
  });

  const QUESTIONS: readonly (readonly [string, readonly string[]])[] = [
    ['score unsure answers', ['faq', 'rows']],
    ['how many cases do I need', ['faq', 'planning']],
    ['inspect logs', ['faq', 'other-tools']],
    ['methods section', ['faq', 'reporting-a-study']],
    ['vLLM GPU server', ['faq', 'gpu-server']],
    ['what leaves the machine', ['faq', 'privacy']],
    ['which number to report', ['faq', 'core-concepts', 'metrics', 'reporting-a-study']],
    ['own prompt', ['faq', 'own-prompt']],
    ['exit code 3', ['faq', 'gating', 'errors', 'tutorial-gate']],
    ['clinician checked the suites', ['faq', 'suite-cards', 'open-clinical']],
  ];
  browserTest('has the answers to frequent questions among the first three pages it finds', async () => {
    const page = await open(server.url, { size: WIDE });
    await page.getByRole('button', { name: /search/i }).click();
    for (const [question, wanted] of QUESTIONS) {
      await page.getByPlaceholder('Search').fill(question);
      await expect
        .poll(() => foundPages(page, question), { timeout: 10_000, message: question })
        .not.toEqual([]);
      const found = (await foundPages(page, question)).slice(0, 3);
      expect(
        wanted.filter((name) => found.includes(name)),
        `${question}: ${found}`,
      ).not.toEqual([]);
    }
  });
});

/** How far parts of the page have moved while it loaded, as the browser sums it up. */
function layoutShift(): Promise<number> {
  return new Promise((resolve) => {
    new PerformanceObserver((list) => {
      const shifts = list.getEntries() as unknown as { value: number; hadRecentInput: boolean }[];
      resolve(shifts.reduce((sum, { value, hadRecentInput }) => sum + (hadRecentInput ? 0 : value), 0));
      // Node's types know no layout.
    }).observe({ type: 'layout-shift' as 'mark', buffered: true });
    // Without any shift the observer is never called.
    setTimeout(() => resolve(0), 500);
  });
}

/** The search lists five pages at first. */
const LISTED = 5;

/** The pages that the search lists for a question, once it has listed them all. */
async function foundPages(page: Page, question: string): Promise<string[]> {
  const message = await page.locator('.pagefind-ui__message').textContent();
  const count = Number(/^\d+/.exec(message ?? '')?.[0] ?? 0);
  if (!message?.includes(question)) return [];
  const links = page.locator(
    '.pagefind-ui__results > li .pagefind-ui__result-title .pagefind-ui__result-link',
  );
  const paths = await links.evaluateAll((found) => found.map((link) => link.getAttribute('href')!));
  // A page is listed with the parts of it that fit best.
  const names = paths.map((path) => path.replace(/#.*/, '').replaceAll('/', ''));
  const found = [...new Set(names)];
  return found.length < Math.min(count, LISTED) ? [] : found;
}
