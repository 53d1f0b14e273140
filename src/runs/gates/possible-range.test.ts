import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { rowsFrom } from '../../../test/compare-fixture.ts';
import { evaluationResult } from '../../core/evaluation-result.ts';
import { buildTable } from '../../metrics/columns.ts';
import type { MetricScore } from '../../metrics/metric.ts';
import { type Scorecard, scoreTable } from '../../metrics/score.ts';
import { shareOfClusters } from '../../statistics/clustered-share.ts';
import { wilsonInterval } from '../../statistics/proportions.ts';
import { studentQuantile } from '../../statistics/special-functions.ts';
import { wilsonWithZ } from '../../statistics/wilson-with-z.ts';
import { possibleBounds, possibleValues } from './check-gate.ts';

const scoreOf = (card: Scorecard, metric: string) => card.scores.find(({ name }) => name === metric)!;
const cardOf = (rows: Parameters<typeof buildTable>[0]) => scoreTable(buildTable(rows), { resamples: 0 });

describe('possibleValues', () => {
  it('is the value where nothing failed', () => {
    expect(possibleValues(scoreOf(cardOf(rowsFrom('+-')), 'accuracy'), 0)).toEqual({
      lower: 0.5,
      upper: 0.5,
    });
  });

  /** What is asked of every bound: no answer that a failed row could have had leads out of it. */
  it.each(['expected_calibration_error', 'brier_top_label', 'augrc'])(
    '%s: holds whatever the failed cases would have said',
    (metric) => {
      const answer = fc.record({
        prediction: fc.constantFrom('yes', 'no'),
        confidence: fc.constantFrom(0, 0.05, 0.4, 0.6, 0.62, 0.95, 1),
        abstained: fc.boolean(),
      });
      fc.assert(
        fc.property(
          fc.array(answer, { minLength: 1, maxLength: 12 }),
          fc.array(answer, { minLength: 1, maxLength: 5 }),
          (seen, failed) => {
            const rows = (answers: typeof seen) =>
              answers.map((row) => evaluationResult({ ...row, groundTruth: 'yes' }));
            const score = scoreOf(cardOf(rows(seen)), metric);
            fc.pre(score.value !== null);
            const { lower, upper } = possibleValues(score, failed.length)!;
            const whole = scoreOf(cardOf([...rows(seen), ...rows(failed)]), metric).value!;
            expect(whole).toBeGreaterThanOrEqual(lower - 1e-12);
            expect(whole).toBeLessThanOrEqual(upper + 1e-12);
          },
        ),
      );
    },
  );
});

describe('possibleBounds', () => {
  const card = (word: string) => cardOf(rowsFrom(word));

  it('computes a Wilson interval at both ends', () => {
    const score = scoreOf(card('+++-x'), 'accuracy');
    const range = possibleBounds(score, 'lower', 1)!;
    expect(range.lower).toBeLessThan(score.interval!.lower);
    expect(range.upper).toBeGreaterThan(score.interval!.lower);
    const alone = scoreOf(card('+++-'), 'accuracy');
    expect(possibleBounds(alone, 'upper', 0)).toEqual({
      lower: alone.interval!.upper,
      upper: alone.interval!.upper,
    });
  });

  it('keeps the n of the rows that are there, and over clusters their design effect', () => {
    const score = scoreOf(card('+++-x'), 'accuracy');
    const [lower] = wilsonInterval(0.6 * 4, 4)!;
    expect(possibleBounds(score, 'lower', 1)!.lower).toBeCloseTo(lower, 12);
    const clusters = [...Array.from({ length: 11 }, () => ({ sum: 4, n: 4 })), { sum: 1, n: 4 }];
    const { value, interval, nEffective } = shareOfClusters(clusters);
    const [least, most] = interval!;
    const t = studentQuantile(0.975, 11);
    const clustered: MetricScore = {
      ...score,
      value,
      bounds: { lower: 0.8, upper: 0.95 },
      interval: { ...score.interval!, lower: least, upper: most, method: 'wilson_effective_t' },
    };
    for (const side of ['lower', 'upper'] as const) {
      const end = side === 'lower' ? 0 : 1;
      const range = possibleBounds(clustered, side, 2)!;
      expect(range.lower).toBeCloseTo(wilsonWithZ(0.8 * nEffective!, nEffective!, t)![end]!, 12);
      expect(range.upper).toBeCloseTo(wilsonWithZ(0.95 * nEffective!, nEffective!, t)![end]!, 12);
    }
  });

  it('is null without an interval, a value or a way to tell', () => {
    expect(possibleBounds(scoreOf(card('+x'), 'expected_calibration_error'), 'lower', 1)).toBeNull();
    expect(possibleValues(scoreOf(card('ox'), 'augrc'), 1)).toBeNull();
    expect(possibleValues(scoreOf(card('+-x'), 'overconfidence'), 1)).toBeNull();
  });
});
