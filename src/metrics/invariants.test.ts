import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { type EvaluationResult, evaluationResult } from '../core/evaluation-result.ts';
import type { Interval } from '../core/score.ts';
import { defaultBenchmarkMetrics, extendedMetrics } from './registry.ts';
import { clusterPlan } from './resample.ts';
import { Sample } from './sample.ts';
import { metricValues, scoreMetrics } from './score-metrics.ts';

/** Rows as a model with few distinct confidences would give them, so that ties are the rule. */
const row = fc
  .record({
    truth: fc.integer({ min: 0, max: 1 }),
    prediction: fc.option(fc.integer({ min: 0, max: 1 }), { freq: 8, nil: null }),
    abstained: fc.boolean(),
    confidence: fc.option(fc.constantFrom(0, 0.2, 0.5, 0.6, 0.85, 0.9, 0.95, 1), { freq: 8, nil: null }),
    shouldAbstain: fc.option(fc.boolean(), { freq: 4, nil: null }),
  })
  .map(({ truth, shouldAbstain, ...rest }) =>
    evaluationResult({ ...rest, groundTruth: truth, metadata: { should_abstain: shouldAbstain } }),
  );
const rows = fc.array(row, { minLength: 1, maxLength: 40 });

const metrics = extendedMetrics({ task: 'detection', positiveLabel: 1 });
const valuesOf = (given: readonly EvaluationResult[]) => metricValues(Sample.of(given), metrics);
const at = (values: Record<string, number | null>, name: string): number | null => {
  if (!(name in values)) throw new Error(`no metric ${name}`);
  return values[name]!;
};

function expectSame(
  a: Record<string, number | null>,
  b: Record<string, number | null>,
  names = Object.keys(a),
) {
  for (const name of names) {
    const [x, y] = [at(a, name), at(b, name)];
    if (x === null || y === null) expect([name, x]).toEqual([name, y]);
    else expect(Math.abs(x - y), name).toBeLessThan(1e-9);
  }
}

const holds = (property: (given: EvaluationResult[]) => void) =>
  fc.assert(fc.property(rows, property), { numRuns: 200 });

describe('what must hold whatever the rows', () => {
  it('the order of rows changes nothing', () => {
    fc.assert(
      fc.property(
        rows.chain((given) =>
          fc.tuple(fc.constant(given), fc.shuffledSubarray(given, { minLength: given.length })),
        ),
        ([given, shuffled]) => {
          expectSame(valuesOf(given), valuesOf(shuffled));
        },
      ),
    );
  });

  it('new names for the labels change nothing', () => {
    const name = (label: unknown) => (label === 1 ? 'Sick' : 'well');
    holds((given) => {
      const renamed = given.map((r) => ({
        ...r,
        groundTruth: name(r.groundTruth),
        prediction: r.prediction === null ? null : name(r.prediction),
      }));
      const named = metricValues(
        Sample.of(renamed),
        extendedMetrics({ task: 'detection', positiveLabel: 'sick' }),
      );
      expectSame(valuesOf(given), named);
    });
  });

  it('accuracy = answer rate * selective accuracy, and the two rates sum to 1', () => {
    holds((given) => {
      const v = valuesOf(given);
      expect(at(v, 'abstention_rate')! + at(v, 'answer_rate')!).toBeCloseTo(1, 12);
      const selective = at(v, 'selective_accuracy');
      expect(at(v, 'accuracy')).toBeCloseTo(at(v, 'answer_rate')! * (selective ?? 0), 12);
    });
  });

  it('Brier = reliability - resolution + uncertainty', () => {
    holds((given) => {
      const { details } = metrics
        .find(({ name }) => name === 'brier_decomposition')!
        .compute(given, { resamples: 0 });
      const parts = details as Record<string, number>;
      if (parts.brier === undefined) return;
      expect(parts.brier).toBeCloseTo(parts.reliability! - parts.resolution! + parts.uncertainty!, 12);
      expect(parts.brier).toBeCloseTo(at(valuesOf(given), 'brier_top_label')!, 12);
    });
  });

  it('AUGRC = acc (1 - acc)(1 - AUROC) + (1 - acc)^2 / 2', () => {
    holds((given) => {
      const v = valuesOf(given);
      const { confidence } = Sample.of(given);
      const auroc = at(v, 'auroc_confidence');
      if (auroc === null) return;
      const acc = 1 - confidence.nErrors / confidence.n;
      expect(at(v, 'augrc')).toBeCloseTo(acc * (1 - acc) * (1 - auroc) + (1 - acc) ** 2 / 2, 12);
    });
  });

  it('excess areas are never negative, ECE <= MCE, |mean c - mean z| <= ECE', () => {
    holds((given) => {
      const v = valuesOf(given);
      if (at(v, 'augrc') === null) return;
      expect(at(v, 'e_aurc')).toBeGreaterThanOrEqual(0);
      expect(at(v, 'e_augrc')).toBeGreaterThanOrEqual(0);
      expect(at(v, 'expected_calibration_error')).toBeLessThanOrEqual(
        at(v, 'maximum_calibration_error')! + 1e-12,
      );
      expect(Math.abs(at(v, 'overconfidence')!)).toBeLessThanOrEqual(
        at(v, 'expected_calibration_error')! + 1e-12,
      );
    });
  });

  it('a strictly increasing map of confidences leaves the rankings alone', () => {
    const ranking = [
      'auroc_confidence',
      'aurc',
      'augrc',
      'e_aurc',
      'e_augrc',
      'aurc_trapezoid',
      'fpr_at_95_tpr',
    ];
    holds((given) => {
      const mapped = given.map((r) => ({
        ...r,
        confidence: r.confidence === null ? null : r.confidence ** 3 / 2 + 0.1,
      }));
      expectSame(valuesOf(given), valuesOf(mapped), ranking);
    });
  });

  it('alignment of never deferring is the share of rows to answer', () => {
    holds((given) => {
      const never = given.map((r) =>
        evaluationResult({ ...r, state: 'answered', abstained: false, prediction: 0 }),
      );
      const score = metrics.find(({ name }) => name === 'deferral_alignment')!.compute(never);
      const { never_defer } = score.details.trivial_policies as { never_defer: number | null };
      expect(score.value).toEqual(never_defer);
    });
  });

  it('more abstentions leave metrics on usable rows alone', () => {
    const onUsable = [
      'expected_calibration_error',
      'adaptive_calibration_error',
      'brier_top_label',
      'auroc_confidence',
      'augrc',
      'aurc',
      'log_loss',
    ];
    holds((given) => {
      const more = [
        ...given,
        ...given.map((r) =>
          evaluationResult({ groundTruth: r.groundTruth, abstained: true, confidence: 0.7 }),
        ),
      ];
      expectSame(valuesOf(given), valuesOf(more), onUsable);
    });
  });

  it('duplicating every record leaves all but the finite-sample averages alone', () => {
    const finite = new Set([
      'aurc',
      'e_aurc',
      'expected_calibration_error_debiased',
      'run_consistency',
      'selective_risk_at_coverage_80',
      'selective_risk_at_coverage_90',
      'selective_risk_at_coverage_95',
    ]);
    holds((given) => {
      const names = metrics.map(({ name }) => name).filter((name) => !finite.has(name));
      expectSame(valuesOf(given), valuesOf([...given, ...given]), names);
    });
  });

  it('a resample is the same as the rows written out', () => {
    fc.assert(
      fc.property(
        rows.chain((given) =>
          fc.tuple(
            fc.constant(given),
            fc.array(fc.nat(3), { minLength: given.length, maxLength: given.length }),
          ),
        ),
        ([given, weights]) => {
          const written = given.flatMap((r, i) => new Array<EvaluationResult>(weights[i]!).fill(r));
          // A resample keeps what is known of the full table, such as whether it has deferral labels; written-out rows must know it too.
          const { hasDeferralLabels } = Sample.of(given).columns;
          const weighted = metricValues(
            Sample.of(given).weighted(Uint32Array.from(weights)),
            defaultBenchmarkMetrics(),
          );
          const sample = Sample.from({ ...Sample.of(written).columns, hasDeferralLabels });
          expectSame(weighted, metricValues(sample, defaultBenchmarkMetrics()));
        },
      ),
    );
  });
});

