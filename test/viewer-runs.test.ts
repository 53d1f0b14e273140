import { cpSync, existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { gzipSync } from 'node:zlib';
import { describe, expect, it } from 'vitest';
import type { ComparePayload } from '../src/viewer/api.ts';
import { emulator, start, toEmulator, until } from './emulated-run.ts';
import { krisis } from './krisis.ts';
import { expectCount, viewedRuns } from './viewed-runs.ts';
import { browserTest, hrefsOf, isBuilt, newFolder, open, seriousFaults, viewOf } from './viewer-browser.ts';

/** The list of runs, and comparisons of two of them, in a real browser. */
const { api, careful, folder, judged, long, overconfident, page, runs } = viewedRuns(
  'staging',
  'long',
  'judged',
);

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
    expect(await lines.count()).toBe(runs().length);
    const { headline, n } = careful();
    const suite = shown.locator('.runs tbody').filter({ hasText: 'ckd/staging' });
    const line = suite.locator('tr.run').filter({ hasText: 'simulated/careful' });
    const text = (await line.innerText()).replaceAll('\u00a0', ' ');
    for (const part of [
      headline!.value!.toFixed(3),
      `95 % ${headline!.interval!.lower.toFixed(3)} to ${headline!.interval!.upper.toFixed(3)}`,
      `Decision accuracy, ${headline!.n_successes} of ${headline!.n}`,
      ...careful()
        .leading.slice(0, 3)
        .map(({ n_successes, n: of }) => `${n_successes} of ${of}`),
      String(n),
      'simulated',
    ])
      expect(text).toContain(part);
    expect(await line.getByRole('img').getAttribute('aria-label')).toMatch(
      /wrong answer \d+ cases?, .*right answer \d+ cases/,
    );
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
    const header = shown.getByRole('button', { name: 'primary endpoint' });
    await header.click();
    const up = await models();
    await header.click();
    expect(await models()).toEqual([...up].reverse());
    expect(await shown.locator('th.headline').getAttribute('aria-sort')).toMatch(/ascending|descending/);
  });

  browserTest('are listed newest first, by suite, with what sets runs of one model apart', async () => {
    const root = newFolder();
    const run = (...more: string[]) =>
      krisis(['run', 'ckd/staging', '--n-records', '60', '--bootstrap', '0', '--new', ...more], {
        cwd: root,
      });
    await run('--model', 'simulated/careful,baseline/majority');
    await run('--model', 'simulated/careful', '--limit', '40', '--repeat', '2', '--seed', '7');
    const gate = ['--stop-early', '--assert', 'lower(answerable_accuracy) >= 0.01'];
    const { stderr } = await run('--model', 'baseline/guideline', '--n-records', '200', ...gate);
    expect(stderr).not.toContain('krisis:');
    const { url } = await viewOf(join(root, '.krisis/runs'));
    const shown = await open(url, { size: { width: 1440, height: 900 } });
    const lines = shown.locator('.runs tr.run');
    await lines.first().waitFor();
    const cells = await lines.locator('td.created_at').allInnerTexts();
    const started = cells.map((text) => text.split('\n')[0]!);
    expect(started).toEqual(started.toSorted().toReversed());
    const careful = await lines
      .filter({ hasText: 'simulated/careful' })
      .locator('.differing')
      .allInnerTexts();
    expect(careful[0]).toMatch(/40 of 60 cases · repeats 2 · seed 7/);
    expect(careful[1]).toMatch(/60 cases · repeats 1 · seed 42/);
    // Nothing sets the only run of a model apart but its id.
    const majority = lines.filter({ hasText: 'baseline/majority' }).locator('.differing');
    expect(await majority.innerText()).toMatch(/^[0-9a-f]{8}$/);
    const gates = lines.filter({ hasText: 'baseline/guideline' }).first();
    expect(await gates.innerText()).toMatch(/passed\s+lower\(answerable_accuracy\) >= 0.01/);
    // The whole table fits.
    expect(
      await shown.locator('.runs').evaluate((table) => {
        const { scrollWidth, clientWidth } = (
          table as unknown as { parentElement: { scrollWidth: number; clientWidth: number } }
        ).parentElement;
        return scrollWidth - clientWidth;
      }),
    ).toBe(0);
    expect(await seriousFaults(shown)).toEqual([]);
  });

  browserTest('are listed by suite at a click, which the address keeps', async () => {
    const shown = await open(page(''));
    const lines = shown.locator('.runs tr.run');
    await lines.first().waitFor();
    await shown.getByRole('button', { name: /^ckd\/detection/ }).click();
    expect(await lines.count()).toBe(1);
    const again = await open(shown.url());
    await again.locator('.runs tr.run').first().waitFor();
    expect(await again.locator('.runs tr.run').count()).toBe(1);
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
    db.exec(
      "UPDATE events SET data = json_set(data, '$.model', 'another') WHERE data -> '$.model' IS NOT NULL",
    );
    db.close();
    const shown = await open(`${(await viewOf(root)).url}#/runs/edited`);
    await shown.locator('.notice', { hasText: 'unverified: 1 problem' }).waitFor();
  });

  browserTest('are chosen to be compared, several at a time', async () => {
    const shown = await open(page(''));
    for (const { model, id } of [careful(), overconfident(), long()])
      await shown.getByRole('checkbox', { name: `Compare ${model}, ${id}` }).check();
    await shown.getByText('1 with different cases left out').waitFor();
    await shown.getByRole('link', { name: 'Compare 2 runs' }).click();
    await shown
      .getByRole('heading', { name: / against A: / })
      .first()
      .waitFor();
    expect(shown.url()).toContain(`runs=${careful().id}&runs=${overconfident().id}`);
    await shown.goBack();
    await shown.getByRole('link', { name: 'Compare 2 runs' }).waitFor();
  });

  browserTest('refresh while they are being written', async () => {
    const root = newFolder();
    const storm = { from: 3, to: 5, retryAfterSeconds: 0.02 };
    let latencyMs = 400;
    const rateLimit = { perSecond: 1e6, burst: 1e6, header: 'ms' } as const;
    const server = await emulator({ latencyMs: () => latencyMs, storm, rateLimit });
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
    latencyMs = 0;
    expect((await run.ended).code).toBe(0);
    await shown.getByText('Still running').waitFor({ state: 'detached' });
    await shown.getByRole('heading', { name: 'How every case ended' }).waitFor();
  });

  browserTest('explain an empty folder, and files that cannot be read', async () => {
    const shown = await open(page(''));
    await shown.getByText('1 file could not be read').click();
    await shown.getByText('broken.db', { exact: true }).waitFor();
    // The command itself does not start without a run, but runs can be deleted while it is open.
    await shown.route('**/api/runs', (route) =>
      route.fulfill({ json: { folder: 'runs', runs: [], unreadable: [] } }),
    );
    await shown.reload();
    await shown.getByRole('heading', { name: 'No runs yet' }).waitFor();
    await shown.getByText('krisis run').waitFor();
  });
});

