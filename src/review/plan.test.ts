import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { seenTextHash } from '../store/review/review-file.ts';
import { targetKey } from '../store/review/review-session.ts';
import type { FrameUnit, ReviewFrame } from './frame.ts';
import { labelAdvice } from './label-advice.ts';
import { drawPlan } from './plan.ts';

const NOW = new Date('2026-01-01T00:00:00Z');
const HASH = seenTextHash('');

function unit(i: number, more: Partial<FrameUnit> = {}): FrameUnit {
  return {
    kind: 'item',
    recordId: `q${i % 7}`,
    repeat: 0,
    itemId: `i${i}`,
    answerHash: HASH,
    itemHash: HASH,
    recordHash: HASH,
    verdict: i % 5 === 0 ? 'contradicted' : i % 3 === 0 ? 'absent' : 'present',
    differs: i % 4 === 0,
    isCritical: i % 10 === 0,
    isForbidden: i % 6 === 1,
    outcome: 'answered',
    line: null,
    ...more,
  };
}

function buildFrame(units: readonly FrameUnit[], more: Partial<ReviewFrame> = {}): ReviewFrame {
  return {
    targets: 'item',
    units,
    runId: null,
    suiteHash: null,
    suiteName: 'unit/advice',
    isProtected: false,
    judge: 'unit/judge',
    shown: () => new Map(),
    verdictText: () => null,
    ...more,
  };
}

const frame = buildFrame(Array.from({ length: 100 }, (_, i) => unit(i)));
const draw = (options: Parameters<typeof drawPlan>[1], of = frame) => drawPlan(of, options, NOW);

const KINDS = ['random', 'verdict', 'disagreement', 'severity', 'questions'] as const;

