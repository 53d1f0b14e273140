import { join } from 'node:path';
import type { Locator, Page } from 'playwright-core';
import { beforeAll, describe, expect } from 'vitest';
import type { RecordsPayload, RunLine, RunPayload } from '../src/viewer/api.ts';
import { boardAt, ratesAt } from '../src/viewer/browser.ts';
import { krisis } from './krisis.ts';
import {
  browserTest,
  canBrowse,
  newFolder,
  open,
  overflow,
  seriousFaults,
  TELEPHONE,
  type Viewed,
  viewOf,
} from './viewer-browser.ts';
import { endRun, writeRun } from './viewer-fixture.ts';

/** The board of a run: a mark for every record, in the viewer and in the HTML report. */

const WIDE = { width: 1440, height: 900 };
const folder = newFolder();
let view: Viewed;
let runs: readonly RunLine[];

beforeAll(async () => {
  if (!canBrowse) return;
  const path = join(folder, 'asked.db');
  await writeRun(path, { n: 90, asksUrgency: true });
  endRun(path);
  view = await viewOf(folder);
  runs = await view.runs();
});

const pageOf = (name: string, query = '') => `${view.url}#/runs/${name}${query}`;
const runOf = (name: string) => view.api<RunPayload>(`runs/${name}`);

/** What the board of a run is drawn from. */
async function rowsOf(name: string) {
  const { sections } = await runOf(name);
  const figure = sections.find(({ id }) => id === 'board')!.blocks.find(({ kind }) => kind === 'figure')!;
  if (figure.kind !== 'figure' || figure.chart.chart !== 'board') throw new Error('no board');
  return figure.chart.data.rows;
}

const countsOf = async (lines: Locator) =>
  (await lines.evaluateAll((all) => all.map(({ textContent }) => textContent ?? ''))).map((text) =>
    Number(/(\d+)$/.exec(text)![1]),
  );
