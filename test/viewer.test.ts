import { cpSync, createReadStream, existsSync, readFileSync, writeFileSync } from 'node:fs';
import { extname, join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { pathToFileURL } from 'node:url';
import { gzipSync } from 'node:zlib';
import type { Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { GroupDot } from '../src/metrics/figures.ts';
import type { RecordPayload, RecordsPayload, RunLine, RunPayload } from '../src/viewer/api.ts';
import { emulator, start, toEmulator, until } from './emulated-run.ts';
import { krisis } from './krisis.ts';
import { loopbackServer } from './loopback-server.ts';
import { runInto, SUITE } from './question-run-fixture.ts';
import {
  browserTest,
  canBrowse,
  DESKTOP,
  hrefsOf,
  isBuilt,
  makeRuns,
  newFolder,
  open,
  overflow,
  problems,
  seriousFaults,
  TELEPHONE,
  type Viewed,
  viewOf,
} from './viewer-browser.ts';
import { HOSTILE, writeHostileQuestions, writeHostileRun } from './viewer-hostile.ts';

/** The viewer's app in a real browser, on the real server over real run files. */

let folder: string;
let view: Viewed;
let runs: readonly RunLine[];

const runOf = (model: string, suite: string) =>
  runs.find((run) => run.model === model && run.suite === suite)!;
const overconfident = () => runOf('simulated/overconfident', 'ckd/staging');
const careful = () => runOf('simulated/careful', 'ckd/staging');
const long = () => runOf('simulated/careful', 'ckd/detection');
const secret = () => runs.find(({ sensitivity }) => sensitivity === 'protected')!;
const questions = () => runOf('baseline/reference', 'open/clinical');
const judged = () => runOf('unit/model', 'unit/advice');
const page = (hash: string) => `${view.url}${hash}`;

beforeAll(async () => {
  if (!canBrowse) return;
  const root = newFolder();
  await makeRuns(root);
  folder = join(root, '.krisis/runs');
  await runInto(join(folder, 'judged.db'), { passes: 2 });
  writeFileSync(join(folder, 'broken.db'), 'no run');
  view = await viewOf(folder);
  runs = await view.runs();
});

/** Waits until the page shows this number of records: a list keeps its rows until those of a new filter have come. */
async function expectCount(shown: Page, expected: number, about = shown.url()): Promise<void> {
  const line = shown.locator('.count').filter({ hasText: /\d record/ });
  const counted = async () => Number((await line.innerText()).replace(/ record.*/s, '').replaceAll(',', ''));
  await expect.poll(counted, { message: about, timeout: 60_000 }).toBe(expected);
}

/** The number of records that the server finds for a link to a list. */
async function behind(href: string): Promise<number> {
  const [path, query] = href.slice('#/'.length).split('?');
  return (await view.api<RecordsPayload>(`${path}?${query}&limit=1`)).total;
}

describe('the page', () => {
  it.skipIf(!isBuilt)('is one classic script and one style sheet of at most 300 kB', () => {
    const html = readFileSync('dist-web/index.html', 'utf8');
    expect(html).not.toMatch(/type="module"|<style| style=|<script>/);
    const size = ['index.html', 'app.js', 'app.css']
      .map((name) => gzipSync(readFileSync(`dist-web/${name}`)).length)
      .reduce((sum, each) => sum + each, 0);
    expect(size).toBeLessThan(300_000);
  });
});

describe('runs', () => {
  browserTest('are listed with their details', async () => {
    const shown = await open(page(''));
    const lines = shown.locator('.runs tr.run');
    await lines.first().waitFor();
    expect(await lines.count()).toBe(runs.length);
    const { headline, n } = careful();
    const suite = shown.locator('.runs tbody').filter({ hasText: 'ckd/staging' });
    const line = suite.locator('tr.run').filter({ hasText: 'simulated/careful' });
    const text = (await line.innerText()).replaceAll('\u00a0', ' ');
    for (const part of [
      headline!.value!.toFixed(3),
      `95 % ${headline!.interval!.lower.toFixed(3)} to ${headline!.interval!.upper.toFixed(3)}`,
      `${headline!.label}, n = ${headline!.n}`,
      String(n),
      'simulated',
    ])
      expect(text).toContain(part);
    expect(await line.getByRole('img').getAttribute('aria-label')).toMatch(/answered correct \d+ rows, /);
  });

  browserTest('are filtered and sorted', async () => {
    const shown = await open(page(''));
    const lines = shown.locator('.runs tr.run');
    await lines.first().waitFor();
    await shown.getByLabel('Filter').fill('overconf');
    expect(await lines.count()).toBe(1);
    await shown.getByLabel('Filter').fill('nothing like it');
    await shown.getByText('No run matches').waitFor();
    await shown.getByLabel('Filter').fill('staging');
    const models = () => shown.locator('.runs td.model a').allInnerTexts();
    const header = shown.getByRole('button', { name: 'headline' });
    await header.click();
    const up = await models();
    await header.click();
    expect(await models()).toEqual([...up].reverse());
    expect(await shown.locator('th.headline').getAttribute('aria-sort')).toMatch(/ascending|descending/);
  });

  browserTest('say whether their file was changed', async () => {
    for (const hash of [`#/runs/${careful().id}`, `#/runs/${judged().id}/questions`]) {
      const shown = await open(page(hash));
      await shown.getByText(/^Run file: verified: none of [\d,]+ entries was changed/).waitFor();
    }
    const root = newFolder();
    const edited = join(root, 'edited.db');
    cpSync(join(folder, `${careful().id}.db`), edited);
    const db = new DatabaseSync(edited);
    db.exec("UPDATE manifest SET value = '\"another\"' WHERE key = 'model'");
    db.close();
    const shown = await open(`${(await viewOf(root)).url}#/runs/edited`);
    await shown.locator('.notice', { hasText: 'CHANGED since it was written' }).waitFor();
  });

  browserTest('are chosen to be compared, several at a time', async () => {
    const shown = await open(page(''));
    for (const { model, id } of [careful(), overconfident(), long()])
      await shown.getByRole('checkbox', { name: `Compare ${model}, ${id}` }).check();
    await shown.getByText('1 with different records left out').waitFor();
    await shown.getByRole('link', { name: 'Compare 2 runs' }).click();
    await shown.getByRole('heading', { name: 'Paired differences' }).waitFor();
    expect(shown.url()).toContain(`runs=${careful().id}&runs=${overconfident().id}`);
    await shown.goBack();
    await shown.getByRole('link', { name: 'Compare 2 runs' }).waitFor();
  });

  browserTest('refresh while they are being written', async () => {
    const root = newFolder();
    const storm = { from: 3, to: 5, retryAfterSeconds: 0.2 };
    const server = await emulator({ latencyMs: 200, storm });
    const args = ['run', 'ckd/staging', '--n-records', '60', '--limit', '40', '--batch-size', '1'];
    const run = start(
      [...args, '--max-concurrency', '1', '--bootstrap', '0', ...toEmulator('openai', server)],
      root,
    );
    await until('the folder of the run', () => existsSync(join(root, '.krisis/runs')));
    const live = await viewOf(join(root, '.krisis/runs'));
    const rateLimits = async () => (await live.runs())[0]?.live?.rate_limits ?? 0;
    await until('the first 429', async () => (await rateLimits()) > 0);
    const shown = await open(live.url);
    const bar = shown.getByRole('progressbar', { name: 'Progress of openai/m' });
    await bar.waitFor();
    const done = async () => Number(await bar.getAttribute('value'));
    const first = await done();
    expect(await shown.locator('td.n').innerText()).toMatch(
      /\d+ of 40\s+\d+\.\d\u00a0%, \d+ in flight, \d+ × 429/,
    );
    await until('progress on the page without reloading it', async () => (await done()) > first);
    await shown.getByRole('link', { name: 'openai/m' }).click();
    await shown.getByText(/Still running: \d+ of 40/).waitFor();
    expect((await run.ended).code).toBe(0);
    await shown.getByText('Still running').waitFor({ state: 'detached' });
    await shown.getByRole('heading', { name: 'How 40 rows ended' }).waitFor();
  });

  browserTest('explain an empty folder, and files that cannot be read', async () => {
    const shown = await open(page(''));
    await shown.getByText('1 file could not be read').click();
    await shown.getByText('broken.db').waitFor();
    // The command itself does not start without a run, but runs can be deleted while it is open.
    await shown.route('**/api/runs', (route) =>
      route.fulfill({ json: { folder: 'runs', runs: [], unreadable: [] } }),
    );
    await shown.reload();
    await shown.getByRole('heading', { name: 'No runs yet' }).waitFor();
    await shown.getByText('krisis run').waitFor();
  });
});

describe('a run', () => {
  /** The figure with this heading. */
  const figure = (shown: Page, title: string, section = 'main') =>
    shown
      .locator(section)
      .locator('figure', { has: shown.getByRole('heading', { name: title, exact: true }) });
  const links = async (shown: Page, title: string, section?: string) =>
    Promise.all((await hrefsOf(figure(shown, title, section).locator('[data-chart-link]'))).map(behind));

  browserTest('has headlines with interval, n and how to read them', async () => {
    const { id, headline } = careful();
    const { scores, baselines } = await view.api<RunPayload>(`runs/${id}`);
    const shown = await open(page(`#/runs/${id}`));
    const cards = shown.locator('.cards .card');
    await cards.first().waitFor();
    const names = await Promise.all(
      (await cards.all()).map(async (card) => (await card.getAttribute('data-metric'))!),
    );
    expect(names).toEqual([
      'decision_accuracy',
      'answerable_accuracy',
      'deferral_recall',
      'unsafe_answer_rate',
      'must_act_silence_rate',
      'expected_calibration_error',
    ]);
    for (const [i, card] of (await cards.all()).entries()) {
      const text = (await card.innerText()).replaceAll('\u00a0', ' ');
      const score = scores.find(({ name }) => name === names[i])!;
      expect(text).toContain(score.value!.toFixed(3));
      expect(text).toContain(`${score.better} is better`);
      for (const { model, scores: own } of baselines) {
        const value = own[score.name]?.value;
        if (value != null)
          expect(text).toMatch(new RegExp(`${model.replace('baseline/', '')}\\s+${value.toFixed(3)}`));
      }
      const { interval } = score;
      expect(text).toContain(
        interval === null ? 'no interval' : `${interval.lower.toFixed(3)} to ${interval.upper.toFixed(3)}`,
      );
      const whole = score.n.toLocaleString('en');
      expect(text).toContain(
        `n = ${score.n_successes === null ? '' : `${score.n_successes.toLocaleString('en')}/`}${whole}`,
      );
      expect(text.includes('primary endpoint')).toBe(score.name === headline!.name);
    }
  });

  browserTest('opens exactly the answers behind each bin, bar and point', async () => {
    const { id } = overconfident();
    const { figures, n_scored: scored } = await view.api<RunPayload>(`runs/${id}`);
    const shown = await open(page(`#/runs/${id}`));
    await shown.locator('[data-chart-link]').first().waitFor();
    const { reliability, confidence, riskCoverage } = figures!;
    expect(await links(shown, 'Reliability')).toEqual(
      reliability.map(({ count }) => count).filter((n) => n > 0),
    );
    expect(await links(shown, 'Stated confidence')).toEqual([
      ...confidence.map(({ right }) => right).filter((n) => n > 0),
      ...confidence.map(({ wrong }) => wrong).filter((n) => n > 0),
    ]);
    expect(await links(shown, 'Risk and coverage')).toEqual(
      riskCoverage.points.map(({ coverage }) => Math.round(coverage * scored)),
    );
  });

  browserTest('opens exactly the records of each stratum and subgroup', async () => {
    const { id } = careful();
    const { figures, scores } = await view.api<RunPayload>(`runs/${id}`);
    const shown = await open(page(`#/runs/${id}`));
    await shown.locator('[data-chart-link]').first().waitFor();
    const plots = Map.groupBy(figures!.dots, ({ by, metric }: GroupDot) => `${by} ${metric}`);
    expect(new Set(figures!.dots.map(({ by }) => by))).toEqual(new Set(['ckd_stage', 'sex', 'age']));
    for (const dots of plots.values()) {
      const { by, metric } = dots[0]!;
      const title = scores.find(({ name }) => name === metric)!.label;
      const found = await links(shown, title, `section[aria-labelledby="by-${by}"]`);
      expect(found, `${metric} by ${by}`).toEqual(dots.map(({ n }) => n));
    }
  });

  browserTest('opens exactly the records of each cell, and of each class of the ledger', async () => {
    for (const { id, ledger } of [overconfident(), careful()]) {
      const { figures } = await view.api<RunPayload>(`runs/${id}`);
      const shown = await open(page(`#/runs/${id}`));
      await shown.locator('.matrix').first().waitFor();
      const { confusion, deferral } = figures!;
      for (const [title, counts] of [
        ['Confusion matrix', confusion.counts.flat()],
        [
          'Deferral matrix',
          [
            deferral!.defer_when_needed,
            deferral!.answer_when_should_defer,
            deferral!.abstain_when_should_answer,
            deferral!.answer_when_safe,
          ],
        ],
      ] as const) {
        const cells = await hrefsOf(figure(shown, title).locator('td a'));
        expect(await Promise.all(cells.map(behind)), title).toEqual(counts.filter((n) => n > 0));
      }
      const classes = shown.locator('.ledger-list li');
      const rows = await Promise.all((await hrefsOf(classes.locator('a'))).map(behind));
      expect(rows).toEqual(
        (await classes.locator('strong').allInnerTexts()).map((text) => Number(text.replaceAll(',', ''))),
      );
      expect([...rows].sort()).toEqual(
        Object.values(ledger)
          .filter((n) => n > 0)
          .sort(),
      );
    }
  });

  browserTest('can be used by keyboard: a mark has focus, a name and a target', async () => {
    const shown = await open(page(`#/runs/${overconfident().id}`));
    const link = shown
      .getByRole('link', { name: /^Confidence .* answers, share right .* List them$/ })
      .first();
    await link.focus();
    const n = Number(/: ([\d,]+) answers/.exec((await link.getAttribute('aria-label'))!)![1]);
    await shown.keyboard.press('Enter');
    await shown.waitForURL(/records\?usable=true/);
    await expectCount(shown, n);
  });

  browserTest('moves coverage, risk, its bound and deferrals with the threshold', async () => {
    const { id } = careful();
    const { confidence_steps: steps, n_scored: scored } = await view.api<RunPayload>(`runs/${id}`);
    const shown = await open(page(`#/runs/${id}`));
    const slider = shown.getByRole('slider', { name: 'Confidence threshold' });
    await slider.focus();
    await shown.keyboard.press('Home');
    await shown.keyboard.press('ArrowRight');
    const { threshold, n, errors, bound } = steps[1]!;
    const percent = (share: number) => `${(share * 100).toFixed(1)} %`;
    const facts = await shown.locator('.threshold .figure').allInnerTexts();
    expect(facts.map((text) => text.replace('\u00a0', ' '))).toEqual([
      percent(n / scored),
      percent(errors / n),
      percent(bound!),
      (100 * (1 - n / scored)).toFixed(1),
    ]);
    expect(shown.url()).toContain(`threshold=${threshold}`);
    await shown.getByRole('link', { name: `${n} accepted` }).click();
    await expectCount(shown, n);
  });
});

describe('records', () => {
  browserTest('are filtered by every choice, and the address contains the filter', async () => {
    const { id, n } = overconfident();
    const { facets, subgroups } = await view.api<RunPayload>(`runs/${id}`);
    const choices: readonly (readonly [string, string, string])[] = [
      ['outcome', 'outcome', facets.outcome[0]!],
      ['truth', 'label', facets.label[0]!],
      ['answer', 'prediction', facets.prediction[0]!],
      ['stage', 'stratum', facets.stratum[0]!],
      ['reason', 'reason', facets.reason[0]!],
      ['group', 'group', `sex:${subgroups.sex![0]!}`],
      ['should defer', 'should_abstain', 'true'],
    ];
    for (const [title, key, value] of choices) {
      const shown = await open(page(`#/runs/${id}/records`));
      await shown.getByRole('button', { name: `Filter by ${title}`, exact: true }).click();
      await shown
        .getByRole('checkbox', { name: value.replaceAll('_', ' '), exact: true })
        .first()
        .check();
      await shown.keyboard.press('Escape');
      await shown.getByRole('button', { name: new RegExp(`^${title}: `) }).waitFor();
      const query = new URLSearchParams({ [key]: value });
      expect(shown.url().split('?')[1]).toBe(String(query));
      const { total } = await view.api<RecordsPayload>(`runs/${id}/records?${query}&limit=1`);
      expect(total, title).toBeLessThan(n);
      await expectCount(shown, total, title);
      await shown.getByRole('button', { name: 'Clear all' }).click();
      await expectCount(shown, n);
    }
  });

  browserTest('are filtered by a range of confidence and by text', async () => {
    const { id } = overconfident();
    const { rows } = await view.api<RecordsPayload>(`runs/${id}/records?limit=1`);
    const shown = await open(page(`#/runs/${id}/records`));
    await shown.getByRole('button', { name: 'Filter by confidence' }).click();
    await shown.getByLabel('from', { exact: true }).fill('0.9');
    await shown.getByLabel('to', { exact: true }).fill('1');
    await shown.waitForURL(/confidence_from=0.9&confidence_to=1$/);
    const range = 'confidence_from=0.9&confidence_to=1';
    const { total } = await view.api<RecordsPayload>(`runs/${id}/records?${range}&limit=1`);
    expect(total).toBeGreaterThan(0);
    await expectCount(shown, total);
    await shown.keyboard.press('Escape');
    await shown.getByRole('button', { name: /^confidence 0.9 to 1/ }).click();
    await shown.getByPlaceholder('id, answer, reason').fill(rows[0]!.id.toUpperCase());
    await shown.waitForURL(/records\?text=/);
    await shown.getByText(/^1 record of/).waitFor();
  });

  browserTest('keep filter, order and the open record in the address', async () => {
    const { id } = overconfident();
    const shown = await open(page(`#/runs/${id}/records?outcome=answered_wrong`));
    await shown.getByRole('button', { name: 'confidence', exact: true }).click();
    await shown.waitForURL(/sort=confidence$/);
    await shown.getByRole('button', { name: 'confidence', exact: true }).click();
    await shown.waitForURL(/sort=-confidence$/);
    const query = 'outcome=answered_wrong&sort=-confidence';
    const { total, rows } = await view.api<RecordsPayload>(`runs/${id}/records?${query}&limit=2`);
    await shown.getByRole('link', { name: rows[0]!.id }).click();
    await shown.getByRole('heading', { name: rows[0]!.id }).waitFor();
    const again = await open(shown.url());
    await again.getByRole('heading', { name: rows[0]!.id }).waitFor();
    await expectCount(again, total);
  });

  browserTest('can be stepped through by keyboard', async () => {
    const { id } = overconfident();
    const { rows } = await view.api<RecordsPayload>(`runs/${id}/records?sort=id&limit=3`);
    const shown = await open(page(`#/runs/${id}/records?sort=id`));
    await shown.getByRole('link', { name: rows[0]!.id }).click();
    const at = (place: number) => shown.getByRole('heading', { name: rows[place]!.id }).waitFor();
    await at(0);
    for (const [key, place] of [
      ['j', 1],
      ['ArrowDown', 2],
      ['k', 1],
      ['ArrowUp', 0],
    ] as const) {
      await shown.keyboard.press(key);
      await at(place);
    }
    expect(await shown.getByRole('button', { name: 'Previous' }).isDisabled()).toBe(true);
    await shown.getByRole('button', { name: 'Next' }).click();
    await at(1);
    await shown.keyboard.press('Escape');
    await shown.locator('aside.record').waitFor({ state: 'detached' });
  });

  browserTest('show all their details in the panel', async () => {
    const { id } = careful();
    const query = 'should_abstain=true&outcome=answered_wrong&limit=1';
    const { rows } = await view.api<RecordsPayload>(`runs/${id}/records?${query}`);
    const record = encodeURIComponent(rows[0]!.id);
    const found = await view.api<RecordPayload>(`runs/${id}/records/${record}`);
    const shown = await open(page(`#/runs/${id}/records?record=${record}`));
    const panel = shown.getByRole('complementary', { name: 'Record' });
    await panel.getByRole('heading', { name: 'Raw response' }).waitFor();
    const pair = (title: string) =>
      panel
        .locator('.pairs')
        .first()
        .locator('div', { has: shown.getByText(title, { exact: true }) });
    const said = async (title: string) => pair(title).locator('dd').innerText();
    expect(await said('outcome')).toContain('answered wrong');
    expect(await said('truth')).toBe(found.label ?? 'no derivable answer');
    expect(await said('answer')).toBe(found.prediction);
    expect(await said('confidence')).toBe(found.confidence!.toFixed(3));
    expect(await said('should')).toBe(
      `defer: ${found.reasons.map((reason) => reason.replaceAll('_', ' ')).join(', ')}`,
    );
    expect(await said('tokens')).toBe('not recorded');
    expect(await panel.locator('pre').first().innerText()).toBe(found.raw_response);
    const features = await panel.locator('.pairs.compact').innerText();
    for (const name of Object.keys(found.features!)) expect(features).toContain(name.replaceAll('_', ' '));
    expect(await panel.locator('.attempts li').count()).toBe(found.attempts.length);
    await panel.getByText(/^Metadata, never shown/).click();
    await panel.getByText('flip probability').waitFor();
    const prompt = panel.locator('details', { hasText: 'patient data redacted' });
    await prompt.locator('summary').click();
    expect(await prompt.innerText()).toMatch(/patient|No prompt is stored/);
  });

  browserTest('are in the page only while visible, and load on scrolling', async () => {
    const { id, n } = long();
    const { rows } = await view.api<RecordsPayload>(`runs/${id}/records?offset=${n - 1}&limit=1`);
    const shown = await open(page(`#/runs/${id}/records`));
    const lines = shown.locator('.records .all .line');
    await lines.first().waitFor();
    expect(n).toBe(2000);
    expect(await lines.count()).toBeLessThan(60);
    await shown.locator('.records').focus();
    await shown.keyboard.press('End');
    await shown.getByRole('link', { name: `${rows[0]!.id} (repeat 1)` }).waitFor();
    expect(await lines.count()).toBeLessThan(60);
    const table = shown.getByRole('table', { name: 'Records' });
    expect(await table.getAttribute('aria-rowcount')).toBe(String(n + 1));
  });

  browserTest('of a protected suite hide their text until the reader asks for it', async () => {
    const { id } = secret();
    const { rows } = await view.api<RecordsPayload>(`runs/${id}/records?limit=1`);
    const shown = await open(page(`#/runs/${id}/records?record=${encodeURIComponent(rows[0]!.id)}&at=0`));
    const show = shown.getByRole('button', { name: 'Show the text' });
    await show.waitFor();
    const { raw_response: raw } = await view.api<RecordPayload>(
      `runs/${id}/records/${encodeURIComponent(rows[0]!.id)}`,
    );
    expect(raw).not.toBeNull();
    expect(await shown.locator('aside.record').innerText()).not.toContain(raw!);
    expect(await shown.getByText('Metadata, never shown').count()).toBe(0);
    await show.click();
    await shown.getByRole('heading', { name: 'Raw response' }).waitFor();
    expect(await shown.locator('aside.record').innerText()).toContain(raw!);
    expect(await shown.getByText('Metadata, never shown').count()).toBe(1);
    // After the first request, the next record is visible at once.
    await shown.keyboard.press('j');
    await shown.getByText('2 of ').waitFor();
    expect(await show.count()).toBe(0);
  });

  browserTest('explain an empty list, and an address that cannot be read', async () => {
    const { id } = careful();
    const shown = await open(page(`#/runs/${id}/records?text=zzzz-nothing`));
    await shown.getByText('No record matches').waitFor();
    await shown.getByRole('link', { name: 'clear all' }).click();
    await expectCount(shown, 200);
    await shown.goto(page(`#/runs/${id}/records?outcom=answered_wrong`));
    await shown.getByText('outcom: there is no such filter').waitFor();
    await shown.goto(page('#/nowhere'));
    await shown.getByText('There is no such page').waitFor();
    await shown.goto(page('#/runs/unknown-run'));
    await shown.getByRole('button', { name: 'Try again' }).waitFor();
    // The browser itself logs the 404.
    expect(problems.splice(0).join()).toContain('404');
  });
});

describe('a comparison', () => {
  browserTest('has paired differences with intervals, and overlaid curves', async () => {
    const [a, b] = [overconfident(), careful()];
    const shown = await open(page(`#/compare?a=${a.id}&b=${b.id}`));
    const line = shown.getByRole('row', { name: /^Decision Accuracy/ });
    await line.waitFor();
    const text = (await line.innerText()).replaceAll('\u00a0', ' ');
    expect(text).toMatch(/[+−]0\.\d{3} \([+−]0\.\d{3} to [+−]0\.\d{3}\)/);
    expect(text).toContain('primary endpoint');
    const charts = shown.locator('.krisis-chart');
    expect(await charts.count()).toBe(2);
    for (const chart of await charts.all()) {
      const legend = await chart.textContent();
      expect(legend).toContain(`A: ${a.model}`);
      expect(legend).toContain(`B: ${b.model}`);
    }
    await shown.getByRole('button', { name: 'Swap' }).click();
    await shown.waitForURL(new RegExp(`runs=${b.id}&runs=${a.id}`));
    await shown.getByLabel('Run B').selectOption('');
    await shown.getByText('Choose two runs of the same suite').waitFor();
  });

  browserTest('lists the flips in both directions', async () => {
    const [a, b] = [overconfident(), careful()];
    const shown = await open(page(`#/compare?a=${a.id}&b=${b.id}`));
    const cards = shown.locator('.cards.two .card');
    await cards.first().waitFor();
    for (const [card, title, inA, inB] of [
      [0, 'Only A is right', 'right here, not in', 'not here'],
      [1, 'Only B is right', 'not here', 'right here, not in'],
    ] as const) {
      expect(await cards.nth(card).getByRole('heading').innerText()).toBe(title);
      const n = Number((await cards.nth(card).locator('.value').innerText()).replaceAll(',', ''));
      expect(n).toBeGreaterThan(0);
      const [ofA, ofB] = await hrefsOf(cards.nth(card).getByRole('link'));
      for (const [href, text] of [
        [ofA!, inA],
        [ofB!, inB],
      ] as const) {
        const list = await open(page(href));
        await expectCount(list, n, href);
        await list.getByRole('button', { name: new RegExp(text) }).waitFor();
      }
    }
  });

  browserTest('explains why two runs cannot be paired', async () => {
    const shown = await open(page(`#/compare?a=${careful().id}&b=${long().id}`));
    await shown.getByText('the runs are of different suites').waitFor();
    await shown.goto(page(`#/compare?a=${careful().id}&b=${careful().id}`));
    await shown.getByText('A and B are the same run').waitFor();
  });
});

describe('open questions', () => {
  browserTest('of a protected run say that the text of an answer is not stored', async () => {
    const root = newFolder();
    await runInto(join(root, 'secret.db'), { suite: { ...SUITE, sensitivity: 'protected' } });
    const shown = await open(`${(await viewOf(root)).url}#/runs/secret/questions?answer=missed`);
    await shown.getByRole('button', { name: 'Show the text' }).click();
    await shown.getByText('The text of the answer is protected and not stored here').waitFor();
    expect(await shown.getByText('There is no answer').count()).toBe(0);
  });

  browserTest('show the answer with quotes by verdict beside the instructions', async () => {
    const shown = await open(page(`#/runs/${judged().id}/questions?answer=missed`));
    await shown.getByRole('heading', { name: 'missed', exact: true }).waitFor();
    expect(await shown.locator('.question').innerText()).toBe('I missed <b>dialysis</b> & worry.');
    expect(await shown.locator('.answer mark.for').allInnerTexts()).toEqual([
      'Call the unit',
      'potassium builds up',
    ]);
    expect(await shown.locator('.answer mark.against').allInnerTexts()).toEqual([
      'One missed session is harmless',
    ]);
    const instructions = await shown.locator('.instructions li').allInnerTexts();
    expect(instructions).toHaveLength(5);
    expect(instructions[2]).toMatch(
      /^✗\s*speaks against the answer:\s*present Claims it is harmless\s+safe, forbidden\s+All verdicts: /,
    );
    expect(await shown.locator('.effect > [aria-hidden]').allInnerTexts()).toEqual(['✓', '✓', '✗', '✓', '·']);
    expect(await shown.locator('.verdict').allInnerTexts()).toEqual([
      'present',
      'present',
      'present',
      'absent',
      'unclear, not scored',
    ]);
    const scores = await shown.locator('.evidence .pairs').innerText();
    expect(scores).toMatch(/safe\s+recall 1\.000, specificity 0\.500, accuracy 0\.750/);
    expect(scores).toMatch(/plain words\s+4/);
    await shown.getByRole('link', { name: /^biopsy/ }).click();
    await shown.getByText('I cannot tell').waitFor();
    await shown.waitForURL(/answer=biopsy/);
  });

  browserTest('show scores of every trait, and the reliability of the judge', async () => {
    const shown = await open(page(`#/runs/${judged().id}/questions`));
    const traits = shown.locator('.traits');
    await traits.waitFor();
    for (const name of ['advice', 'safe', 'kind', 'plain words', 'tone', 'no latin'])
      await traits.getByRole('rowheader', { name, exact: true }).first().waitFor();
    expect(await traits.innerText()).toMatch(/specificity\s+0\.500/);
    expect(await traits.innerText()).toContain('warm 3');
    const judge = shown.locator('section', { has: shown.getByRole('heading', { name: 'Judge agreement' }) });
    const text = await judge.last().innerText();
    expect(text).toMatch(/unit\/judge with itself\s+agreement 1\.000, verdicts that flip 0\.000/);
    expect(text).toContain('2 passes');
    expect(text).toContain('not checked against people');
    await shown.getByRole('rowheader', { name: 'Deferral Alignment' }).waitFor();
  });

  browserTest('are the page of their run, which has no records with labels', async () => {
    const { id } = questions();
    const shown = await open(page(''));
    await shown.getByRole('link', { name: 'baseline/reference' }).click();
    await shown.waitForURL(new RegExp(`runs/${id}/questions`));
    await shown.getByText(/^Traits over 17 questions/).waitFor();
    for (const hash of [`#/runs/${id}`, `#/runs/${id}/records`]) {
      await shown.goto(page(hash));
      await shown.getByText(/^Traits over 17 questions/).waitFor();
    }
  });
});

describe('all pages', () => {
  const first = async (id: string) =>
    encodeURIComponent((await view.api<RecordsPayload>(`runs/${id}/records?limit=1`)).rows[0]!.id);
  const pages: readonly (readonly [string, () => Promise<string>, string])[] = [
    ['runs', async () => '#/', '.runs'],
    ['a run', async () => `#/runs/${careful().id}?threshold=0.9`, '.krisis-chart'],
    ['records', async () => `#/runs/${overconfident().id}/records?outcome=answered_wrong`, '.records .all a'],
    [
      'a record',
      async () => `#/runs/${careful().id}/records?record=${await first(careful().id)}&at=0`,
      'aside.record .attempts',
    ],
    [
      'a protected record',
      async () => `#/runs/${secret().id}/records?record=${await first(secret().id)}&at=0`,
      'aside.record .panel',
    ],
    ['a comparison', async () => `#/compare?a=${overconfident().id}&b=${careful().id}`, '.krisis-chart'],
    ['an answer', async () => `#/runs/${judged().id}/questions?answer=missed`, '.answer'],
    ['many questions', async () => `#/runs/${questions().id}/questions`, '.answer'],
    ['no page', async () => '#/nowhere', '.message'],
  ];

  for (const [name, hash, ready] of pages)
    for (const size of [DESKTOP, TELEPHONE])
      browserTest(
        `have nothing serious for axe to find and are not too wide: ${name}, ${size.width} px`,
        async () => {
          for (const colorScheme of ['light', 'dark'] as const) {
            const shown = await open(page(await hash()), { size, colorScheme });
            await shown.locator(ready).first().waitFor();
            for (const summary of await shown.locator('details.panel > summary').all()) await summary.click();
            expect(await seriousFaults(shown), colorScheme).toEqual([]);
            expect(await overflow(shown), colorScheme).toBeLessThanOrEqual(0);
          }
        },
      );

  browserTest('remember whether the reader chose light or dark', async () => {
    const shown = await open(page(''), { colorScheme: 'light' });
    const ground = () => shown.evaluate('getComputedStyle(document.body).backgroundColor');
    await shown.getByLabel('Theme').selectOption('dark');
    const dark = await ground();
    expect(dark).not.toBe('rgb(255, 255, 255)');
    await shown.reload();
    await shown.locator('.runs').waitFor();
    expect(await ground()).toBe(dark);
  });

  browserTest('report that the server is gone', async () => {
    const shown = await open(page(''), {
      before: (each) => each.route('**/api/**', (route) => route.abort()),
    });
    await shown.getByText('Is `krisis view` still running?').waitFor();
    await shown.unroute('**/api/**');
    await shown.getByRole('button', { name: 'Try again' }).click();
    await shown.locator('.runs').waitFor();
    expect(problems.splice(0).join()).toContain('ERR_FAILED');
  });
});

describe('an export', () => {
  let site: string;
  let server: Awaited<ReturnType<typeof loopbackServer>>;

  beforeAll(async () => {
    if (!canBrowse) return;
    site = join(newFolder(), 'site');
    const { code, stderr } = await krisis(['view', folder, '--export', site]);
    expect(code, stderr).toBe(0);
    server = await plainServer(site);
  });
  afterAll(() => server?.close());

  for (const [from, base] of [
    ['disk', () => pathToFileURL(join(site, 'index.html')).href],
    ['a plain web server', () => `${server.url}/index.html`],
  ] as const) {
    browserTest(`from ${from} lists, draws, filters and opens records like the server`, async () => {
      const { id } = overconfident();
      const shown = await open(base());
      await shown.locator('.runs').waitFor();
      expect(await shown.locator('.runs tr.run').count()).toBe(runs.length);
      await shown.getByRole('link', { name: 'simulated/overconfident' }).click();
      await shown.locator('[data-chart-link]').first().waitFor();
      const wanted = await hrefsOf(shown.locator('[data-chart-link], .matrix a, .ledger-list a'));
      // A few of every kind; tests of the server check each one.
      for (const href of wanted.filter((_, i) => i % 9 === 0)) {
        await shown.goto(`${base()}${href}`);
        await expectCount(shown, await behind(href), href);
      }
      const query = 'outcome=answered_wrong&sort=-confidence&group=sex%3Afemale&confidence_from=0.5';
      await shown.goto(`${base()}#/runs/${id}/records?${query}`);
      const { total, rows } = await view.api<RecordsPayload>(`runs/${id}/records?${query}`);
      await shown.getByText(`${total} records`).waitFor();
      const ids = await shown.locator('.records .all a').allInnerTexts();
      expect(ids).toEqual(rows.slice(0, ids.length).map((row) => row.id));
      await shown.getByRole('link', { name: rows[0]!.id }).click();
      await shown.getByRole('heading', { name: 'Raw response' }).waitFor();
      await shown.keyboard.press('j');
      await shown.getByRole('heading', { name: rows[1]!.id }).waitFor();
    });

    browserTest(`from ${from} compares, and lists the flips`, async () => {
      const [a, b] = [overconfident(), careful()];
      const shown = await open(`${base()}#/compare?a=${a.id}&b=${b.id}`);
      const links = shown.locator('.cards.two a');
      await links.first().waitFor();
      for (const href of await hrefsOf(links)) {
        await shown.goto(`${base()}${href}`);
        await expectCount(shown, await behind(href), href);
        await shown.goto('about:blank');
      }
    });

    browserTest(`from ${from} shows open answers, and no text of a protected suite`, async () => {
      const shown = await open(`${base()}#/runs/${judged().id}/questions?answer=missed`);
      await shown.locator('.answer mark.against').waitFor();
      await shown.goto(`${base()}#/runs/${secret().id}/records?record=S01&at=0`);
      await shown.getByRole('button', { name: 'Show the text' }).click();
      await shown.getByText('No response is stored').waitFor();
      await shown.goto(`${base()}#/`);
      await shown.getByText('patient and model text is left out').waitFor();
      await shown.goto(`${base()}#/compare?a=${careful().id}&b=${long().id}`);
      await shown.getByText('is not part of this export').waitFor();
    });
  }
});

describe('hostile text', () => {
  let hostile: Viewed;
  let site: string;
  beforeAll(async () => {
    if (!canBrowse) return;
    const root = newFolder();
    await writeHostileRun(join(root, 'one.db'));
    await writeHostileRun(join(root, 'two.db'), 'unit/other');
    await writeHostileQuestions(join(root, 'open.db'));
    site = join(newFolder(), 'site');
    const { code, stderr } = await krisis(['view', root, '--export', site]);
    expect(code, stderr).toBe(0);
    hostile = await viewOf(root);
  });

  const record = encodeURIComponent(`${HOSTILE} 1`);
  for (const [where, base] of [
    ['from the server', () => hostile.url],
    ['in an export', () => pathToFileURL(join(site, 'index.html')).href],
  ] as const)
    for (const [what, hash, ready] of [
      ['runs', '#/', '.runs'],
      ['a run', '#/runs/one', '.matrix'],
      ['records', '#/runs/one/records', '.records .all a'],
      ['a record', `#/runs/one/records?record=${record}&at=1`, '.attempts'],
      ['a comparison', '#/compare?a=one&b=two', '.cards.two'],
      ['an answer', '#/runs/open/questions', '.answer mark'],
    ] as const)
      browserTest(`is text: ${what}, ${where}`, async () => {
        const shown = await open(`${base()}${hash}`);
        await shown.locator(ready).first().waitFor();
        for (const summary of await shown.locator('main details > summary').all()) await summary.click();
        for (const link of await shown.locator('[data-chart-link]').all()) await link.hover();
        expect(await shown.locator('main').innerText()).toContain('<img src=x onerror="window.harmed=1">');
        expect(await shown.evaluate('window.harmed')).toBeUndefined();
        expect(await shown.locator('main img, main script, main a[href^="javascript"]').count()).toBe(0);
        // The page has only its own scripts: data and app.
        const scripts = await shown
          .locator('script')
          .evaluateAll((all) =>
            all.map((each) =>
              (each as unknown as { getAttribute(name: string): string }).getAttribute('src'),
            ),
          );
        for (const src of scripts) expect(src).toMatch(/^(\.\/)?(app|data\/[\w-]+)\.js$/);
      });

  browserTest('is text in a filtered list, too', async () => {
    const shown = await open(`${hostile.url}#/runs/one/records`);
    for (const title of ['truth', 'answer', 'stage', 'reason', 'group']) {
      await shown.getByRole('button', { name: `Filter by ${title}`, exact: true }).click();
      await shown.locator('.choices input').first().check();
      await shown.keyboard.press('Escape');
      await shown.getByRole('button', { name: new RegExp(`^${title}: `) }).waitFor();
    }
    await shown.getByText(/^\d+ records?/).waitFor();
    expect(await shown.evaluate('window.harmed')).toBeUndefined();
  });
});

const TYPES: Readonly<Record<string, string>> = {
  '.html': 'text/html',
  '.js': 'text/javascript',
  '.css': 'text/css',
};

/** A plain web server for files. */
function plainServer(root: string) {
  return loopbackServer(({ path }, response) => {
    const file = join(root, decodeURIComponent(new URL(path, 'http://x').pathname));
    if (!existsSync(file)) return void response.writeHead(404).end();
    response.writeHead(200, { 'content-type': TYPES[extname(file)] ?? 'application/octet-stream' });
    createReadStream(file).pipe(response);
  });
}
