import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeAll, describe, expect, it } from 'vitest';
import type { RecordPayload, RecordsPayload } from '../src/viewer/api.ts';
import { changedLines } from '../src/viewer/differences-payload.ts';
import { krisis } from './krisis.ts';
import {
  browserTest,
  canBrowse,
  newFolder,
  open,
  problems,
  seriousFaults,
  type Viewed,
  viewOf,
} from './viewer-browser.ts';
import { endRun, writeRun } from './viewer-fixture.ts';

/** From looking to acting: a list becomes a review, a case gets a note, charts and tables are copied. */

const folder = newFolder();
const path = join(folder, 'one.db');
let view: Viewed;

beforeAll(async () => {
  await writeRun(path, { n: 90, asksUrgency: true });
  endRun(path);
  await writeRun(join(folder, 'two.db'), { n: 20, model: 'unit/other' });
  await writeRun(join(folder, 'secret.db'), { n: 20, model: 'unit/secret', sensitivity: 'protected' });
  if (canBrowse) view = await viewOf(folder, ['--edit']);
});

const FILTER = 'decision_class=missed_emergency';

describe('a filtered list', () => {
  browserTest('becomes a review of exactly its cases, and a shareable address', async () => {
    const { total, rows } = await view.api<RecordsPayload>(`runs/one/records?${FILTER}`);
    const shown = await open(`${view.url}#/runs/one/records?${FILTER}`);
    await shown.context().grantPermissions(['clipboard-read', 'clipboard-write']);
    await shown.getByRole('button', { name: `Review these ${total}` }).click();
    expect(await seriousFaults(shown)).toEqual([]);
    const [download] = await Promise.all([
      shown.waitForEvent('download'),
      shown.getByRole('button', { name: 'Save the list' }).click(),
    ]);
    const list = join(folder, download.suggestedFilename());
    await download.saveAs(list);
    await shown.getByRole('button', { name: 'Copy command' }).click();
    await shown.waitForFunction('navigator.clipboard.readText().then((text) => text.startsWith("krisis "))');
    const typed = ((await shown.evaluate('navigator.clipboard.readText()')) as string).split(' ').slice(1);
    expect(typed).toEqual(['review', 'one', '--cases', 'one-records.jsonl']);
    await shown.getByRole('button', { name: 'Copy the address of this list' }).click();
    await shown.waitForFunction(
      `navigator.clipboard.readText().then((text) => text.endsWith("records?${FILTER}"))`,
    );
    const nCases = new Set(rows.map(({ id }) => id)).size;
    const review = (file: string) =>
      krisis(['review', path, '--cases', file, '--reviewer', 'ann', '--dry-run', '--include-text']);
    const { code, stdout, stderr } = await review(list);
    expect(code, stderr).toBe(0);
    expect(stdout).toMatch(new RegExp(`Plan: cases, seed 1\\. ${nCases} records?, each for one reviewer`));
  });
});

describe('a list of cases for a review', () => {
  it.each([
    ['["r1"]', /line 1 names no case; expected \{"id": "\.\.\.", "repeat": 0\}/],
    ['{"id":"nobody"}', /nobody \(repeat 0\): this run has no such case/],
    ['', /has no cases/],
  ])('is refused with one message: %s', async (text, message) => {
    const file = join(newFolder(), 'cases.jsonl');
    writeFileSync(file, text);
    const { code, stderr } = await krisis(['review', path, '--cases', file, '--dry-run', '--include-text']);
    expect(code).toBe(2);
    expect(stderr).toMatch(message);
  });
});

describe('a note on a case', () => {
  browserTest('is kept beside the run, which does not change, and is gone when it is emptied', async () => {
    const before = readFileSync(path);
    const noteOnRecord = async () => (await view.api<RecordPayload>('runs/one/records/r1')).note;
    const shown = await open(`${view.url}#/runs/one/records?record=r1`);
    await shown.getByRole('button', { name: 'Add a note' }).click();
    expect(await seriousFaults(shown)).toEqual([]);
    // Keys in the field are text: no other case opens.
    await shown.keyboard.type('just look at the potassium');
    await shown.keyboard.press('Tab');
    await shown.keyboard.press('Enter');
    await shown.locator('.case-note').getByText('just look at the potassium').waitFor();
    await expect.poll(noteOnRecord).toBe('just look at the potassium');
    expect((await view.api<RecordPayload>('runs/one/records/r2')).note).toBe(null);
    expect(JSON.parse(readFileSync(join(folder, 'one.notes.json'), 'utf8')).cases).toEqual({
      r1: 'just look at the potassium',
    });
    // The note on the run leaves it alone.
    await krisis(['runs', 'note', path, '--name', 'first']);
    await expect.poll(noteOnRecord).toBe('just look at the potassium');
    await shown.getByRole('button', { name: 'Edit the note' }).click();
    await shown.getByLabel('Note on this case').fill('');
    await shown.getByRole('button', { name: 'Save' }).click();
    await shown.getByRole('button', { name: 'Add a note' }).waitFor();
    expect(JSON.parse(readFileSync(join(folder, 'one.notes.json'), 'utf8')).cases).toBeUndefined();
    expect(readFileSync(path).equals(before)).toBe(true);
  });
});

