import { describe, expect, it } from 'vitest';
import { createRandom } from '../../../statistics/random.ts';
import type { Context } from '../case.ts';
import { drawPopulationState } from './generate-cohort.ts';

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
const share = (of: ReturnType<typeof states>, wanted: Context) =>
  of.filter(({ context }) => context === wanted).length / of.length;

describe('drawPopulationState', () => {
  it('moves creatinine only with a context', () => {
    for (const { context, creatinineFactor } of states({ gfr: 8, group: 'ckd' })) {
      if (context === null) expect(creatinineFactor).toBe(1);
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
    expect(share(states({}), 'acuteKidneyInjury')).toBeLessThan(0.025);
  });

  it('leaves children alone', () => {
    for (const { context, creatinineFactor } of states({ age: 12, gfr: 8 }, 500)) {
      expect(context).toBeNull();
      expect(creatinineFactor).toBe(1);
    }
  });
});
