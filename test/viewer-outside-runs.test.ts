import { join, resolve } from 'node:path';
import { beforeAll, describe, expect } from 'vitest';
import { krisis } from './krisis.ts';
import {
  browserTest,
  canBrowse,
  newFolder,
  open,
  seriousFaults,
  type Viewed,
  viewOf,
} from './viewer-browser.ts';

let view: Viewed;
const idOf = async (model: string) => (await view.runs()).find((run) => run.model === model)!.id;

beforeAll(async () => {
  if (!canBrowse) return;
  const cwd = newFolder();
  const fixtures = resolve('test/fixtures/answers');
  for (const args of [
    ['runs', 'import', `${fixtures}/python-metrics.json`, '--name', 'published', '--task', 'staging'],
    ['score', resolve('examples/answers.jsonl'), '--name', 'scored', '--save', '--bootstrap', '100'],
  ]) {
    const { code, stderr } = await krisis(args, { cwd });
    expect(code, stderr).toBe(0);
  }
  view = await viewOf(join(cwd, '.krisis/runs'));
});

describe('runs that were not made here', () => {
  browserTest('draws what a result without rows states', async () => {
    const page = await open(`${view.url}#/runs/${await idOf('published')}`);
    const deferrals = page.getByRole('region', { name: 'How decisions turned out' }).locator('table.matrix');
    await deferrals.waitFor();
    const rows = await deferrals.locator('tbody tr').allInnerTexts();
    expect(rows.map((text) => text.replaceAll(/\s+/g, ' ').trim())).toEqual([
      'should defer 30 100.0 % 0 30',
      'should answer 0 130 100.0 % 130',
    ]);
    for (const title of ['Reliability', 'Abstention Rate'])
      expect(await page.getByRole('heading', { name: title, exact: true }).count()).toBe(1);
    expect(await page.locator('main').innerText()).toContain('This run came without its cases');
    expect(await page.locator('svg a, .matrix a, .ledger-list a').count()).toBe(0);
    expect(await seriousFaults(page)).toEqual([]);
  });

  browserTest('opens a scored file like any other run', async () => {
    const page = await open(`${view.url}#/runs/${await idOf('scored')}`);
    await page.getByRole('region', { name: 'Truth and answer' }).locator('.matrix td a').first().waitFor();
    expect(await page.locator('main').innerText()).toContain('recorded elsewhere');
    expect(await page.locator('svg a').count()).toBeGreaterThan(0);
  });
});
