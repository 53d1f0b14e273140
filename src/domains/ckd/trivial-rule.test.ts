import { describe, expect, it } from 'vitest';
import { anythingAbnormal } from './provenance.ts';
import type { UciFeature, UciValue } from './source/columns.ts';
import { UCI_FEATURES } from './source/columns.ts';

const nothing = Object.fromEntries(UCI_FEATURES.map(({ name }) => [name, null])) as Record<
  UciFeature,
  UciValue
>;
const well: Record<UciFeature, UciValue> = {
  ...nothing,
  al: 0,
  su: 0,
  sg: 1.02,
  htn: 'no',
  dm: 'no',
  hemo: 13,
  sc: 1.2,
  pe: 'no',
  appet: 'good',
  ane: 'no',
  bgr: 140,
};

describe('anythingAbnormal', () => {
  it('finds nothing on the edges of the reference ranges, and nothing in gaps', () => {
    expect(anythingAbnormal(well)).toBe(false);
    expect(anythingAbnormal(nothing)).toBe(false);
  });

  it.each<[UciFeature, UciValue]>([
    ['al', 1],
    ['su', 1],
    ['sg', 1.015],
    ['htn', 'yes'],
    ['dm', 'yes'],
    ['hemo', 12.9],
    ['sc', 1.3],
    ['pe', 'yes'],
    ['appet', 'poor'],
    ['ane', 'yes'],
    ['bgr', 141],
  ])('takes %s = %s alone for abnormal', (column, value) => {
    expect(anythingAbnormal({ ...well, [column]: value })).toBe(true);
  });

  it('looks at nothing else', () => {
    expect(
      anythingAbnormal({ ...well, bp: 180, pot: 7, bu: 200, cad: 'yes', rbc: 'abnormal', age: 90 }),
    ).toBe(false);
  });
});
