import { join } from 'node:path';
import type { Page } from 'playwright-core';
import { describe, expect } from 'vitest';
import { CASE_KINDS, DECISION_CLASSES } from '../src/core/decision-class.ts';
import type { GroupDot } from '../src/metrics/figures.ts';
import { readRun } from '../src/runs/read-run.ts';
import type { RunResult } from '../src/runs/run-result.ts';
import type { RunPayload } from '../src/viewer/api.ts';
import { scoreLines } from '../src/viewer/run-line.ts';
import { expectCount, viewedRuns } from './viewed-runs.ts';
import { browserTest, hrefsOf, open } from './viewer-browser.ts';

/** The scores and charts of a run in a real browser, and the records behind every mark. */
const { api, behind, careful, folder, overconfident, page } = viewedRuns('staging');

/** What the page must show, from the rows of the run. */
function resultOf(
  id: string,
  options: Parameters<typeof readRun>[1] = { resamples: 0 },
): Pick<RunResult, 'card' | 'figures' | 'flow' | 'baselines' | 'primaryEndpoint'> {
  const result = readRun(join(folder, `${id}.db`), options);
  result.close();
  return result;
}

const GROUPS = 'section[aria-labelledby="groups-title"]';

describe('a run', () => {
  /** The figure with this heading. */
  const figure = (shown: Page, title: string, section = 'main') =>
    shown
      .locator(section)
      .locator('figure', { has: shown.getByRole('heading', { name: title, exact: true }) });
  const links = async (shown: Page, title: string, section?: string) =>
    Promise.all((await hrefsOf(figure(shown, title, section).locator('[data-chart-link]'))).map(behind));

  browserTest('has headlines with interval, n and how to read them', async () => {
    const { id, headline, leading } = careful();
    const { card: whole, baselines, primaryEndpoint } = resultOf(id, {});
    const scores = scoreLines(whole.scores, primaryEndpoint?.metric ?? null);
    const shown = await open(page(`#/runs/${id}`));
    const cards = shown.locator('.cards .card');
    await cards.first().waitFor();
    const names = await Promise.all(
      (await cards.all()).map(async (card) => (await card.getAttribute('data-metric'))!),
    );
    const rates = shown.locator('.board-rates [data-metric]');
    const onBoard = await Promise.all(
      (await rates.all()).map(async (rate) => (await rate.getAttribute('data-metric'))!),
    );
    expect(onBoard.slice(0, 2)).toEqual(['missed_emergency_rate', 'false_alarm_rate']);
    expect([...onBoard, ...names].sort()).toEqual(expect.arrayContaining(leading.map(({ name }) => name)));
    // The line above the cards has these.
    expect(names).not.toContain('usable_answer_rate');
    expect(names[0]).toBe('unsafe_decision_rate');
    for (const [i, rate] of (await rates.all()).entries()) {
      const text = (await rate.innerText()).replaceAll('\u00a0', ' ');
      const { value, n, n_successes: count, interval } = scores.find(({ name }) => name === onBoard[i])!;
      const percent = (share: number) => (share * 100).toFixed(1);
      expect(text).toContain(`${count} of ${n} ${percent(value!)} %`);
      expect(text).toContain(`${percent(interval!.lower)} to ${percent(interval!.upper)} %`);
      expect(text).toMatch(/guideline \d+ %/);
    }
    for (const [i, card] of (await cards.all()).entries()) {
      const text = (await card.innerText()).replaceAll('\u00a0', ' ');
      const score = scores.find(({ name }) => name === names[i])!;
      expect(text).toContain(score.value!.toFixed(3));
      // More usable answers are not better: a case may call for a deferral.
      if (score.better === null) expect(text).not.toContain('is better');
      else expect(text).toContain(`${score.better} is better`);
      for (const { model, scores: own } of baselines) {
        const value = own[score.name]?.value;
        if (value != null && model.startsWith('baseline/guideline'))
          expect(text).toMatch(new RegExp(`${model.replace('baseline/', '')}\\s+${value.toFixed(3)}`));
      }
      const { interval } = score;
      expect(text).toContain(
        interval === null ? 'no interval' : `${interval.lower.toFixed(3)} to ${interval.upper.toFixed(3)}`,
      );
      const n = score.n.toLocaleString('en');
      expect(text).toContain(
        score.n_successes === null ? `n = ${n}` : `${score.n_successes.toLocaleString('en')} of ${n}`,
      );
      const floor = card.locator('.noise');
      expect(await floor.count()).toBe(score.details.null_band == null ? 0 : 1);
      // A harm above zero never looks like a good number.
      expect(/\bharm\b/.test((await card.getAttribute('class'))!)).toBe(score.harm && score.value! > 0);
      expect(text.includes('primary endpoint')).toBe(score.name === headline!.name);
    }
  });

  browserTest('opens exactly the answers behind each bin, bar and point', async () => {
    const { id } = overconfident();
    const { confidence_steps: steps } = await api<RunPayload>(`runs/${id}`);
    const shown = await open(page(`#/runs/${id}`));
    await shown.locator('[data-chart-link]').first().waitFor();
    const { reliability, confidence, riskCoverage } = resultOf(id).figures!;
    expect(await links(shown, 'Reliability')).toEqual(
      reliability.map(({ count }) => count).filter((n) => n > 0),
    );
    expect(await links(shown, 'Stated confidence')).toEqual([
      ...confidence.map(({ right }) => right).filter((n) => n > 0),
      ...confidence.map(({ wrong }) => wrong).filter((n) => n > 0),
    ]);
    expect(await links(shown, 'Risk and coverage')).toEqual(
      riskCoverage.points.map(({ coverage }) => Math.round(coverage * steps[0]!.n_judged)),
    );
  });

  browserTest('opens exactly the records of each stratum and subgroup', async () => {
    const { id } = careful();
    const { card, figures } = resultOf(id);
    const shown = await open(page(`#/runs/${id}`));
    await shown.locator('[data-chart-link]').first().waitFor();
    const plots = Map.groupBy(figures!.dots, ({ by, metric }: GroupDot) => `${by} ${metric}`);
    expect(new Set(figures!.dots.map(({ by }) => by))).toEqual(new Set(['ckd_stage', 'sex', 'age']));
    expect(await shown.locator(`${GROUPS} figure`).count()).toBe(plots.size);
    for (const dots of plots.values()) {
      const { by, metric } = dots[0]!;
      const title = card.scores.find(({ name }) => name === metric)!.label;
      const heading = `h3:text-is("By ${by.replace('_', ' ')}, as recorded with each case")`;
      const found = await links(shown, title, `${GROUPS} > ${heading} + .charts`);
      expect(found, `${metric} by ${by}`).toEqual(dots.map(({ n }) => n));
    }
  });

  browserTest('opens exactly the records of each cell, and of each class of the ledger', async () => {
    for (const { id, decision_classes: classCounts } of [overconfident(), careful()]) {
      const { figures, flow } = resultOf(id);
      const shown = await open(page(`#/runs/${id}`));
      await shown.locator('.matrix').first().waitFor();
      const { confusion } = figures!;
      for (const [title, counts] of [
        ['Truth and answer', confusion.counts.flat()],
        [
          'How decisions turned out',
          CASE_KINDS.flatMap((kind) => DECISION_CLASSES.map((name) => flow!.kinds[kind][name])),
        ],
      ] as const) {
        const cells = await hrefsOf(
          shown.getByRole('region', { name: title, exact: true }).locator('.matrix td a'),
        );
        expect(await Promise.all(cells.map(behind)), title).toEqual(counts.filter((n) => n > 0));
      }
      const classes = shown.locator('.ledger-list li');
      const rows = await Promise.all((await hrefsOf(classes.locator('a'))).map(behind));
      expect(rows).toEqual(
        (await classes.locator('strong').allInnerTexts()).map((text) => Number(text.replaceAll(',', ''))),
      );
      expect([...rows].sort()).toEqual(
        Object.values(classCounts!)
          .filter((n) => n > 0)
          .sort(),
      );
    }
  });

  browserTest('can be used by keyboard: a mark has focus, a name and a target', async () => {
    const shown = await open(page(`#/runs/${overconfident().id}`));
    const link = shown
      .getByRole('link', { name: /^Confidence [\d.]+, right [\d.]+ \(.*\), .* cases\. List them$/ })
      .first();
    await link.focus();
    const n = Number(/, ([\d,]+) cases/.exec((await link.getAttribute('aria-label'))!)![1]);
    await shown.keyboard.press('Enter');
    await shown.waitForURL(/records\?usable=true/);
    await expectCount(shown, n);
  });

  browserTest('shows what a threshold accepts, and how much of it is wrong', async () => {
    const { id } = careful();
    const { confidence_steps: steps } = await api<RunPayload>(`runs/${id}`);
    const shown = await open(page(`#/runs/${id}`));
    const slider = shown.getByRole('slider', { name: 'Confidence threshold' });
    await slider.focus();
    // The strictest but one.
    await shown.keyboard.press('End');
    await shown.keyboard.press('ArrowLeft');
    const { threshold, n, n_judged: judged, errors, bound } = steps[1]!;
    const percent = (share: number) => `${(share * 100).toFixed(1)} %`;
    await expect
      .poll(async () => (await shown.locator('.board-slider').innerText()).replaceAll('\u00a0', ' '))
      .toMatch(
        new RegExp(
          `${n} answers accepted of \\d+ rows that can be judged \\(${percent(n / judged)}\\); ${percent(errors / n)} of them wrong, or should have been deferred, at most ${percent(bound!)} with 95 % confidence`,
        ),
      );
    expect(shown.url()).toContain(`threshold=${threshold}`);
    // The curve marks the point.
    const at = `chosen threshold ${threshold.toFixed(3)}: ${(errors / n).toFixed(3)} at coverage ${(n / judged).toFixed(3)}`;
    expect(await figure(shown, 'Risk and coverage').locator('desc').textContent()).toContain(at);
    await shown.getByRole('link', { name: `${n} answers accepted` }).click();
    await expectCount(shown, n);
  });
});
