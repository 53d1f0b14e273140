import { expect, it } from 'vitest';
import type { Suite } from '../../suites/suite.ts';
import { createBaseline } from './create-baseline.ts';

it('abstains whatever is shown, without an answer or a confidence', async () => {
  const suite = {
    name: 'demo/yes-no',
    task: { id: 'demo/yes-no', labels: ['yes', 'no'] },
  } as unknown as Suite;
  const backend = await createBaseline('always-defer', suite);
  expect(await backend.evaluate({ id: 'a', features: { age: 61 } }, suite.task)).toMatchObject({
    prediction: null,
    abstained: true,
    confidence: null,
    rawResponse: 'always defers',
  });
});
