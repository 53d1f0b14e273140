import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { wilsonInterval } from '../statistics/proportions.ts';
import { scoreConfusionLists } from './confusion-metrics.ts';
import { MetricRubricTrait } from './traits/metric-trait.ts';
import { BUCKETS, TRAIT_METRICS } from './traits/trait.ts';

const tpOnly = (more = {}) =>
  new MetricRubricTrait({
    name: 't',
    metrics: ['precision', 'recall', 'f1'],
    tpInstructions: ['x'],
    ...more,
  });
const full = (more = {}) =>
  new MetricRubricTrait({
    name: 'f',
    evaluationMode: 'full_matrix',
    metrics: TRAIT_METRICS,
    tpInstructions: ['x'],
    tnInstructions: ['y'],
    ...more,
  });
const empty = { tp: [], fn: [], fp: [], tn: [] };

describe('scoreConfusionLists', () => {
  it('gives what the page on metric traits prints for its worked example', () => {
    const lists = {
      tp: ['BCL2 is an anti-apoptotic gene', 'helps cells survive', 'is important in cancer'],
      fn: ['States BCL2 is on chromosome 18'],
      fp: ['It is located on chromosome 1'],
      tn: ['Claims BCL2 is pro-apoptotic'],
    };
    const values = (trait: MetricRubricTrait) =>
      Object.entries(scoreConfusionLists(trait, lists).metrics).map(([name, { value }]) => [name, value]);
    expect(values(tpOnly())).toEqual([
      ['precision', 0.75],
      ['recall', 0.75],
      ['f1', 0.75],
    ]);
    expect(values(full())).toEqual([
      ['precision', 0.75],
      ['recall', 0.75],
      ['f1', 0.75],
      ['specificity', 0.5],
      ['accuracy', 4 / 6],
    ]);
  });

  it('gives null with a reason where nothing was counted, never 0', () => {
    const { metrics } = scoreConfusionLists(full(), empty);
    expect(
      Object.values(metrics).map(({ value, reason, nEvaluated: n, interval, intervalReason }) => [
        value,
        reason,
        n,
        interval,
        intervalReason,
      ]),
    ).toEqual([
      [null, 'nothing_claimed', 0, null, 'value_undefined'],
      [null, 'no_required_items', 0, null, 'value_undefined'],
      [null, 'no_items', 0, null, 'value_undefined'],
      [null, 'no_forbidden_items', 0, null, 'value_undefined'],
      [null, 'no_items', 0, null, 'value_undefined'],
    ]);
  });

  it('gives shares a Wilson interval, and f1 none', () => {
    const { metrics } = scoreConfusionLists(tpOnly(), { tp: ['a', 'b', 'c'], fn: ['d'], fp: [] });
    const [lower, upper] = wilsonInterval(3, 4)!;
    expect(metrics.recall).toMatchObject({
      nEvaluated: 4,
      interval: { lower, upper, level: 0.95, method: 'wilson', unit: 'item' },
    });
    expect(metrics.f1).toMatchObject({ nEvaluated: 7, interval: null, intervalReason: 'not_a_proportion' });
    const wide = scoreConfusionLists(tpOnly(), { tp: ['a'], fn: ['d'], fp: [] }, { level: 0.99 });
    expect(wide.metrics.recall!.interval!.level).toBe(0.99);
  });

  it('counts repeats once by default, within a list and not across', () => {
    const lists = { ...empty, tp: ['COPD', ' copd', 'asthma', ''], fn: ['copd', ' '] };
    expect(scoreConfusionLists(tpOnly(), lists).counts).toEqual({ tp: 2, fn: 1, fp: 0, tn: 0 });
    expect(scoreConfusionLists(tpOnly({ repeatedExtraction: false }), lists).counts).toEqual({
      tp: 3,
      fn: 1,
      fp: 0,
      tn: 0,
    });
  });

  it('gives only the metrics that were asked for, in their order', () => {
    expect(Object.keys(scoreConfusionLists(full({ metrics: ['f1', 'accuracy'] }), empty).metrics)).toEqual([
      'f1',
      'accuracy',
    ]);
  });

  it.each<[string, object, string]>([
    [
      'a list that is missing',
      { tp: [], fn: [] },
      'confusion lists of "t": fp is undefined; expected a list of texts',
    ],
    ['a list that is null', { ...empty, fp: null }, 'fp is null'],
    ['an entry that is no text', { ...empty, tp: [1] }, 'tp is [1]'],
    ['an unknown list', { ...empty, TP: [] }, 'unknown list "TP"; the lists are tp, fn, fp, tn'],
  ])('refuses %s', (_, lists, message) => {
    expect(() => scoreConfusionLists(tpOnly(), lists)).toThrow(message);
  });

  const lists = fc.record(
    Object.fromEntries(
      BUCKETS.map((bucket) => [bucket, fc.array(fc.constantFrom('a', 'B', 'b ', '', ' c', 'd', 'ä', 'Ä'))]),
    ) as Record<(typeof BUCKETS)[number], fc.Arbitrary<string[]>>,
  );

  it('does not mind the order within lists', () => {
    fc.assert(
      fc.property(lists, fc.boolean(), (given, repeatedExtraction) => {
        const reversed = Object.fromEntries(BUCKETS.map((bucket) => [bucket, given[bucket].toReversed()]));
        const trait = full({ repeatedExtraction });
        expect(scoreConfusionLists(trait, reversed)).toEqual(scoreConfusionLists(trait, given));
      }),
    );
  });

  it('keeps every value in 0 to 1, inside its interval, and f1 between precision and recall', () => {
    fc.assert(
      fc.property(lists, (given) => {
        const { metrics } = scoreConfusionLists(full(), given);
        for (const { value, interval } of Object.values(metrics)) {
          if (value === null) continue;
          expect(value >= 0 && value <= 1).toBe(true);
          if (interval) expect(interval.lower <= value && value <= interval.upper).toBe(true);
        }
        const [p, r, f] = [metrics.precision!.value, metrics.recall!.value, metrics.f1!.value];
        if (p === null || r === null) return;
        expect(f! >= Math.min(p, r) - 1e-12 && f! <= Math.max(p, r) + 1e-12).toBe(true);
        if (p + r > 0) expect(f).toBeCloseTo((2 * p * r) / (p + r), 12);
      }),
    );
  });
});
