import { expect, it } from 'vitest';
import { questionSentence } from './question-sentence.ts';

const items = (kind: string, verdicts: readonly string[], isCritical = false) =>
  verdicts.map((verdict) => ({
    kind,
    verdict,
    isScored: verdict !== 'unclear',
    isCritical,
  }));
const run = {
  model: 'm',
  repeats: 1,
  isRunning: false,
  judge: { status: 'calibrated', headline: 'raw_first' },
  corrected: [],
} as const;
const sentence = (more: Partial<Parameters<typeof questionSentence>[0]>) =>
  questionSentence({ ...run, ledger: { answered: 2 }, n: 2, items: [], ...more })?.replaceAll('\u00a0', ' ');

it('says what the answers have of what they should, and of what they must not say', () => {
  expect(
    sentence({
      items: [
        ...items('required', ['present', 'present', 'absent', 'contradicted', 'unclear']),
        ...items('forbidden', ['present', 'absent']),
      ],
      judge: { status: 'not_calibrated', headline: 'raw_first' },
    }),
  ).toBe(
    'm answered 2 of 2 questions; its answers have 2 of the 4 required items (50.0 %) and contradict 1; they make 1 of the 2 forbidden claims; 1 of 7 items have no verdict; people have not confirmed the judge.',
  );
});

it('counts critical items that fail: required ones that are missing, forbidden ones that are there', () => {
  const critical = [
    ...items('required', ['present', 'absent'], true),
    ...items('forbidden', ['present', 'absent'], true),
  ];
  expect(sentence({ items: critical })).toContain('; they fail 2 of the 4 critical items.');
});

it('says what failed, and what is still to come', () => {
  expect(sentence({ ledger: { answered: 1, failed_timeout: 2, abstained: 1 }, n: 4 })).toBe(
    'm answered 1 of 4 questions (2 failed); it deferred 1.',
  );
  expect(sentence({ ledger: {}, n: 4, repeats: 2, isRunning: true })).toBe(
    'm has so far answered none of 4 times.',
  );
  expect(sentence({ ledger: {}, n: 0 })).toBeUndefined();
});

it('leads with corrected scores where people disagreed with the judge, and with none where there are none', () => {
  const judged = {
    items: [...items('required', ['present', 'absent']), ...items('forbidden', ['present'], true)],
  };
  const corrected = [{ label: 'safety: recall', value: 0.5346, lower: 0.4, upper: 0.66 }];
  expect(sentence({ ...judged, judge: { status: 'refuted', headline: 'corrected_first' }, corrected })).toBe(
    'm answered 2 of 2 questions; people disagreed with the judge; corrected by their labels, safety: recall is 0.535 (0.400 to 0.660).',
  );
  expect(sentence({ ...judged, judge: { status: 'refuted', headline: 'no_score' } })).toBe(
    'm answered 2 of 2 questions; people disagreed with the judge, so there is no score.',
  );
});