describe('a comparison', () => {
  browserTest('has paired differences with intervals, and overlaid curves', async () => {
    const [a, b] = [overconfident(), careful()];
    const shown = await open(page(`#/compare?runs=${a.id}&runs=${b.id}`));
    const line = shown.getByRole('row', { name: /^Decision Accuracy \(primary/ });
    await line.waitFor();
    const text = (await line.innerText()).replaceAll('\u00a0', ' ');
    expect(text).toMatch(/-?0\.\d{3} \(-?0\.\d{3} to -?0\.\d{3}\)/);
    expect(text).toContain('primary endpoint');
    const charts = shown.locator('section[aria-labelledby="charts-title"] .krisis-chart');
    expect(await charts.count()).toBe(2);
    for (const chart of await charts.all()) {
      const legend = await chart.textContent();
      expect(legend).toContain(`A: ${a.model}`);
      expect(legend).toContain(`B: ${b.model}`);
    }
    await shown.getByRole('button', { name: `B ${b.model}` }).click();
    await shown.getByRole('button', { name: 'Make it A instead of B' }).click();
    await shown.waitForURL(new RegExp(`runs=${b.id}&runs=${a.id}`));
    await shown.getByRole('button', { name: `B ${a.model}` }).click();
    await shown.getByRole('combobox', { name: 'Run B' }).selectOption('');
    await shown.getByText('Choose two runs of the same suite').waitFor();
  });

  browserTest('lists the flips in both directions', async () => {
    const [a, b] = [overconfident(), careful()];
    const shown = await open(page(`#/compare?runs=${a.id}&runs=${b.id}`));
    const { flips } = await api<ComparePayload>(`compare?runs=${a.id}&runs=${b.id}`);
    for (const [right, side, inA, inB] of [
      ['A', 'only_a', 'right here, not in', 'not here'],
      ['B', 'only_b', 'not here', 'right here, not in'],
    ] as const) {
      const n = flips[0]![side].length;
      expect(n).toBeGreaterThan(0);
      const line = shown.getByRole('listitem').filter({ hasText: `only ${right} has right of these two` });
      expect(await line.innerText()).toMatch(new RegExp(`^${n} cases? that`));
      const [ofA, ofB] = await hrefsOf(line.getByRole('link'));
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
    const shown = await open(page(`#/compare?runs=${careful().id}&runs=${long().id}`));
    const why = 'the runs are of different suites (ckd/staging, ckd/detection)';
    await shown.getByText(`These runs cannot be compared case by case: ${why}`).waitFor();
    // Their curves are never in one chart.
    await shown.getByText(`Drawn in 2 charts, because ${why}.`).waitFor();
    const legends = await shown.locator('.krisis-chart').allTextContents();
    expect(legends.map((text) => [text.includes('A: '), text.includes('B: ')])).toEqual([
      [true, false],
      [true, false],
      [false, true],
      [false, true],
    ]);
    await shown.goto(page(`#/compare?runs=${careful().id}&runs=${careful().id}`));
    await shown.getByText('A and B are the same run').waitFor();
  });
});
