import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import type { Page } from 'playwright-core';
import { beforeAll, describe, expect } from 'vitest';
import type { ComparedRecordsPayload } from '../src/viewer/api.ts';
import { krisis } from './krisis.ts';
import { judgeOf, runInto, VERDICTS } from './question-run-fixture.ts';
import {
  browserTest,
  canBrowse,
  DESKTOP,
  newFolder,
  open,
  overflow,
  seriousFaults,
  TELEPHONE,
  type Viewed,
  viewOf,
} from './viewer-browser.ts';
import { writeRun } from './viewer-fixture.ts';

/** Comparisons of several runs, and all models of a suite, in a real browser. */

let folder: string;
let view: Viewed;
const page = (hash: string) => `${view.url}${hash}`;

beforeAll(async () => {
  if (!canBrowse) return;
  folder = newFolder();
  for (const [id, wrongEvery] of [
    ['one', 4],
    ['two', 5],
    ['three', 7],
  ] as const)
    await writeRun(join(folder, `${id}.db`), { model: `unit/${id}`, wrongEvery });
  await runInto(join(folder, 'good.db'));
  await runInto(join(folder, 'strict.db'), {
    judge: judgeOf(
      ({ answer }) => ({
        verdicts: { ...VERDICTS, 'Feels for the thrill': { verdict: 'absent', quotes: [] } },
        traits: {
          'krisis.abstained': answer.startsWith('I cannot'),
          kind: true,
          plain_words: 2,
          tone: 'cold',
        },
      }),
      'unit/strict',
    ),
  });
  view = await viewOf(folder);
});

describe('a comparison of several runs', () => {
  browserTest('has every run against the first, and each in detail', async () => {
    const shown = await open(page('#/compare?runs=one&runs=two&runs=three'));
    const first = shown.getByRole('table', { name: 'Harms and decisions of each model' });
    await first.waitFor();
    expect(await first.getByRole('rowheader').allInnerTexts()).toEqual([
      'A: unit/one',
      'B: unit/two',
      'C: unit/three',
    ]);
    const pairs = shown.getByRole('navigation', { name: 'Pairs with A' });
    await pairs.getByRole('link', { name: 'C: unit/three' }).click();
    // The counts of one pair and those over all runs say which they are.
    await shown.getByRole('heading', { name: 'C: unit/three against A: unit/one' }).waitFor();
    await shown.getByText(/^\d+ cases? that only C has right of these two: /).waitFor();
    await shown.getByRole('button', { name: /^Only A right of all 3/ }).waitFor();

    // Any pair is one click away, and has an address.
    const grid = shown.getByRole('table', { name: / every pair$/ }).last();
    await grid
      .getByRole('row', { name: /^C: unit\/three/ })
      .getByRole('link')
      .nth(1)
      .click();
    await shown.waitForURL(/runs=two&runs=one&runs=three&with=three&section=pair-2$/);
    const heading = shown.getByRole('heading', { name: 'C: unit/three against A: unit/two' });
    await heading.waitFor();
    await expect.poll(async () => (await heading.boundingBox())!.y).toBeLessThan(DESKTOP.height);

    await shown.getByRole('button', { name: 'C unit/three' }).click();
    await shown.getByRole('button', { name: 'Make it A instead of C' }).click();
    await shown.waitForURL(/runs=three&runs=two&runs=one/);
    await shown.getByRole('button', { name: 'C unit/one' }).click();
    await shown.getByRole('button', { name: 'Remove run C' }).click();
    await shown.getByRole('table', { name: 'B: unit/two against A: unit/three' }).waitFor();
    await shown.getByLabel('Add a run').selectOption({ index: 1 });
    await shown.waitForURL(/runs=three&runs=two&runs=one/);
  });

  browserTest('has a list of its sections, and keys on ?', async () => {
    const shown = await open(page('#/compare?runs=one&runs=two&runs=three'), {
      size: { width: 1440, height: 900 },
    });
    const rail = shown.getByRole('navigation', { name: 'On this page' });
    await rail.getByRole('link', { name: 'How sure are the ranks?' }).click();
    await shown.waitForURL(/&section=ranks$/);
    const heading = shown.getByRole('heading', { name: 'How sure are the ranks?' });
    await expect.poll(async () => (await heading.boundingBox())!.y).toBeLessThan(900);
    await expect.poll(() => rail.locator('[aria-current]').innerText()).toBe('How sure are the ranks?');
    await shown.keyboard.press('?');
    const keys = shown.getByRole('dialog', { name: 'Keys' });
    await keys.getByText('next and previous case').waitFor();
    await shown.keyboard.press('Escape');
    await keys.waitFor({ state: 'hidden' });
    expect(await overflow(shown)).toBeLessThanOrEqual(0);
    expect(await seriousFaults(shown)).toEqual([]);
  });

  browserTest('draws curves of other records of the suite in a chart of their own', async () => {
    const own = newFolder();
    for (const [id, suiteHash] of [
      ['one', 'ab'],
      ['two', 'ab'],
      ['limited', 'cd'],
    ] as const)
      await writeRun(join(own, `${id}.db`), { model: `unit/${id}`, suiteHash: suiteHash.repeat(32) });
    const other = await viewOf(own);
    const shown = await open(`${other.url}#/compare?runs=one&runs=limited&runs=two`);
    await shown.getByText('Drawn in 2 charts, because the runs have different cases of').waitFor();
    const legends = await shown.locator('.krisis-chart').allTextContents();
    const letters = legends.map((text) => text.match(/[ABC](?=: unit)/g)!.join(''));
    expect(letters.map((text) => [...new Set(text)].sort().join(''))).toEqual(['AC', 'AC', 'B', 'B']);
    expect(await shown.locator('body').innerText()).not.toContain('different suites');
  });

  browserTest('lists records side by side, filtered and in pages', async () => {
    const found = await view.api<ComparedRecordsPayload>('compare/records?runs=one&runs=two');
    const shown = await open(page('#/compare?runs=one&runs=two'));
    const rows = shown.locator('.compared tbody tr');
    await rows.first().waitFor();
    expect(await rows.count()).toBe(25);
    await shown.getByRole('button', { name: 'Next 25' }).click();
    await shown.getByText(`26 to 50 of ${found.total}`).waitFor();
    await shown.getByRole('button', { name: /^Only A right/ }).click();
    await shown.getByText(new RegExp(`of ${found.counts.only_baseline_right}$`)).waitFor();
    expect(await rows.count()).toBe(found.counts.only_baseline_right);
    expect(await rows.first().locator('.right-mark').allInnerTexts()).toEqual(['✓\nright', '✗\nwrong']);
    await shown.getByLabel('Find').fill('r4');
    await shown.waitForURL(/text=r4/);
    await shown
      .getByRole('link', { name: /^(yes|no)/i })
      .first()
      .click();
    await shown.getByRole('complementary', { name: 'Case' }).waitFor();
    await shown.goBack();
    await shown.waitForURL(/show=only_baseline_right&text=r4|text=r4&show=only_baseline_right/);
  });

  browserTest('shows answers to open questions side by side, with the verdicts that differ', async () => {
    const shown = await open(page('#/compare?runs=good&runs=strict'), {
      size: TELEPHONE,
      colorScheme: 'dark',
    });
    const differing = shown.locator('.compared-question.differs');
    await differing.waitFor();
    expect(await differing.count()).toBe(1);
    await differing.getByText('Keep cuffs off that arm').first().waitFor();
    const line = differing.getByRole('row', { name: /Feels for the thrill/ });
    expect((await line.innerText()).replaceAll(/\s+/g, ' ')).toContain('present');
    expect(await line.getByText('absent').count()).toBe(1);
    expect(await overflow(shown)).toBe(0);
    expect(await seriousFaults(shown)).toEqual([]);
  });
});

