import { describe, expect, it } from 'vitest';
import { evaluationResult } from '../core/evaluation-result.ts';
import { holmAdjust } from '../statistics/holm.ts';
import { wilsonInterval } from '../statistics/proportions.ts';
import { createRandom } from '../statistics/random.ts';
import { buildTable } from './columns.ts';
import { defineMetric } from './define-metric.ts';
import type { Metric } from './metric.ts';
import { scoreTable } from './score.ts';
import { warningsFor } from './warnings.ts';

function rows(n: number, seed = 3) {
  const random = createRandom(seed);
  return Array.from({ length: n }, (_, i) => {
    const groundTruth = random.integer(2);
    const right = random.float() < 0.8;
    return evaluationResult({
      id: `r${i}`,
      groundTruth,
      prediction: right ? groundTruth : 1 - groundTruth,
      abstained: random.float() < 0.1,
      confidence: 0.5 + random.integer(10) / 20,
      metadata: {
        should_abstain: random.float() < 0.2,
        ckd_stage: 1 + random.integer(5),
        sex: i % 3 === 0 ? 'female' : 'male',
        ward: `w${i % 12}`,
      },
    });
  });
}
const score = (card: ReturnType<typeof scoreTable>, name: string) =>
  card.scores.find((found) => found.name === name)!;
const quick = { resamples: 200 };

