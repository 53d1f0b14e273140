import { describe, expect, it } from 'vitest';
import { defineMetric } from '../metrics/define-metric.ts';
import type { ScoringOptions } from '../metrics/score.ts';
import { readScoring, storedScoring } from './scoring-for.ts';

const through = (scoring: ScoringOptions) => readScoring(JSON.parse(JSON.stringify(storedScoring(scoring))));

describe('storedScoring', () => {
  it('comes back as it was', () => {
    const scoring: ScoringOptions = {
      bundle: 'extended',
      groupBy: ['sex'],
      resamples: 0,
      level: 0.9,
      seed: 7,
      cluster: 'ward',
      stratify: true,
      breakdown: false,
      nullBand: false,
      task: 'staging',
      positiveLabel: 1,
      labels: ['G1', 'G2'],
      labelFromValues: true,
      targetPrevalence: 0.1,
      deferralCosts: { missed: 3 },
    };
    expect(through(scoring)).toEqual({ scoring, metricNames: null });
  });

  it('says only what was said', () => {
    expect(through({})).toEqual({ scoring: { bundle: 'default', groupBy: [] }, metricNames: null });
  });

  it("keeps the names of metrics of one's own", () => {
    const metrics = [defineMetric({ name: 'mine', estimate: () => 1 })];
    expect(through({ metrics }).metricNames).toEqual(['mine']);
  });

  it.each([undefined, null, 'x', [], { resamples: 'many', bundle: 'huge', group_by: 3, level: 2 }])(
    'takes %j for nothing said',
    (value) => {
      expect(readScoring(value)).toEqual({ scoring: {}, metricNames: null });
    },
  );
});
