import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { type EvaluationResult, evaluationResult } from '../core/evaluation-result.ts';
import { wilsonInterval } from '../statistics/proportions.ts';
import { accuracy } from './catalogue.ts';
import { buildTable } from './columns.ts';
import { buildFigures } from './figures.ts';
import { Sample } from './sample.ts';
import { scoreTable } from './score.ts';

const rows: EvaluationResult[] = [
  evaluationResult({
    prediction: 'G1',
    groundTruth: 'G1',
    confidence: 0.9,
    metadata: { should_abstain: false },
  }),
  evaluationResult({
    prediction: 'G2',
    groundTruth: 'G1',
    confidence: 0.9,
    metadata: { should_abstain: true },
  }),
  evaluationResult({
    prediction: 'G2',
    groundTruth: 'G2',
    confidence: 0.4,
    metadata: { should_abstain: false },
  }),
  evaluationResult({ groundTruth: 'G2', abstained: true, metadata: { should_abstain: false } }),
  evaluationResult({ groundTruth: null, abstained: true, metadata: { should_abstain: true } }),
  evaluationResult({ groundTruth: 'G10', state: 'invalid' }),
  evaluationResult({ groundTruth: 'G10', state: 'failed', stateReason: 'timeout' }),
];
const figures = buildFigures(buildTable(rows));

