import { createReadStream, existsSync } from 'node:fs';
import { extname, join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { afterAll, beforeAll, describe, expect } from 'vitest';
import type { RecordsPayload } from '../src/viewer/api.ts';
import { krisis } from './krisis.ts';
import { loopbackServer } from './loopback-server.ts';
import { expectCount, viewedRuns } from './viewed-runs.ts';
import { browserTest, canBrowse, hrefsOf, newFolder, open } from './viewer-browser.ts';

/** The export of `krisis view` in a real browser, from disk and from a web server. */
const { api, behind, careful, folder, judged, long, overconfident, runs, secret } = viewedRuns(
  'staging',
  'long',
  'protected',
  'judged',
);

describe('an export', () => {
  let site: string;
  let server: Awaited<ReturnType<typeof loopbackServer>>;

  beforeAll(async () => {
    if (!canBrowse) return;
    site = join(newFolder(), 'site');
    const { code, stderr } = await krisis(['view', folder, '--export', site]);
    expect(code, stderr).toBe(0);
    server = await plainServer(site);
  });
  afterAll(() => server?.close());

  for (const [from, base] of [
    ['disk', () => pathToFileURL(join(site, 'index.html')).href],
    ['a plain web server', () => `${server.url}/index.html`],
  ] as const) {
    browserTest(`from ${from} lists, draws, filters and opens records like the server`, async () => {
      const { id } = overconfident();
      const shown = await open(base());
      await shown.locator('.runs').waitFor();
      expect(await shown.locator('.runs tr.run').count()).toBe(runs().length);
      await shown.getByRole('link', { name: 'simulated/overconfident' }).click();
      await shown.locator('[data-chart-link]').first().waitFor();
      const wanted = await hrefsOf(shown.locator('[data-chart-link], .matrix a, .ledger-list a'));
      // A few of every kind; tests of the server check each one.
      for (const href of wanted.filter((_, i) => i % 9 === 0)) {
        await shown.goto(`${base()}${href}`);
        await expectCount(shown, await behind(href), href);
      }
      const query = 'outcome=answered_wrong&sort=-confidence&group=sex%3Afemale&confidence_from=0.5';
      await shown.goto(`${base()}#/runs/${id}/records?${query}`);
      const { total, rows } = await api<RecordsPayload>(`runs/${id}/records?${query}`);
      await shown.getByText(`${total} cases`).waitFor();
      const ids = await shown.locator('.records .all a').allInnerTexts();
      expect(ids).toEqual(rows.slice(0, ids.length).map((row) => row.id));
      await shown.getByRole('link', { name: rows[0]!.id }).click();
      await shown.getByRole('heading', { name: 'Raw response' }).waitFor();
      await shown.keyboard.press('j');
      await shown.getByRole('heading', { name: rows[1]!.id }).waitFor();
    });

    browserTest(`from ${from} compares, and lists the flips`, async () => {
      // An export has each pair once, and shows it whichever run was chosen first.
      const [a, b] = [overconfident(), careful()];
      const asked = await open(`${base()}#/compare?runs=${a.id}&runs=${b.id}`);
      const turned = await open(`${base()}#/compare?runs=${b.id}&runs=${a.id}`);
      const titles = [asked, turned].map((one) => one.locator('section[aria-labelledby^=pair] h2').first());
      const [title, again] = await Promise.all(titles.map((one) => one.innerText()));
      expect(again).toBe(title);
      const chips = [asked, turned].map((one) => one.locator('.run-chips').innerText());
      expect(new Set(await Promise.all(chips)).size).toBe(1);
      const shown = await open(`${base()}#/compare?runs=${a.id}&runs=${b.id}`);
      const links = shown.locator('section[aria-labelledby^=pair] a[href*=flips]');
      await links.first().waitFor();
      for (const href of await hrefsOf(links)) {
        await shown.goto(`${base()}${href}`);
        await expectCount(shown, await behind(href), href);
        await shown.goto('about:blank');
      }
    });

    browserTest(`from ${from} shows open answers, and no text of a protected suite`, async () => {
      const shown = await open(`${base()}#/runs/${judged().id}/questions?answer=missed`);
      await shown.locator('.answer mark.against').waitFor();
      await shown.goto(`${base()}#/runs/${secret().id}/records?record=S01&at=0`);
      await shown.getByRole('button', { name: 'Show the text' }).click();
      await shown.getByText('No response is stored').waitFor();
      await shown.goto(`${base()}#/`);
      await shown.getByText('patient and model text is left out').waitFor();
      await shown.goto(`${base()}#/compare?runs=${careful().id}&runs=${long().id}`);
      await shown.getByText('is not part of this export').waitFor();
    });
  }
});

const TYPES: Readonly<Record<string, string>> = {
  '.html': 'text/html',
  '.js': 'text/javascript',
  '.css': 'text/css',
};

/** A plain web server for files. */
function plainServer(root: string) {
  return loopbackServer(({ path }, response) => {
    const file = join(root, decodeURIComponent(new URL(path, 'http://x').pathname));
    if (!existsSync(file)) return void response.writeHead(404).end();
    response.writeHead(200, { 'content-type': TYPES[extname(file)] ?? 'application/octet-stream' });
    createReadStream(file).pipe(response);
  });
}
