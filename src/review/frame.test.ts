import { afterAll, describe, expect, it } from 'vitest';
import { temporaryFolder } from '../../test/engine-fixture.ts';
import { goodJudge, runInto, SUITE, textBackend } from '../../test/question-run-fixture.ts';
import { parseQuestionSuite } from '../suites/questions/question-suite.ts';
import { reviewFrame } from './frame.ts';

const folder = temporaryFolder();
afterAll(folder.remove);

describe('a frame of items', () => {
  it('has every item of every answer, with what the judge said and where judges differ', async () => {
    const path = await runInto(folder.file('run.db'));
    const frame = reviewFrame(path);
    expect(frame).toMatchObject({
      targets: 'item',
      judge: 'unit/judge',
      suiteName: SUITE.name,
      isProtected: false,
    });
    expect(frame.units).toHaveLength(8);
    expect(frame.units.filter(({ verdict }) => verdict === 'present')).toHaveLength(5);
    expect(frame.units.filter(({ isForbidden }) => isForbidden)).toHaveLength(2);
    expect(frame.units.every(({ differs }) => differs === null)).toBe(true);
    const [first] = frame.units;
    expect([...frame.shown([first!]).values()]).toEqual([
      {
        kind: 'item',
        question: 'What about my fistula?',
        answer: 'Keep cuffs off that arm. Feel the <i>thrill</i> daily prn.',
        item: 'Keeps cuffs off the arm',
        background: null,
      },
    ]);
    // Drawn when the answer was another: there is nothing to show.
    expect(frame.shown([{ ...first!, answerHash: '0'.repeat(64) }]).size).toBe(0);
  });

  it('knows where two passes differ', async () => {
    const path = await runInto(folder.file('passes.db'), { passes: 2 });
    expect(reviewFrame(path).units.every(({ differs }) => differs === false)).toBe(true);
  });
});

it('shows no protected text without consent', async () => {
  const suite = parseQuestionSuite({
    name: 'ward/advice',
    rubric: { metric_traits: [{ name: 'advice', metrics: ['recall'], tp_instructions: ['Advises rest'] }] },
    questions: [{ id: 'q1', question: 'What now?' }],
  });
  const backend = textBackend(() => 'Rest.');
  const path = await runInto(folder.file('protected.db'), {
    suite,
    backend,
    judge: goodJudge(),
    keepText: true,
  });
  expect(() => reviewFrame(path)).toThrow(expect.objectContaining({ code: 'ERR_REVIEW_PROTECTED' }));
});
