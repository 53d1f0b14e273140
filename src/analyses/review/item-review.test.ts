import { describe, expect, it } from 'vitest';
import {
  answersOf,
  type Drawn,
  factsOf,
  judgeAndPeople,
  labelOf,
  planOf,
  randomDraw,
  reviewOf,
  SAFETY,
} from '../../../test/review-fixture.ts';
import { MetricRubricTrait } from '../../rubrics/traits/metric-trait.ts';
import type { Verdict } from '../../rubrics/verdict.ts';
import type { Review, ReviewEvent } from '../../store/review/review-schema.ts';
import { notCorrectedText } from './corrected-score.ts';
import { itemReview } from './item-review.ts';

const N = 40;
const { people, judge } = judgeAndPeople(N, 11);
const answers = answersOf(N, judge);
const facts = factsOf(answers);

/** A random sample of 120 items, the first 40 of them rated by two, who differ on every seventh. */
function randomReview({
  n = 120,
  nDouble = 40,
  say = people,
  second = (q: number, i: number, at: number): Verdict =>
    at % 7 === 0 ? (say(q, i) === 'present' ? 'absent' : 'present') : say(q, i),
  more = {},
}: {
  n?: number;
  nDouble?: number;
  say?: (q: number, i: number) => Verdict;
  second?: (q: number, i: number, at: number) => Verdict;
  more?: Partial<ReviewEvent>;
} = {}): Review {
  const drawn = randomDraw(N, n);
  const events = drawn.flatMap((draw, at) => {
    const first = labelOf(draw, 'R1', say(draw.question, draw.item), more);
    if (at >= nDouble) return [first];
    const verdict = second(draw.question, draw.item, at);
    const ruling =
      verdict === first.verdict ? [] : [labelOf(draw, 'R9', first.verdict, { role: 'adjudicator', ...more })];
    return [first, labelOf(draw, 'R2', verdict, more), ...ruling];
  });
  return reviewOf(
    planOf('random', drawn, [{ id: 'all', size: N * 6, n, inclusionProbability: n / (N * 6) }]),
    events,
  );
}

function scoreNamed(review: Review, name: string, own = facts) {
  return itemReview(review, own).corrected.find((score) => score.name === name)!;
}

