import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Download, Page } from 'playwright-core';
import { beforeAll, describe, expect } from 'vitest';
import type { FacetsPayload, RecordsPayload } from '../src/viewer/api.ts';
import { words } from '../web/src/parts/words.ts';
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

/** The list of records in a real browser: columns, searches, counts, downloads, and where the focus goes. */

let view: Viewed;
const page = (hash: string) => `${view.url}#/runs/one/records${hash}`;

beforeAll(async () => {
  if (!canBrowse) return;
  const folder = newFolder();
  await writeRun(join(folder, 'one.db'), { n: 30 });
  view = await viewOf(folder);
});

const first = (shown: Page) => shown.locator('.records .all .line').first();
const box = (shown: Page, name: string) => shown.getByRole('button', { name, exact: true }).click();

describe('the list of records', () => {
  browserTest('counts what each choice would find, and closes its boxes', async () => {
    const { counts } = await view.api<FacetsPayload>('runs/one/facets?outcome=answered_wrong');
    const shown = await open(page('?outcome=answered_wrong'), { size: TELEPHONE });
    await first(shown).waitFor();
    await box(shown, 'Filter by reply (1)');
    for (const { value, n } of counts.outcome)
      await shown
        .locator('.choices label', {
          has: shown.getByRole('checkbox', { name: words(value), exact: true }),
        })
        .getByText(String(n), { exact: true })
        .waitFor();
    expect(await overflow(shown)).toBe(0);
    expect(await seriousFaults(shown)).toEqual([]);
    await shown.keyboard.press('Escape');
    await shown.locator('.choices').waitFor({ state: 'detached' });
    await box(shown, 'Filter by truth');
    await shown.locator('.choices').waitFor();
    await shown.mouse.click(5, 700);
    await shown.locator('.choices').waitFor({ state: 'detached' });
    expect(shown.url()).not.toContain('record=');
  });

  browserTest('shows the characters of an answer that hide or reverse text', async () => {
    const shown = await open(page('?outcome=invalid'));
    const answer = first(shown).locator('.c-prediction');
    await answer.locator('.hidden-character').getByText('⟨LSEP⟩').waitFor();
    expect(await answer.innerText()).not.toContain('\u2028');
  });

  browserTest('searches replies, features and metadata when asked to', async () => {
    const query = 'text=site%202&search_in=metadata';
    const { total } = await view.api<RecordsPayload>(`runs/one/records?${query}`);
    const shown = await open(page(''));
    await first(shown).waitFor();
    await shown.getByPlaceholder('id, answer, reason').fill('site 2');
    await shown.getByText('No case matches').waitFor();
    await box(shown, 'Search more');
    await shown.getByRole('checkbox', { name: 'metadata' }).check();
    await shown.getByText(`${total} cases of 60`).waitFor();
    expect(total).toBeGreaterThan(0);
    await shown.getByRole('checkbox', { name: 'replies' }).check();
    await shown.waitForURL(/search_in=metadata&search_in=reply/);
  });

  browserTest('has the columns that were chosen, metadata among them', async () => {
    const shown = await open(page('?sort=id'));
    await first(shown).waitFor();
    await box(shown, 'Columns');
    await shown.getByRole('checkbox', { name: 'site', exact: true }).check();
    await shown.getByRole('checkbox', { name: 'case', exact: true }).uncheck();
    await shown.keyboard.press('Escape');
    await shown.getByRole('columnheader', { name: 'site' }).waitFor();
    expect(await shown.getByRole('columnheader', { name: 'case' }).count()).toBe(0);
    await first(shown).getByText('site 0').waitFor();
    const again = await open(shown.url());
    await again.getByRole('columnheader', { name: 'site' }).waitFor();
    expect(await seriousFaults(again)).toEqual([]);
  });

  browserTest('downloads all records of the filter as CSV and JSONL', async () => {
    const shown = await open(page('?outcome=answered_wrong&column=site'));
    const { total, rows } = await view.api<RecordsPayload>(
      'runs/one/records?outcome=answered_wrong&column=site&sort=harm',
    );
    const saved = async (name: string): Promise<Download> => {
      await box(shown, 'Download');
      const [download] = await Promise.all([
        shown.waitForEvent('download'),
        shown.getByRole('button', { name, exact: true }).click(),
      ]);
      await shown.keyboard.press('Escape');
      return download;
    };
    const csv = await saved('CSV');
    expect(csv.suggestedFilename()).toBe('one-records.csv');
    const lines = readFileSync(await csv.path(), 'utf8').split('\r\n');
    expect(lines[0]).toMatch(
      /^id,repeat,case_kind,decision_class,must_act,urgent,outcome,label,prediction,confidence,should_abstain,reasons,stratum,metadata\.site$/,
    );
    expect(lines).toHaveLength(total + 2);
    const jsonl = readFileSync(await (await saved('JSONL')).path(), 'utf8');
    expect(
      jsonl
        .trimEnd()
        .split('\n')
        .map((line) => JSON.parse(line)),
    ).toEqual(rows);
    await shown.getByText(`saved ${total} cases`).waitFor();
    await box(shown, 'Download');
    const [whole] = await Promise.all([
      shown.waitForEvent('download'),
      shown.getByRole('link', { name: 'JSONL' }).click(),
    ]);
    expect(JSON.parse(readFileSync(await whole.path(), 'utf8').split('\n')[0]!)).toMatchObject({
      id: rows[0]!.id,
      reply: expect.stringContaining('alert(1)'),
    });
  });

  browserTest('opens a record by a click anywhere on its line, and the focus is never lost', async () => {
    const { rows } = await view.api<RecordsPayload>('runs/one/records?sort=id');
    const shown = await open(page('?sort=id'));
    const focused = () => shown.evaluate('document.activeElement.textContent') as Promise<string>;
    const title = (at: number) => shown.getByRole('heading', { name: rows[at]!.id, exact: true });
    await shown.locator('.records .all .line').nth(1).locator('.c-decision').click();
    await title(1).waitFor();
    expect(await focused()).toBe(rows[1]!.id);
    await shown.keyboard.press('j');
    await title(2).waitFor();
    await shown.getByRole('button', { name: 'Previous' }).click();
    await shown.getByRole('button', { name: 'Previous' }).click();
    await title(0).waitFor();
    expect(await focused()).toBe(rows[0]!.id);
    await shown.keyboard.press('Escape');
    await shown.locator('aside.record').waitFor({ state: 'detached' });
    expect(await focused()).toBe(rows[0]!.id);
    // Typing is typing.
    await shown.getByPlaceholder('id, answer, reason').pressSequentially('jk');
    await shown.waitForURL(/text=jk/);
    expect(await shown.locator('aside.record').count()).toBe(0);
  });

  browserTest('shows the reason that the model gave for deferring', async () => {
    const shown = await open(page('?record=r5'));
    const panel = shown.getByRole('complementary', { name: 'Case' });
    await panel.getByText('reason given', { exact: true }).waitFor();
    await panel.getByText('data missing', { exact: true }).waitFor();
  });

  browserTest('copies id, reply and link, and shows the prompt as it was sent', async () => {
    const shown = await open(page('?record=r1'));
    await shown.context().grantPermissions(['clipboard-read', 'clipboard-write']);
    const clipboard = () => shown.evaluate('navigator.clipboard.readText()') as Promise<string>;
    await shown.getByRole('button', { name: 'Copy id' }).click();
    await shown.getByText('Copied').waitFor();
    expect(await clipboard()).toBe('r1');
    await shown.getByRole('button', { name: 'Copy link' }).click();
    await shown.waitForFunction('navigator.clipboard.readText().then((text) => text.includes("record=r1"))');
    await shown.getByRole('button', { name: 'Copy reply' }).click();
    await shown.waitForFunction('navigator.clipboard.readText().then((text) => text.includes("alert(1)"))');
    await shown.getByText('Prompt as it was sent', { exact: true }).click();
    await shown.locator('details[open] pre').getByText('alert(2)').waitFor();
  });
});
