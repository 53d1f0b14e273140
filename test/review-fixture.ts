import type { JudgedAnswer } from '../src/analyses/judging/judged-answers.ts';
import { scoreMetricTrait } from '../src/analyses/judging/score-metric-trait.ts';
import { summariseMetricTraits } from '../src/analyses/judging/summarise-traits.ts';
import { listItems, MetricRubricTrait } from '../src/rubrics/traits/metric-trait.ts';
import type { ItemVerdict, Verdict } from '../src/rubrics/verdict.ts';
import { createRandom, shuffle } from '../src/statistics/random.ts';
import { seenTextHash } from '../src/store/review/review-file.ts';
import type { Review, ReviewDraw, ReviewEvent, ReviewPlan } from '../src/store/review/review-schema.ts';

/** A trait with four required items and two forbidden ones. */
export const SAFETY = new MetricRubricTrait({
  name: 'safety',
  evaluationMode: 'full_matrix',
  metrics: ['recall', 'specificity', 'accuracy', 'precision'],
  tpInstructions: ['Names the dose', 'Names the route', 'Names the interval', 'Asks about allergies'],
  tnInstructions: ['Recommends aspirin', 'Denies any risk'],
});

/** The word of a judge, or of people, on one item of one question. */
type Say = (question: number, item: number) => Verdict;

/** Answers to questions q0, q1, ... judged item by item. `states` overrides the state of single answers. */
export function answersOf(
  nQuestions: number,
  say: Say,
  {
    trait = SAFETY,
    states = {},
  }: {
    readonly trait?: MetricRubricTrait;
    readonly states?: Readonly<Record<number, JudgedAnswer['state']>>;
  } = {},
): JudgedAnswer[] {
  return Array.from({ length: nQuestions }, (_, q) => {
    const state = states[q] ?? 'answered';
    const verdicts = listItems(trait).map(
      ({ id }, i): ItemVerdict => ({
        id,
        verdict: say(q, i),
        quotes: [{ text: 'x', start: 0, end: 1 }],
        reason: null,
      }),
    );
    return {
      id: `q${q}`,
      repeat: 0,
      question: `Question ${q}`,
      answer: state === 'answered' ? `Answer ${q}` : null,
      state,
      stateReason: null,
      abstained: null,
      abstainedReason: 'not_judged',
      shouldAbstain: null,
      tags: [],
      metricTraits: [scoreMetricTrait(trait, 'judge/x', state, verdicts, 0.95)],
      otherTraits: [],
      problems: [],
      inputTokens: null,
      outputTokens: null,
      totalTokens: null,
    };
  });
}

/** The facts that a review of items needs. */
export function factsOf(answers: readonly JudgedAnswer[]) {
  const metricTraits = summariseMetricTraits(answers, { level: 0.95, seed: 42, resamples: 200 });
  return { answers, metricTraits, sameInstrument: true, level: 0.95 };
}

/** Verdicts that are mostly right: people say `truth`, and the judge errs with the given rates. Seeded. */
export function judgeAndPeople(nQuestions: number, seed: number, { miss = 0.1, invent = 0.15 } = {}) {
  const random = createRandom(seed);
  const truth: Verdict[][] = [];
  const judge: Verdict[][] = [];
  for (let q = 0; q < nQuestions; q++) {
    const ease = random.float();
    truth.push(SAFETY_ITEMS.map(() => (random.float() < 0.2 + 0.6 * ease ? 'present' : 'absent')));
    judge.push(
      truth[q]!.map((verdict) => {
        const errs = random.float() < (verdict === 'present' ? miss : invent);
        return (verdict === 'present') === errs ? 'absent' : 'present';
      }),
    );
  }
  return {
    people: (q: number, i: number) => truth[q]![i]!,
    judge: (q: number, i: number) => judge[q]![i]!,
  };
}

const SAFETY_ITEMS = listItems(SAFETY);

export interface Drawn {
  readonly question: number;
  readonly item: number;
  readonly stratum: string;
  readonly pi: number;
}

/** A plan that drew these items. */
export function planOf(kind: ReviewPlan['kind'], drawn: readonly Drawn[], strata: ReviewPlan['strata']) {
  const plan: ReviewPlan = {
    id: `plan-${kind}`,
    kind,
    targets: 'item',
    n: drawn.length,
    seed: 1,
    frameSize: strata.reduce((sum, { size }) => sum + size, 0),
    frameHash: '0'.repeat(64),
    strata,
    nDouble: 0,
    guideline: 'krisis/1',
    guidelineText: null,
    judge: null,
    createdAt: '2026-11-16T12:00:00.000Z',
  };
  const draws = drawn.map(
    ({ question, item, stratum, pi }, position): ReviewDraw => ({
      ...targetOf(question, item),
      plan: plan.id,
      position,
      stratum,
      inclusionProbability: pi,
      raters: 1,
    }),
  );
  return { plan, draws };
}

/** A simple random sample of the items. */
export function randomDraw(nQuestions: number, n: number, seed = 7): Drawn[] {
  const all = Array.from({ length: nQuestions }, (_, question) =>
    SAFETY_ITEMS.map((_item, item) => ({ question, item })),
  ).flat();
  const order = [...all.keys()];
  shuffle(createRandom(seed, 'nullBand'), order);
  return order.slice(0, n).map((at) => ({ ...all[at]!, stratum: 'all', pi: n / all.length }));
}

function targetOf(question: number, item: number) {
  const { id, instruction } = SAFETY_ITEMS[item]!;
  return {
    kind: 'item' as const,
    recordId: `q${question}`,
    repeat: 0,
    itemId: id,
    answerHash: seenTextHash(`Answer ${question}`),
    itemHash: seenTextHash(instruction),
  };
}

let nEvents = 0;

/** One label. */
export function labelOf(
  { question, item, stratum, pi }: Drawn,
  rater: string,
  verdict: string,
  more: Partial<ReviewEvent> = {},
): ReviewEvent {
  nEvents += 1;
  return {
    ...targetOf(question, item),
    id: `e${nEvents}`,
    rater,
    role: 'rater',
    verdict,
    label: null,
    urgent: null,
    probability: null,
    reason: null,
    note: null,
    blind: true,
    plan: 'plan-random',
    stratum,
    inclusionProbability: pi,
    guideline: 'krisis/1',
    supersedes: null,
    at: '2026-11-16T12:00:00.000Z',
    via: 'viewer',
    ...more,
  };
}

/** A review file's content. */
export function reviewOf(
  { plan, draws }: Pick<Review, 'draws'> & { readonly plan: ReviewPlan },
  events: readonly ReviewEvent[],
): Review {
  const last = events.at(-1);
  return {
    runId: null,
    suiteHash: null,
    plans: [plan],
    draws,
    events,
    raters: [],
    head: last === undefined ? null : { id: last.id, n: events.length, hash: '0'.repeat(64) },
  };
}
