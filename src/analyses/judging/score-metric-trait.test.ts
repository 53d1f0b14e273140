import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { listItems, MetricRubricTrait } from '../../rubrics/traits/metric-trait.ts';
import { TRAIT_METRICS } from '../../rubrics/traits/trait.ts';
import type { ItemVerdict } from '../../rubrics/verdict.ts';
import { scoreMetricTrait } from './score-metric-trait.ts';

const trait = new MetricRubricTrait({
  name: 'safe',
  evaluationMode: 'full_matrix',
  metrics: TRAIT_METRICS,
  tpInstructions: ['a', 'b', 'c'],
  tnInstructions: ['x', 'y'],
});
const checklist = new MetricRubricTrait({
  name: 'list',
  metrics: ['precision', 'recall', 'f1'],
  tpInstructions: ['a', 'b', 'c', 'd'],
});

const said = (id: string, verdict: ItemVerdict['verdict']): ItemVerdict => ({
  id,
  verdict,
  quotes: verdict === 'present' || verdict === 'contradicted' ? [{ text: 'q', start: 0, end: 1 }] : [],
  reason: verdict === 'judge_error' ? 'missing' : null,
});

describe('scoreMetricTrait', () => {
  it('says of every item what became of it, and what it adds to the counts', () => {
    const [a, b, c, x, y] = listItems(trait).map(({ id }) => id) as [string, string, string, string, string];
    const { items, counts, nScored, open } = scoreMetricTrait(
      trait,
      'j',
      'answered',
      [said(a, 'present'), said(b, 'contradicted'), said(c, 'judge_error'), said(x, 'present')],
      0.95,
    );
    expect(items.map((item) => [item.id, item.class, item.counts])).toEqual([
      [a, 'present', { tp: 1, fn: 0, fp: 0, tn: 0 }],
      [b, 'contradicted', { tp: 0, fn: 1, fp: 0, tn: 0 }],
      [c, 'judge_error', null],
      [x, 'present', { tp: 0, fn: 0, fp: 1, tn: 0 }],
      [y, 'no_verdict', null],
    ]);
    expect([counts, nScored, open]).toEqual([
      { tp: 1, fn: 1, fp: 1, tn: 0 },
      3,
      { required: 1, forbidden: 1 },
    ]);
    expect(items[2]!.reason).toBe('missing');
  });

  it('takes a positive verdict without a quote in the answer for unverified', () => {
    const [a] = listItems(checklist);
    const verdict = { id: a!.id, verdict: 'present', quotes: [], reason: null } as const;
    const { items } = scoreMetricTrait(checklist, 'j', 'answered', [verdict], 0.95);
    expect([items[0]!.class, items[0]!.counts]).toEqual(['unverified', null]);
  });

  it('finds nothing said in a refused answer', () => {
    const { items, scores } = scoreMetricTrait(trait, 'j', 'refused', [], 0.95);
    expect(items.every((item) => item.class === 'answer_refused')).toBe(true);
    expect([scores.recall!.value, scores.recall!.bounds]).toEqual([0, null]);
  });

  it.each(['failed', 'not_run'] as const)('leaves every item of a row that has %s open', (state) => {
    const { items, scores } = scoreMetricTrait(trait, 'j', state, [], 0.95);
    expect(items.every((item) => item.class === `answer_${state}`)).toBe(true);
    expect(scores.recall).toMatchObject({ value: null, bounds: { lower: 0, upper: 1 } });
  });

  it('leaves other items as they are where some are garbage, and only widens the bounds', () => {
    const verdict = fc.constantFrom<ItemVerdict['verdict'][]>('present', 'absent', 'contradicted', 'unclear');
    const judged = fc.constantFrom(trait, checklist).chain((chosen) =>
      fc.record({
        chosen: fc.constant(chosen),
        verdicts: fc.tuple(...listItems(chosen).map(({ id }) => verdict.map((one) => said(id, one)))),
        spoiled: fc.subarray(listItems(chosen).map(({ id }) => id)),
        more: fc.subarray(listItems(chosen).map(({ id }) => id)),
      }),
    );
    fc.assert(
      fc.property(judged, ({ chosen, verdicts, spoiled, more }) => {
        const without = (ids: readonly string[]) =>
          scoreMetricTrait(
            chosen,
            'j',
            'answered',
            verdicts.map((one) => (ids.includes(one.id) ? said(one.id, 'judge_error') : one)),
            0.95,
          );
        const [clean, some, all] = [without([]), without(spoiled), without([...spoiled, ...more])];
        for (const [i, item] of some.items.entries())
          if (!spoiled.includes(item.id)) expect(item).toEqual(clean.items[i]);
        for (const metric of chosen.metrics) {
          const ends = (result: typeof clean) => {
            const { value, bounds } = result.scores[metric]!;
            return bounds ?? (value === null ? null : { lower: value, upper: value });
          };
          for (const [inner, outer] of [
            [ends(clean), ends(some)],
            [ends(some), ends(all)],
          ]) {
            if (!inner) continue;
            expect(outer!.lower).toBeLessThanOrEqual(inner.lower);
            expect(outer!.upper).toBeGreaterThanOrEqual(inner.upper);
          }
        }
      }),
    );
  });
});
