import { expect, it } from 'vitest';
import { type PassVerdict, passAgreement } from './pass-agreement.ts';

const said = (questionId: string, itemId: string, verdicts: PassVerdict['verdict'][]): PassVerdict[] =>
  verdicts.map((verdict, pass) => ({ questionId, itemId, pass, verdict }));

it('tells items apart by question, and counts flips', () => {
  const found = passAgreement([
    ...said('q1', 'a', ['present', 'present']),
    ...said('q2', 'a', ['present', 'absent']),
    ...said('q2', 'b', ['absent', 'absent']),
    ...said('q2', 'c', ['contradicted', 'contradicted']),
  ]);
  expect(found).toMatchObject({ agreement: 0.75, flipRate: 0.25, nCompared: 4, nUnusable: 0, reason: null });
  expect(found.items.map(({ agreement }) => agreement)).toEqual([1, 0, 1, 1]);
  // Fleiss by hand: mean P = 0.75; shares 3/8, 3/8, 2/8; chance 22/64.
  expect(found.fleissKappa).toBeCloseTo((0.75 - 22 / 64) / (1 - 22 / 64), 12);
});

it('puts passes in order, and leaves out what is no verdict', () => {
  const found = passAgreement([
    ...said('q', 'a', ['present', 'judge_error', 'absent']).toReversed(),
    ...said('q', 'b', ['unverified', 'unclear', 'judge_error']),
  ]);
  expect(found.items.map(({ verdicts }) => verdicts)).toEqual([['present', 'absent'], ['unclear']]);
  expect(found).toMatchObject({ nCompared: 1, nUnusable: 3, agreement: 0, flipRate: 1 });
  expect(found.items[1]!.agreement).toBeNull();
});

it('has no numbers for one pass', () => {
  expect(passAgreement(said('q', 'a', ['present']))).toMatchObject({
    agreement: null,
    flipRate: null,
    fleissKappa: null,
    nCompared: 0,
    reason: 'fewer_than_two_passes',
  });
});
