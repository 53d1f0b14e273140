import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { correctedDifference, correctedMean, type JudgedLabel, ppiMean } from './corrected-mean.ts';
import { horvitzThompson, labelShare, roganGladen } from './judge-accuracy.ts';
import {
  accuracyFromVerdictStrata,
  allocateLabels,
  designEffect,
  requiredLabelsForLowerBound,
  requiredLabelsForProportion,
  requiredLabelsForZeroEvents,
  stratifiedEstimate,
  wilsonClustered,
} from './label-plan.ts';
import {
  binaryAgreement,
  fleissAgreement,
  gwetAc1,
  kappaAgreement,
  krippendorffAlpha,
} from './rater-agreement.ts';

const VERDICTS = ['present', 'absent', 'contradicted', 'unclear'];
const label = fc.option(fc.constantFrom(...VERDICTS), { nil: null });
const cluster = fc.constantFrom('q1', 'q2', 'q3', 'q4');
const rows = fc.array(fc.tuple(label, label, cluster), { maxLength: 30 });
const columns = (all: readonly (readonly [string | null, string | null, string])[]) => ({
  a: all.map(([a]) => a),
  b: all.map(([, b]) => b),
  clusters: all.map(([, , c]) => c),
  categories: VERDICTS,
});

/** Nothing is NaN or infinite, and an interval holds its estimate. */
function expectSound(result: object | null): void {
  for (const value of Object.values(result ?? {}))
    if (typeof value === 'number') expect(Number.isFinite(value)).toBe(true);
}

describe('agreement', () => {
  it('is sound for any labels, and does not change when raters swap or verdicts are renamed', () => {
    fc.assert(
      fc.property(rows, fc.boolean(), (all, clustered) => {
        const { clusters, ...plain } = columns(all);
        const given = clustered ? { ...plain, clusters } : plain;
        const rename = (x: string | null) => (x === null ? null : VERDICTS[(VERDICTS.indexOf(x) + 1) % 4]!);
        for (const coefficient of [kappaAgreement, gwetAc1]) {
          const found = coefficient(given);
          expectSound(found);
          if (found === null) continue;
          expect(found.value ?? 0).toBeLessThanOrEqual(1 + 1e-12);
          if (found.lower !== null) expect(found.lower).toBeLessThanOrEqual(found.value! + 1e-12);
          const swapped = coefficient({ ...given, a: given.b, b: given.a })!;
          expect(swapped.value ?? 2).toBeCloseTo(found.value ?? 2, 10);
          expect(swapped.se ?? 2).toBeCloseTo(found.se ?? 2, 9);
          const renamed = coefficient({ ...given, a: given.a.map(rename), b: given.b.map(rename) })!;
          expect(renamed.value ?? 2).toBeCloseTo(found.value ?? 2, 10);
        }
      }),
    );
  });

  it.each([
    ['nothing', [], []],
    ['one rater', ['present', 'absent'], [null, null]],
  ])('has no value without pairs: %s', (_, a, b) => {
    expect(kappaAgreement({ a, b })).toBeNull();
    expect(gwetAc1({ a, b })).toBeNull();
  });

  it('has no kappa and an AC1 of 1 where one verdict is all there is', () => {
    const same = { a: ['x', 'x'], b: ['x', 'x'], categories: ['x', 'y'] };
    expect(kappaAgreement(same)).toMatchObject({ value: null, observed: 1, se: null });
    expect(gwetAc1(same)).toMatchObject({ value: 1, se: 0, lower: null, upper: null });
  });

  it('has no interval from one question', () => {
    const one = { a: ['x', 'y', 'x'], b: ['x', 'y', 'y'], clusters: ['q', 'q', 'q'] };
    expect(kappaAgreement(one)).toMatchObject({ se: null, lower: null });
  });

  it('weights by order', () => {
    const far = kappaAgreement({ a: [1, 2, 3, 1], b: [1, 2, 3, 3] }, { weights: 'quadratic' })!.value!;
    const near = kappaAgreement({ a: [1, 2, 3, 1], b: [1, 2, 3, 2] }, { weights: 'quadratic' })!.value!;
    expect(near).toBeGreaterThan(far);
  });

  it('alpha is sound for any units, whatever is missing', () => {
    fc.assert(
      fc.property(fc.array(fc.array(label, { maxLength: 5 }), { maxLength: 15 }), (units) => {
        const found = krippendorffAlpha(units, { clusters: units.map((_, i) => i % 3) });
        expectSound(found);
        expect(krippendorffAlpha(units.toReversed()).alpha ?? 2).toBeCloseTo(found.alpha ?? 2, 10);
        if (found.nUnits === 0) expect(found.alpha).toBeNull();
      }),
    );
  });

  it('alpha of two complete raters tends to Scott’s pi', () => {
    const units = Array.from({ length: 400 }, (_, i) => [i % 2, i % 5 === 0 ? 1 - (i % 2) : i % 2]);
    const agree = units.filter(([a, b]) => a === b).length / 400;
    const share = units.flat().filter((value) => value === 1).length / 800;
    const chance = share ** 2 + (1 - share) ** 2;
    expect(krippendorffAlpha(units).alpha).toBeCloseTo((agree - chance) / (1 - chance), 2);
  });

  it('tables with zeros are null where undefined', () => {
    expect(fleissAgreement([])).toBeNull();
    expect(fleissAgreement([[1, 0]])).toBeNull();
    expect(
      fleissAgreement([
        [2, 0],
        [2, 0],
      ]),
    ).toMatchObject({ kappa: null, byCategory: [null, null] });
    expect(binaryAgreement({ yesYes: 0, yesNo: 0, noYes: 0, noNo: 0 })).toMatchObject({
      observed: null,
      kappa: null,
      pabak: null,
    });
    expect(binaryAgreement({ yesYes: 5, yesNo: 0, noYes: 0, noNo: 0 })).toMatchObject({
      negativeAgreement: null,
      kappa: null,
    });
    fc.assert(
      fc.property(fc.nat(9), fc.nat(9), fc.nat(9), fc.nat(9), (yesYes, yesNo, noYes, noNo) =>
        expectSound(binaryAgreement({ yesYes, yesNo, noYes, noNo })),
      ),
    );
  });
});

