import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { juryDissent, juryVerdicts, juryWeight, settledVerdict } from './jury-verdicts.ts';

const word = fc.constantFrom(
  'present',
  'absent',
  'contradicted',
  'unclear',
  'unverified',
  'judge_error',
  null,
);
const passes = fc.array(word, { maxLength: 4 });

describe('juryVerdicts', () => {
  it('of one judge is its settled verdict', () => {
    fc.assert(
      fc.property(passes, (all) => {
        expect(juryVerdicts(['a'], [{ a: all }])[0]!.verdict).toBe(settledVerdict(all));
      }),
    );
  });

  it('is sound for any votes, and does not depend on the order of judges', () => {
    fc.assert(
      fc.property(
        fc.array(fc.record({ a: passes, b: passes, c: passes, d: passes }), { maxLength: 8 }),
        (items) => {
          const found = juryVerdicts(['a', 'b', 'c', 'd'], items);
          expect(juryVerdicts(['d', 'b', 'a', 'c'], items)).toEqual(found);
          for (const { verdict, support, nJudges, reason } of found) {
            expect(verdict === null).toBe(reason === 'no_quorum');
            expect(verdict === null).toBe(nJudges < 3);
            if (reason === null) expect(support).toBeGreaterThan(0.5);
          }
          expect(
            juryDissent(
              ['a', 'b'],
              items.map(({ a, b }) => ({ a: a[0] ?? null, b: b[0] ?? null })),
            ).byJudge.a!.n,
          ).toBeLessThanOrEqual(items.length);
        },
      ),
    );
  });

  it('counts a judge once, however often it was asked', () => {
    const often = { a: ['present', 'present', 'present'], b: ['absent'], c: ['absent'] };
    expect(juryVerdicts(['a', 'b', 'c'], [often])[0]).toMatchObject({ verdict: 'absent', support: 2 / 3 });
  });

  it('follows weights and quorum', () => {
    const item = { a: ['present'], b: ['absent'], c: ['absent'] };
    expect(juryVerdicts(['a', 'b', 'c'], [item], { weights: { a: 3, b: 1, c: 1 } })[0]).toMatchObject({
      verdict: 'present',
      support: 0.6,
    });
    expect(juryVerdicts(['a', 'b', 'c'], [{ a: ['present'] }], { quorum: 1 })[0]).toMatchObject({
      verdict: 'present',
    });
    expect(juryVerdicts(['a', 'b'], [item], { weights: { a: 0, b: 0 } })[0]).toMatchObject({
      verdict: 'unclear',
      reason: 'no_majority',
    });
    expect(() => juryVerdicts(['a'], [item], { weights: { a: -1 } })).toThrow(
      'the weight of judge "a" is -1',
    );
    expect(() => juryVerdicts(['a', 'b'], [item], { weights: { a: 1 } })).toThrow('the weight of judge "b"');
  });

  it('weights a judge no better than chance with 0', () => {
    expect([juryWeight(25, 100), juryWeight(0, 0)]).toEqual([0, 0]);
    expect(() => juryWeight(5, 4)).toThrow('5 right of 4');
  });
});

describe('juryDissent', () => {
  it('has no rates without items or with one judge, and names no judge on a tie', () => {
    expect(juryDissent(['a', 'b'], [])).toMatchObject({
      alpha: null,
      mostDifferent: null,
      pairwise: { 'a|b': null },
    });
    expect(juryDissent(['a'], [{ a: 'present' }]).byJudge.a).toEqual({
      n: 0,
      dissentRate: null,
      changedByJury: 0,
    });
    expect(juryDissent(['a', 'b'], [{ a: 'present', b: 'absent' }]).mostDifferent).toBeNull();
  });
});
