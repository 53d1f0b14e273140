import { describe, expect, it } from 'vitest';
import { createRandom } from '../../../statistics/random.ts';
import type { DrawnAnalytes } from './analytes.ts';
import { drawDangerousValues } from './generate-cohort.ts';

const usual = {
  pot: 4.2,
  sod: 140,
  hemo: 13,
  pcv: 40,
  rbcc: 4.6,
  ane: 'no',
  bgr: 120,
  bp: 80,
} as DrawnAnalytes;
const person = { age: 40, group: 'healthy', gfr: 95, acuteKidneyInjury: false } as const;

function draw(change: Partial<Parameters<typeof drawDangerousValues>[2]>, values = usual) {
  const random = createRandom(1);
  return Array.from({ length: 5000 }, () => drawDangerousValues(random, values, { ...person, ...change }));
}
const share = (drawn: readonly DrawnAnalytes[], is: (values: DrawnAnalytes) => boolean) =>
  drawn.filter(is).length / drawn.length;

describe('drawDangerousValues', () => {
  it('leaves healthy young people as they are', () => {
    for (const values of draw({})) expect(values).toEqual(usual);
  });

  it('raises potassium where kidneys fail, above the line of 6.5', () => {
    const high = share(draw({ gfr: 30 }), ({ pot }) => Number(pot) >= 6.5);
    expect(high).toBeCloseTo(0.035, 2);
    expect(share(draw({ acuteKidneyInjury: true }), ({ pot }) => Number(pot) >= 6.5)).toBe(high);
  });

  it('lowers haemoglobin below 7 in the anaemic, with all that goes with it', () => {
    const low = draw({ group: 'anaemia' }).filter(({ hemo }) => Number(hemo) < 7);
    expect(low.length / 5000).toBeCloseTo(0.04, 2);
    for (const { hemo, pcv, rbcc, ane } of low) {
      expect(Number(pcv) / Number(hemo)).toBeCloseTo(3, 0);
      expect(Number(rbcc)).toBeLessThan(2.5);
      expect(ane).toBe('yes');
    }
  });

  it('moves sodium beyond its lines from 60 years on', () => {
    const drawn = draw({ age: 70 });
    expect(share(drawn, ({ sod }) => Number(sod) < 120)).toBeCloseTo(0.016, 2);
    expect(share(drawn, ({ sod }) => Number(sod) > 160)).toBeCloseTo(0.01, 2);
  });

  it('brings back what might need action today by no rule', () => {
    const extreme = { ...usual, pot: 2.3, bgr: 490, bp: 120 };
    for (const { pot, bgr, bp } of draw({}, extreme)) expect([pot, bgr, bp]).toEqual([2.8, 303, 100]);
  });
});
