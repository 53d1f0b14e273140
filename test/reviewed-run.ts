import { reviewFrame } from '../src/review/frame.ts';
import { drawPlan, type PlanOptions } from '../src/review/plan.ts';
import { openReview, reviewPath } from '../src/store/review/review-file.ts';
import type { ReviewEvent } from '../src/store/review/review-schema.ts';
import { parseQuestionSuite } from '../src/suites/questions/question-suite.ts';
import { judgeOf, runInto, textBackend } from './question-run-fixture.ts';
import { judgeAndPeople, SAFETY } from './review-fixture.ts';

const N = 40;
const LINES = [...SAFETY.tpInstructions, ...SAFETY.tnInstructions];

/** Forty questions whose answers a judge reads with errors, and what people would say. */
const REVIEWED_SUITE = parseQuestionSuite({
  name: 'unit/reviewed',
  sensitivity: 'synthetic',
  questions: Array.from({ length: N }, (_, q) => ({
    id: `q${q}`,
    question: `Question ${q}?`,
    rubric: { metric_traits: [SAFETY.toJSON()] },
  })),
});

/** Runs the questions into a file. `seed` makes another model: other truths, other errors. */
export async function judgedRun(path: string, seed = 11, rates = {}) {
  const say = judgeAndPeople(N, seed, rates);
  const numberOf = (text: string) => Number(/\d+/.exec(text)![0]);
  await runInto(path, {
    suite: REVIEWED_SUITE,
    backend: textBackend((question) => `${question} w0 w1 w2 w3 w4 w5`, { name: `unit/model-${seed}` }),
    judge: judgeOf(({ answer }) => {
      const q = numberOf(answer);
      const verdicts = LINES.map((line, i) => {
        const verdict = say.judge(q, i);
        return [line, { verdict, quotes: verdict === 'present' ? [`w${i}`] : [] }];
      });
      return { verdicts: Object.fromEntries(verdicts), traits: { 'krisis.abstained': false } };
    }),
  });
  return { path, say };
}

/** Labels what a plan draws: the first rater as people would, a second one on what is drawn for two. */
export function label(path: string, say: ReturnType<typeof judgeAndPeople>, options: PlanOptions) {
  const frame = reviewFrame(path);
  const { plan, draws } = drawPlan(frame, options, new Date('2026-11-16T12:00:00.000Z'));
  const review = openReview(reviewPath(path), { runId: frame.runId, suiteHash: frame.suiteHash });
  try {
    review.addPlan(plan, draws);
    const raters = ['ann', 'bob'].map((name) => review.rater(name).id);
    const events = draws.flatMap((draw) => {
      const item = frame.units.find(
        ({ recordId, itemId }) => recordId === draw.recordId && itemId === draw.itemId,
      )!;
      const own = frame.units.filter(({ recordId }) => recordId === draw.recordId);
      const verdict = say.people(Number(draw.recordId.slice(1)), own.indexOf(item));
      return raters.slice(0, draw.raters).map(
        (rater): ReviewEvent => ({
          kind: 'item',
          recordId: draw.recordId,
          repeat: 0,
          itemId: draw.itemId,
          id: `${plan.id}-${draw.position}-${rater}`,
          rater,
          role: 'rater',
          verdict,
          label: null,
          urgent: null,
          probability: null,
          reason: null,
          note: null,
          blind: true,
          answerHash: draw.answerHash,
          itemHash: draw.itemHash,
          plan: plan.id,
          stratum: draw.stratum,
          inclusionProbability: draw.inclusionProbability,
          guideline: plan.guideline,
          supersedes: null,
          at: '2026-11-16T12:00:00.000Z',
          via: 'file',
        }),
      );
    });
    review.append(events);
    return { plan, draws, events };
  } finally {
    review.close();
  }
}
