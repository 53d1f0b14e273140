import { describe, expect, it } from 'vitest';
import { evaluationResult } from '../../core/evaluation-result.ts';
import { builtInMetric } from '../registry.ts';
import { confidenceWhenWrong } from './stated-confidence.ts';

const answer = (prediction: number, confidence: number | null) =>
  evaluationResult({ prediction, groundTruth: 1, confidence });

describe('confidenceWhenWrong', () => {
  it('is the mean confidence of wrong answers', () => {
    const rows = [answer(1, 0.99), answer(0, 0.5), answer(0, 0.9), answer(0, null)];
    expect(confidenceWhenWrong().compute(rows)).toMatchObject({ value: 0.7, nEvaluated: 2 });
  });

  it.each([
    ['no case states a confidence', [answer(0, null)], 'no_usable_confidence'],
    ['no answer is wrong', [answer(1, 0.9)], 'no_wrong_answers'],
    ['no wrong answer states a confidence', [answer(1, 0.9), answer(0, null)], 'no_wrong_answers'],
    ['there are no cases', [], 'no_usable_confidence'],
  ])('is null when %s', (_, rows, reason) => {
    expect(confidenceWhenWrong().compute(rows)).toMatchObject({ value: null, reason });
  });

  it('ignores abstentions and invalid answers', () => {
    const rows = [
      answer(0, 0.4),
      evaluationResult({ groundTruth: 1, abstained: true, confidence: 0.9 }),
      evaluationResult({ prediction: null, groundTruth: 1, confidence: 0.9 }),
    ];
    expect(confidenceWhenWrong().compute(rows).value).toBe(0.4);
  });

  it('is found by its name', () => {
    expect(builtInMetric('confidence_when_wrong')?.label).toBe('Confidence When Wrong');
  });
});