describe('scoreTable', () => {
  const card = scoreTable(buildTable(rows(200)), quick);

  it('gives every metric an interval with its method, or the reason why not', () => {
    for (const { name, value, interval, intervalReason, reason } of card.scores) {
      if (value === null) expect([name, reason]).not.toContain(null);
      if (interval === null) expect([name, intervalReason]).not.toContain(null);
      else {
        expect(interval.lower, name).toBeLessThanOrEqual(interval.upper);
        expect(interval.method === 'wilson' ? null : 200, name).toBe(interval.resamples);
      }
    }
    expect(score(card, 'accuracy').interval!.method).toBe('wilson');
    expect(score(card, 'augrc').interval!.method).toBe('bca');
  });

  it('breaks down by stage', () => {
    expect(Object.keys(score(card, 'accuracy').breakdown)).toEqual([
      'stage_1',
      'stage_2',
      'stage_3',
      'stage_4',
      'stage_5',
    ]);
    const mean = Object.values(score(card, 'accuracy').breakdown).reduce<number>((a, b) => a + b!, 0) / 5;
    expect(Math.abs(mean - score(card, 'accuracy').value!)).toBeLessThan(0.1);
  });

  it('is the same for the same seed, and not for another', () => {
    expect(scoreTable(buildTable(rows(200)), quick)).toEqual(card);
    const other = scoreTable(buildTable(rows(200)), { ...quick, seed: 43 });
    expect(score(other, 'augrc').interval).not.toEqual(score(card, 'augrc').interval);
    expect(score(other, 'accuracy').interval).toEqual(score(card, 'accuracy').interval);
  });

  it('uses percentile intervals with fewer resamples above 10,000 rows', () => {
    const large = scoreTable(buildTable(rows(10_001)), { breakdown: false });
    expect(score(large, 'augrc').interval).toMatchObject({ method: 'percentile', resamples: 2000 });
    expect(scoreTable(buildTable(rows(20_000)), { breakdown: false, metrics: [] }).method.resamples).toBe(
      1000,
    );
  });

  it('takes clusters together in every interval when asked', () => {
    const clustered = scoreTable(buildTable(rows(200), { keep: ['ward'] }), { ...quick, cluster: 'ward' });
    expect(score(clustered, 'accuracy').interval).toMatchObject({
      unit: 'cluster',
      method: 'wilson_effective_t',
      resamples: null,
    });
    expect(score(clustered, 'augrc').interval).toMatchObject({ unit: 'cluster', method: 'bca' });
    expect(() => scoreTable(buildTable(rows(20)), { cluster: 'ward' })).toThrow('no case has metadata.ward');
  });

  it('takes rows of one record for one cluster, unasked', () => {
    const repeated = scoreTable(buildTable([...rows(100), ...rows(100, 4)]), {
      ...quick,
      bundle: 'extended',
    });
    expect(repeated.method.cluster).toBe('id');
    expect(score(repeated, 'accuracy').interval!.unit).toBe('cluster');
    expect(score(repeated, 'run_consistency').value).toBeGreaterThan(0);
    expect(score(repeated, 'run_consistency').details).toHaveProperty('variance_of_accuracy.within_records');
  });

  it('keeps class counts fixed when stratified', () => {
    const stratified = scoreTable(buildTable(rows(200)), { ...quick, stratify: true });
    expect(score(stratified, 'accuracy').interval!.method).toBe('bca');
  });

  it('says that resampling saw no variation instead of claiming certainty', () => {
    const perfect = buildTable(
      Array.from({ length: 30 }, () => evaluationResult({ prediction: 1, groundTruth: 1, confidence: 0.9 })),
    );
    const { interval, intervalReason } = score(scoreTable(perfect, quick), 'augrc');
    expect([interval, intervalReason]).toEqual([null, 'no_variation_in_resamples']);
  });

  it('has the formula of a share over clusters: agreeing, few, many, and none but one', () => {
    const accuracyOf = (nClusters: number, isRight: (i: number) => boolean, options = {}) => {
      const all = Array.from({ length: 4 * nClusters }, (_, i) =>
        evaluationResult({
          id: `r${i}`,
          prediction: isRight(i) ? 1 : 0,
          groundTruth: 1,
          metadata: { ward: i % nClusters },
        }),
      );
      const table = buildTable(all, { keep: ['ward'] });
      return score(scoreTable(table, { ...quick, cluster: 'ward', ...options }), 'accuracy');
    };
    const { interval } = accuracyOf(13, () => true, { resamples: 0 });
    expect(interval).toMatchObject({ method: 'wilson_effective_t', upper: 1, unit: 'cluster' });
    expect(interval!.lower).toBeCloseTo(0.73250887088, 9);
    expect(accuracyOf(60, (i) => i >= 9).interval!.method).toBe('wilson_effective_t');
    expect(accuracyOf(60, (i) => i >= 10).interval!.method).toBe('bca');
    expect(accuracyOf(60, (i) => i >= 10, { resamples: 0 }).intervalReason).toBe('resampling_off');
    expect(accuracyOf(1, (i) => i > 0)).toMatchObject({ interval: null, intervalReason: 'one_cluster' });
    expect(accuracyOf(9, (i) => i > 0, { cluster: 'id' }).interval).toMatchObject({
      method: 'wilson',
      unit: 'row',
    });
  });

  it('counts a record with repeats once in run consistency', () => {
    const repeated = [...rows(100), ...rows(100, 4)];
    const { interval, value } = score(
      scoreTable(buildTable(repeated), { ...quick, bundle: 'extended' }),
      'run_consistency',
    );
    const [lower, upper] = wilsonInterval(Math.round(value! * 100), 100)!;
    expect(interval).toMatchObject({ method: 'wilson', lower, upper });
  });

  it('leaves intervals out when told to, and says so', () => {
    const bare = scoreTable(buildTable(rows(50)), { resamples: 0 });
    expect(score(bare, 'augrc')).toMatchObject({ interval: null, intervalReason: 'resampling_off' });
    expect(score(bare, 'accuracy').interval!.method).toBe('wilson');
  });

  it('has nothing to say of no rows, and says that', () => {
    const empty = scoreTable(buildTable([evaluationResult({ groundTruth: 1, state: 'failed' })]), quick);
    expect(empty.scores.every(({ value, reason }) => value === null && reason !== null)).toBe(true);
    expect(warningsFor(empty).map(({ code }) => code)).toEqual(['unscored_rows', 'nothing_scored']);
  });

  it('takes a list of metrics in place of the bundle: built in, defined, or a bare object', () => {
    const bare: Metric = { name: 'rows', compute: (given) => ({ value: [...given].length }) };
    const share = defineMetric({
      name: 'share',
      estimate: (sample) => [...sample].filter((row) => row.correct).length / [...sample].length,
    });
    const own = scoreTable(buildTable(rows(40)), { resamples: 50, metrics: [bare, share] });
    expect(own.scores.map(({ name }) => name)).toEqual(['rows', 'share']);
    expect(score(own, 'rows')).toMatchObject({
      value: 40,
      intervalReason: 'no_variation_in_resamples',
      family: 'custom',
    });
    expect(score(own, 'share').interval!.method).toBe('bca');
  });

  it('compares groups, with the difference from the rest', () => {
    const { subgroups } = scoreTable(buildTable(rows(300), { keep: ['sex'] }), {
      ...quick,
      groupBy: ['sex'],
    });
    expect(subgroups.map(({ metric }) => metric)).toContain('abstention_rate');
    const [accuracy] = subgroups;
    expect(accuracy!.groups.map(({ group, n }) => [group, n])).toEqual([
      ['female', 100],
      ['male', 200],
    ]);
    expect(accuracy!.groups[0]!.difference_from_rest!.value).toBeCloseTo(
      -accuracy!.groups[1]!.difference_from_rest!.value,
      12,
    );
  });

  it('adjusts the distinct tests of a metric over all keys, and tests two groups once', () => {
    const scoreBy = (...groupBy: string[]) => {
      const table = buildTable(rows(300), { keep: groupBy });
      const { subgroups } = scoreTable(table, { ...quick, groupBy });
      return (by: string) =>
        subgroups
          .find((gap) => gap.by === by && gap.metric === 'accuracy')!
          .groups.map(({ difference_from_rest: rest }) => [rest!.p!, rest!.p_holm!] as const);
    };
    const [[p, alone], [, shared]] = scoreBy('sex')('sex') as [
      readonly [number, number],
      readonly [number, number],
    ];
    expect([alone, shared]).toEqual([p, p]);
    const both = scoreBy('sex', 'ckd_stage');
    const stages = both('ckd_stage').map(([raw]) => raw);
    const adjusted = holmAdjust([p, ...stages]);
    expect(both('sex').map(([, holm]) => holm)).toEqual([adjusted[0], adjusted[0]]);
    expect(both('ckd_stage').map(([, holm]) => holm)).toEqual(adjusted.slice(1));
  });

  it('tests neither of two groups when one is too small', () => {
    const few = rows(60).map((row, i) => ({
      ...row,
      metadata: { ...row.metadata, site: i < 20 ? 'a' : 'b' },
    }));
    const { subgroups } = scoreTable(buildTable(few, { keep: ['site'] }), { ...quick, groupBy: ['site'] });
    const [a, b] = subgroups[0]!.groups;
    expect(a!.difference_from_rest).toBeNull();
    expect(b!.difference_from_rest).toMatchObject({ p: null, p_holm: null });
    expect(b!.difference_from_rest!.lower).toBeLessThan(b!.difference_from_rest!.upper);
  });

  it('lists small groups without ranking them', () => {
    const few = rows(60).map((row, i) => ({
      ...row,
      metadata: { ...row.metadata, site: i < 5 ? 'a' : i < 20 ? 'b' : 'c' },
    }));
    const { subgroups } = scoreTable(buildTable(few, { keep: ['site'] }), { ...quick, groupBy: ['site'] });
    const [a, b, c] = subgroups[0]!.groups;
    expect(a).toMatchObject({ n: 5, value: null, reason: 'group_too_small', ranked: false });
    expect([b!.value === null, b!.ranked, c!.ranked]).toEqual([false, false, true]);
    expect(subgroups[0]!.gap).toBeNull();
  });
});

