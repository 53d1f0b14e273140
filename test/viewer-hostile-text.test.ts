import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { beforeAll, describe, expect } from 'vitest';
import { krisis } from './krisis.ts';
import { browserTest, canBrowse, newFolder, open, type Viewed, viewOf } from './viewer-browser.ts';
import { HOSTILE, writeHostileQuestions, writeHostileRun } from './viewer-hostile.ts';

/** Runs in which every text is hostile, in a real browser. */

describe('hostile text', () => {
  let hostile: Viewed;
  let site: string;
  beforeAll(async () => {
    if (!canBrowse) return;
    const root = newFolder();
    await writeHostileRun(join(root, 'one.db'));
    await writeHostileRun(join(root, 'two.db'), 'unit/other');
    await writeHostileQuestions(join(root, 'open.db'));
    site = join(newFolder(), 'site');
    const { code, stderr } = await krisis(['view', root, '--export', site]);
    expect(code, stderr).toBe(0);
    hostile = await viewOf(root);
  });

  const record = encodeURIComponent(`${HOSTILE} 1`);
  for (const [where, base] of [
    ['from the server', () => hostile.url],
    ['in an export', () => pathToFileURL(join(site, 'index.html')).href],
  ] as const)
    for (const [what, hash, ready] of [
      ['runs', '#/', '.runs'],
      ['a run', '#/runs/one', '.matrix'],
      ['records', '#/runs/one/records', '.records .all a'],
      ['a record', `#/runs/one/records?record=${record}&at=1`, '.attempts'],
      ['a comparison', '#/compare?runs=one&runs=two', 'table.report.wide'],
      ['an answer', '#/runs/open/questions', '.answer mark'],
    ] as const)
      browserTest(`is text: ${what}, ${where}`, async () => {
        const shown = await open(`${base()}${hash}`);
        await shown.locator(ready).first().waitFor();
        for (const summary of await shown.locator('main details > summary').all()) await summary.click();
        for (const link of await shown.locator('[data-chart-link]').all()) await link.hover();
        expect(await shown.locator('main').innerText()).toContain('<img src=x onerror="window.harmed=1">');
        expect(await shown.evaluate('window.harmed')).toBeUndefined();
        expect(await shown.locator('main img, main script, main a[href^="javascript"]').count()).toBe(0);
        // The page has only its own scripts: data and app.
        const scripts = await shown
          .locator('script')
          .evaluateAll((all) =>
            all.map((each) =>
              (each as unknown as { getAttribute(name: string): string }).getAttribute('src'),
            ),
          );
        for (const src of scripts) expect(src).toMatch(/^(\.\/)?(app|data\/[\w-]+)\.js$/);
      });

  browserTest('is text in a filtered list, too', async () => {
    const shown = await open(`${hostile.url}#/runs/one/records`);
    for (const title of ['truth', 'answer', 'stage', 'reason', 'group']) {
      await shown.getByRole('button', { name: `Filter by ${title}`, exact: true }).click();
      await shown.locator('.choices input').first().check();
      await shown.keyboard.press('Escape');
      await shown.getByRole('button', { name: new RegExp(`^${title}: `) }).waitFor();
    }
    await shown.getByText(/^\d+ cases?/).waitFor();
    expect(await shown.evaluate('window.harmed')).toBeUndefined();
  });
});
