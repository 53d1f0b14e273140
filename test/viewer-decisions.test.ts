import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { beforeAll, describe, expect } from 'vitest';
import type { RecordPayload, RecordsPayload, RunLine, RunPayload } from '../src/viewer/api.ts';
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

/** Emergencies, harms and decision classes in a real browser, on runs that ask about urgency. */

let view: Viewed;
const folder = newFolder();
beforeAll(async () => {
  if (!canBrowse) return;
  for (const [name, wrongEvery] of [
    ['one', 4],
    ['two', 7],
  ] as const) {
    const path = join(folder, `${name}.db`);
    await writeRun(path, { n: 90, asksUrgency: true, wrongEvery, model: `unit/${name}` });
    endRun(path);
  }
  view = await viewOf(folder);
});

const lineOf = async (id: string): Promise<RunLine> => (await view.runs()).find((run) => run.id === id)!;
const count = (line: RunLine, name: string) => {
  const { n_successes: x, n } = line.leading.find((score) => score.name === name)!;
  return `${x} of ${n}`;
};

describe('the list of runs', () => {
  browserTest(
    'counts missed emergencies, false alarms and unsafe decisions before the endpoint',
    async () => {
      const line = await lineOf('one');
      const shown = await open(view.url);
      const row = shown.locator('.runs tr.run').filter({ hasText: 'unit/one' });
      await row.waitFor();
      for (const name of ['missed_emergency_rate', 'false_alarm_rate', 'unsafe_decision_rate']) {
        const cell = row.locator(`td.${name}`);
        expect((await cell.innerText()).split('\n')[0]).toBe(count(line, name));
        expect(await cell.locator('.harmful').count()).toBe(1);
      }
      const titles = (await shown.locator('.runs thead th').allInnerTexts()).map(
        (text) => text.split('\n')[0],
      );
      expect(titles.slice(2, 6)).toEqual([
        'missed emergencies',
        'false alarms',
        'unsafe decisions',
        'primary endpoint',
      ]);
      expect(await row.getByRole('img').getAttribute('aria-label')).toMatch(
        /^missed emergency \d+ cases, answered, should have deferred \d+ cases, wrong answer /,
      );
      // One scale for all runs: every strip begins and ends where the ticks do.
      const ends = await shown
        .locator('.runs .strip, .runs .ticks')
        .evaluateAll((all) =>
          all
            .map((each) =>
              (
                each as unknown as { getBoundingClientRect(): { x: number; width: number } }
              ).getBoundingClientRect(),
            )
            .map(({ x, width }) => `${Math.round(x)} ${Math.round(width)}`),
        );
      expect(ends.length).toBe(3);
      expect(new Set(ends).size).toBe(1);
      expect(await seriousFaults(shown)).toEqual([]);
    },
  );

  browserTest('has them on a telephone, too', async () => {
    const shown = await open(view.url, { size: TELEPHONE, colorScheme: 'dark' });
    await shown.locator('.runs tr.run').first().waitFor();
    expect(await overflow(shown)).toBe(0);
    expect(await seriousFaults(shown)).toEqual([]);
  });
});

describe('a run', () => {
  browserTest('names its faults before its numbers, and warns of the rest after them', async () => {
    const { alerts } = await view.api<RunPayload>('runs/one');
    const shown = await open(`${view.url}#/runs/one`);
    const title = shown.locator('.board h2');
    await title.waitFor();
    const first = await title.innerText();
    const missed = count(await lineOf('one'), 'missed_emergency_rate');
    expect(first).toMatch(new RegExp(`^Missed emergencies in ${missed} answers: .* answered without a flag`));
    expect(`${first}.`).toBe(alerts[0]);
    expect(await shown.locator('.board-faults li').allInnerTexts()).toEqual(alerts.slice(1));
    const boxes = await shown
      .locator('.board, .cards, .notice')
      .evaluateAll((all) => all.map((each) => String((each as unknown as { className: string }).className)));
    expect(boxes[0]).toBe('board');
    expect(boxes[1]).toContain('cards');
    expect(await shown.locator('.notice').allInnerTexts()).not.toContain(first);
    expect(await shown.locator('.board-rates .harm').first().innerText()).toContain(missed);
  });
});

