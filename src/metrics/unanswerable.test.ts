import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { type EvaluationResult, evaluationResult } from '../core/evaluation-result.ts';
import { buildTable } from './columns.ts';
import { buildFigures } from './figures.ts';
import { builtInMetric, extendedMetrics } from './registry.ts';
import { Sample } from './sample.ts';
import { scoreTable } from './score.ts';
import { metricValues } from './score-metrics.ts';
import { warningsFor } from './warnings.ts';

/** Metrics on stated confidences, all of which take `unanswerable`. */
const ON_CONFIDENCE = [
  'augrc',
  'aurc',
  'aurc_trapezoid',
  'e_aurc',
  'e_augrc',
  'expected_calibration_error',
  'expected_calibration_error_debiased',
  'adaptive_calibration_error',
  'maximum_calibration_error',
  'smooth_calibration_error',
  'overconfidence',
  'brier_top_label',
  'brier_decomposition',
  'auroc_confidence',
  'fpr_at_95_tpr',
  'selective_risk_at_coverage_80',
  'coverage_at_risk_05',
  'log_loss',
  'confidence_when_wrong',
];
const valuesOf = (rows: readonly EvaluationResult[], unanswerable: 'failure' | 'excluded') => {
  const metrics = ON_CONFIDENCE.map((name) => builtInMetric(name, { unanswerable })!);
  return Object.values(metricValues(Sample.of(rows), metrics));
};

const row = fc
  .record({
    truth: fc.constantFrom(0, 1, null),
    prediction: fc.constantFrom(0, 1),
    abstained: fc.boolean(),
    confidence: fc.option(fc.constantFrom(0, 0.5, 0.6, 0.9, 1), { freq: 8, nil: null }),
  })
  .map(({ truth, ...rest }) =>
    evaluationResult({ ...rest, groundTruth: truth, metadata: { should_abstain: truth === null } }),
  );
const rows = fc.array(row, { minLength: 1, maxLength: 30 });

const answer = (groundTruth: number | null, confidence: number, shouldAbstain = groundTruth === null) =>
  evaluationResult({ prediction: 1, groundTruth, confidence, metadata: { should_abstain: shouldAbstain } });

describe('an answer where no answer exists', () => {
  it('counts like a wrong answer in every metric on confidences', () => {
    fc.assert(
      fc.property(rows, (given) => {
        const relabelled = given.map((r) => (r.groundTruth === null ? { ...r, groundTruth: 'none' } : r));
        expect(valuesOf(given, 'failure')).toEqual(valuesOf(relabelled, 'failure'));
      }),
    );
  });

  it('stays out of all of them on request, and coverage is still of all rows', () => {
    fc.assert(
      fc.property(rows, (given) => {
        // Without a confidence a row is not usable, and is still a row.
        const unusable = given.map((r) => (r.groundTruth === null ? { ...r, confidence: null } : r));
        expect(valuesOf(given, 'excluded')).toEqual(valuesOf(unusable, 'failure'));
      }),
    );
  });

  it('is a failure also in resamples', () => {
    const certain = [...Array(20).fill(answer(1, 0.8)), ...Array(5).fill(answer(null, 1))];
    const { scores } = scoreTable(buildTable(certain), { resamples: 200, bundle: 'extended' });
    const score = (name: string) => scores.find((found) => found.name === name)!;
    expect(score('augrc')).toMatchObject({ nEvaluated: 25, value: (5 * 2.5 + 20 * 5) / 25 ** 2 });
    expect(score('augrc').interval!.lower).toBeGreaterThan(0);
    expect(score('augrc_answerable')).toMatchObject({
      label: 'AUGRC (answerable cases only)',
      nEvaluated: 20,
      value: 0,
    });
    expect(score('expected_calibration_error').value).toBeCloseTo((20 * 0.2 + 5) / 25, 12);
    expect(score('expected_calibration_error_answerable').value).toBeCloseTo(0.2, 12);
  });

  it('is not in the binary Brier score, which needs a label', () => {
    const found = builtInMetric('brier_score')!.compute([answer(1, 0.8), answer(null, 1)]);
    expect(found).toMatchObject({ value: expect.closeTo(0.04), nEvaluated: 1 });
  });

  it('shows as wrong in the reliability diagram, the risk-coverage curve and the histogram', () => {
    const figures = buildFigures(buildTable([answer(1, 0.8), answer(null, 1)]));
    expect(figures.reliability.at(-1)).toMatchObject({ count: 1, accuracy: 0 });
    expect(figures.riskCoverage).toMatchObject({
      nUsable: 2,
      random: 0.5,
      points: [
        { threshold: 1, coverage: 0.5, selective_risk: 1 },
        { threshold: 0.8, coverage: 1, selective_risk: 0.5 },
      ],
    });
    expect(figures.confidence.at(-1)).toMatchObject({ right: 0, wrong: 1 });
  });

  it('is among the answers without a confidence when it states none', () => {
    const silent = evaluationResult({
      prediction: 1,
      groundTruth: null,
      metadata: { should_abstain: true },
    });
    expect(scoreTable(buildTable([silent, answer(1, 0.9)]), { resamples: 0 }).nMissingConfidence).toBe(1);
  });
});

