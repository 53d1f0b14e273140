import { expect, it } from 'vitest';
import { type CalibrationPair, labelEvidence, refutingMeasures } from './judge-gate-status.ts';

type Verdict = NonNullable<CalibrationPair['human']>;

/** One labelled item for each of 40 questions. */
function pairs(
  verdicts: (q: number) => readonly [human: Verdict | null, judge: Verdict | null],
  more: (q: number) => Partial<CalibrationPair> = () => ({}),
): CalibrationPair[] {
  return Array.from({ length: 40 }, (_, q) => {
    const [human, judge] = verdicts(q);
    return {
      traitName: 'safety',
      question: `q${q}`,
      isDoubleRated: false,
      inclusionProbabilities: [0.2],
      human,
      judge,
      ...more(q),
    };
  });
}
const people = (q: number): Verdict => (q % 2 === 0 ? 'present' : 'absent');
const measures = (given: readonly CalibrationPair[], names = ['safety']) =>
  refutingMeasures(labelEvidence(given, names));

it('a judge that agrees with people is not refuted', () => {
  expect(
    labelEvidence(
      pairs((q) => [people(q), people(q)]),
      ['safety'],
    ),
  ).toEqual({
    trait: null,
    nLabelled: 40,
    nQuestions: 40,
    randomSample: true,
    sensitivityUpper: 1,
    specificityUpper: 1,
    kappaUpper: null,
    positiveShare: 0.5,
  });
});

it('a judge that says present of everything is refuted by its specificity', () => {
  expect(measures(pairs((q) => [people(q), 'present']))).toEqual(['specificity']);
});

it('labels picked by hand refute nothing', () => {
  const picked = pairs(
    (q) => [people(q), 'present'],
    () => ({ inclusionProbabilities: [null] }),
  );
  expect(labelEvidence(picked, ['safety'])).toMatchObject({ nLabelled: 40, randomSample: false });
  expect(measures(picked)).toEqual([]);
});

it('labels picked by hand beside drawn ones are not counted', () => {
  const mixed = pairs(
    (q) => [people(q), q < 22 ? people(q) : 'present'],
    (q) => ({ inclusionProbabilities: q < 22 ? [0.2, 0.2] : [0.2, null] }),
  );
  expect(labelEvidence(mixed, ['safety'])).toMatchObject({ nLabelled: 22, randomSample: true });
  expect(measures(mixed)).toEqual([]);
});

it('weighs labels that were drawn with unequal probabilities', () => {
  // Of the items that are present to people, half were judged absent; these were drawn ten times as often.
  const given = pairs(
    (q) => [q % 4 === 3 ? 'absent' : 'present', q % 4 === 0 || q % 4 === 3 ? 'absent' : 'present'],
    (q) => ({ inclusionProbabilities: [q % 4 === 0 ? 1 : 0.1] }),
  );
  const plain = given.map((pair) => ({ ...pair, inclusionProbabilities: [0.1] }));
  const [weighed, even] = [given, plain].map((of) => labelEvidence(of, ['safety']));
  expect(weighed!.sensitivityUpper!).toBeGreaterThan(even!.sensitivityUpper!);
  expect(weighed!.positiveShare!).toBeCloseTo((10 + 200) / (10 + 200 + 100), 12);
  expect(even!.positiveShare).toBe(0.75);
});

it('a judge that misses everything is refuted, however the labels were drawn', () => {
  const given = pairs(
    (q) => [people(q), 'absent'],
    (q) => ({ inclusionProbabilities: [q % 4 === 0 ? 0.5 : 0.1] }),
  );
  expect(measures(given)).toEqual(['sensitivity']);
});

it('counts items with a clear verdict on both sides only', () => {
  const given = pairs((q) =>
    q < 10
      ? ['unclear', 'present']
      : q < 20
        ? ['absent', 'unclear']
        : q < 25
          ? [null, 'present']
          : ['absent', null],
  );
  expect(labelEvidence(given, ['safety'])).toMatchObject({
    nLabelled: 0,
    nQuestions: 0,
    positiveShare: null,
  });
});

it('contradicted and absent are both not present', () => {
  expect(measures(pairs((q) => [people(q), q % 2 === 0 ? 'present' : 'contradicted']))).toEqual([]);
});

it('finds a trait on which people disagreed with the judge, where labels on all traits hide it', () => {
  const good = pairs(
    (q) => [people(q), people(q)],
    () => ({ traitName: 'coverage' }),
  );
  const more = Array.from({ length: 4 }, () => good).flat();
  const bad = pairs((q) => [people(q), q % 4 === 0 ? 'absent' : people(q)]);
  expect(measures([...more, ...bad], ['coverage'])).toEqual([]);
  const evidence = labelEvidence([...more, ...bad], ['coverage', 'safety']);
  expect([evidence.trait, refutingMeasures(evidence)]).toEqual(['safety', ['sensitivity']]);
});
