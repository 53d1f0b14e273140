import { describe, expect, it } from 'vitest';
import { wilsonInterval } from '../statistics/proportions.ts';
import { decodeRun } from '../store/run.ts';
import { cardWithoutRows, publishedScores } from './published-scores.ts';

const published = {
  accuracy: {
    name: 'accuracy',
    value: 0.76875,
    n_evaluated: 160,
    n_abstained: 30,
    breakdown: { stage_1: 0.9 },
    details: { n_correct: 123 },
  },
  brier_score: { value: null, n_evaluated: 130, n_abstained: 30, details: { reason: 'non_binary' } },
  their_own: {
    value: 1,
    interval: { lower: 0, upper: 1, level: 0.95, method: 'wilson', resamples: null, unit: 'row' },
  },
  broken: 7,
};

describe('publishedScores', () => {
  const scores = publishedScores({ scores: published });

  it('knows our metrics by name, and others as they are', () => {
    expect([...scores.keys()]).toEqual(['accuracy', 'brier_score', 'their_own']);
    expect(scores.get('accuracy')).toMatchObject({
      label: 'Accuracy (over all cases)',
      family: 'correctness',
      value: 0.76875,
      reason: null,
      interval: null,
      nEvaluated: 160,
      breakdown: { stage_1: 0.9 },
    });
    expect(scores.get('brier_score')).toMatchObject({ value: null, reason: 'non_binary' });
    expect(scores.get('their_own')).toMatchObject({ family: 'custom', interval: { method: 'wilson' } });
  });

  it('is empty where nothing is stored', () => {
    expect(publishedScores({}).size).toBe(0);
    expect(publishedScores(decodeRun({ scores: 'none' })).size).toBe(0);
  });
});

describe('cardWithoutRows', () => {
  it('has values, with intervals where the counts are published, and says why others have none', () => {
    const card = cardWithoutRows({
      scores: published,
      task: decodeRun({ task: { pack: 'staging' } }).task,
    });
    expect([card.n, card.nScored, card.task]).toEqual([160, 160, 'staging']);
    const [lower, upper] = wilsonInterval(123, 160)!;
    for (const { name, interval, intervalReason } of card.scores)
      if (name === 'accuracy') expect(interval).toMatchObject({ lower, upper, method: 'wilson' });
      else expect([interval, intervalReason]).toEqual([null, 'imported_without_rows']);
  });

  it('takes the ledger of the manifest', () => {
    const ledger = { n: 4, answered_correct: 3, abstained: 1 };
    expect(cardWithoutRows({ ledger })).toMatchObject({ n: 4, ledger: { ...ledger, invalid: 0 } });
  });
});
