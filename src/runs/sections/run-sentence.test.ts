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
    scores: [
      score('missed_emergency_rate', 2, 15),
      score('false_alarm_rate', 1, 285),
      score('answered_should_defer_rate', 51, 61),
      score('wrong_answer_rate', 30, 153),
      score('deferred_without_need_rate', 3, 153),
      score('decision_accuracy', 133, 214),
      score('decision_accuracy_clear', 120, 180),
    ],
    repeats: 1,
    isRunning: false,
    ...more,
  })?.replaceAll('\u00a0', ' ');

describe('runSentence', () => {
  it('begins with emergencies and harm, then cost, right decisions and answers', () => {
    expect(sentence()).toBe(
      'demo/model missed 2 of 15 emergencies and raised 1 false alarm in 285 other cases. It answered 51 of 61 cases that should have been deferred, gave 30 wrong answers in 153 cases that call for an answer and deferred 3 of these without need. It made the right decision in 62.1 % of 214 cases and in 66.7 % of the 180 that do not lie near a line. It answered 284 of 300 cases (3 replies could not be used).',
    );
  });

  it('names failed calls, silence where urgency was not asked, and what is unknown', () => {
    const failed = { answered_correct: 8, failed_timeout: 2, failed_server: 1 };
    expect(sentence({ ledger: failed, n: 11, scores: [score('must_act_silence_rate', 1, 3)] })).toBe(
      'demo/model was silent in 1 of 3 emergencies. It answered 8 of 11 cases (3 calls failed).',
    );
    const unknown = { name: 'missed_emergency_rate', value: null, nEvaluated: 0, reason: 'all_rows_failed' };
    expect(sentence({ ledger: failed, n: 11, scores: [unknown] })).toBe(
      'demo/model may miss emergencies, since every call about one failed. It answered 8 of 11 cases (3 calls failed).',
    );
  });

  it('states wrong answers, deferrals and accuracy where no deferral labels exist', () => {
    const scores = [score('wrong_answer_rate', 71, 300), score('accuracy', 213, 300)];
    expect(sentence({ scores, repeats: 2 })).toBe(
      'demo/model gave 71 wrong answers in 300 cases and deferred 13. It was right in 71.0 % of 300 cases. It answered 284 of 300 times (3 replies could not be used).',
    );
  });

  it('says that a run goes on, that nothing was answered, and nothing about nothing', () => {
    expect(sentence({ isRunning: true, scores: [] })).toMatch(/^demo\/model has so far answered 284 of 300/);
    expect(sentence({ ledger: { failed_timeout: 300 }, scores: [] })).toBe(
      'demo/model answered none of 300 cases (300 calls failed).',
    );
    expect(sentence({ ledger: {}, n: 0 })).toMatch(/in 66\.7 % of the 180 that do not lie near a line\.$/);
    expect(sentence({ ledger: {}, n: 0, scores: [] })).toBeUndefined();
  });
});
