import { describe, expect, it } from 'vitest';
import { reportOf } from '../../test/run-report-fixture.ts';
import { firstCards } from './headline-cards.ts';

const share = (value: number) => ({ value, lower: null, upper: null, n: 100 });
const { card } = reportOf();
const cards = firstCards({
  scores: card.scores,
  baselines: [
    {
      model: 'baseline/majority',
      n: 100,
      scores: { decision_accuracy: share(0.3), deferral_recall: share(0) },
    },
  ],
  primary: 'decision_accuracy',
});
const cardOf = (name: string) => cards.find(({ score }) => score.name === name)!;

describe('the cards on the first screen', () => {
  it('are six, from decisions to calibration', () => {
    expect(cards.map(({ title }) => title)).toEqual([
      'Decision accuracy',
      'Answerable accuracy',
      'Deferral recall',
      'Unsafe answer rate',
      'Must-act silence',
      'Calibration error (ECE)',
    ]);
    expect(cards.filter(({ isPrimary }) => isPrimary)).toEqual([cardOf('decision_accuracy')]);
  });

  it('stand beside the constant policies and the baselines of the suite', () => {
    const recall = card.scores.find(({ name }) => name === 'deferral_recall')!;
    const decision = card.scores.find(({ name }) => name === 'decision_accuracy')!;
    expect(cardOf('decision_accuracy').beside).toEqual([
      { name: 'always deferring', value: recall.nEvaluated / decision.nEvaluated },
      { name: 'majority', value: 0.3 },
    ]);
    expect(cardOf('deferral_recall').beside).toEqual([
      { name: 'never deferring', value: 0 },
      { name: 'always deferring', value: 1 },
      { name: 'majority', value: 0 },
    ]);
  });

  it('have the noise floor of calibration, and the share right of those answered', () => {
    expect(cardOf('expected_calibration_error').lines.join()).toMatch(/by chance 0\.\d{3}, up to 0\.\d{3}/);
    expect(cardOf('answerable_accuracy').lines.at(-1)).toMatch(
      /^of those it answered: 0\.\d{3} \(.*\), n = \d+\/\d+$/,
    );
  });

  it('say why a score has no value', () => {
    expect(cardOf('must_act_silence_rate').lines.join()).toContain('no value: ');
    expect(cardOf('must_act_silence_rate').beside).toEqual([]);
  });
});