describe('drawPlan', () => {
  it.each(KINDS)('by %s: every draw is of the frame, once, with the probability of its stratum', (kind) => {
    fc.assert(
      fc.property(fc.integer({ min: 1, max: 150 }), fc.integer({ min: 0, max: 1e6 }), (n, seed) => {
        const { plan, draws } = draw({ kind, n, seed });
        const known = new Set(frame.units.map(targetKey));
        const keys = draws.map(targetKey);
        expect(new Set(keys).size).toBe(keys.length);
        expect(keys.every((key) => known.has(key))).toBe(true);
        expect(draws.map(({ position }) => position)).toEqual([...draws.keys()]);
        for (const { id, size, n: drawn, inclusionProbability } of plan.strata) {
          expect(inclusionProbability).toBeCloseTo(drawn / size);
          const own = draws.filter(({ stratum }) => stratum === id);
          if (kind !== 'questions') expect(own).toHaveLength(drawn);
          for (const one of own) expect(one.inclusionProbability).toBe(inclusionProbability);
        }
        // The weights 1/pi of the targets add up to the frame, where every stratum was drawn from and its units are single targets.
        const isWhole = plan.strata.every((stratum) => stratum.n > 0);
        const weight = draws.reduce((sum, one) => sum + 1 / one.inclusionProbability, 0);
        if (isWhole && kind !== 'questions') expect(weight).toBeCloseTo(frame.units.length);
        expect(plan.frameSize).toBe(frame.units.length);
        expect(draws.filter(({ raters }) => raters === 2)).toHaveLength(plan.nDouble);
      }),
      { numRuns: 30 },
    );
  });

  it('draws the same for the same seed, and another sample for another', () => {
    const ids = (seed: number) => draw({ n: 20, seed }).draws.map(({ itemId }) => itemId);
    expect(ids(3)).toEqual(ids(3));
    expect(ids(3)).not.toEqual(ids(4));
    expect(draw({ n: 20 }).plan.id).toBe(draw({ n: 20 }).plan.id);
    expect(draw({ n: 20 }).plan.id).not.toBe(draw({ n: 21 }).plan.id);
  });

  it('draws every target about equally often', () => {
    const counts = new Map<string, number>();
    for (let seed = 0; seed < 400; seed++)
      for (const { itemId } of draw({ n: 10, seed }).draws)
        counts.set(itemId!, (counts.get(itemId!) ?? 0) + 1);
    // 400 draws of 10 of 100: 40 each, standard deviation 6.
    expect(Math.min(...counts.values())).toBeGreaterThan(15);
    expect(Math.max(...counts.values())).toBeLessThan(65);
    expect(counts.size).toBe(100);
  });

  it('takes every critical item, and some of the rest', () => {
    const { plan, draws } = draw({ kind: 'severity', n: 5 });
    expect(plan.strata).toEqual([
      { id: 'critical', size: 10, n: 10, inclusionProbability: 1 },
      { id: 'other', size: 90, n: 2, inclusionProbability: 2 / 90 },
    ]);
    expect(draws).toHaveLength(12);
  });

  it('gives rare verdicts labels, forbidden claims that were made apart', () => {
    const { strata } = draw({ kind: 'verdict', n: 40 }).plan;
    expect(strata.map(({ id }) => id)).toEqual(['absent', 'contradicted', 'present', 'present_forbidden']);
    expect(strata.every(({ n }) => n >= 9)).toBe(true);
  });

  it('names a stratum that it draws nothing from', () => {
    const { strata } = draw({ kind: 'verdict', n: 2 }).plan;
    expect(strata.filter(({ inclusionProbability }) => inclusionProbability === 0).length).toBeGreaterThan(0);
  });

  it('keeps the items of a whole question together', () => {
    const { draws, plan } = draw({ kind: 'questions', n: 30 });
    const order = draws.map(({ recordId }) => recordId).filter((id, i, all) => id !== all[i - 1]);
    expect(order).toHaveLength(new Set(order).size);
    expect(plan.strata).toEqual([{ id: 'questions', size: 7, n: 2, inclusionProbability: 2 / 7 }]);
  });

  it('takes a share for two raters', () => {
    expect(draw({ n: 40, double: 0.5 }).plan.nDouble).toBe(20);
    expect(draw({ n: 40 }).plan.nDouble).toBe(30);
    expect(draw({ n: 10 }).plan.nDouble).toBe(10);
    expect(draw({ n: 10, double: 0 }).plan.nDouble).toBe(0);
  });

  it('names the guideline by its text', () => {
    expect(draw({}).plan).toMatchObject({ guideline: 'krisis/1', guidelineText: null });
    const { guideline, guidelineText } = draw({ guideline: 'Read twice.' }).plan;
    expect([guideline.length, guidelineText]).toEqual([12, 'Read twice.']);
  });

  it.each<[string, Parameters<typeof drawPlan>[1], ReviewFrame, RegExp]>([
    ['verdicts without a judge', { kind: 'verdict' }, { ...frame, judge: null }, /were not judged/],
    [
      'verdicts of a run with labels',
      { kind: 'verdict' },
      { ...frame, judge: null, targets: 'record' },
      /no judge reads/,
    ],
    ['questions of a run with labels', { kind: 'questions' }, { ...frame, targets: 'record' }, /one by one/],
    [
      'disagreement of one',
      { kind: 'disagreement' },
      buildFrame([unit(1, { differs: null })]),
      /read each answer once/,
    ],
    [
      'severity without critical items',
      { kind: 'severity' },
      buildFrame([unit(1)]),
      /no item of the rubric is critical/,
    ],
  ])('refuses %s', (_, options, of, message) => {
    expect(() => draw(options, of)).toThrow(
      expect.objectContaining({ code: 'ERR_REVIEW_PLAN', message: expect.stringMatching(message) }),
    );
  });
});

describe('labelAdvice', () => {
  it('advises no more than there is', () => {
    expect(labelAdvice(frame)).toEqual({
      firstLook: 100,
      questions: 7,
      // 7 questions are too few for a corrected score.
      corrected: null,
      within5Points: 79,
      noFalsePositive: 59,
    });
  });
});