describe('label counts', () => {
  it.each([
    [0.5, 0.1, 97],
    [0.5, 0.05, 385],
    [0.8, 0.1, 62],
    [0.95, 0.03, 203],
  ])('share %f +- %f needs %i', (expected, halfWidth, n) => {
    expect(requiredLabelsForProportion({ halfWidth, expected })).toBe(n);
  });

  it('the other tables of the plan', () => {
    expect([0.9, 0.95, 0.98].map((share) => requiredLabelsForLowerBound({ share, target: 0.75 }))).toEqual([
      33, 19, 14,
    ]);
    expect(requiredLabelsForLowerBound({ share: 0.9, target: 0.9 })).toBeNull();
    expect([0.1, 0.05, 0.02, 0.01].map((rate) => requiredLabelsForZeroEvents(rate))).toEqual([
      29, 59, 149, 299,
    ]);
    expect([requiredLabelsForZeroEvents(0), requiredLabelsForProportion({ halfWidth: 0 })]).toEqual([
      null,
      null,
    ]);
  });
});

describe('clustered shares', () => {
  it('are sound for any rows', () => {
    fc.assert(
      fc.property(fc.array(fc.tuple(fc.constantFrom(0, 1), cluster), { maxLength: 30 }), (all) => {
        const [values, clusters] = [all.map(([v]) => v), all.map(([, c]) => c)];
        expectSound(designEffect(values, clusters));
        const share = wilsonClustered(values, clusters);
        expectSound(share);
        if (share === null) return;
        expect(share.lower).toBeLessThanOrEqual(share.value + 1e-12);
        expect(share.upper).toBeGreaterThanOrEqual(share.value - 1e-12);
        expect(share.nEffective).toBeLessThanOrEqual(share.n + 1e-9);
      }),
    );
  });
});

