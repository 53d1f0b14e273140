import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import type { Page } from 'playwright-core';
import { beforeAll, describe, expect } from 'vitest';
import { krisis } from './krisis.ts';
import {
  browserTest,
  canBrowse,
  newFolder,
  open,
  overflow,
  TELEPHONE,
  type Viewed,
  viewOf,
} from './viewer-browser.ts';

/** What the design promises of every page: few sizes of text, readable charts, little to load. */

const SCREEN = { width: 1440, height: 900 };
/** A4 without its margins, in pixels of CSS. */
const PAPER = { width: 688, height: 1001 };
const MAX_SIZES = 5;
const MIN_CHART_SIZE = 11;
/** Until the first chart. */
const MAX_BYTES = 300_000;

let runsFolder: string;
let view: Viewed;
let ids: readonly string[];

beforeAll(async () => {
  if (!canBrowse) return;
  const folder = newFolder();
  const models = 'simulated/careful,simulated/overconfident,baseline/guideline';
  await krisis(['run', 'ckd/staging', '-m', models, '--limit', '1000', '--bootstrap', '0'], { cwd: folder });
  runsFolder = join(folder, '.krisis/runs');
  view = await viewOf(runsFolder);
  ids = (await view.runs()).map(({ id }) => id);
}, 300_000);

/** Sizes of text as they are drawn, with an example each: those in charts, and all others. */
function textSizes(page: Page): Promise<Record<'charts' | 'page', Record<string, string>>> {
  return page.evaluate(`(() => {
    const found = { charts: {}, page: {} };
    const texts = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
    while (texts.nextNode()) {
      const { textContent, parentElement: parent } = texts.currentNode;
      if (textContent.trim() === '' || parent.closest('title, desc, option')) continue;
      const chart = parent.closest('svg');
      // Text on its side has a matrix without a horizontal part.
      const { a, b } = chart ? parent.getScreenCTM() : { a: 1, b: 0 };
      const size = parseFloat(getComputedStyle(parent).fontSize) * Math.hypot(a, b);
      found[chart ? 'charts' : 'page'][size.toFixed(1)] ??= textContent;
    }
    return found;
  })()`) as never;
}

describe('the design', () => {
  browserTest('has five sizes of text, none under 11 px in charts, and loads little', async () => {
    const compared = ids.map((id) => `runs=${encodeURIComponent(id)}`).join('&');
    const addresses = [`#/runs/${encodeURIComponent(ids[0]!)}`, `#/compare?${compared}`, '#/'];
    const sizes = new Set<string>();
    for (const address of addresses) {
      let bytes = 0;
      const page = await open('about:blank', {
        size: SCREEN,
        before: async (fresh) => {
          const devtools = await fresh.context().newCDPSession(fresh);
          await devtools.send('Network.enable');
          devtools.on('Network.loadingFinished', ({ encodedDataLength }) => {
            bytes += encodedDataLength;
          });
        },
      });
      await page.goto(`${view.url}#token=${view.token}`);
      await page.getByRole('heading', { name: 'Runs' }).waitFor();
      bytes = 0;
      await page.goto('about:blank');
      await page.goto(`${view.url}${address}`);
      await page.locator('main svg').first().waitFor();
      expect([address, bytes > 0 && bytes <= MAX_BYTES, bytes]).toEqual([address, true, bytes]);
      await page.waitForLoadState('networkidle');
      const found = await textSizes(page);
      for (const size of Object.keys(found.page)) sizes.add(size);
      const small = Object.entries(found.charts).filter(([size]) => Number(size) < MIN_CHART_SIZE);
      expect([address, small]).toEqual([address, []]);
    }
    expect([...sizes].sort()).toHaveLength(MAX_SIZES);
  });

  browserTest('has charts that can be read on a telephone', async () => {
    const compared = ids.map((id) => `runs=${encodeURIComponent(id)}`).join('&');
    for (const address of [`#/runs/${encodeURIComponent(ids[0]!)}`, `#/compare?${compared}`]) {
      const page = await open(`${view.url}${address}`, { size: TELEPHONE });
      await page.locator('.krisis-chart').last().waitFor();
      const { charts } = await textSizes(page);
      const sizes = Object.keys(charts).map(Number);
      expect([address, sizes.length > 0, Math.min(...sizes) >= MIN_CHART_SIZE, charts]).toEqual([
        address,
        true,
        true,
        charts,
      ]);
    }
  });

  browserTest('has room for all columns of a suite, and for a case beside its answers', async () => {
    const page = await open(`${view.url}#/suites/ckd%2Fstaging`, { size: SCREEN });
    const models = page.getByRole('region', { name: 'Scores of all models' });
    await models.locator('tbody tr').nth(2).waitFor();
    const cutOff = await models.evaluate((box) => {
      const { scrollWidth, clientWidth } = box as unknown as Record<string, number>;
      return scrollWidth! - clientWidth!;
    });
    expect(cutOff).toBe(0);

    await page.goto(`${view.url}#/runs/${encodeURIComponent(ids[0]!)}/records`);
    const record = (await page.locator('.records .all a').first().innerText()).replace(/ \(.*/, '');
    await page.goto(`${view.url}#/suites/ckd%2Fstaging/cases/${record}`);
    const did = await page.getByRole('heading', { name: 'What each model did' }).boundingBox();
    const is = await page.getByRole('heading', { name: 'The case' }).boundingBox();
    expect([is!.y, is!.x > SCREEN.width / 2]).toEqual([did!.y, true]);
  });

  browserTest('prints without controls, with nothing cut off, and harms on the first page', async () => {
    const compared = ids.map((id) => `runs=${encodeURIComponent(id)}`).join('&');
    const page = await open(`${view.url}#/`, { size: PAPER });
    await page.getByRole('heading', { name: 'Runs' }).waitFor();
    await page.emulateMedia({ media: 'print' });
    for (const address of [`#/runs/${encodeURIComponent(ids[0]!)}`, `#/compare?${compared}`]) {
      await page.goto(`${view.url}${address}`);
      await page.locator('.krisis-chart').last().waitFor();
      for (const hidden of ['.top', '.tabs', '.rail', 'input[type="range"]'])
        expect([address, hidden, await page.locator(hidden).filter({ visible: true }).count()]).toEqual([
          address,
          hidden,
          0,
        ]);
      expect([address, await overflow(page)]).toEqual([address, 0]);
    }

    const [run, other] = ids.map((id) => join(runsFolder, `${id}.db`));
    const report = join(runsFolder, 'report.html');
    await krisis(['report', run!, '--format', 'html', '-o', report]);
    await page.goto(pathToFileURL(report).href);
    const harms = await page.locator('.card').all();
    for (const harm of harms.slice(0, 4)) {
      const { y, height } = (await harm.boundingBox())!;
      expect(y + height).toBeLessThan(PAPER.height);
    }
    const comparison = join(runsFolder, 'comparison.html');
    await krisis(['compare', run!, other!, '--format', 'html', '-o', comparison]);
    await page.goto(pathToFileURL(comparison).href);
    const list = page.locator('details.list').first();
    expect(await list.locator('tbody tr').count()).toBeGreaterThan(1);
    expect(await list.locator('tbody tr').filter({ visible: true }).count()).toBe(0);
    expect(await page.locator('body').innerText()).not.toMatch(/\d\.\d{5}/);
    expect(await overflow(page)).toBe(0);
  });
});
