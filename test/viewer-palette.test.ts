import { join } from 'node:path';
import { beforeAll, describe, expect } from 'vitest';
import { changeNotes } from '../src/store/run-notes.ts';
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
import { writeRun } from './viewer-fixture.ts';
import { HOSTILE } from './viewer-hostile.ts';

let view: Viewed;

beforeAll(async () => {
  if (!canBrowse) return;
  const folder = newFolder();
  await writeRun(join(folder, 'one.db'), { n: 30 });
  await writeRun(join(folder, 'two.db'), { n: 3, model: 'unit/other' });
  changeNotes(join(folder, 'two.db'), { name: HOSTILE, tags: ['pilot'] });
  view = await viewOf(folder);
});

describe('the box that goes anywhere', () => {
  browserTest('finds pages, suites, runs and records by keyboard', async () => {
    const shown = await open(view.url);
    await shown.locator('.runs').waitFor();
    const field = shown.getByRole('combobox', { name: 'Page, suite, run or case' });
    const goTo = async (typed: string) => {
      await shown.keyboard.press('Control+k');
      await field.fill(typed);
      await shown.getByRole('option').first().waitFor();
      await shown.keyboard.press('Enter');
      await field.waitFor({ state: 'detached' });
    };
    await goTo('every run');
    await shown.getByRole('heading', { name: 'unit/suite' }).waitFor();
    await goTo('unit/model');
    await shown.waitForURL(/#\/runs\/one$/);
    await shown.keyboard.press('Control+k');
    // The run at hand is there by its pages, not a second time as a run.
    await field.fill('unit/model');
    expect(await shown.getByRole('option').allInnerTexts()).toEqual([
      expect.stringMatching(/^Overview/),
      expect.stringMatching(/^Cases/),
      expect.stringMatching(/^Compare with/),
    ]);
    await field.fill('r17');
    await shown.getByRole('option', { name: /^r17/ }).click();
    await shown.getByRole('heading', { name: 'r17' }).waitFor();
    await shown.keyboard.press('Control+k');
    await field.and(shown.locator(':focus')).waitFor();
    // Keys of the page behind do nothing meanwhile.
    await shown.keyboard.press('j');
    expect(await field.inputValue()).toBe('j');
    await shown.keyboard.press('Escape');
    await shown.keyboard.press('Escape');
    await field.waitFor({ state: 'detached' });
  });

  browserTest('fits a phone, closes on a tap outside, and shows hostile names as text', async () => {
    const shown = await open(view.url, { size: TELEPHONE, colorScheme: 'dark' });
    await shown.getByRole('button', { name: /^Go to/ }).click();
    const field = shown.getByRole('combobox', { name: 'Page, suite, run or case' });
    await field.fill('pilot');
    await shown.getByRole('option', { name: /<img src=x/ }).waitFor();
    expect(await shown.evaluate('window.harmed')).toBeUndefined();
    expect(await overflow(shown)).toBe(0);
    expect(await seriousFaults(shown)).toEqual([]);
    await shown.mouse.click(200, 820);
    await field.waitFor({ state: 'detached' });
  });
});