describe('allocateLabels', () => {
  const strata = fc.array(
    fc.record({ id: fc.string(), size: fc.nat(40), sd: fc.constantFrom(0, 0.3, 0.5) }),
    { maxLength: 5 },
  );

  it('gives out all labels that there is room for, never more than a stratum has', () => {
    fc.assert(
      fc.property(
        strata,
        fc.nat(100),
        fc.nat(3),
        fc.constantFrom('proportional', 'equal', 'neyman'),
        (all, n, minimum, method) => {
          const given = allocateLabels(all, n, { method, minimum });
          const room = all.reduce((sum, { size }) => sum + size, 0);
          if (given === null) {
            expect(all.reduce((sum, { size }) => sum + Math.min(minimum, size), 0)).toBeGreaterThan(n);
            return;
          }
          expect(given.reduce((sum, own) => sum + own.n, 0)).toBe(Math.min(n, room));
          for (const [i, own] of given.entries()) expect(own.n).toBeLessThanOrEqual(all[i]!.size);
        },
      ),
    );
  });

  it('needs a spread for neyman', () => {
    expect(allocateLabels([{ id: 'a', size: 5 }], 2, { method: 'neyman' })).toBeNull();
  });
});

describe('corrected scores', () => {
  const item: fc.Arbitrary<JudgedLabel> = fc.record({
    judge: fc.constantFrom(0, 1),
    human: fc.option(fc.constantFrom(0, 1), { nil: null }),
    pi: fc.constantFrom(0.1, 0.5, 1),
    cluster,
  });
  const items = fc.array(item, { maxLength: 40 });

  it('are sound for any items, and do not depend on their order', () => {
    fc.assert(
      fc.property(items, (all) => {
        const found = correctedMean(all);
        expectSound(found);
        const reversed = correctedMean(all.toReversed());
        expect(reversed.estimate ?? 2).toBeCloseTo(found.estimate ?? 2, 9);
        expect(reversed.se ?? 2).toBeCloseTo(found.se ?? 2, 9);
        expect(found.nLabelledClusters < 2).toBe(found.estimate === null);
        expectSound(correctedDifference(all, all.toReversed()));
        if (found.estimate !== null)
          expect(correctedDifference(all, all)).toMatchObject({ difference: 0, se: 0, lower: null });
      }),
    );
  });

  it('lambda 0 is Hájek, a common factor on the probabilities changes nothing, and labels on all items give the human mean', () => {
    fc.assert(
      fc.property(items, (all) => {
        const people = correctedMean(all, { lambda: 0 });
        if (people.estimate === null) return;
        const labelled = all.filter(({ human }) => human !== null);
        const hajek = horvitzThompson(
          labelled.map(({ human }) => human!),
          labelled.map(({ pi }) => pi!),
        )!.hajek;
        expect(people.estimate).toBeCloseTo(hajek, 9);
        const halved = correctedMean(all.map((own) => ({ ...own, pi: own.pi! / 2 })));
        expect(halved.estimate).toBeCloseTo(correctedMean(all).estimate!, 9);
        const whole = all.map((own) => ({ ...own, human: own.human ?? 1, pi: 1 }));
        const mean = whole.reduce((sum, { human }) => sum + human, 0) / whole.length;
        for (const lambda of [0, 0.5, 1, 'tuned'] as const)
          expect(correctedMean(whole, { lambda }).estimate).toBeCloseTo(mean, 9);
      }),
    );
  });

  it('a judge that agrees with people gives the raw share', () => {
    const all = ['a', 'b', 'c', 'd'].flatMap((name, i) => [
      { judge: i % 2, human: i % 2, pi: 0.5, cluster: name },
      { judge: 1, human: null, pi: 0.5, cluster: name },
    ]);
    expect(correctedMean(all)).toMatchObject({
      estimate: 0.75,
      raw: 0.75,
      lambda: 1,
      reason: 'no_disagreement_in_labels',
    });
  });

  it('refuses labels without a probability', () => {
    const all = ['a', 'b'].map((name) => ({ judge: 1, human: 1, pi: null, cluster: name }));
    expect(correctedMean(all)).toMatchObject({ estimate: null, reason: 'unknown_probabilities' });
    expect(correctedMean([])).toMatchObject({
      estimate: null,
      raw: null,
      reason: 'too_few_labelled_questions',
    });
    expect(horvitzThompson([1], [0])).toBeNull();
    expect(ppiMean([], [], [])).toBeNull();
    expect(ppiMean([1, 0], [1, 1], [1, 1])).toMatchObject({ lambda: 0, estimate: 0.5 });
  });

  it('Rogan and Gladen with a perfect judge gives the raw share, and is undefined without labels', () => {
    const counts = {
      judgePositive: 30,
      nJudged: 100,
      truePositive: 20,
      nHumanPositive: 20,
      trueNegative: 20,
      nHumanNegative: 20,
    };
    expect(roganGladen(counts)).toMatchObject({ corrected: expect.closeTo(0.3, 12), clipped: false });
    expect(roganGladen({ ...counts, nJudged: 0, judgePositive: 0 }).reason).toBe('nothing_judged');
    expect(roganGladen({ ...counts, truePositive: 0, nHumanPositive: 0 }).reason).toBe(
      'no_human_positive_labels',
    );
    expect(roganGladen({ ...counts, trueNegative: 0, nHumanNegative: 0 }).reason).toBe(
      'no_human_negative_labels',
    );
    fc.assert(
      fc.property(fc.nat(20), fc.nat(20), fc.nat(20), (x, s, t) => {
        const found = roganGladen({
          judgePositive: x,
          nJudged: 20,
          truePositive: s,
          nHumanPositive: 20,
          trueNegative: t,
          nHumanNegative: 20,
        });
        expectSound(found);
        if (found.adjusted) expect(found.adjusted.lower).toBeLessThanOrEqual(found.adjusted.upper);
      }),
    );
  });

  it('strata drawn in proportion give the plain mean, and a stratum without labels gives nothing', () => {
    const strata = [
      { size: 40, n: 4, positives: 3 },
      { size: 80, n: 8, positives: 2 },
    ];
    expect(stratifiedEstimate(strata)!.estimate).toBeCloseTo(5 / 12, 12);
    expect(stratifiedEstimate([...strata, { size: 1, n: 0, positives: 0 }])).toMatchObject({
      estimate: null,
      reason: 'stratum_without_labels',
    });
    expect(stratifiedEstimate([])).toBeNull();
    expect(stratifiedEstimate([{ size: 4, n: 4, positives: 2 }], { target: 'frame' })).toMatchObject({
      estimate: 0.5,
      se: 0,
      lower: null,
    });
    expect(
      accuracyFromVerdictStrata({ size: 5, n: 0, positives: 0 }, { size: 5, n: 1, positives: 0 }),
    ).toBeNull();
    expect(
      accuracyFromVerdictStrata({ size: 5, n: 5, positives: 5 }, { size: 0, n: 0, positives: 0 }),
    ).toMatchObject({ sensitivity: 1, specificity: null, npv: null });
  });
});