describe('intervals', () => {
  const fixed = fc.sample(row, { numRuns: 60, seed: 11 });

  it('are the same when every record stands twice, if its rows are drawn together', () => {
    const withIds = fixed.map((r, i) => ({ ...r, id: `r${i}` }));
    const options = { resamples: 300, seed: 5, breakdown: false, nullBand: false };
    const once = scoreMetrics(Sample.of(withIds), defaultBenchmarkMetrics(), { ...options, cluster: 'id' });
    const twice = scoreMetrics(Sample.of([...withIds, ...withIds]), defaultBenchmarkMetrics(), {
      ...options,
      cluster: 'id',
    });
    const intervals = (name: string) =>
      [once, twice].map((scores) => scores.find((score) => score.name === name)!.interval!) as [
        Interval,
        Interval,
      ];
    for (const name of ['brier_top_label', 'augrc']) {
      const [a, b] = intervals(name);
      expect(b.lower, name).toBeCloseTo(a.lower, 9);
      expect(b.upper, name).toBeCloseTo(a.upper, 9);
    }
    // A share has Wilson's interval once and one over clusters twice: nearly the same, and not that of twice the rows.
    for (const name of ['accuracy', 'selective_accuracy', 'deferral_alignment']) {
      const [a, b] = intervals(name);
      const ratio = (b.upper - b.lower) / (a.upper - a.lower);
      expect([a.method, ratio > 0.9 && ratio < 1.1], name).toEqual(['wilson', true]);
    }
  });

  it('leaving out one of many equal rows is worked out once and weighs as many', () => {
    const custom = defaultBenchmarkMetrics().map((metric) => ({ ...metric, restsOn: 'rows' as const }));
    const options = { resamples: 200, breakdown: false, nullBand: false };
    const byPattern = scoreMetrics(Sample.of(fixed), defaultBenchmarkMetrics(), options);
    const rowByRow = scoreMetrics(Sample.of(fixed), custom, options);
    byPattern.forEach((score, m) => {
      expect(score.interval?.method, score.name).toBe(rowByRow[m]!.interval?.method);
      if (score.interval === null) return;
      expect(score.interval.lower, score.name).toBeCloseTo(rowByRow[m]!.interval!.lower, 9);
      expect(score.interval.upper, score.name).toBeCloseTo(rowByRow[m]!.interval!.upper, 9);
    });
  });

  it('clusters are drawn whole', () => {
    const plan = clusterPlan({ codes: Int32Array.from([0, 0, 1, -1, 1]), values: ['a', 'b'], originals: [] });
    expect(plan.nUnits).toBe(3);
    expect(Array.from(plan.listRows(0))).toEqual([0, 1]);
  });
});
