import fc from 'fast-check';
import { expect, it } from 'vitest';
import { strataCounts } from './published-figures.ts';

const stratum = fc
  .tuple(fc.integer({ min: 1, max: 60 }), fc.nat(60), fc.nat(60))
  .map(([n, a, b]) => ({ n, correct: a % (n + 1), abstained: b % (n + 1 - (a % (n + 1))) }));

const sum = (strata: readonly { n: number; correct: number; abstained: number }[]) =>
  strata.reduce((all, { n, correct, abstained }) => ({
    n: all.n + n,
    correct: all.correct + correct,
    abstained: all.abstained + abstained,
  }));

it('finds the counts behind the shares, or says that it cannot', () => {
  fc.assert(
    fc.property(fc.array(stratum, { minLength: 1, maxLength: 5 }), (strata) => {
      const shares = strata.map(({ n, correct, abstained }) => ({
        accuracy: correct / n,
        abstentionRate: abstained / n,
      }));
      const found = strataCounts(shares, sum(strata));
      if (found !== null) expect(found).toEqual(strata);
    }),
  );
});

it('says nothing where several counts fit', () => {
  const shares = { accuracy: 1, abstentionRate: 0 };
  expect(strataCounts([shares, shares], { n: 10, correct: 10, abstained: 0 })).toBeNull();
  expect(strataCounts([shares], { n: 10, correct: 10, abstained: 0 })).toEqual([
    { n: 10, correct: 10, abstained: 0 },
  ]);
  expect(strataCounts([], { n: 0, correct: 0, abstained: 0 })).toBeNull();
});
