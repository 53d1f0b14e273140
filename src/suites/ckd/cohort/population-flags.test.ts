import { describe, expect, it } from 'vitest';
import { createRandom } from '../../../statistics/random.ts';
import { drawPopulationState } from './population-flags.ts';

const states = (
  person: {
    sex?: 'female' | 'male';
    age?: number;
    group?: 'healthy' | 'acute_illness' | 'ckd';
    gfr?: number;
  },
  n = 5000,
) => {
  const random = createRandom(11);
  return Array.from({ length: n }, () =>
    drawPopulationState(random, { sex: 'female', age: 30, group: 'healthy', gfr: 95, ...person }),
  );
};
const share = (of: ReturnType<typeof states>, flag: keyof ReturnType<typeof states>[number]['flags']) =>
  of.filter(({ flags }) => flags[flag]).length / of.length;

describe('drawPopulationState', () => {
  it('sets at most one flag, and a factor only with one', () => {
    for (const { flags, creatinineFactor } of states({ gfr: 8, group: 'ckd' })) {
      const set = Object.values(flags).filter(Boolean).length;
      expect(set).toBeLessThanOrEqual(1);
      if (set === 0) expect(creatinineFactor).toBe(1);
    }
  });

  it('has dialysis in kidney failure only, pregnancy in younger women only', () => {
    expect(share(states({ gfr: 8 }), 'dialysis')).toBeGreaterThan(0.25);
    expect(share(states({ gfr: 11 }), 'dialysis')).toBe(0);
    expect(share(states({}), 'pregnant')).toBeGreaterThan(0.04);
    expect(share(states({ sex: 'male' }), 'pregnant')).toBe(0);
    expect(share(states({ age: 45 }), 'pregnant')).toBe(0);
  });

  it('has most acute kidney injury in the acutely ill', () => {
    expect(share(states({ group: 'acute_illness' }), 'acuteKidneyInjury')).toBeGreaterThan(0.12);
    expect(share(states({}), 'acuteKidneyInjury')).toBeLessThan(0.015);
  });

  it('leaves children alone', () => {
    for (const { flags, creatinineFactor } of states({ age: 12, gfr: 8 }, 500)) {
      expect(Object.values(flags).some(Boolean)).toBe(false);
      expect(creatinineFactor).toBe(1);
    }
  });
});
