import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { claimPrecision } from '../judge/claims.ts';
import { scoreVerdicts } from '../score-verdicts.ts';
import { listItems, MetricRubricTrait } from '../traits/metric-trait.ts';
import type { ItemVerdict } from '../verdict.ts';
import { harmItems, type PointItem, pointItems } from './item-shares.ts';
import {
  contradictionRate,
  criticalFailureRate,
  harmRates,
  weightedGroups,
  weightedScore,
} from './weighted-score.ts';

const verdict = fc.constantFrom(
  'present',
  'absent',
  'contradicted',
  'unclear',
  'unverified',
  'judge_error',
  null,
);
const item: fc.Arbitrary<PointItem> = fc.record({
  points: fc.integer({ min: -10, max: 10 }).filter((points) => points !== 0),
  verdict,
  critical: fc.boolean(),
  groups: fc.subarray(['x', 'y']),
});
const questions = fc.array(fc.record({ items: fc.array(item, { maxLength: 6 }) }), { maxLength: 6 });

describe('weightedScore', () => {
  it('is sound for any items', () => {
    fc.assert(
      fc.property(questions, fc.constantFrom('report', 'zero'), (all, critical) => {
        const found = weightedScore(all, { critical });
        expect(found.nQuestions + found.nUndefined).toBe(all.length);
        expect(found.unclipped === null).toBe(found.nQuestions === 0);
        for (const score of found.scores) expect(score ?? 0).toBeLessThanOrEqual(1 + 1e-12);
        if (found.clippedOverall !== null)
          expect(found.clippedByQuestion).toBeGreaterThanOrEqual(found.clippedOverall - 1e-12);
        if (found.bounds) expect(found.bounds[0]).toBeLessThanOrEqual(found.bounds[1] + 1e-12);
        if (found.nOpen === 0 && found.nUndefined === 0 && found.clippedOverall !== null)
          expect(found.bounds![0]).toBeCloseTo(found.clippedOverall, 12);
        for (const group of Object.values(weightedGroups(all)))
          expect(group.score === null).toBe(group.nQuestions === 0);
        const { rate, n, interval } = criticalFailureRate(all);
        expect([rate === null, interval === null]).toEqual([n === 0, n === 0]);
      }),
    );
  });

  it('with points of 1 is recall, with -1 on forbidden items recall less the forbidden share', () => {
    const trait = new MetricRubricTrait({
      name: 'T',
      evaluationMode: 'full_matrix',
      metrics: ['recall'],
      tpInstructions: ['a', 'b', 'c'],
      tnInstructions: ['d'],
    });
    const items = listItems(trait);
    const said = ['present', 'absent', 'unclear', 'present'] as const;
    const verdicts = items.map(
      ({ id }, i): ItemVerdict => ({
        id,
        verdict: said[i]!,
        quotes: [{ text: 'x', start: 0, end: 1 }],
        reason: null,
      }),
    );
    const recall = scoreVerdicts(trait, verdicts).metrics.recall!.value!;
    expect(weightedScore([{ items: pointItems(items, verdicts).slice(0, 3) }]).unclipped).toBe(recall);
    expect(weightedScore([{ items: pointItems(items, verdicts) }]).unclipped).toBe(recall - 1 / 2);
    expect(harmItems(items, verdicts)[3]).toEqual({ required: false, severity: 1, verdict: 'present' });
  });

  it('refuses points of 0', () => {
    expect(() => weightedScore([{ items: [{ points: 0, verdict: 'present' }] }])).toThrow('points are 0');
  });

  it('lets an open critical item bound the score', () => {
    const items = [
      { points: 5, verdict: 'present' },
      { points: 5, verdict: 'unclear', critical: true },
    ];
    expect(weightedScore([{ items }], { critical: 'zero' }).bounds).toEqual([0, 1]);
    expect(weightedScore([{ items }]).bounds).toEqual([0.5, 1]);
  });
});

describe('harm, contradictions and claims', () => {
  const harm = fc.record({ required: fc.boolean(), severity: fc.constantFrom(1, 2, 5), verdict });

  it('are shares, or null without anything settled', () => {
    fc.assert(
      fc.property(
        fc.array(fc.record({ items: fc.array(harm, { maxLength: 5 }) }), { maxLength: 6 }),
        (all) => {
          const { omission, commission, anyHarm } = harmRates(all);
          for (const share of [omission, commission, anyHarm, contradictionRate(all)?.value ?? null])
            expect(share === null || (share >= 0 && share <= 1)).toBe(true);
        },
      ),
    );
    expect(harmRates([])).toEqual({
      omission: null,
      commission: null,
      anyHarm: null,
      anyHarmInterval: null,
      nQuestions: 0,
    });
    expect(contradictionRate([{ items: [{ required: true, verdict: 'unclear' }] }])).toBeNull();
  });

  it('claims need something to check', () => {
    expect(claimPrecision([])).toMatchObject({ pooled: null, answersWithUnsupported: null, nAnswers: 0 });
    expect(claimPrecision([{ claims: ['not_checkable'] }])).toMatchObject({
      pooled: null,
      nWithoutClaims: 1,
    });
  });
});
