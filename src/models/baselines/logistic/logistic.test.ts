import { describe, expect, it } from 'vitest';
import { createRandom, shuffle } from '../../../statistics/random.ts';
import type { TrainingRow } from '../training-rows.ts';
import { logistic } from './logistic.ts';

const labels = ['present', 'absent'];
const ask = (training: readonly TrainingRow[], features: TrainingRow['features']) =>
  logistic({ labels }, training)({ id: 'a', features });

/** Three kinds of features, some not measured; the label follows creatinine, and it is left out more often when it is normal. */
const random = createRandom(3);
const cohort = Array.from({ length: 300 }, (): TrainingRow => {
  const creatinine = 0.5 + 3 * random.float();
  const ill = creatinine + random.float() > 2.2;
  const shown = random.float() < (ill ? 0.95 : 0.6);
  return {
    features: {
      creatinine: shown ? creatinine : null,
      hypertension: random.float() < (ill ? 0.8 : 0.3) ? 'yes' : 'no',
      visits: [{ egfr: 90 - 20 * creatinine }, { egfr: 90 - 21 * creatinine - 5 * random.float() }],
    },
    label: ill ? 0 : 1,
  };
});
const cases: TrainingRow['features'][] = [
  { creatinine: 0.7, hypertension: 'no', visits: [{ egfr: 76 }, { egfr: 75 }] },
  { creatinine: 3.1, hypertension: 'yes', visits: [{ egfr: 28 }, { egfr: 22 }] },
  { creatinine: null, hypertension: 'perhaps', visits: null },
];

describe('logistic', () => {
  it('learns what the features say, and never abstains', () => {
    const rule = logistic({ labels }, cohort);
    const answers = cases.map((features) => rule({ id: 'a', features }));
    expect(answers.slice(0, 2).map(({ prediction }) => prediction)).toEqual(['absent', 'present']);
    for (const answer of answers) {
      expect(answer).toMatchObject({ confidenceSource: 'calibrated' });
      expect(answer.abstained ?? false).toBe(false);
      expect(answer.confidence).toBeGreaterThanOrEqual(0.5);
      expect(answer.confidence).toBeLessThanOrEqual(1);
    }
    const right = cohort.filter(
      ({ features, label }) => rule({ id: 'a', features }).prediction === labels[label],
    );
    expect(right.length).toBeGreaterThan(250);
  });

  it('is the same on a second fit and whatever the order of rows, to the last bit', () => {
    const answers = (training: readonly TrainingRow[]) => cases.map((features) => ask(training, features));
    const first = answers(cohort);
    expect(answers(cohort)).toEqual(first);
    expect(answers(shuffle(createRandom(1), [...cohort]))).toEqual(first);
    expect(answers(cohort.toReversed())).toEqual(first);
  });

  it('sees that something was not measured', () => {
    // Lactate is measured in the ill only: not its value but its absence tells.
    const training = Array.from({ length: 60 }, (_, i): TrainingRow => {
      const ill = i % 2 === 0;
      return { features: { lactate: ill ? 2 + (i % 7) / 7 : null }, label: ill ? 0 : 1 };
    });
    expect(ask(training, { lactate: null }).prediction).toBe('absent');
    expect(ask(training, { lactate: 2.4 }).prediction).toBe('present');
  });

  it('gives the class shares where features teach nothing', () => {
    const training = [0, 0, 0, 1].map((label): TrainingRow => ({ features: { site: 'A' }, label }));
    const { prediction, confidence } = ask(training, { site: 'B' });
    expect(prediction).toBe('present');
    expect(confidence).toBeCloseTo(0.75, 7);
  });

  it('takes the first label of equals, and never answers a label that training lacks', () => {
    const training = [2, 1].map((label): TrainingRow => ({ features: {}, label }));
    const answer = logistic({ labels: ['a', 'b', 'c'] }, training)({ id: 'a', features: {} });
    expect(answer.prediction).toBe('b');
    expect(answer.confidence).toBe(0.5);
  });

  it('says what it rests on', () => {
    expect(ask(cohort, cases[1]!).rawResponse).toMatch(
      /^logistic regression on 300 training rows: present with probability [01]\.\d{3}$/,
    );
  });
});
