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
    ['import', `${fixtures}/python-metrics.json`, '--name', 'published', '--task', 'staging'],
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
    await page.getByRole('heading', { name: 'Deferral matrix' }).waitFor();
    for (const title of ['Reliability', 'Abstention rate'])
      expect(await page.getByRole('heading', { name: title, exact: true }).count()).toBe(1);
    expect(await page.locator('main').innerText()).toContain('Imported without rows');
    expect(await page.locator('svg a').count()).toBe(0);
    expect(await seriousFaults(page)).toEqual([]);
  });

  browserTest('opens a scored file like any other run', async () => {
    const page = await open(`${view.url}#/runs/${await idOf('scored')}`);
    await page.getByRole('heading', { name: 'Confusion matrix' }).waitFor();
    expect(await page.locator('main').innerText()).toContain('recorded elsewhere');
    expect(await page.locator('svg a').count()).toBeGreaterThan(0);
  });
});
