import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeAll, describe, expect } from 'vitest';
import { changeNotes, readNotes } from '../src/store/run-notes.ts';
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

/** Runs by suite, and the notes on them, in a real browser. */

let folder: string;
let editing: Viewed;
let reading: Viewed;
const path = (id: string) => join(folder, `${id}.db`);

beforeAll(async () => {
  if (!canBrowse) return;
  folder = newFolder();
  for (const [id, model] of [
    ['one', 'unit/b'],
    ['two', 'unit/a'],
    ['three', 'unit/c'],
  ] as const)
    await writeRun(path(id), { n: 6, model });
  changeNotes(path('three'), { name: HOSTILE, note: `${HOSTILE}\n${HOSTILE}`, tags: [HOSTILE.slice(0, 35)] });
  [editing, reading] = [await viewOf(folder, ['--edit']), await viewOf(folder)];
});

const names = (shown: Awaited<ReturnType<typeof open>>) => shown.locator('.runs td.model a').allInnerTexts();

describe('the list of runs', () => {
  browserTest('is by suite, newest first, then by model', async () => {
    const shown = await open(reading.url);
    await shown.locator('.runs tr.suite').waitFor();
    expect(await shown.locator('.runs tr.suite').innerText()).toContain('unit/suite');
    expect((await names(shown)).slice(0, 2)).toEqual(['unit/a', 'unit/b']);
  });

  browserTest('changes name, tags and note with --edit, filters by tag, and hides runs', async () => {
    const shown = await open(editing.url);
    await shown.getByRole('button', { name: 'Edit notes on one' }).click();
    const dialog = shown.getByRole('dialog', { name: 'Notes on one' });
    await dialog.getByLabel('Name').fill('The first');
    await dialog.getByLabel('Tags').fill('pilot, 2026');
    await dialog.getByLabel('Note').fill('see the protocol');
    await shown.keyboard.press('Escape');
    await dialog.waitFor({ state: 'detached' });
    expect(readNotes(path('one')).name).toBeNull();
    await shown.getByRole('button', { name: 'Edit notes on one' }).click();
    await dialog.getByLabel('Name').fill('The first');
    await dialog.getByLabel('Tags').fill('pilot, 2026');
    await dialog.getByRole('button', { name: 'Save' }).click();
    await dialog.waitFor({ state: 'detached' });
    expect(readNotes(path('one'))).toMatchObject({ name: 'The first', tags: ['pilot', '2026'], note: null });
    await shown.locator('.tag-filter').getByRole('button', { name: 'pilot' }).click();
    expect(await names(shown)).toEqual(['The first']);
    await shown.locator('.tag-filter').getByRole('button', { name: 'pilot' }).click();
    await shown.getByRole('button', { name: 'Edit notes on two' }).click();
    await shown.getByLabel('Hide this run').check();
    await shown.getByRole('button', { name: 'Save' }).click();
    await shown.getByRole('link', { name: 'unit/a' }).waitFor({ state: 'detached' });
    await shown.getByLabel('Hidden runs (1)').check();
    await shown.getByRole('link', { name: 'unit/a' }).waitFor();
    await shown.getByRole('link', { name: 'unit/a' }).click();
    await shown.goBack();
    await shown.getByRole('link', { name: 'unit/a' }).waitFor();
  });

  browserTest('only reads without --edit', async () => {
    const shown = await open(reading.url);
    await shown.locator('.runs tr.run').first().waitFor();
    expect(await shown.getByRole('button', { name: /Edit notes/ }).count()).toBe(0);
  });

  browserTest('shows hostile names, notes and tags as text', async () => {
    const shown = await open(editing.url, { size: TELEPHONE });
    await shown.locator('.runs tr.run').first().waitFor();
    await shown.locator('.run-note summary').click();
    expect(await shown.locator('.runs').innerText()).toContain('<img src=x onerror="window.harmed=1">');
    await shown.getByRole('button', { name: 'Edit notes on three' }).click();
    await shown.getByRole('dialog').waitFor();
    expect(await shown.evaluate('window.harmed')).toBeUndefined();
    expect(await overflow(shown)).toBe(0);
    expect(await seriousFaults(shown)).toEqual([]);
    expect(JSON.parse(readFileSync(join(folder, 'three.notes.json'), 'utf8')).note).toContain('<img');
  });
});