describe('buildFigures', () => {
  it('puts truth against what was said, every scored row once', () => {
    expect(figures.confusion).toEqual({
      truths: ['G1', 'G2', 'G10', 'null'],
      answers: ['G1', 'G2', 'G10', 'abstained', 'invalid'],
      counts: [
        [1, 1, 0, 0, 0],
        [0, 1, 0, 1, 0],
        [0, 0, 0, 0, 1],
        [0, 0, 0, 1, 0],
      ],
    });
  });

  it('follows the scale of the task, and gathers answers outside it', () => {
    const said = [...rows, evaluationResult({ prediction: 'perhaps', groundTruth: 'G2' })];
    const { confusion } = buildFigures(buildTable(said), { labels: ['G2', 'G1', 'G10'] });
    expect(confusion.truths).toEqual(['G2', 'G1', 'G10', 'null']);
    expect(confusion.answers).toEqual(['G2', 'G1', 'G10', 'other', 'abstained', 'invalid']);
    expect(confusion.counts[0]).toEqual([1, 0, 0, 1, 1, 0]);
  });

  it('stays small whatever the number of classes', () => {
    const many = Array.from({ length: 500 }, (_, i) =>
      evaluationResult({ groundTruth: `c${i}`, prediction: `c${i % 7}` }),
    );
    const { truths, counts } = buildFigures(buildTable(many)).confusion;
    expect(truths).toHaveLength(61);
    expect(truths.at(-1)).toBe('other');
    expect(counts.flat().reduce((sum, n) => sum + n, 0)).toBe(500);
  });

  it('gives the reliability diagram in the bins of ECE, with intervals', () => {
    const [lower, upper] = wilsonInterval(1, 2)!;
    expect(figures.reliability).toHaveLength(15);
    expect(figures.reliability[13]).toEqual({
      low: 13 / 15,
      high: 14 / 15,
      count: 2,
      mean_confidence: 0.9,
      accuracy: 0.5,
      lower,
      upper,
    });
    expect(figures.reliability[0]).toMatchObject({
      count: 0,
      mean_confidence: null,
      accuracy: null,
      lower: null,
    });
  });

  it('draws risk against coverage of all scored rows', () => {
    expect(figures.riskCoverage).toEqual({
      points: [
        { threshold: 0.9, coverage: 2 / 6, selective_risk: 0.5, generalized_risk: expect.closeTo(1 / 6) },
        { threshold: 0.4, coverage: 3 / 6, selective_risk: 1 / 3, generalized_risk: expect.closeTo(1 / 6) },
      ],
      random: 1 / 3,
      oracle: [
        { coverage: 1 / 6, selective_risk: 0 },
        { coverage: 2 / 6, selective_risk: 0 },
        { coverage: 3 / 6, selective_risk: 1 / 3 },
      ],
      nUsable: 3,
      emergencies: { n: 0, unanswered: 0 },
    });
  });

  it('thins a long curve, and keeps its ends', () => {
    const many = Array.from({ length: 1000 }, (_, i) =>
      evaluationResult({ groundTruth: 1, prediction: i % 10 === 0 ? 0 : 1, confidence: i / 1000 }),
    );
    const { points, oracle } = buildFigures(buildTable(many)).riskCoverage;
    expect(points).toHaveLength(400);
    expect([points[0]!.threshold, points.at(-1)!.threshold]).toEqual([0.999, 0]);
    expect(points.at(-1)).toMatchObject({ coverage: 1, selective_risk: 0.1 });
    expect(oracle.slice(0, 2)).toEqual([
      { coverage: 0.001, selective_risk: 0 },
      { coverage: 0.9, selective_risk: 0 },
    ]);
    expect(oracle.at(-1)).toEqual({ coverage: 1, selective_risk: 0.1 });
  });

  it('takes any answer to a case that should be deferred for a failure', () => {
    const lucky = evaluationResult({
      groundTruth: 1,
      prediction: 1,
      confidence: 0.9,
      metadata: { should_abstain: true },
    });
    const drawn = buildFigures(buildTable([lucky]));
    expect(drawn.riskCoverage.random).toBe(1);
    expect(drawn.reliability.find(({ count }) => count > 0)?.accuracy).toBe(0);
  });

  it('counts emergencies that the curve does not show', () => {
    const emergency = { groundTruth: 1, metadata: { must_act: true, should_abstain: false } };
    const drawn = buildFigures(
      buildTable([
        evaluationResult({ ...emergency, prediction: 1, confidence: 0.9 }),
        evaluationResult({ ...emergency, abstained: true }),
        evaluationResult({ ...emergency, prediction: 1 }),
        evaluationResult({ ...emergency, groundTruth: null, abstained: true }),
      ]),
    );
    expect(drawn.riskCoverage.emergencies).toEqual({ n: 3, unanswered: 2 });
    expect(drawn.decisions.must_act).toEqual({
      missed_emergency: 1,
      right_answer: 2,
      deferred_without_need: 1,
    });
  });

  it('counts deferral, and has none without labels', () => {
    expect(figures.deferral).toEqual({
      defer_when_needed: 1,
      answer_when_safe: 2,
      answer_when_should_defer: 1,
      abstain_when_should_answer: 1,
    });
    expect(
      buildFigures(buildTable([evaluationResult({ groundTruth: 1, prediction: 1 })])).deferral,
    ).toBeNull();
  });

  it('shows classes where rows have no stage', () => {
    const unlabelled = rows.map((row) => ({ ...row, metadata: {} }));
    const [lower, upper] = wilsonInterval(1, 2)!;
    const { dots } = buildFigures(buildTable(unlabelled));
    expect(dots.map(({ metric, by, group, n }) => [metric, by, group, n])).toEqual([
      ['accuracy', 'ground_truth', 'G1', 2],
      ['accuracy', 'ground_truth', 'G2', 2],
      ['accuracy', 'ground_truth', 'G10', 1],
      ['selective_accuracy', 'ground_truth', 'G1', 2],
      ['selective_accuracy', 'ground_truth', 'G2', 1],
      ['selective_accuracy', 'ground_truth', 'G10', 1],
      ['abstention_rate', 'ground_truth', 'G1', 2],
      ['abstention_rate', 'ground_truth', 'G2', 2],
      ['abstention_rate', 'ground_truth', 'G10', 1],
      ['abstention_rate', 'ground_truth', 'null', 1],
    ]);
    expect(dots[0]).toMatchObject({ n_successes: 1, n: 2, value: 0.5, lower, upper });
    const silent = evaluationResult({ groundTruth: 'G1', abstained: true });
    expect(buildFigures(buildTable([silent])).dots[1]).toMatchObject({
      n: 0,
      value: null,
      lower: null,
      upper: null,
    });
  });

  it('takes the accuracy of rows that call for an answer where there are deferral labels, after that of all decisions', () => {
    const dots = figures.dots.map(({ metric, group, n_successes: x, n }) => [metric, group, `${x}/${n}`]);
    expect(dots.slice(0, 8)).toEqual([
      ['decision_accuracy', 'G1', '1/2'],
      ['decision_accuracy', 'G2', '1/2'],
      ['decision_accuracy', 'null', '1/1'],
      ['answerable_accuracy', 'G1', '1/1'],
      ['answerable_accuracy', 'G2', '1/2'],
      ['answerable_selective_accuracy', 'G1', '1/1'],
      ['answerable_selective_accuracy', 'G2', '1/1'],
      ['abstention_rate', 'G1', '0/2'],
    ]);
  });

  it('shows stages where there are some, and subgroups as they were scored', () => {
    const staged = Array.from({ length: 40 }, (_, i) =>
      evaluationResult({
        groundTruth: 1,
        prediction: i % 4 === 0 ? 0 : 1,
        metadata: { ckd_stage: i % 2 === 0 ? 10 : null, sex: i < 20 ? 'f' : 'm' },
      }),
    );
    const table = buildTable(staged, { keep: ['sex'] });
    const { subgroups } = scoreTable(table, { groupBy: ['sex'], resamples: 0 });
    const { dots } = buildFigures(table, { subgroups });
    expect(dots.slice(0, 2)).toMatchObject([
      { by: 'ckd_stage', group: '10', value: 0.5, n: 20 },
      { by: 'ckd_stage', group: 'none', value: 1, n: 20 },
    ]);
    expect(dots.filter(({ by, metric }) => by === 'sex' && metric === 'accuracy')).toMatchObject([
      { group: 'f', n: 20, value: 0.75, lower: wilsonInterval(15, 20)![0] },
      { group: 'm', n: 20, value: 0.75 },
    ]);
  });

  it('takes repeats of a record for one draw', () => {
    const twice = ['a', 'b', 'a', 'b'].map((id) =>
      evaluationResult({ id, groundTruth: 1, prediction: 1, confidence: 1 }),
    );
    const found = buildFigures(buildTable(twice));
    expect(found.dots[0]).toMatchObject({ n: 4, value: 1, lower: wilsonInterval(2, 2)![0] });
    expect(found.reliability.at(-1)).toMatchObject({ count: 4, lower: wilsonInterval(2, 2)![0] });
  });

  it('steps through confidence, right and wrong apart', () => {
    expect(figures.confidence).toHaveLength(20);
    expect(figures.confidence.filter(({ right, wrong }) => right + wrong > 0)).toEqual([
      { low: 0.4, high: 0.45, right: 1, wrong: 0 },
      { low: 0.9, high: 0.95, right: 1, wrong: 1 },
    ]);
  });

  it('is empty, not broken, without rows', () => {
    const none = buildFigures(buildTable([]));
    expect(none.riskCoverage).toEqual({
      points: [],
      random: null,
      oracle: [],
      nUsable: 0,
      emergencies: { n: 0, unanswered: 0 },
    });
    expect([none.confusion.truths, none.dots, none.deferral]).toEqual([[], [], null]);
  });

  it('adds up, whatever the rows', () => {
    const row = fc.record({
      groundTruth: fc.constantFrom(1, 2, 3),
      prediction: fc.constantFrom(1, 2, 3, 'x', null),
      abstained: fc.boolean(),
      confidence: fc.option(fc.double({ min: 0, max: 1, noNaN: true })),
    });
    fc.assert(
      fc.property(fc.array(row, { maxLength: 600 }), (made) => {
        const table = buildTable(made.map(evaluationResult));
        const { confusion, riskCoverage, reliability, confidence, dots } = buildFigures(table);
        const { n } = table.scored;
        expect(confusion.counts.flat().reduce((sum, count) => sum + count, 0)).toBe(n);
        expect(reliability.reduce((sum, { count }) => sum + count, 0)).toBe(riskCoverage.nUsable);
        expect(confidence.reduce((sum, { right, wrong }) => sum + right + wrong, 0)).toBe(
          riskCoverage.nUsable,
        );
        expect(riskCoverage.points.length).toBeLessThanOrEqual(400);
        const last = riskCoverage.points.at(-1);
        if (last) {
          expect(last.coverage).toBeCloseTo(riskCoverage.nUsable / n);
          expect(last.selective_risk).toBeCloseTo(riskCoverage.random!);
          expect(riskCoverage.oracle.at(-1)!.selective_risk).toBeCloseTo(riskCoverage.random!);
        }
        const right = dots.filter(({ metric }) => metric === 'accuracy');
        const mean = right.reduce((sum, dot) => sum + dot.value! * dot.n, 0) / n;
        if (n > 0) expect(mean).toBeCloseTo(accuracy().compute(Sample.from(table.scored)).value!);
      }),
    );
  });
});