describe('corrected scores', () => {
  it('correct recall, specificity and accuracy by the labels of a random sample', () => {
    const drawn = randomDraw(N, 120);
    const review = randomReview();
    for (const [name, from, to, isRight] of [
      ['safety.recall', 0, 4, (v: Verdict) => v === 'present'],
      ['safety.specificity', 4, 6, (v: Verdict) => v !== 'present'],
    ] as const) {
      const found = scoreNamed(review, name, facts);
      const own = drawn.filter(({ item }) => item >= from && item < to);
      const f = answers.flatMap((_, q) =>
        Array.from({ length: to - from }, (_, i) => Number(isRight(judge(q, from + i)))),
      );
      const mean = (values: number[]) => values.reduce((a, b) => a + b, 0) / values.length;
      const y = own.map(({ question, item }) => Number(isRight(people(question, item))));
      const fLab = own.map(({ question, item }) => Number(isRight(judge(question, item))));
      expect(found.raw.value).toBeCloseTo(mean(f), 12);
      if (own.length < 50) {
        expect(found).toMatchObject({ corrected: null, reason: 'too_few_labels', nLabels: own.length });
        continue;
      }
      expect(found).toMatchObject({
        reason: null,
        method: 'corrected_mean',
        nLabels: own.length,
        nRaters: 2,
      });
      expect(found.humanOnly).toBeCloseTo(mean(y), 12);
      // theta(lambda) = lambda mean(f) + mean(y - lambda f) over the labels.
      const theta = found.lambda! * mean(f) + mean(y) - found.lambda! * mean(fLab);
      expect(found.corrected!.value).toBeCloseTo(theta, 10);
      expect(found.lambda).toBeGreaterThan(0.3);
      expect(found.corrected!.lower!).toBeLessThan(theta);
      expect(found.corrected!.upper!).toBeGreaterThan(theta);
      const present = own.filter(({ question, item }) => people(question, item) === 'present');
      const hits = present.filter(({ question, item }) => judge(question, item) === 'present');
      expect(found.sensitivity).toMatchObject({ n: present.length });
      expect(found.sensitivity.value).toBeCloseTo(hits.length / present.length, 12);
    }
    expect(scoreNamed(review, 'safety.accuracy').nLabels).toBe(120);
  });

  it('come nearer to the truth than the raw share', () => {
    const truth = facts.answers.flatMap((_, q) =>
      [0, 1, 2, 3].map((i) => Number(people(q, i) === 'present')),
    );
    const share = truth.reduce((a, b) => a + b, 0) / truth.length;
    const lenient = judgeAndPeople(N, 11, { miss: 0, invent: 0.6 });
    const found = scoreNamed(
      randomReview({ say: lenient.people }),
      'safety.recall',
      factsOf(answersOf(N, lenient.judge)),
    );
    const own = facts.answers.flatMap((_, q) =>
      [0, 1, 2, 3].map((i) => Number(lenient.people(q, i) === 'present')),
    );
    const real = own.reduce((a, b) => a + b, 0) / own.length;
    expect(share).toBeGreaterThan(0);
    expect(Math.abs(found.corrected!.value - real)).toBeLessThan(Math.abs(found.raw.value! - real));
    expect(found.corrected!.lower!).toBeLessThan(real);
    expect(found.corrected!.upper!).toBeGreaterThan(real);
    expect(found.raw.interval!.lower).toBeGreaterThan(real);
  });

  it('are not made where a condition does not hold, and say which', () => {
    const whyNot = (review: Review, name = 'safety.recall', own = facts) => {
      const found = scoreNamed(review, name, own);
      expect(found.corrected).toBeNull();
      return [found.reason, notCorrectedText(found)];
    };
    const good = randomReview();
    expect(whyNot({ ...good, events: [] })).toEqual(['no_labels', 'no labels of people']);
    expect(whyNot(randomReview({ n: 40 }))[0]).toBe('too_few_labels');
    expect(whyNot(randomReview({ nDouble: 29 }))).toEqual([
      'agreement_not_measured',
      'fewer than 30 items labelled by two people',
    ]);
    expect(whyNot(randomReview({ more: { plan: null } }))[0]).toBe('unknown_probabilities');
    expect(whyNot(randomReview({ more: { blind: false } }))[0]).toBe('unknown_probabilities');
    const [plan] = good.plans;
    const strata = [...plan!.strata, { id: 'rare', size: 3, n: 0, inclusionProbability: 0 }];
    expect(whyNot({ ...good, plans: [{ ...plan!, strata }] })[0]).toBe('zero_probabilities');
    expect(whyNot(good, 'safety.recall', { ...facts, sameInstrument: false })[0]).toBe(
      'judge_prompts_differ',
    );
    expect(whyNot(good, 'safety.precision')[0]).toBe('not_a_share_of_items');
    expect(whyNot(good, 'safety.recall.mean')[0]).toBe('needs_whole_questions');
    const often = MetricRubricTrait.parse({ ...SAFETY.toJSON(), repeated_extraction: false });
    expect(whyNot(good, 'safety.recall', factsOf(answersOf(N, judge, { trait: often })))[0]).toBe(
      'counts_every_occurrence',
    );
  });

  it('need labels on 15 questions', () => {
    const drawn = Array.from({ length: 14 }, (_, question) =>
      [0, 1, 2, 3].map((item) => ({ question, item, stratum: 'all', pi: 14 / N })),
    ).flat();
    const events = drawn.flatMap((draw) =>
      ['R1', 'R2'].map((rater) => labelOf(draw, rater, people(draw.question, draw.item))),
    );
    const plan = planOf('random', drawn, [{ id: 'all', size: N * 6, n: 56, inclusionProbability: 14 / N }]);
    expect(scoreNamed(reviewOf(plan, events), 'safety.recall').reason).toBe('too_few_labelled_questions');
  });

  it('correct means of questions where whole questions were drawn', () => {
    const drawn = Array.from({ length: 20 }, (_, q) =>
      [0, 1, 2, 3, 4, 5].map((item) => ({ question: 2 * q, item, stratum: 'all', pi: 0.5 })),
    ).flat();
    const events = drawn.flatMap((draw) =>
      ['R1', 'R2'].map((rater) =>
        labelOf(draw, rater, people(draw.question, draw.item), { plan: 'plan-questions' }),
      ),
    );
    const plan = planOf('questions', drawn, [{ id: 'all', size: N, n: 20, inclusionProbability: 0.5 }]);
    const found = scoreNamed(reviewOf(plan, events), 'safety.recall.mean');
    const recall = (say: typeof people, q: number) =>
      [0, 1, 2, 3].filter((i) => say(q, i) === 'present').length / 4;
    const mean = (values: number[]) => values.reduce((a, b) => a + b, 0) / values.length;
    const even = Array.from({ length: 20 }, (_, q) => 2 * q);
    const all = Array.from({ length: N }, (_, q) => q);
    const theta =
      found.lambda! * mean(all.map((q) => recall(judge, q))) +
      mean(even.map((q) => recall(people, q) - found.lambda! * recall(judge, q)));
    expect(found).toMatchObject({ reason: null, nLabels: 120, nQuestions: 20, nItems: N });
    expect(found.corrected!.value).toBeCloseTo(theta, 10);
  });

  it('weigh labels drawn by verdict, and use strata where each question has one item', () => {
    const one = new MetricRubricTrait({
      name: 'safety',
      metrics: ['recall'],
      tpInstructions: ['Names the dose'],
    });
    const nQuestions = 200;
    const say = judgeAndPeople(nQuestions, 5);
    const own = factsOf(answersOf(nQuestions, (q) => say.judge(q, 0), { trait: one }));
    const isPresent = (q: number) => say.judge(q, 0) === 'present';
    const strata = [true, false].map((present) => {
      const all = Array.from({ length: nQuestions }, (_, q) => q).filter((q) => isPresent(q) === present);
      return { id: present ? 'present' : 'absent', all, n: 40 };
    });
    const itemId = own.answers[0]!.metricTraits[0]!.items[0]!.id;
    const drawn = strata.flatMap(({ id, all, n }) =>
      all.slice(0, n).map((question): Drawn => ({ question, item: 0, stratum: id, pi: n / all.length })),
    );
    const { plan, draws } = planOf(
      'verdict',
      drawn,
      strata.map(({ id, all, n }) => ({ id, size: all.length, n, inclusionProbability: n / all.length })),
    );
    const events = drawn.flatMap((draw) =>
      ['R1', 'R2'].map((rater) =>
        labelOf(draw, rater, say.people(draw.question, 0), { plan: plan.id, itemId }),
      ),
    );
    const found = scoreNamed(
      reviewOf({ plan, draws: draws.map((draw) => ({ ...draw, itemId })) }, events),
      'safety.recall',
      own,
    );
    const share = (all: number[]) => all.filter((q) => say.people(q, 0) === 'present').length / all.length;
    const expected = strata.reduce(
      (sum, { all, n }) => sum + (all.length / nQuestions) * share(all.slice(0, n)),
      0,
    );
    expect(found).toMatchObject({ reason: null, method: 'stratified_estimate', nLabels: 80, lambda: null });
    expect(found.corrected!.value).toBeCloseTo(expected, 12);
    // Begg and Greenes: sensitivity = W1 m1 / theta.
    const [first] = strata;
    const W1 = first!.all.length / nQuestions;
    expect(found.sensitivity.value).toBeCloseTo((W1 * share(first!.all.slice(0, 40))) / expected, 12);
  });

  it('take a refused answer for what it is: nothing was said, and no label is needed', () => {
    const states = Object.fromEntries([0, 1, 2, 3].map((q) => [q, 'refused' as const]));
    const own = factsOf(answersOf(N, judge, { states }));
    const review = randomReview({ n: 150, nDouble: 60 });
    const found = scoreNamed(review, 'safety.recall', own);
    expect(found.reason).toBeNull();
    expect(found.nItems).toBe(N * 4);
    expect(found.raw.value).toBeCloseTo(
      found.judged.reduce((sum, item) => sum + item.judge, 0) / found.judged.length,
      12,
    );
    const without = scoreNamed(review, 'safety.recall');
    expect(found.corrected!.value).toBeLessThan(without.corrected!.value);
  });
});