describe('a row without a label', () => {
  const labelled = [answer(1, 0.9), answer(0, 0.8), answer(null, 0.7)];
  const without = (should_abstain: boolean | null, prediction: number | null = 1) =>
    evaluationResult({ prediction, groundTruth: null, confidence: 1, metadata: { should_abstain } });

  it('is in no metric that needs one, and is counted', () => {
    const given = [...labelled, without(null), without(false), without(null, null)];
    const metrics = extendedMetrics({ task: 'detection', positiveLabel: 1, labelFromValues: true });
    const [more, less] = [given, labelled].map((own) => metricValues(Sample.of(own), metrics));
    const needNone = metrics
      .map(({ name }) => name)
      .filter((name) =>
        /^(deferral_|(usable_)?answer_rate|abstention_rate|invalid_rate|unanswerable)/.test(name),
      );
    for (const name of Object.keys(more!))
      if (!needNone.includes(name)) expect([name, more![name]]).toEqual([name, less![name]]);
    const card = scoreTable(buildTable(given), { resamples: 0 });
    expect(card).toMatchObject({ nScored: 6, nWithoutLabel: 3 });
    expect(card.scores.find(({ name }) => name === 'accuracy')).toMatchObject({
      nSuccesses: 1,
      nEvaluated: 3,
    });
    expect(warningsFor(card)).toContainEqual({
      code: 'rows_without_label',
      message:
        '3 cases have neither a label nor should_abstain: true. Metrics that need a label leave them out.',
    });
  });
});

describe('the default bundle', () => {
  it('has the metrics of decisions that can harm, as shares with Wilson intervals', () => {
    const given = [
      answer(1, 0.9),
      evaluationResult({ groundTruth: 1, abstained: true, metadata: { must_act: true } }),
      evaluationResult({ groundTruth: 1, prediction: 1, metadata: { must_act: true } }),
      answer(null, 0.7),
      evaluationResult({ groundTruth: null, prediction: null, metadata: { should_abstain: true } }),
      evaluationResult({ groundTruth: null, abstained: true, metadata: { should_abstain: true } }),
    ];
    const { scores } = scoreTable(buildTable(given), { resamples: 0 });
    const shares = [
      ['answerable_accuracy', 1, 1],
      ['answerable_selective_accuracy', 1, 1],
      ['must_act_silence_rate', 1, 2],
      ['answered_should_defer_rate', 1, 3],
    ] as const;
    for (const [name, nSuccesses, nEvaluated] of shares)
      expect(scores.find((score) => score.name === name)).toMatchObject({
        nSuccesses,
        nEvaluated,
        value: nSuccesses / nEvaluated,
        interval: { method: 'wilson' },
      });
  });
});

describe('the extended bundle', () => {
  it('reads near a line only where the label is a function of the values shown', () => {
    const names = (labelFromValues?: boolean) => extendedMetrics({ labelFromValues }).map(({ name }) => name);
    expect(names()).not.toContain('near_line_accuracy');
    expect(names(true)).toContain('near_line_accuracy');
    const near = [answer(1, 0.9, true), answer(0, 0.9, true), answer(1, 0.9), answer(null, 0.9)];
    const metrics = extendedMetrics({ labelFromValues: true });
    expect(metricValues(Sample.of(near), metrics)).toMatchObject({
      near_line_accuracy: 0.5,
      answerable_accuracy: 1,
      answerable_selective_accuracy: 1,
    });
  });
});