describe('the board of a run', () => {
  for (const colorScheme of ['light', 'dark'] as const)
    browserTest(`is the first thing on the page and fits the screen, ${colorScheme}`, async () => {
      const shown = await open(pageOf('asked'), { size: WIDE, colorScheme });
      const board = shown.locator('section.board');
      await board.locator('svg').waitFor();
      expect(await shown.locator('main h2').first().innerText()).toMatch(
        /^Missed emergencies in \d+ of \d+ answers/,
      );
      const marks = (await board.locator('svg').boundingBox())!;
      expect(marks.y + marks.height).toBeLessThan(WIDE.height);
      const others = await shown.locator('main h2').all();
      expect((await others[1]!.boundingBox())!.y).toBeGreaterThan(marks.y);
      expect(await seriousFaults(shown)).toEqual([]);
      expect(await contrasts(shown)).toEqual([]);
    });

  browserTest('says the verdict in its title on a telephone, and nothing is cut off', async () => {
    const shown = await open(pageOf('asked'), { size: TELEPHONE });
    await shown.locator('.board svg').waitFor();
    const title = shown.locator('.board h2');
    expect(await title.innerText()).toMatch(/^Missed emergencies in \d+ of \d+ answers/);
    expect((await title.boundingBox())!.y).toBeLessThan(TELEPHONE.height / 2);
    expect(await overflow(shown)).toBeLessThanOrEqual(0);
    expect(await seriousFaults(shown)).toEqual([]);
  });

  browserTest('counts every record once; the line of a class lists as many as it says', async () => {
    const shown = await open(pageOf('asked'));
    await shown.locator('.board svg a').first().waitFor();
    const links = shown.locator('.board svg a');
    const counts = await countsOf(links);
    const { run } = await runOf('asked');
    expect(counts.reduce((sum, n) => sum + n, 0)).toBe(run.n - (run.ledger.not_run ?? 0));
    const hrefs = await links.evaluateAll((all) => all.map((link) => link.getAttribute('href')!));
    const listed = await Promise.all(
      hrefs.map(async (href) => (await view.api<RecordsPayload>(href.replace('#/', ''))).total),
    );
    expect(listed).toEqual(counts);
  });

  browserTest('shows what a threshold changes, stricter to the right', async () => {
    const rows = await rowsOf('asked');
    const shown = await open(pageOf('asked'));
    const slider = shown.getByRole('slider', { name: 'Confidence threshold' });
    await slider.focus();
    await shown.keyboard.press('End');
    const highest = (await runOf('asked')).confidence_steps[0]!.threshold;
    await shown.waitForURL(new RegExp(`threshold=${highest}`));
    const { deferredWithoutNeed: now } = ratesAt(rows, highest);
    const rate = shown.locator('.board-rates [data-metric="deferred_without_need_rate"]');
    await expect.poll(() => rate.innerText()).toContain(`${now.count} of ${now.n}`);
    expect(now.count).toBeGreaterThan(ratesAt(rows, null).deferredWithoutNeed.count);
    expect(await shown.locator('.board h2').innerText()).toMatch(
      /^Accepting only answers from [\d.]+ would .*without need \(accepting all: \d+\)/,
    );
    // The line of a class leads to the records that the threshold adds to it.
    for (const { kind, classes } of boardAt(rows, highest))
      for (const { name, segments } of classes) {
        const added = segments.filter(({ isMoved }) => isMoved).reduce((sum, { n }) => sum + n, 0);
        // No filter names answers without a confidence.
        if (added === 0 || segments.some(({ isMoved, nUnsure }) => isMoved && nUnsure > 0)) continue;
        const link = shown.locator(`.board svg a[data-kind="${kind}"][data-class="${name}"]`);
        const href = (await link.getAttribute('href'))!;
        expect((await view.api<RecordsPayload>(href.replace('#/', ''))).total).toBe(added);
      }
    await slider.focus();
    await shown.keyboard.press('Home');
    await expect.poll(() => shown.locator('.board h2').innerText()).toMatch(/^Missed/);
    expect(await shown.locator('.board-caption').innerText()).toContain(
      'A threshold that defers the answer keeps the alarm.',
    );
  });

  browserTest('opens the record of a mark by pointer and by keyboard', async () => {
    const shown = await open(pageOf('asked'), { size: WIDE });
    const link = shown.locator('.board svg a[data-class="missed_emergency"]');
    await link.focus();
    await shown.keyboard.press('ArrowRight');
    await shown.keyboard.press('ArrowRight');
    const href = (await link.getAttribute('href'))!.replace('#/', '');
    const { rows } = await view.api<RecordsPayload>(`${href}&sort=harm`);
    await shown.locator('.board-hint').getByText(`${rows[1]!.id}: missed emergency`).waitFor();
    await shown.keyboard.press('Enter');
    await shown.waitForURL(new RegExp(`record=${rows[1]!.id}&`));
    await shown.goBack();
    const first = shown.locator('.board svg path').first();
    await expect.poll(async () => (await first.boundingBox())?.width ?? 0).toBeGreaterThan(0);
    await link.focus();
    await shown.keyboard.press('ArrowRight');
    const cursor = (await shown.locator('.board-cursor').boundingBox())!;
    await shown.mouse.click(cursor.x + cursor.width / 2, cursor.y + cursor.height / 2);
    await shown.waitForURL(new RegExp(`record=${rows[0]!.id}&`));
  });

  browserTest('is in the HTML report without a script, wide and narrow', async () => {
    const path = join(folder, 'asked.html');
    const run = runs.find(({ id }) => id === 'asked')!;
    const { code, stderr } = await krisis([
      'report',
      join(folder, 'asked.db'),
      '--format',
      'html',
      '-o',
      path,
    ]);
    expect(code, stderr).toBe(0);
    for (const size of [WIDE, TELEPHONE]) {
      const shown = await open(`file://${path}`, { size });
      const boards = shown.locator('svg.krisis-board');
      expect(await boards.count()).toBe(2);
      const visible = [];
      for (const board of await boards.all()) if (await board.isVisible()) visible.push(board);
      expect(visible.length).toBe(1);
      expect(await visible[0]!.locator('desc').textContent()).toContain(
        `missed emergency ${run.decision_classes!.missed_emergency}`,
      );
      expect(await shown.locator('main h2').nth(1).innerText()).toMatch(/^Missed/);
      expect(await overflow(shown)).toBeLessThanOrEqual(0);
      expect(await seriousFaults(shown)).toEqual([]);
    }
  });
});

/** Marks whose colour has less than 3:1 contrast with the ground; those in the colour of the ground are holes. */
function contrasts(shown: Page): Promise<unknown> {
  return shown.evaluate(`(() => {
    const canvas = document.createElement('canvas').getContext('2d', { willReadFrequently: true });
    const light = (color) => {
      canvas.fillStyle = color;
      canvas.fillRect(0, 0, 1, 1);
      const [r, g, b] = [...canvas.getImageData(0, 0, 1, 1).data].map((value) =>
        value / 255 <= 0.04045 ? value / 255 / 12.92 : ((value / 255 + 0.055) / 1.055) ** 2.4);
      return 0.2126 * r + 0.7152 * g + 0.0722 * b;
    };
    const ground = light(getComputedStyle(document.body).backgroundColor);
    return [...document.querySelectorAll('.board svg path')].flatMap((path) => {
      const { fill, stroke } = getComputedStyle(path);
      const own = light(stroke === 'none' ? fill : stroke);
      const ratio = (Math.max(own, ground) + 0.05) / (Math.min(own, ground) + 0.05);
      return ratio < 3 && ratio > 1.05 ? [ratio.toFixed(2)] : [];
    });
  })()`);
}
