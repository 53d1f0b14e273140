import { expect, it } from 'vitest';
import { wilsonInterval } from '../../statistics/proportions.ts';
import { listItems, MetricRubricTrait } from '../traits/metric-trait.ts';
import type { ItemVerdict, Verdict } from '../verdict.ts';
import type { HumanLabel } from './human-labels.ts';
import { judgeCalibration } from './judge-calibration.ts';

const lines = ['a', 'b', 'c', 'd', 'e', 'f', 'g', 'h'];
const trait = (name: string) => new MetricRubricTrait({ name, metrics: ['recall'], tpInstructions: lines });
const items = [...listItems(trait('one')), ...listItems(trait('two'))];

/** Letters for verdicts: p, a, c, u; - for none; ! for a judge's error. */
const WORDS: Record<string, Verdict> = { p: 'present', a: 'absent', c: 'contradicted', u: 'unclear' };
const judged = (letters: string) => ({
  questionId: 'q',
  items,
  verdicts: [...letters].flatMap((letter, i): ItemVerdict[] =>
    letter === '-'
      ? []
      : [{ id: items[i]!.id, verdict: WORDS[letter] ?? 'judge_error', quotes: [], reason: null }],
  ),
});
const labels = (letters: string): HumanLabel[] =>
  [...letters].map((letter, i) => ({
    questionId: 'q',
    item: { id: items[i]!.id },
    verdict: WORDS[letter]!,
    line: i + 1,
  }));

it('compares a judge with people: kappa, sensitivity, specificity', () => {
  const { overall } = judgeCalibration(labels('ppppaaac'), [judged('pppaaapc')]);
  // Agreement 6 of 8; chance (4 * 4 + 3 * 3 + 1 * 1) / 64.
  expect(overall.kappa).toBeCloseTo((6 / 8 - 26 / 64) / (1 - 26 / 64), 12);
  const [lower, upper] = wilsonInterval(3, 4)!;
  expect(overall.sensitivity).toEqual({
    value: 0.75,
    reason: null,
    n: 4,
    interval: { lower, upper, level: 0.95 },
  });
  expect(overall.specificity).toMatchObject({ value: 0.75, n: 4 });
  expect(overall).toMatchObject({ nCompared: 8, nUnclear: 0, nUnusable: 0 });
});

it('takes absent for contradicted in the shares, and not in kappa', () => {
  const { overall } = judgeCalibration(labels('pc'), [judged('pa')]);
  expect([overall.specificity.value, overall.kappa! < 1]).toEqual([1, true]);
});

it('leaves unclear items out of the shares, and errors out of everything, and counts them', () => {
  const { overall } = judgeCalibration(labels('ppaau'), [judged('pu!-p')]);
  expect(overall).toMatchObject({
    sensitivity: { value: 1, n: 1 },
    specificity: { value: null, reason: 'no_negative_labels', n: 0, interval: null },
    nCompared: 3,
    nUnclear: 2,
    nUnusable: 2,
  });
});

it('reports by trait', () => {
  const { byTrait, overall } = judgeCalibration(labels('ppppppppaa'), [judged('ppppppppap')]);
  expect(Object.keys(byTrait)).toEqual(['one', 'two']);
  expect([byTrait.one!.sensitivity.value, byTrait.two!.specificity.value, overall.specificity.n]).toEqual([
    1, 0.5, 2,
  ]);
});

it('finds an item by trait and line in any case, and says which labels fit nothing', () => {
  const named = (item: HumanLabel['item'], questionId = 'q', line = 1): HumanLabel => ({
    questionId,
    item,
    verdict: 'present',
    line,
  });
  const { overall, unmatched } = judgeCalibration(
    [
      named({ trait: 'ONE', instruction: ' A' }, 'q', 7),
      named({ id: items[0]!.id }, 'q', 9),
      named({ id: 'nothing' }),
      named({ trait: 'three', instruction: 'a' }),
      named({ id: items[0]!.id }, 'other'),
    ],
    [judged('p')],
  );
  expect(overall.nCompared).toBe(1);
  expect(unmatched.map(({ reason }) => reason)).toEqual([
    'labelled_already_in_line_7',
    'no_such_item',
    'no_such_item',
    'no_such_question',
  ]);
});

/** Labels of 40 questions, one item each of two kinds: every one right, drawn at random, by two people. */
function goodLabels(
  change: (label: HumanLabel, i: number) => Partial<HumanLabel> = () => ({}),
): HumanLabel[] {
  const pair = items.slice(0, 2);
  return Array.from({ length: 40 }, (_, q) =>
    ['ann', 'bob'].flatMap((rater) =>
      pair.map(
        ({ id }, i): HumanLabel => ({
          questionId: `q${q}`,
          item: { id },
          verdict: i === 0 ? 'present' : 'absent',
          rater,
          inclusionProbability: 0.25,
          line: 1,
        }),
      ),
    ),
  )
    .flat()
    .map((label, i) => ({ ...label, ...change(label, i) }));
}
const manyJudged = Array.from({ length: 40 }, (_, q) => ({
  questionId: `q${q}`,
  items: items.slice(0, 8),
  verdicts: [
    { id: items[0]!.id, verdict: 'present' },
    { id: items[1]!.id, verdict: 'absent' },
  ],
}));

it('calls a judge calibrated only by enough labels of both kinds, drawn at random and rated twice', () => {
  const found = judgeCalibration(goodLabels(), manyJudged);
  expect([found.status, found.nDoubleRated, found.nDisputed]).toEqual(['calibrated', 80, 0]);
  expect(found.byTrait.one!.status.reasons).toEqual([]);
});

it.each<[string, HumanLabel[], string]>([
  ['one label', goodLabels().slice(0, 1), 'too_few_present_labels'],
  [
    'labels picked by hand',
    goodLabels().map(({ inclusionProbability: _, ...rest }) => rest),
    'not_random_sample',
  ],
  [
    'labels drawn by verdict',
    goodLabels(({ verdict }) => ({ inclusionProbability: verdict === 'present' ? 0.1 : 0.9 })),
    'not_random_sample',
  ],
  ['one rater', goodLabels().filter(({ rater }) => rater === 'ann'), 'too_few_double_ratings'],
])('does not call a judge calibrated by %s', (_, given, reason) => {
  const found = judgeCalibration(given, manyJudged);
  expect(found.status).toBe('not_calibrated');
  expect(found.byTrait.one!.status.reasons).toContain(reason);
});

it('does not call several judges one calibrated instrument, nor a run with a trait that has no labels', () => {
  expect(
    judgeCalibration(goodLabels(), manyJudged, { sameInstrument: false }).byTrait.one!.status.reasons,
  ).toEqual(['not_same_instrument']);
  const both = manyJudged.map((question) => ({ ...question, items }));
  const found = judgeCalibration(goodLabels(), both);
  expect([found.status, found.byTrait.one!.status.status]).toEqual(['not_calibrated', 'calibrated']);
});

it('uses no label on which two raters disagree', () => {
  const found = judgeCalibration(
    goodLabels(({ rater, questionId }) =>
      rater === 'bob' && questionId === 'q0' ? { verdict: 'contradicted' } : {},
    ),
    manyJudged,
  );
  expect([found.nDisputed, found.overall.nCompared]).toEqual([2, 78]);
});
