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
import { limitProblem } from '../../runs/conditions/metric-range.ts';
import { checkGate } from '../../runs/gates/check-gate.ts';
import { parseGate } from '../../runs/gates/parse-gate.ts';
import { correctedScore } from './corrected-score.ts';
import { itemReview } from './item-review.ts';

const N = 40;
const KNOWN = { names: ['safety.recall', 'panel_agreement'] };
const { people, judge } = judgeAndPeople(N, 3);

/** The corrected scores of a run of which `n` items were labelled by two people. */
function corrected(n: number) {
  const drawn = randomDraw(N, n);
  const events = drawn.flatMap((draw) =>
    ['R1', 'R2'].map((rater) => labelOf(draw, rater, people(draw.question, draw.item))),
  );
  const plan = planOf('random', drawn, [{ id: 'all', size: N * 6, n, inclusionProbability: n / (N * 6) }]);
  return itemReview(reviewOf(plan, events), factsOf(answersOf(N, judge))).corrected;
}

function check(text: string, n: number) {
  return checkGate(parseGate(text, KNOWN), { scores: corrected(n).map(correctedScore), n: N, nScored: N });
}

describe('conditions on corrected scores', () => {
  const recall = corrected(160).find(({ name }) => name === 'safety.recall');

  it('look at the corrected value and its interval', () => {
    const { value, lower } = recall!.corrected!;
    expect(check(`corrected(safety.recall) >= ${value - 0.01}`, 160).status).toBe('pass');
    expect(check(`corrected(safety.recall) >= ${value + 0.01}`, 160).status).toBe('fail');
    expect(check(`lower(corrected(safety.recall)) >= ${lower! - 0.01}`, 160).status).toBe('pass');
    expect(check(`lower(corrected(safety.recall)) >= ${lower! + 0.01}`, 160)).toMatchObject({
      status: 'fail',
      reason: 'fail_not_shown',
    });
  });

  it('do not pass where the score is not corrected, and say why', () => {
    expect(check('lower(corrected(safety.recall)) >= 0.1', 40)).toMatchObject({
      status: 'undecided',
      message: expect.stringMatching(
        /^corrected\(safety\.recall\) has no value \(not corrected: \d+ of 50 labels\)$/,
      ),
    });
  });

  it('do not pass without a review or a panel', () => {
    const none = { scores: [], n: 1, nScored: 1 };
    expect(checkGate(parseGate('corrected(safety.recall) >= 0.1', KNOWN), none)).toMatchObject({
      status: 'undecided',
      message: 'corrected(safety.recall) is not corrected: no labels of people',
    });
    expect(checkGate(parseGate('panel_agreement >= 0.1', KNOWN), none)).toMatchObject({
      status: 'undecided',
      message: 'panel_agreement needs decisions of people on cases of the run',
    });
  });

  it('refuse a limit that no share reaches', () => {
    expect(limitProblem(parseGate('corrected(safety.recall) >= 90'))).toContain('did you mean 0.9?');
    expect(limitProblem(parseGate('panel_agreement >= 0.9'))).toBeNull();
  });

  it('keep items without a verdict in mind', () => {
    const answers = answersOf(N, (q, i) => (q < 4 && i === 0 ? 'unclear' : judge(q, i)));
    const drawn = randomDraw(N, 200);
    const events = drawn.flatMap((draw) =>
      ['R1', 'R2'].map((rater) => labelOf(draw, rater, people(draw.question, draw.item))),
    );
    const plan = planOf('random', drawn, [{ id: 'all', size: 240, n: 200, inclusionProbability: 200 / 240 }]);
    const found = itemReview(reviewOf(plan, events), factsOf(answers)).corrected.find(
      ({ name }) => name === 'safety.recall',
    );
    const { bounds, value, scoredOf } = correctedScore(found!);
    const { raw } = found!;
    expect(scoredOf).toMatchObject({ n: scoredOf!.nScored + 4 });
    expect(bounds!.lower - value!).toBeCloseTo(raw.bounds!.lower - raw.value!, 12);
    expect(bounds!.upper - value!).toBeCloseTo(raw.bounds!.upper - raw.value!, 12);
    const gate = parseGate(`corrected(safety.recall) >= ${value}`, KNOWN);
    expect(checkGate(gate, { scores: [correctedScore(found!)], n: N, nScored: N }).status).toBe('undecided');
  });
});