describe('labels', () => {
  it('that are stale, unblinded, picked by hand, skipped or corrected are counted and not used', () => {
    const drawn = randomDraw(N, 6);
    const [a, b, c, d, e] = drawn as [Drawn, Drawn, Drawn, Drawn, Drawn];
    const first = labelOf(e, 'R1', 'absent');
    const events = [
      labelOf(a, 'R1', 'present', { answerHash: 'f'.repeat(64) }),
      labelOf(b, 'R1', 'present', { blind: false }),
      labelOf(c, 'R1', 'present', { plan: null, inclusionProbability: null }),
      labelOf(d, 'R1', 'skip'),
      first,
      labelOf(e, 'R1', 'present', { supersedes: first.id }),
      labelOf(a, 'R2', 'present', { recordId: 'another' }),
    ];
    const found = itemReview(reviewOf(planOf('random', drawn, []), events), facts);
    expect(found.counts).toEqual({
      n: 7,
      used: 1,
      unchecked: 0,
      superseded: 1,
      skipped: 1,
      unblinded: 1,
      handPicked: 1,
      stale: 1,
      unmatched: 1,
    });
    expect(found.states).toEqual({ single: 1, stale: 1 });
  });

  it('agree by what each rater said first, whatever was corrected or ruled on later', () => {
    const drawn = randomDraw(N, 2);
    const [a] = drawn as [Drawn, Drawn];
    const first = labelOf(a, 'R1', 'absent');
    const second = labelOf(a, 'R2', 'present');
    const events = [first, second, labelOf(a, 'R1', 'present', { supersedes: first.id })];
    const found = itemReview(reviewOf(planOf('random', drawn, []), events), facts);
    expect(found.states).toEqual({ agreed: 1 });
    expect(found.agreement[0]!.people).toMatchObject({ n: 1, observed: 0 });
    expect(found.itemsToRewrite).toMatchObject([{ nLabels: 2, nDisputed: 2, nUnclear: 0 }]);
  });

  it('on which people disagree have no verdict until someone rules', () => {
    const drawn = randomDraw(N, 1);
    const events = [labelOf(drawn[0]!, 'R1', 'absent'), labelOf(drawn[0]!, 'R2', 'present')];
    const { states, agreement } = itemReview(reviewOf(planOf('random', drawn, []), events), facts);
    expect(states).toEqual({ disagreement: 1 });
    expect(agreement[0]!.judge).toBeNull();
  });
});

