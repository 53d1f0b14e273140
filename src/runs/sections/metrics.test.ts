import { parseHTML } from 'linkedom';
import { describe, expect, it } from 'vitest';
import { reportOf, rows } from '../../../test/run-report-fixture.ts';
import { htmlOf } from '../../../test/section-fixture.ts';
import { evaluationResult } from '../../core/evaluation-result.ts';
import type { RunResult } from '../run-result.ts';
import { metrics } from './metrics.ts';

const lines = ({ card }: RunResult) =>
  [
    ...parseHTML(
      `<html><body>${htmlOf(metrics(card.scores, card.method.level).blocks)}</body></html>`,
    ).document.querySelectorAll('tr'),
  ].map((line) => [...line.children].map(({ textContent }) => textContent));

describe('metrics', () => {
  it('has every metric of the bundle with a value under its family, with interval, method and n', () => {
    const report = reportOf();
    const all = lines(report);
    expect(all[0]).toEqual(['metric', 'value', '95 % interval', 'n', 'meaning', 'interval method']);
    const found = all.filter((line) => line.length > 1).slice(1);
    expect(found).toHaveLength(
      report.card.scores.filter(({ value, facts }) => value !== null && !facts?.readBy).length,
    );
    expect(all.filter((line) => line.length === 1).map(([title]) => title)).toEqual([
      'Emergencies and harm',
      'Right, and how often it answers',
      'Knows when not to answer',
      'How sure to be',
      'Staging',
    ]);
    expect(found[0]![0]).toBe('Unsafe Decisions');
    expect(found).toContainEqual([
      'Accuracy (over all cases)',
      expect.stringMatching(/^0\.\d{3}$/),
      expect.stringMatching(/^0\.\d{3} to [01]\.\d{3}$/),
      '28/40',
      'right, of all cases',
      'Wilson',
    ]);
  });

  it('leaves what only other parts read to JSON, and lists it with the extended bundle', () => {
    const { card } = reportOf();
    const html = (scores: typeof card.scores) => htmlOf(metrics(scores, card.method.level).blocks);
    expect(html(card.scores)).not.toContain('Usable Answers');
    expect(html(card.scores)).toMatch(/JSON also has \d+ metrics that headlines/);
    const listed = card.scores.map((score) => ({ ...score, facts: { better: null } }));
    expect(html(listed)).toContain('Usable Answers');
    expect(html(listed)).not.toContain('JSON also has');
  });

  it('lists no metric without a value, and says in a line what is missing', () => {
    const { card } = reportOf();
    expect(lines(reportOf()).filter(([name]) => name === 'Brier Score')).toEqual([]);
    expect(htmlOf(metrics(card.scores, card.method.level).blocks)).toMatch(
      /\d+ metrics have no value: they need must_act[^<]*; Brier Score \(non binary labels or predictions\)/,
    );
  });

  it('has a column of bounds when rows failed', () => {
    const failed = evaluationResult({ groundTruth: 'G1', state: 'failed', stateReason: 'timeout' });
    expect(lines(reportOf({}, [...rows, failed]))[0]).toContain('bounds');
  });
});