const modelsOf = (shown: Page) => shown.getByRole('table', { name: 'Scores of all models' });
const historyOf = (shown: Page) => shown.locator('section[aria-labelledby="history-title"]');

describe('a suite', () => {
  browserTest('has all its models in a table, and the history of a score', async () => {
    const shown = await open(page('#/'));
    const suite = shown.locator('.runs tbody').filter({ hasText: 'unit/advice' });
    await suite.getByRole('link', { name: 'Every run of this suite' }).click();
    await shown.getByRole('heading', { name: 'unit/advice' }).waitFor();
    await shown.getByLabel('All runs, not only the newest of each model').check();
    expect(await modelsOf(shown).locator('tbody tr').count()).toBe(2);
    await shown.getByRole('combobox', { name: /^score/ }).selectOption('advice: recall');
    expect(await historyOf(shown).locator('[data-chart-link]').count()).toBe(2);
    expect(await historyOf(shown).locator('tbody tr').count()).toBe(2);
    expect(await seriousFaults(shown)).toEqual([]);
    await historyOf(shown).locator('[data-chart-link]').first().click();
    await shown.getByRole('navigation', { name: 'Answers' }).waitFor();
  });

  browserTest('is in an export, which offers what it holds and nothing else', async () => {
    const site = join(newFolder(), 'site');
    const { code, stderr } = await krisis(['view', folder, '--export', site]);
    expect(code, stderr).toBe(0);
    const base = pathToFileURL(join(site, 'index.html')).href;
    const shown = await open(`${base}#/suites/unit%2Fadvice`, { size: TELEPHONE });
    await modelsOf(shown).locator('tbody tr').first().waitFor();
    expect(await overflow(shown)).toBe(0);
    await shown.goto(`${base}#/compare?runs=one&runs=two`);
    await shown.getByRole('heading', { name: 'B: unit/two against A: unit/one' }).waitFor();
    // It offers what it holds: two runs, and no list of cases side by side.
    expect(await shown.getByLabel('Add a run').count()).toBe(0);
    expect(await shown.getByRole('heading', { name: 'Cases side by side' }).count()).toBe(0);
    expect(await overflow(shown)).toBe(0);
    await shown.goto(`${base}#/`);
    for (const model of ['one', 'two', 'three'])
      await shown.getByRole('checkbox', { name: new RegExp(`unit/${model}`) }).check();
    await shown.getByText('This export does not compare these runs').waitFor();
  });
});