describe('agreement', () => {
  it('of people is kappa, AC1, alpha, and positive and negative agreement with counts', () => {
    const { people: found } = itemReview(randomReview(), facts).agreement[0]!;
    const drawn = randomDraw(N, 40);
    const table = { yesYes: 0, yesNo: 0, noYes: 0, noNo: 0 };
    for (const [at, { question, item }] of drawn.entries()) {
      const a = people(question, item) === 'present';
      const b = at % 7 === 0 ? !a : a;
      table[a ? (b ? 'yesYes' : 'yesNo') : b ? 'noYes' : 'noNo'] += 1;
    }
    expect(found!.binary).toMatchObject(table);
    const { yesYes: p, yesNo: q, noYes: r, noNo: s } = table;
    const observed = (p + s) / 40;
    const expected = ((p + q) * (p + r) + (r + s) * (q + s)) / 1600;
    expect(found!.kappa.value).toBeCloseTo((observed - expected) / (1 - expected), 12);
    expect(found!.binary.positiveAgreement).toBeCloseTo((2 * p) / (2 * p + q + r), 12);
    expect(found!.binary.negativeAgreement).toBeCloseTo((2 * s) / (2 * s + q + r), 12);
    expect(found!.n).toBe(40);
    expect(found!.ac1.lower).toBeLessThan(found!.ac1.value!);
    expect(found!.alpha!.value).not.toBeNull();
  });

  it('of the judge is set beside that of people on the same items, against each rater alone', () => {
    const { sameItems } = itemReview(randomReview(), facts).agreement[0]!;
    expect(sameItems!.n).toBe(40);
    const { people: alone, judge: against } = itemReview(randomReview(), facts).agreement[0]!;
    expect(sameItems!.kappa.people).toBeCloseTo(alone!.kappa.value!, 12);
    expect(sameItems!.ac1.people).toBeCloseTo(alone!.ac1.value!, 12);
    expect(against!.n).toBe(120);
    expect(sameItems!.kappa.difference).toBeCloseTo(sameItems!.kappa.judge! - sameItems!.kappa.people!, 12);
    expect(sameItems!.kappa.lower!).toBeLessThan(sameItems!.kappa.difference!);
    expect(sameItems!.kappa.upper!).toBeGreaterThan(sameItems!.kappa.difference!);
  });

  it('with few questions is marked', () => {
    const drawn = Array.from({ length: 19 }, (_, question) => ({ question, item: 0, stratum: 'all', pi: 1 }));
    const events = drawn.flatMap((draw) => ['R1', 'R2'].map((rater) => labelOf(draw, rater, 'present')));
    const { agreement } = itemReview(reviewOf(planOf('random', drawn, []), events), facts);
    expect(agreement[0]!.people).toMatchObject({ isFew: true, nQuestions: 19 });
  });

  it('that is low on both coefficients makes items undecidable, and no judge calibrated on them', () => {
    const toss = judgeAndPeople(N, 99, { miss: 0.5, invent: 0.5 });
    const good = judgeAndPeople(N, 11, { miss: 0.02, invent: 0.02 });
    const own = factsOf(answersOf(N, good.judge));
    const review = (second: (q: number, i: number) => Verdict) =>
      itemReview(randomReview({ n: 200, nDouble: 200, say: good.people, second }), own);
    const decided = review(good.people);
    expect(decided.agreement[0]!.notDecidable).toBe(false);
    expect(decided.calibration).toMatchObject({ status: 'calibrated', nDoubleRated: 200 });
    const tossed = review(toss.judge);
    expect(tossed.agreement[0]!.notDecidable).toBe(true);
    expect(tossed.calibration!.status).toBe('not_calibrated');
    expect(tossed.calibration!.byTrait.safety!.status.reasons).toContain('not_decidable_as_written');
  });

  it('lists the lines of which a fifth of the labels is unclear', () => {
    const say = (q: number, i: number): Verdict => (i === 2 && q % 4 === 0 ? 'unclear' : people(q, i));
    const found = itemReview(randomReview({ n: 240, say, second: say }), facts);
    expect(found.itemsToRewrite.map(({ instruction, nUnclear }) => [instruction, nUnclear > 0])).toEqual([
      ['Names the interval', true],
    ]);
  });
});