describe('records', () => {
  browserTest('are listed with the worst first, and by class at a click', async () => {
    const { rows } = await view.api<RecordsPayload>('runs/one/records?sort=harm');
    const shown = await open(`${view.url}#/runs/one/records`);
    const ids = shown.locator('.records .all a');
    await ids.first().waitFor();
    const listed = await ids.allInnerTexts();
    expect(listed).toEqual(
      rows.slice(0, listed.length).map(({ id, repeat }) => (repeat === 0 ? id : `${id} (repeat ${repeat})`)),
    );
    expect(rows[0]!.decision_class).toBe('missed_emergency');
    expect(await shown.locator('.records .all .c-decision').first().innerText()).toMatch(/missed emergency$/);
    expect(await shown.getByRole('columnheader', { name: /^decision/ }).getAttribute('aria-sort')).toBe(
      'ascending',
    );
    for (const [words, name] of [
      ['answered, should have deferred', 'answered_should_defer'],
      ['either is defensible', 'deferred_either'],
    ] as const) {
      const { total } = await view.api<RecordsPayload>(`runs/one/records?decision_class=${name}`);
      const button = shown
        .locator('.class-filter')
        .getByRole('button', { name: new RegExp(`${words} ${total}$`) });
      await button.click();
      await shown.waitForURL(new RegExp(`decision_class=${name}$`));
      await shown.getByText(`${total} cases of 180`).waitFor();
      expect(await button.getAttribute('aria-pressed')).toBe('true');
      await button.click();
      await shown.getByText('180 cases', { exact: true }).waitFor();
    }
    expect(await seriousFaults(shown)).toEqual([]);
  });

  browserTest('say in words what happened, and what the model said about urgency', async () => {
    const query = 'decision_class=missed_emergency&outcome=abstained&limit=1';
    const { rows } = await view.api<RecordsPayload>(`runs/one/records?${query}`);
    const shown = await open(`${view.url}#/runs/one/records?record=${rows[0]!.id}`, { colorScheme: 'dark' });
    const panel = shown.getByRole('complementary', { name: 'Case' });
    const banner = panel.locator('.verdict-banner.harmful');
    await banner.waitFor();
    expect(await banner.innerText()).toBe(
      'Missed emergency: potassium 6.5 or more; the model deferred and did not call it urgent.',
    );
    await panel.getByText('emergency: potassium 6.5 or more', { exact: true }).waitFor();
    expect(await panel.locator('.pairs').first().innerText()).toMatch(/urgent\s+no/);
    expect(await seriousFaults(shown)).toEqual([]);
    const [alarm] = (
      await view.api<RecordsPayload>(
        'runs/two/records?must_act=false&urgent=true&decision_class=right_answer&limit=1',
      )
    ).rows;
    const found = await view.api<RecordPayload>(`runs/two/records/${alarm!.id}`);
    await shown.goto(`${view.url}#/runs/two/records?record=${alarm!.id}`);
    await shown
      .getByText(`Right answer: ${found.label}; false alarm: called urgent, but nothing needs action today.`)
      .waitFor();
  });
});

describe('several runs', () => {
  browserTest('are compared with the faults of each, and each decision has its class', async () => {
    const shown = await open(`${view.url}#/compare?runs=one&runs=two`);
    await shown.getByRole('table', { name: 'B: unit/two against A: unit/one' }).waitFor();
    const faults = await shown.locator('.faults li').allInnerTexts();
    for (const [place, name] of ['one', 'two'].entries())
      expect(faults[place]).toMatch(
        new RegExp(
          `^[AB]: unit/${name}: Missed emergencies in ${count(await lineOf(name), 'missed_emergency_rate')} answers`,
        ),
      );
    const endpoints = await shown
      .getByRole('table', { name: 'B: unit/two against A: unit/one' })
      .getByRole('rowheader')
      .allInnerTexts();
    expect(endpoints.slice(0, 2)).toEqual(['Missed Emergencies', 'False Alarms']);
    const cells = shown.locator('.compared tbody tr').first().locator('.decision');
    await cells.first().waitFor();
    expect(await cells.count()).toBe(4);
    expect(await shown.locator('.compared tbody').innerText()).toContain('either is defensible');
    expect(await seriousFaults(shown)).toEqual([]);
  });

  browserTest('of a suite have the scores that lead as columns', async () => {
    const line = await lineOf('two');
    const shown = await open(`${view.url}#/suites/unit%2Fsuite`);
    const models = shown.getByRole('table', { name: 'Scores of all models' });
    const row = models.locator('tbody tr').filter({ hasText: 'unit/two' });
    await row.waitFor();
    const cells = await row.locator('td.number').allInnerTexts();
    expect(cells.map((text) => text.split('\n')[0])).toEqual(
      line.leading.map(({ n_successes, n }) => `${n_successes} of ${n}`),
    );
    expect((await models.locator('thead th').allInnerTexts())[1]).toBe('Missed emergencies');
    expect(await seriousFaults(shown)).toEqual([]);
  });
});

browserTest('an export has the same classes, order and filter', async () => {
  const site = join(newFolder(), 'site');
  const { code, stderr } = await krisis(['view', folder, '--export', site]);
  expect(code, stderr).toBe(0);
  const base = pathToFileURL(join(site, 'index.html')).href;
  const shown = await open(`${base}#/runs/one/records?case_kind=must_act`);
  const query = 'case_kind=must_act&decision_class=missed_emergency';
  const { total, rows } = await view.api<RecordsPayload>(`runs/one/records?${query}&sort=harm`);
  await shown
    .locator('.class-filter')
    .getByRole('button', { name: new RegExp(`missed emergency ${total}$`) })
    .click();
  await shown.getByText(`${total} cases of 180`).waitFor();
  const ids = await shown.locator('.records .all a').allInnerTexts();
  expect(ids).toEqual(
    rows.slice(0, ids.length).map(({ id, repeat }) => (repeat === 0 ? id : `${id} (repeat ${repeat})`)),
  );
  await shown.goto(`${base}#/runs/one`);
  await shown.locator('.board h2').waitFor();
  await shown.goto(`${base}#/`);
  const cell = shown
    .locator('.runs tr.run')
    .filter({ hasText: 'unit/one' })
    .locator('td.missed_emergency_rate');
  expect(await cell.innerText()).toContain(count(await lineOf('one'), 'missed_emergency_rate'));
});
