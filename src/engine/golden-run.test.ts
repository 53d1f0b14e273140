import { describe, expect, it } from 'vitest';
import { response, scriptedBackend, suiteOf } from '../../test/engine-fixture.ts';
import type { PatientRecord } from '../core/patient-record.ts';
import { BackendError } from '../models/backend-error.ts';
import { Benchmark } from './benchmark.ts';

/**
 * One run, small enough to check with pen and paper, from records to scores.
 *
 * Six patients, asked four at a time. The first reply is whole. The second is cut after its first row; what is left, p6, is asked alone, cut again, asked once more singly, cut
 * again, and fails.
 *
 *      truth  should defer  reply            ends as
 *  p1  yes    no            yes, 0.9         answered, right
 *  p2  yes    no            no, 0.6          answered, wrong
 *  p3  no     no            no, 0.8          answered, right
 *  p4  no     yes           abstains, 0.4    abstained
 *  p5  no     no            "maybe", 0.7     invalid: not a label of the task
 *  p6  yes    no            cut three times  failed, truncated
 */
const patient = (id: string, label: string, shouldAbstain = false): PatientRecord => ({
  id,
  features: { value: id },
  label,
  metadata: { should_abstain: shouldAbstain },
});
const suite = suiteOf([
  patient('p1', 'yes'),
  patient('p2', 'yes'),
  patient('p3', 'no'),
  patient('p4', 'no', true),
  patient('p5', 'no'),
  patient('p6', 'yes'),
]);

/** A quarter of a first reply of 100 tokens in and 20 out; half of a second of 60 and 10. */
const firstReply = { inputTokens: 25, outputTokens: 5, totalTokens: 30 };
const secondReply = { inputTokens: 30, outputTokens: 5, totalTokens: 35 };
const cut = (inputTokens: number, outputTokens: number, partial: ReturnType<typeof response>[] = []) =>
  new BackendError('truncated', 'the reply was cut', { usage: { inputTokens, outputTokens }, partial });

const backend = scriptedBackend(({ ids }) => {
  if (ids === 'p1p2p3p4')
    return [
      response({ prediction: 'yes', confidence: 0.9, ...firstReply }),
      response({ prediction: 'no', confidence: 0.6, ...firstReply }),
      response({ prediction: 'no', confidence: 0.8, ...firstReply }),
      response({ prediction: null, abstained: true, confidence: 0.4, ...firstReply }),
    ];
  if (ids === 'p5p6') throw cut(60, 10, [response({ prediction: 'maybe', confidence: 0.7, ...secondReply })]);
  throw cut(35, 8);
});