describe('charts and tables', () => {
  browserTest('are copied as text, and saved as CSV, SVG and PNG', async () => {
    const shown = await open(`${view.url}#/runs/one`);
    await shown.context().grantPermissions(['clipboard-read', 'clipboard-write']);
    const confidence = shown.locator('.with-chart').filter({ hasText: 'Reliability' }).first();
    await confidence.getByText('Save this chart').click();
    const save = async (name: string) => {
      const [download] = await Promise.all([
        shown.waitForEvent('download'),
        confidence.getByRole('button', { name, exact: true }).click(),
      ]);
      return { name: download.suggestedFilename(), content: readFileSync(await download.path()) };
    };
    const svg = await save('SVG');
    expect(svg.name).toBe('reliability.svg');
    // It stands alone: colours of its own, and no link into the page.
    expect(svg.content.toString()).toMatch(/^<svg[^>]* xmlns="http:\/\/www.w3.org\/2000\/svg"/);
    expect(svg.content.toString()).toMatch(/fill="rgb\(/);
    expect(/href=|class=/.test(svg.content.toString())).toBe(false);
    const png = await save('PNG');
    expect(png.content.subarray(1, 4).toString()).toBe('PNG');
    expect(png.content.length).toBeGreaterThan(2000);
    const table = confidence.locator('details.data');
    await table.getByText('The data as a table').click();
    await table.getByText('Copy or save').click();
    await table.getByRole('button', { name: 'Copy table' }).click();
    await shown.waitForFunction('navigator.clipboard.readText().then((text) => text.includes("\\t"))');
    const copied = ((await shown.evaluate('navigator.clipboard.readText()')) as string).split('\n');
    expect(copied.length).toBe(1 + (await table.locator('tbody tr').count()));
    expect(await seriousFaults(shown)).toEqual([]);
  });
});

describe('two runs', () => {
  it('differ in settings and in lines of their prompts', () => {
    expect(changedLines(['a', 'b', 'c'], ['a', 'x', 'c', 'd'])).toEqual([
      ['A', 'b'],
      ['B', 'x'],
      ['B', 'd'],
    ]);
    expect(changedLines([], [])).toEqual([]);
  });

  browserTest('show what differs, and a text is found in all of them', async () => {
    const shown = await open(view.url);
    for (const run of ['one', 'two'])
      await shown
        .getByRole('checkbox', { name: `Compare unit/${run === 'one' ? 'model' : 'other'}, ${run}` })
        .check();
    await shown.getByRole('link', { name: 'Settings that differ' }).click();
    const table = shown.getByRole('table', { name: 'Settings that differ' });
    expect(await table.getByRole('row', { name: /^model/ }).innerText()).toMatch(/unit\/model\s+unit\/other/);
    expect(await seriousFaults(shown)).toEqual([]);
    await shown.goto(`${view.url}#/`);
    await shown.getByLabel('Search cases').fill('site 2');
    await shown.keyboard.press('Enter');
    await shown.getByText('2 of 2 runs searched; found in 2. 1 of protected suites left out.').waitFor();
    expect(await shown.locator('.search-hits > li').count()).toBe(2);
    expect(await seriousFaults(shown)).toEqual([]);
    await shown
      .locator('.search-hits > li')
      .filter({ hasText: 'unit/suite, one' })
      .getByRole('link')
      .first()
      .click();
    await shown.waitForURL(/runs\/one\/records\?text=site/);
    await shown.goto(`${view.url}#/search?text=ab`);
    await shown.getByText('text has 2 characters; expected 3 to 200').waitFor();
    // The browser logs the refusal.
    problems.splice(0);
  });
});
