import { describe, expect, it } from 'vitest';
import { FAULTS, faultOf } from './faults.ts';

const prompts = Array.from({ length: 2000 }, (_, i) => `prompt ${i}`);
const struck = (options: Parameters<typeof faultOf>[0], time = 1, batch = true) =>
  prompts.filter((prompt) => faultOf(options, { prompt, time, batch }) !== null);

const inBoth = (a: readonly string[], b: readonly string[]) =>
  a.filter((prompt) => b.includes(prompt)).length / prompts.length;

describe('faults', () => {
  it.each(FAULTS)('%s strikes about the share that was asked for, and always the same prompts', (fault) => {
    const options = { [`${fault}Share`]: 0.2 };
    const first = struck(options);
    expect(first.length / prompts.length).toBeCloseTo(0.2, 1);
    expect(struck(options)).toEqual(first);
  });

  it('are drawn each on its own', () => {
    expect(inBoth(struck({ emptyShare: 0.5 }), struck({ refusalShare: 0.5 }))).toBeCloseTo(0.25, 1);
  });

  it('pass after the first time, stay, or are drawn again', () => {
    const share = { emptyShare: 0.5 };
    expect(struck(share, 2)).toEqual([]);
    expect(struck({ ...share, faultsPass: false }, 2)).toEqual(struck(share));
    const again = struck({ ...share, faultsPass: 'by_chance' }, 2);
    expect(inBoth(again, struck(share))).toBeCloseTo(0.25, 1);
  });

  it('of batches leave single cases alone', () => {
    expect(struck({ partialShare: 1, malformedShare: 1 }, 1, false)).toEqual([]);
    expect(struck({ malformedShare: 1, malformedSingles: true }, 1, false)).toEqual(prompts);
  });
});
