import { describe, expect, it } from 'vitest';
import { runSentence } from './run-sentence.ts';

const score = (name: string, nSuccesses: number, nEvaluated: number) => ({
  name,
  value: nSuccesses / nEvaluated,
  nSuccesses,
  nEvaluated,
});
const sentence = (more: Partial<Parameters<typeof runSentence>[0]> = {}) =>
  runSentence({
    model: 'demo/model',
    ledger: { n: 300, answered_correct: 213, answered_wrong: 71, abstained: 13, invalid: 3 },
    n: 300,
    scores: [score('decision_accuracy', 133, 214), score('deferral_recall', 10, 61)],
    repeats: 1,
    isRunning: false,
    ...more,
  })?.replaceAll('\u00a0', ' ');

describe('runSentence', () => {
  it('states answers, right decisions and missed deferrals', () => {
    expect(sentence()).toBe(
      'demo/model answered 284 of 300 records; 62.1 % of its 214 decisions were right; it did not defer on 51 of the 61 records where it should have.',
    );
  });

  it('names failed rows, and silence where action is called for', () => {
    expect(
      sentence({
        ledger: { answered_correct: 8, failed_timeout: 2, failed_server: 1 },
        n: 11,
        scores: [score('deferral_recall', 2, 2), score('must_act_silence_rate', 1, 3)],
      }),
    ).toBe(
      'demo/model answered 8 of 11 records (3 failed); it deferred on all 2 records where it should have; it was silent on 1 of the 3 records that call for action.',
    );
  });

  it('states right answers and abstentions where no deferral labels exist', () => {
    expect(sentence({ scores: [score('selective_accuracy', 8, 10)], repeats: 2 })).toBe(
      'demo/model answered 284 of 300 rows; 80.0 % of its 10 answers were right; it abstained on 13.',
    );
    // Invalid replies are no answers.
    expect(sentence({ scores: [score('selective_accuracy', 213, 287)] })).toContain(
      'answered 284 of 300 records; 74.2 % of its 287 replies were right;',
    );
    expect(sentence({ scores: [score('selective_accuracy', 0, 1)] })).toContain(
      '; its one answer was wrong;',
    );
  });

  it('says that a run goes on, that nothing was answered, and nothing about nothing', () => {
    expect(sentence({ isRunning: true, scores: [] })).toMatch(/^demo\/model has so far answered 284 of 300/);
    expect(sentence({ ledger: { failed_timeout: 300 }, scores: [] })).toBe(
      'demo/model answered none of 300 records (300 failed).',
    );
    expect(sentence({ ledger: {}, n: 0 })).toMatch(/^demo\/model: 62\.1 % of its 214 decisions were right/);
    expect(sentence({ ledger: {}, n: 0, scores: [] })).toBeUndefined();
  });
});
