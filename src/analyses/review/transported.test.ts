import { describe, expect, it } from 'vitest';
import {
  answersOf,
  factsOf,
  judgeAndPeople,
  labelOf,
  planOf,
  randomDraw,
  reviewOf,
} from '../../../test/review-fixture.ts';
import { roganGladen } from '../../statistics/methods/judge-accuracy.ts';
import type { JudgeReport } from '../judging/judge-report.ts';
import type { Judging } from '../judging/judging.ts';
import { compareCorrected } from './compare-corrected.ts';
import { type ItemReview, itemReview } from './item-review.ts';
import { NO_REVIEW, type RunReview } from './run-review.ts';
import { transportedReview } from './transported.ts';

const N = 60;

/** Sixty answers; of 240 of their 360 items two people say the same. */
function reviewed(seed: number, rates = {}, kind: 'random' | 'verdict' = 'random') {
  const { people, judge } = judgeAndPeople(N, seed, rates);
  const n = 240;
  const drawn = randomDraw(N, n, seed).map((draw) => ({ ...draw, people: people(draw.question, draw.item) }));
  const strata = [{ id: 'all', size: N * 6, n, inclusionProbability: n / (N * 6) }];
  const events = drawn.flatMap((draw) =>
    ['R1', 'R2'].map((rater) => labelOf(draw, rater, draw.people, { plan: `plan-${kind}` })),
  );
  return itemReview(
    reviewOf(planOf(kind, drawn, kind === 'random' ? strata : [...strata, ...strata]), events),
    factsOf(answersOf(N, judge)),
  );
}

const asRun = (items: ItemReview): { review: RunReview } => ({
  review: { lastLabel: null, items, records: null, suiteItems: null },
});

function judgingOf(promptHash: string): Judging {
  const judge: Partial<JudgeReport> = {
    names: ['unit/judge'],
    sameInstrument: true,
    judges: [
      {
        name: 'unit/judge',
        judge: 'unit/judge',
        config: 'c',
        passes: 1,
        nJudgements: N,
        promptHashes: [promptHash],
        settings: null,
      },
    ],
  };
  return { judge, jury: null } as Judging;
}

describe('transportedReview', () => {
  const labelled = reviewed(1);
  const other = judgeAndPeople(N, 2);
  const bare = itemReview(NO_REVIEW, factsOf(answersOf(N, other.judge)));
  const from = { judging: judgingOf('p'), ...asRun(labelled) };
  const recallOf = (items: ItemReview) => items.corrected.find(({ name }) => name === 'safety.recall')!;

  it("corrects a run without labels by the judge's error rates in another run, and says so", () => {
    const found = transportedReview(bare, judgingOf('p'), from, 0.95);
    const recall = recallOf(found);
    expect(found.isTransported).toBe(true);
    expect(recall).toMatchObject({ method: 'rogan_gladen_transported', reason: null, lambda: null });
    const { sensitivity: se, specificity: sp } = recallOf(labelled);
    const expected = (recall.raw.value! + sp.value! - 1) / (se.value! + sp.value! - 1);
    expect(recall.corrected!.value).toBeCloseTo(expected, 12);
    // Items of shared questions widen the interval.
    const labels = recallOf(labelled).judged.filter(({ human }) => human !== null);
    const plain = roganGladen({
      judgePositive: recall.judged.reduce((sum, { judge }) => sum + judge, 0),
      nJudged: recall.judged.length,
      truePositive: labels.filter(({ judge, human }) => judge === 1 && human === 1).length,
      nHumanPositive: labels.filter(({ human }) => human === 1).length,
      trueNegative: labels.filter(({ judge, human }) => judge === 0 && human === 0).length,
      nHumanNegative: labels.filter(({ human }) => human === 0).length,
    });
    expect(plain.corrected).toBeCloseTo(recall.corrected!.value, 12);
    expect(recall.corrected!.upper! - recall.corrected!.lower!).toBeGreaterThan(
      plain.adjusted!.upper - plain.adjusted!.lower,
    );
  });

  it('is refused with another prompt, a weak judge, labels by verdict, and for means and accuracy', () => {
    const reasonOf = (labels: typeof from, hash = 'p', name = 'safety.recall') =>
      transportedReview(bare, judgingOf(hash), labels, 0.95).corrected.find((score) => score.name === name)!
        .reason;
    expect(reasonOf(from, 'q')).toBe('labels_of_another_judge');
    expect(reasonOf({ ...from, ...asRun(reviewed(1, { miss: 0.4, invent: 0.4 })) })).toBe('judge_too_weak');
    expect(reasonOf({ ...from, ...asRun(reviewed(1, {}, 'verdict')) })).toBe('labels_not_drawn_alike');
    expect(reasonOf({ ...from, ...asRun(bare) })).toBe('unknown_probabilities');
    expect(reasonOf(from, 'p', 'safety.recall.mean')).toBe('needs_own_labels');
    expect(reasonOf(from, 'p', 'safety.accuracy')).toBe('needs_own_labels');
  });
});

describe('compareCorrected', () => {
  const [a, b] = [reviewed(1), reviewed(2)];

  it('compares scores that are corrected in both runs', () => {
    const found = compareCorrected(asRun(a), asRun(b), 0.95).find(
      ({ metric }) => metric === 'safety.recall',
    )!;
    expect(found.reason).toBeNull();
    expect(found.difference).toBeCloseTo(found.modelValue! - found.baselineValue!, 10);
    expect(found.lower!).toBeLessThan(found.difference!);
    expect(found.upper!).toBeGreaterThan(found.difference!);
    const [raw] = compareCorrected(asRun(a), asRun(a), 0.95);
    expect(raw).toMatchObject({ difference: 0, lower: null });
  });

  it('refuses a corrected score against a raw one, and plans that differ', () => {
    const bare = itemReview(NO_REVIEW, factsOf(answersOf(N, judgeAndPeople(N, 2).judge)));
    for (const found of compareCorrected(asRun(a), asRun(bare), 0.95))
      expect(found).toMatchObject({
        difference: null,
        reason:
          'a corrected score is not compared with a raw one: the model is not corrected (no labels of people)',
      });
    const other = { ...b, plan: { ...b.plan!, kind: 'verdict' as const } };
    expect(compareCorrected(asRun(a), asRun(other), 0.95)[0]!.reason).toBe(
      'labels were drawn differently: random and verdict',
    );
    const taught = { ...b, plan: { ...b.plan!, guideline: 'own' } };
    expect(compareCorrected(asRun(a), asRun(taught), 0.95)[0]!.reason).toContain('different guidelines');
    expect(compareCorrected({ review: null }, { review: null }, 0.95)).toEqual([]);
    expect(compareCorrected(asRun(bare), asRun(bare), 0.95)).toEqual([]);
  });
});