describe('the golden run', async () => {
  const result = await new Benchmark(suite, backend, { batchSize: 4, bundle: 'extended' }).run();
  const score = (name: string) => result.metricScores.find((found) => found.name === name)!;

  it('asks what it should, and nothing twice', () => {
    expect(backend.calls).toEqual(['p1p2p3p4', 'p5p6', 'p6', '(p6)']);
  });

  it('ends every row in its state', () => {
    expect(
      result.evaluationResults.map(({ id, state, stateReason, prediction, confidence }) =>
        [id, state, stateReason, prediction, confidence].join(' '),
      ),
    ).toEqual([
      'p1 answered  yes 0.9',
      'p2 answered  no 0.6',
      'p3 answered  no 0.8',
      'p4 abstained   0.4',
      'p5 invalid label_not_in_task maybe 0.7',
      'p6 failed truncated  ',
    ]);
    expect(result.ledger).toEqual({
      n: 6,
      answered_correct: 2,
      answered_wrong: 1,
      abstained: 1,
      invalid: 1,
      refused: 0,
      failed_truncated: 1,
      not_run: 0,
    });
  });

  it('counts what it took', () => {
    expect(result.extras).toMatchObject({
      n_api_batches: 2, // planned: 4 and 2 records
      n_calls: 4, // the two, p6 alone, p6 singly
      n_splits: 1, // p5p6
      n_single_fallbacks: 1, // p6
      n_retries: 0, // a reply that was cut is never asked for again as it was
      input_tokens: 230, // 100 + 60 + 35 + 35
      output_tokens: 46, // 20 + 10 + 8 + 8
      token_total: 276,
      wasted_tokens: 86, // 43 + 43: p6 brought nothing, the second reply brought p5
    });
    expect(result.evaluationResults.map(({ totalTokens }) => totalTokens)).toEqual([
      30,
      30,
      30,
      30,
      35,
      null,
    ]);
    expect(result.evaluationResults.map(({ tokensEstimated }) => tokensEstimated)).toEqual([
      true,
      true,
      true,
      true,
      true,
      false,
    ]);
  });

  // p6 failed on us and is not scored: n = 5, of which 3 answered, 1 abstained, 1 invalid.
  it.each([
    ['accuracy', 2 / 5], // p1, p3 of 5
    ['balanced_accuracy', (1 / 2 + 1 / 3) / 2], // yes: p1 of p1 p2; no: p3 of p3 p4 p5
    ['selective_accuracy', 2 / 4], // of the 4 not abstained on, the invalid one included
    ['abstention_rate', 1 / 5], // p4
    ['answer_rate', 4 / 5],
    ['decision_accuracy', 3 / 5], // p4 rightly deferred, p1 and p3 rightly answered
    ['unsafe_decision_rate', 1 / 5], // p2 wrong; an invalid reply is no answer
    ['wrong_answer_rate', 1 / 4], // p2, of those that call for an answer
    ['invalid_rate', 1 / 5], // p5
    ['deferral_alignment', 5 / 5], // p4 deferred, the other four did not
    ['deferral_recall', 1 / 1],
    ['deferral_specificity', 4 / 4],
    // Confidences of the three answers: 0.9 right, 0.6 wrong, 0.8 right. An invalid answer and an abstention state none that counts.
    ['expected_calibration_error', (0.1 + 0.6 + 0.2) / 3], // three bins of one row: |1 - 0.9|, |0 - 0.6|, |1 - 0.8|
    ['overconfidence', (0.9 + 0.6 + 0.8) / 3 - 2 / 3],
    ['brier_score', (0.01 + 0.36 + 0.04) / 3], // 0.1^2, 0.6^2, 0.2^2
    ['auroc_confidence', 1], // both right answers are surer than the wrong one
    ['aurc', (0 / 1 + 0 / 2 + 1 / 3) / 3], // by falling confidence: right, right, wrong
  ])('%s is %f', (name, value) => {
    expect(score(name).value).toBeCloseTo(value, 12);
  });

  it('says how far accuracy can be trusted', () => {
    const { interval, bounds, nEvaluated, nAbstained } = score('accuracy');
    // Rows shared prompts: the first call has 2 of 4 right, the second 0 of 1. One call has a right answer, so the design
    // effect is 1 + (5/2 - 1)(1 - 1/5) = 2.2; two calls leave t one degree of freedom: tan(0.475 pi).
    expect(interval).toMatchObject({ unit: 'cluster', level: 0.95, method: 'wilson_effective_t' });
    const [p, n, t2] = [2 / 5, 5 / 2.2, Math.tan(0.475 * Math.PI) ** 2];
    const half = Math.sqrt(t2 * n * p * (1 - p) + t2 ** 2 / 4) / (n + t2);
    expect(interval!.lower).toBeCloseTo((n * p + t2 / 2) / (n + t2) - half, 10);
    expect(interval!.upper).toBeCloseTo((n * p + t2 / 2) / (n + t2) + half, 10);
    // Had p6 been wrong: 2 of 6. Had it been right: 3 of 6.
    expect(bounds!.lower).toBeCloseTo(2 / 6, 12);
    expect(bounds!.upper).toBeCloseTo(3 / 6, 12);
    expect([nEvaluated, nAbstained]).toEqual([5, 1]);
  });
});

it('gives every row the call that was planned, whatever it was split into, in all repeats', async () => {
  const { evaluationResults } = await new Benchmark(suite, backend, { batchSize: 4, repeats: 2 }).run();
  expect(evaluationResults.map(({ id, call }) => `${id}:${call}`)).toEqual(
    [...'12'].flatMap(() => ['p1:p1', 'p2:p1', 'p3:p1', 'p4:p1', 'p5:p5', 'p6:p5']),
  );
});