describe('labels that were drawn with unequal probabilities', () => {
  const a = ['x', 'x', 'y', 'y', 'x', 'y'];
  const b = ['x', 'y', 'y', 'x', 'x', 'y'];
  const clusters = ['q1', 'q1', 'q2', 'q2', 'q3', 'q3'];
  const probabilities = [0.5, 1, 1, 1, 0.5, 1];

  it('count in kappa as often as they stand for others', () => {
    const repeated = <T>(values: readonly T[]) =>
      values.flatMap((value, i) => Array.from({ length: 1 / probabilities[i]! }, () => value));
    const counted = kappaAgreement({ a: repeated(a), b: repeated(b), clusters: repeated(clusters) })!;
    const weighed = kappaAgreement({ a, b, clusters, probabilities })!;
    for (const key of ['value', 'se', 'lower', 'upper'] as const)
      expect(weighed[key]).toBeCloseTo(counted[key]!, 12);
    expect([weighed.n, counted.n]).toEqual([6, 8]);
    expect(kappaAgreement({ a, b, clusters, probabilities: a.map(() => 0.3) })!.upper).toBeCloseTo(
      kappaAgreement({ a, b, clusters })!.upper!,
      12,
    );
  });

  it('are refused without clusters, and where a probability is none', () => {
    expect(() => kappaAgreement({ a, b, probabilities })).toThrow('needs clusters');
    expect(() => kappaAgreement({ a, b, clusters, probabilities: a.map(() => 0) })).toThrow('(0, 1]');
  });

  it('have an interval where all agree, no narrower than that of as many clusters', () => {
    const values = clusters.map((cluster, i) => ({ value: 1, pi: probabilities[i]!, cluster }));
    const { value, lower, upper } = labelShare(values, 0.95);
    expect([value, upper]).toEqual([1, 1]);
    expect(lower).toBeCloseTo(wilsonClustered([1, 1, 1], ['a', 'b', 'c'])!.lower, 12);
  });
});
