import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { wilsonInterval } from '../../statistics/proportions.ts';
import { metricOfCounts } from '../confusion-metrics.ts';
import { MetricRubricTrait } from '../traits/metric-trait.ts';
import { TRAIT_METRICS } from '../traits/trait.ts';
import { aggregateTrait, type QuestionCounts } from './aggregate-trait.ts';

const trait = (more = {}) =>
  new MetricRubricTrait({
    name: 't',
    evaluationMode: 'full_matrix',
    metrics: TRAIT_METRICS,
    tpInstructions: ['x'],
    tnInstructions: ['y'],
    ...more,
  });
const answer = (
  questionId: string,
  [tp, fn, fp, tn]: number[],
  open = { required: 0, forbidden: 0 },
): QuestionCounts => ({
  questionId,
  counts: { tp: tp!, fn: fn!, fp: fp!, tn: tn! },
  open,
});
const few = { resamples: 200 };

describe('aggregateTrait', () => {
  const answers = [answer('a', [1, 3, 0, 2]), answer('b', [2, 0, 1, 1]), answer('c', [0, 0, 0, 2])];

  it('pools counts, and means the questions that have a value', () => {
    const { metrics, counts, nQuestions } = aggregateTrait(trait(), answers, few);
    expect([counts, nQuestions]).toEqual([{ tp: 3, fn: 3, fp: 1, tn: 5 }, 3]);
    expect(metrics.recall).toMatchObject({
      pooled: { value: 3 / 6, nEvaluated: 6 },
      mean: { value: (1 / 4 + 1) / 2, nEvaluated: 2 },
      nUndefined: 1,
    });
    expect(metrics.specificity).toMatchObject({
      pooled: { value: 5 / 6 },
      mean: { value: (1 + 0.5 + 1) / 3 },
      nUndefined: 0,
    });
    expect(metrics.f1!.pooled.value).toBe(6 / 10);
  });

  it('takes several answers to one question for one question', () => {
    const { metrics, nQuestions } = aggregateTrait(trait(), [...answers, answer('b', [0, 2, 0, 0])], few);
    expect([nQuestions, metrics.recall!.mean.value]).toEqual([3, (1 / 4 + 2 / 4) / 2]);
  });

  it('has intervals that draw questions, the same every time and in every order', () => {
    const many = Array.from({ length: 12 }, (_, i) => answer(`q${i}`, [i % 4, (i * 7) % 3, i % 2, 2]));
    const found = aggregateTrait(trait(), many, few);
    expect(aggregateTrait(trait(), many.toReversed(), few)).toEqual(found);
    const { interval, value } = found.metrics.recall!.pooled;
    expect(interval).toMatchObject({ method: 'bca', resamples: 200, unit: 'question', level: 0.95 });
    expect(interval!.lower < value! && value! < interval!.upper).toBe(true);
    expect(aggregateTrait(trait(), many, { ...few, seed: 1 }).metrics.recall!.pooled.interval).not.toEqual(
      interval,
    );
    expect(found.metrics.f1!.mean.interval).not.toBeNull();
  });

  it('is wider than items alone would have it, where items of a question go together', () => {
    const together = Array.from({ length: 10 }, (_, i) =>
      answer(`q${i}`, i % 2 === 0 ? [10, 0, 0, 1] : [0, 10, 0, 1]),
    );
    const { interval } = aggregateTrait(trait(), together, few).metrics.recall!.pooled;
    const [lower, upper] = wilsonInterval(50, 100)!;
    expect(interval!.lower < lower && interval!.upper > upper).toBe(true);
  });

  it('uses a formula over questions where all of them are right, and says where there is no interval', () => {
    const right = ['a', 'b', 'c'].map((id) => answer(id, [4, 0, 0, 2]));
    const { recall, f1 } = aggregateTrait(trait(), right, few).metrics;
    const [lower, upper] = wilsonInterval(3, 3)!;
    expect(recall!.pooled.interval).toEqual({
      lower,
      upper,
      level: 0.95,
      method: 'wilson_clusters',
      resamples: null,
      unit: 'question',
    });
    expect(f1!.pooled).toMatchObject({
      value: 1,
      interval: null,
      intervalReason: 'no_variation_in_resamples',
    });
    const reasons = (given: QuestionCounts[], options = few) =>
      aggregateTrait(trait(), given, options).metrics.recall!.mean.intervalReason;
    expect(reasons([answer('a', [1, 1, 0, 0])])).toBe('too_few_questions');
    expect(reasons(answers, { resamples: 0 })).toBe('resampling_off');
    expect(reasons([answer('a', [0, 0, 1, 0]), answer('b', [0, 0, 1, 0])])).toBe('value_undefined');
    expect(
      reasons([
        answer('a', [1, 1, 0, 0]),
        answer('b', [1, 0, 0, 0]),
        answer('c', [0, 0, 1, 0]),
        answer('d', [0, 0, 1, 0]),
      ]),
    ).toBe('undefined_in_resamples');
  });

  it('gives nulls with reasons for no questions at all', () => {
    const { metrics, nQuestions } = aggregateTrait(trait(), []);
    expect(nQuestions).toBe(0);
    expect(metrics.recall).toMatchObject({
      pooled: { value: null, reason: 'no_required_items' },
      mean: { value: null, nEvaluated: 0 },
    });
  });

  it('carries what unscored items could have changed', () => {
    const open = { required: 1, forbidden: 0 };
    const { recall } = aggregateTrait(
      trait(),
      [answer('a', [1, 1, 0, 0], open), answer('b', [1, 0, 0, 0])],
      few,
    ).metrics;
    expect(recall!.pooled.bounds).toEqual({ lower: 2 / 4, upper: 3 / 4 });
    expect(recall!.mean.bounds).toEqual({ lower: (1 / 3 + 1) / 2, upper: (2 / 3 + 1) / 2 });
    const loose = aggregateTrait(
      trait({ repeatedExtraction: false }),
      [answer('a', [1, 1, 0, 0], open)],
      few,
    );
    expect(loose.metrics.recall!.pooled.bounds).toBeNull();
  });

  it('has bounds around every value', () => {
    const count = fc.nat({ max: 3 });
    const given = fc.array(
      fc.tuple(fc.constantFrom('a', 'b', 'c', 'd'), fc.tuple(count, count, count, count), count, count),
      { minLength: 1, maxLength: 6 },
    );
    fc.assert(
      fc.property(given, (rows) => {
        const all = rows.map(([id, counts, required, forbidden]) =>
          answer(id, counts, { required, forbidden }),
        );
        const { metrics, counts } = aggregateTrait(trait(), all, { resamples: 0 });
        for (const metric of TRAIT_METRICS) {
          expect(metrics[metric]!.pooled.value).toBe(metricOfCounts(metric, counts));
          for (const { value, bounds } of [metrics[metric]!.pooled, metrics[metric]!.mean]) {
            if (value === null || bounds === null) continue;
            expect(bounds.lower <= value + 1e-12 && value - 1e-12 <= bounds.upper).toBe(true);
          }
        }
      }),
    );
  });
});
