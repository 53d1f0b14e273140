import { cpSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import type { Page } from 'playwright-core';
import { beforeAll, describe, expect } from 'vitest';
import type { RunLine, RunPayload } from '../src/viewer/api.ts';
import { krisis } from './krisis.ts';
import {
  browserTest,
  canBrowse,
  DESKTOP,
  newFolder,
  open,
  overflow,
  problems,
  seriousFaults,
  TELEPHONE,
  type Viewed,
  viewOf,
} from './viewer-browser.ts';

/** The first screen of a run, and a page that survives what goes wrong behind it. */

const WIDE = { width: 1440, height: 900 };
let folder: string;
let view: Viewed;
let run: RunLine;

beforeAll(async () => {
  if (!canBrowse) return;
  const root = newFolder();
  const args = [
    'run',
    'ckd/detection',
    '--model',
    'simulated/overconfident',
    '--limit',
    '120',
    '--bootstrap',
    '50',
  ];
  const { code, stderr } = await krisis(args, { cwd: root });
  expect(code, stderr).toBe(0);
  folder = join(root, '.krisis/runs');
  view = await viewOf(folder);
  [run] = (await view.runs()) as [RunLine];
});

const pageOf = (id = run.id) => `${view.url}#/runs/${id}`;

/** Answers the page's request for a run with a changed payload. */
async function serve(shown: Page, change: (payload: RunPayload) => unknown): Promise<void> {
  const payload = await view.api<RunPayload>(`runs/${run.id}`);
  await shown.route(`**/api/runs/${run.id}`, (route) => route.fulfill({ json: change(payload) }));
}

describe('the first screen of a run', () => {
  browserTest('says in one sentence what happened, as the report does', async () => {
    const shown = await open(pageOf());
    const sentence = (await shown.locator('.sentence').first().innerText()).replaceAll('\u00a0', ' ');
    expect(sentence).toMatch(
      /^simulated\/overconfident missed \w+ of \d+ emergencies and raised .* It answered \d+ of \d+ cases that should have been deferred, .* It made the right decision in [\d.]+ % of \d+ cases\. It answered \d+ of 120 cases/,
    );
    const { stdout } = await krisis(['report', join(folder, `${run.id}.db`), '--format', 'md']);
    expect(stdout.replaceAll('\u00a0', ' ')).toContain(sentence);
  });

  for (const size of [WIDE, TELEPHONE])
    browserTest(`has no card alone in a row and nothing that is cut off, ${size.width} px`, async () => {
      const shown = await open(pageOf(), { size, colorScheme: 'dark' });
      const cards = shown.locator('.cards.headline .card');
      await cards.first().waitFor();
      const tops = await Promise.all(
        (await cards.all()).map(async (card) => Math.round((await card.boundingBox())!.y)),
      );
      const rows = [...Map.groupBy(tops, (top) => top).values()].map(({ length }) => length);
      expect(rows).toEqual(size === WIDE ? [5] : [2, 2, 1]);
      expect(await overflow(shown)).toBeLessThanOrEqual(0);
      expect(await seriousFaults(shown)).toEqual([]);
    });

  browserTest('is followed by the sections of the report', async () => {
    const shown = await open(pageOf());
    await shown.locator('.cards').first().waitFor();
    const headings = await shown.locator('main h2').allInnerTexts();
    for (const title of [
      'Beside the baselines of the suite',
      'Would acting on it help?',
      'Right decisions, by reason and by right answer',
      'From the suite to the answers',
    ])
      expect(headings).toContain(title);
    const { sections } = await view.api<RunPayload>(`runs/${run.id}`);
    const folded = await shown.locator('main > details > summary').allInnerTexts();
    expect([...headings, ...folded]).toEqual(
      expect.arrayContaining(sections.filter(({ id }) => id !== 'ledger').map(({ title }) => title)),
    );
    const plots = await shown
      .locator('section[aria-labelledby="groups-title"] .charts')
      .first()
      .locator('h3')
      .allInnerTexts();
    expect(plots[0]).toBe('Decision Accuracy');
  });

  browserTest('begins with a warning if the file was edited', async () => {
    const path = join(newFolder(), 'edited.db');
    cpSync(join(folder, `${run.id}.db`), path);
    const database = new DatabaseSync(path);
    database.exec(
      "UPDATE events SET data = json_set(data, '$.model', 'better') WHERE data -> '$.model' IS NOT NULL",
    );
    database.close();
    const edited = await viewOf(path);
    const shown = await open(`${edited.url}#/runs/edited`);
    const warning = shown.getByRole('alert').filter({ hasText: 'This run file is unverified' });
    await warning.waitFor();
    expect((await warning.boundingBox())!.y).toBeLessThan(
      (await shown.locator('.sentence').first().boundingBox())!.y,
    );
  });

  browserTest('reads all entries of a long run, and warns when a row was edited', async () => {
    const path = join(newFolder(), 'edited.db');
    cpSync(join(folder, `${run.id}.db`), path);
    const database = new DatabaseSync(path);
    database.exec('UPDATE rows SET confidence = 0.5');
    database.close();
    const edited = await viewOf(path);
    const payload = await edited.api<RunPayload>('runs/edited');
    // As the server answers for a run of more than 10,000 entries.
    const sealed = { verdict: 'verified', checked: 'seal', text: 'the seal fits' };
    const before = (page: Page) =>
      page.route('**/api/runs/edited', (route) =>
        route.fulfill({ json: { ...payload, verification: sealed } }),
      );
    for (const address of ['runs/edited', 'runs/edited/records']) {
      const shown = await open(`${edited.url}#/${address}`, { before });
      await shown.getByRole('alert').getByText('No number below can be trusted.').waitFor();
    }
  });

  browserTest('marks characters that reverse or hide text', async () => {
    const shown = await open('about:blank');
    await serve(shown, (payload) => ({
      ...payload,
      run: { ...payload.run, model: 'gpt\u202e5-\u200bx' },
    }));
    await shown.goto(pageOf());
    await shown.getByRole('heading', { name: 'gpt⟨RLO⟩5-⟨ZWSP⟩x' }).waitFor();
    expect(await shown.locator('.hidden-character').first().innerText()).toBe('⟨RLO⟩');
    expect(await shown.locator('main').innerText()).not.toMatch(/[\u202e\u200b]/);
  });
});

describe('a page that meets a fault', () => {
  browserTest('keeps its other panels when one cannot be shown', async () => {
    const shown = await open('about:blank');
    await serve(shown, (payload) => ({
      ...payload,
      sections: payload.sections.map((section) =>
        section.id === 'confusion' ? { ...section, blocks: [null] } : section,
      ),
    }));
    await shown.goto(pageOf());
    await shown.getByText('This panel could not be shown: ').waitFor();
    await shown.getByRole('heading', { name: 'How every case ended' }).waitFor();
    expect(await shown.locator('.cards .card').count()).toBe(5);
    expect(problems.splice(0).length).toBeGreaterThan(0);
  });

  browserTest('keeps its data when a refresh fails, and goes on refreshing', async () => {
    const shown = await open('about:blank');
    let asked = 0;
    const payload = await view.api<RunPayload>(`runs/${run.id}`);
    await shown.route(`**/api/runs/${run.id}`, (route) => {
      asked += 1;
      if (asked > 1 && asked < 6) return route.abort();
      const n_done = asked === 1 ? 40 : 80;
      const live = { in_flight: 1, rate_limits: 0, seconds_left: null };
      return route.fulfill({
        json: { ...payload, run: { ...payload.run, status: 'running', n_done, live } },
      });
    });
    await shown.goto(pageOf());
    await shown.getByText('Still running: 40 of 120').waitFor();
    await shown.getByText('The page shows older data: ').waitFor();
    await shown.getByText('Still running: 40 of 120').waitFor();
    await shown.getByText('Still running: 80 of 120').waitFor();
    await shown.getByText('The page shows older data: ').waitFor({ state: 'detached' });
    expect(problems.splice(0).join()).toContain('ERR_FAILED');
  });
});

describe('moving between pages', () => {
  browserTest('puts the focus on the heading, and going back returns to the place', async () => {
    const shown = await open(pageOf(), { size: DESKTOP });
    await shown.getByRole('heading', { name: 'From the suite to the answers' }).scrollIntoViewIfNeeded();
    const place = (await shown.evaluate('window.scrollY')) as number;
    expect(place).toBeGreaterThan(1000);
    await shown.evaluate(`location.hash = '#/runs/${run.id}/records'`);
    await shown.locator('.records .all a').first().waitFor();
    expect(await shown.evaluate('document.activeElement.tagName')).toBe('H1');
    expect(await shown.evaluate('window.scrollY')).toBe(0);
    await shown.goBack();
    await shown.locator('.cards').first().waitFor();
    await expect.poll(() => shown.evaluate('window.scrollY')).toBeCloseTo(place, -1);
  });
});
