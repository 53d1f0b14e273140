import { describe, expect, it } from 'vitest';
import { makeGolden } from './golden/make.ts';
import { differences, jsonNumbers, readGolden, shownNumbers } from './golden/numbers.ts';

describe('the outputs of eight runs', () => {
  it('show the stored numbers; after a ruling, npm run golden -- --write stores new ones', async () => {
    expect(differences(readGolden(), await makeGolden())).toEqual([]);
  });

  it('are compared by number, apart from layout', () => {
    const outputs = (accuracy: number, text: string) => ({
      a: {
        json: jsonNumbers({ metrics: { accuracy: { value: accuracy } }, elapsed_seconds: Math.random() }),
        text: shownNumbers(text),
        md: [],
        html: [],
        page: [],
      },
    });
    const before = outputs(0.5, 'Accuracy 0.500 (5/10) in 3.2 s');
    expect(differences(before, outputs(0.5, '| 5/10 | 0.500 |\n'))).toEqual([]);
    expect(differences(before, outputs(0.6, 'Accuracy 0.600 (5/10)'))).toEqual([
      'a json metrics.accuracy.value: 0.5 -> 0.6',
      'a text: 0.500 is gone',
      'a text: 0.600 is new',
    ]);
  });
});