describe('the null band of ECE', () => {
  it('covers a calibrated model and not an overconfident one', () => {
    const random = createRandom(8);
    const stated = (right: (c: number) => boolean) =>
      buildTable(
        Array.from({ length: 400 }, () => {
          const confidence = 0.6 + random.integer(8) / 20;
          return evaluationResult({ groundTruth: 1, prediction: right(confidence) ? 1 : 0, confidence });
        }),
      );
    const codes = (table: ReturnType<typeof buildTable>) =>
      warningsFor(scoreTable(table, { resamples: 0 })).map(({ code }) => code);
    expect(codes(stated((c) => random.float() < c))).toContain('ece_within_noise');
    expect(codes(stated((c) => random.float() < c - 0.3))).not.toContain('ece_within_noise');
  });

  it('agrees with the published floor: 15 bins, confidences near 0.97, n = 160: mean 2.5 %, 95th percentile 4.3 %', () => {
    const table = buildTable(
      Array.from({ length: 160 }, (_, i) =>
        evaluationResult({
          groundTruth: 1,
          prediction: i % 32 === 0 ? 0 : 1,
          confidence: [0.95, 0.96, 0.97, 0.98, 0.99][i % 5]!,
        }),
      ),
    );
    const ece = score(scoreTable(table, { resamples: 0 }), 'expected_calibration_error');
    const band = ece.details.null_band as { ece_null_mean: number; ece_null_p95: number };
    expect(band.ece_null_mean).toBeGreaterThan(0.008);
    expect(band.ece_null_mean).toBeLessThan(0.03);
    expect(band.ece_null_p95).toBeGreaterThan(band.ece_null_mean);
  });
});
