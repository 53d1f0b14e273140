import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  confidenceFromLogprobs,
  confidenceFromRepeats,
  pairedAurocDifference,
  pairedBrierDifference,
  type Vote,
} from './confidence.ts';

const votes = fc.array(fc.constantFrom<Vote>('a', 'b', 'c', 'abstain', null), {
  minLength: 1,
  maxLength: 12,
});

describe('confidenceFromRepeats', () => {
  it('does not depend on the order of votes', () => {
    const shuffled = votes.chain((given) =>
      fc.tuple(
        fc.constant(given),
        fc.shuffledSubarray(given, { minLength: given.length, maxLength: given.length }),
      ),
    );
    fc.assert(
      fc.property(shuffled, ([given, other]) => {
        expect(confidenceFromRepeats(other, 3)).toEqual(confidenceFromRepeats(given, 3));
      }),
    );
  });

  it('has a confidence exactly where it has a label, and an entropy between 0 and 1', () => {
    fc.assert(
      fc.property(votes, (given) => {
        const found = confidenceFromRepeats(given, 3)!;
        expect(found.confidence !== null).toBe(!['abstain', 'invalid'].includes(String(found.decision)));
        if (given.length === 1) expect(found.entropyConfidence).toBeNull();
        else {
          expect(found.entropyConfidence).toBeGreaterThanOrEqual(-1e-12);
          expect(found.entropyConfidence).toBeLessThanOrEqual(1);
        }
      }),
    );
  });

  it.each<[readonly Vote[], string, boolean]>([
    [['a', 'a', 'b', 'b'], 'abstain', true],
    [['a', 'abstain', 'abstain'], 'abstain', false],
    [['a', 'b', 'abstain', 'abstain'], 'abstain', false],
    [['abstain'], 'abstain', false],
    [[null, null], 'invalid', false],
    [[null, null, 'a'], 'a', false],
  ])('%j is %s', (given, decision, tie) => {
    expect(confidenceFromRepeats(given, 2)).toMatchObject({ decision, tie });
  });

  it('is null without votes', () => {
    expect(confidenceFromRepeats([], 2)).toBeNull();
  });
});

describe('confidenceFromLogprobs', () => {
  it('gives no confidence where the labels seen cover little', () => {
    expect(confidenceFromLogprobs([{ label: 'a', logprob: Math.log(0.3) }], 'a')).toMatchObject({
      confidence: null,
      reason: 'label_mass_too_small',
    });
    expect(confidenceFromLogprobs([], 'a')).toMatchObject({ mass: 0, reason: 'answer_not_among_logprobs' });
  });
});

describe('differences of two sources', () => {
  const confidence = fc.nat({ max: 10 }).map((tenths) => tenths / 10);
  const pairs = fc.array(fc.record({ right: fc.boolean(), a: confidence, b: confidence }), {
    minLength: 1,
    maxLength: 60,
  });

  it('change sign when the sources are swapped', () => {
    fc.assert(
      fc.property(pairs, (given) => {
        const correct = given.map(({ right }) => right);
        const a = given.map((pair) => pair.a / 10);
        const b = given.map((pair) => pair.b / 10);
        for (const difference of [pairedBrierDifference, pairedAurocDifference]) {
          const [one, other] = [difference(correct, a, b), difference(correct, b, a)];
          if (one === null || other === null) expect(one).toBe(other);
          else expect(one.difference).toBeCloseTo(-other.difference, 12);
        }
      }),
    );
  });

  it('are the counts of pairs for the AUROC', () => {
    fc.assert(
      fc.property(pairs, (given) => {
        const found = pairedAurocDifference(
          given.map(({ right }) => right),
          given.map(({ a }) => a),
          given.map(({ b }) => b),
        );
        const rights = given.filter(({ right }) => right);
        const wrongs = given.filter(({ right }) => !right);
        expect(found === null).toBe(rights.length === 0 || wrongs.length === 0);
        if (found === null) return;
        let wins = 0;
        for (const one of rights)
          for (const other of wrongs) wins += one.a > other.a ? 1 : one.a === other.a ? 0.5 : 0;
        expect(found.aurocA).toBeCloseTo(wins / (rights.length * wrongs.length), 12);
        expect(found.se === null).toBe(rights.length < 2 || wrongs.length < 2);
      }),
    );
  });
});
