import { describe, expect, it } from 'vitest';
import { judgeEndpoint } from './judge-endpoint.ts';
import type { EndpointFinding } from './test-pairs.ts';

const finding: EndpointFinding = {
  metric: 'accuracy',
  label: 'Accuracy',
  trait: null,
  better: 'higher',
  kind: 'per_record',
  isShare: true,
  n: 400,
  nClusters: null,
  nDiffering: 20,
  baselineValue: 0.8,
  modelValue: 0.83,
  difference: 0.03,
  reason: null,
  interval: { lower: 0.01, upper: 0.05, level: 0.95, method: 'paired_score' },
  intervalReason: null,
  mcnemar: { b: 4, c: 16, pExact: 0.012, pMid: 0.01 },
  mcnemarReason: null,
  signFlip: { p: 0.012, method: 'exact', resamples: null },
  signFlipReason: null,
  p: 0.012,
  minimumDetectableDifference: 0.0312,
  minimumDetectableReason: null,
};
const judge = (change: Partial<EndpointFinding>, pHolm: number | null = 0.012, nModels = 1) =>
  judgeEndpoint({ ...finding, ...change }, pHolm, { level: 0.95, nModels });

describe('judgeEndpoint', () => {
  it('says effect and interval first, the test second', () => {
    expect(judge({})).toMatchObject({
      verdict: 'better',
      inWords: 'better: +3.0 points (+1.0 to +5.0), p = 0.012',
    });
    expect(judge({}, 0.04, 3).inWords).toContain('p = 0.012, Holm = 0.040');
    expect(judge({ p: 1e-9 }, 1e-9).inWords).toContain('p < 0.0001');
  });

  it('knows which way is good', () => {
    expect(judge({ better: 'lower' }).verdict).toBe('worse');
    expect(judge({ better: null }).verdict).toBe('higher');
    expect(judge({ difference: -0.03, better: 'lower' }).verdict).toBe('better');
  });

  it('goes by the adjusted p-value', () => {
    expect(judge({}, 0.06, 5).verdict).toBe('no_difference_shown');
  });

  it('never words a missing difference as equality', () => {
    const { verdict, inWords } = judge({ p: 0.4 }, 0.4);
    expect(verdict).toBe('no_difference_shown');
    expect(inWords).toBe(
      'no significant difference: +3.0 points (+1.0 to +5.0), p = 0.400; with 400 cases only a difference of 3.1 points or more would be shown (power 80 %)',
    );
    const none = { minimumDetectableDifference: null };
    expect(judge({ p: 1, ...none, minimumDetectableReason: 'too_few_records' }, 1).inWords).toContain(
      'with 400 cases no difference could have been shown',
    );
    const interval = { lower: -0.0095, upper: 0.0095, level: 0.95, method: 'paired_score' } as const;
    const same = { p: 1, difference: 0, interval, ...none, minimumDetectableReason: 'no_discordant_records' };
    expect(judge(same, 1).inWords).toBe(
      'no difference seen: both score the same on each of 400 cases; 0.0 points (-0.9 to +0.9)',
    );
  });

  it('shows a difference of means over repeats only where the interval agrees with the test', () => {
    const clustered = { level: 0.95, method: 'paired_score_clustered' } as const;
    const repeated = {
      mcnemar: null,
      mcnemarReason: 'repeats_differ',
      interval: { lower: -0.01, upper: 0.07, ...clustered },
    };
    expect(judge(repeated)).toMatchObject({
      verdict: 'no_difference_shown',
      inWords: 'no difference shown: +3.0 points (-1.0 to +7.0), the interval includes 0, although p = 0.012',
    });
    expect(judge({ ...repeated, nClusters: 40 }).verdict).toBe('no_difference_shown');
    expect(judge({ ...repeated, p: 0.4 }, 0.4).inWords).toContain('no significant difference');
    expect(judge({ ...repeated, interval: { lower: 0.001, upper: 0.07, ...clustered } }).verdict).toBe(
      'better',
    );
    // Whole differences of clustered records are not means.
    const whole = { ...repeated, nClusters: 40, mcnemarReason: 'records_are_clustered' };
    expect(judge(whole).verdict).toBe('better');
  });

  it('goes by the interval where there is no test', () => {
    const untested = { p: null, isShare: false, label: 'ECE' };
    expect(judge(untested, null)).toMatchObject({
      verdict: 'better',
      inWords: 'better: +0.030 (+0.010 to +0.050), the interval excludes 0',
    });
    const across = { lower: -0.01, upper: 0.05, level: 0.95, method: 'bca' } as const;
    expect(judge({ ...untested, interval: across }, null).inWords).toBe(
      'no difference shown: +0.030 (-0.010 to +0.050), the interval includes 0',
    );
    expect(judge({ ...untested, interval: null, intervalReason: 'resampling_off' }, null)).toMatchObject({
      verdict: 'no_difference_shown',
      inWords: '+0.030; no interval (resampling off)',
    });
  });

  it('says why nothing can be compared', () => {
    expect(judge({ difference: null, reason: 'no_deferral_labels' }, null)).toMatchObject({
      verdict: 'undefined',
      inWords: 'cannot be compared: no deferral labels',
    });
  });
});
