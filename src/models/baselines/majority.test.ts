import { describe, expect, it } from 'vitest';
import { majority } from './rules.ts';

const record = { id: 'a', features: {} };
const rows = (...labels: number[]) => labels.map((label) => ({ label }));

describe('majority', () => {
  it('answers the commonest label with its share', () => {
    expect(majority({ labels: ['a', 'b', 'c'] }, rows(2, 2, 0, 2, 1))(record)).toEqual({
      prediction: 'c',
      abstained: false,
      confidence: 0.6,
      confidenceSource: 'calibrated',
      rawResponse: 'majority: c, the label of 3 of 5 training rows',
    });
  });

  it('takes the first in label order of labels equally common', () => {
    expect(majority({ labels: ['a', 'b', 'c'] }, rows(2, 1, 1, 2, 0))(record)).toMatchObject({
      prediction: 'b',
      confidence: 0.4,
    });
  });
});
