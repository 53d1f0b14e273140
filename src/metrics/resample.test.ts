import { expect, it } from 'vitest';
import { evaluationResult } from '../core/evaluation-result.ts';
import { accuracy } from './catalogue.ts';

it('has a code for a cluster key that no row has', () => {
  const rows = [evaluationResult({ prediction: 1, groundTruth: 1 })];
  expect(() => accuracy().compute(rows, { cluster: 'ward' })).toThrow(
    expect.objectContaining({ code: 'ERR_METADATA_KEY_MISSING' }),
  );
});
