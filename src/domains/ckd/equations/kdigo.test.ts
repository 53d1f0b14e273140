import { describe, expect, it } from 'vitest';
import { KrisisError } from '../../../core/errors.ts';
import {
  A_CATEGORIES,
  aCategoryFromMgPerG,
  aCategoryFromMgPerMmol,
  fiveStage,
  G_CATEGORIES,
  gCategory,
  isCkd,
  RISK_LEVELS,
  riskCell,
} from './kdigo.ts';

describe('gCategory', () => {
  it.each([
    [120, 'G1'],
    [90, 'G1'],
    [89.9999, 'G2'],
    [60, 'G2'],
    [59.9999, 'G3a'],
    [45, 'G3a'],
    [44.9999, 'G3b'],
    [30, 'G3b'],
    [29.9999, 'G4'],
    [15, 'G4'],
    [14.9999, 'G5'],
    [0, 'G5'],
  ])('%d is %s', (egfr, expected) => {
    expect(gCategory(egfr)).toBe(expected);
  });

  it('refuses values that are not an eGFR', () => {
    for (const egfr of [-1, Number.NaN, Number.POSITIVE_INFINITY]) {
      expect(() => gCategory(egfr)).toThrow(KrisisError);
    }
  });
});

describe('albuminuria', () => {
  it('puts both ends into A2', () => {
    expect([0, 29.999, 30, 300, 300.001].map(aCategoryFromMgPerG)).toEqual(['A1', 'A1', 'A2', 'A2', 'A3']);
    expect([0, 2.999, 3, 30, 30.001].map(aCategoryFromMgPerMmol)).toEqual(['A1', 'A1', 'A2', 'A2', 'A3']);
  });

  it('refuses a negative ratio', () => {
    expect(() => aCategoryFromMgPerG(-1)).toThrow('albumin-creatinine ratio is -1');
  });
});

describe('riskCell', () => {
  it('never gets milder as G or A gets worse', () => {
    const level = (g: number, a: number) => RISK_LEVELS.indexOf(riskCell(G_CATEGORIES[g]!, A_CATEGORIES[a]!));
    for (let g = 0; g < 6; g += 1) {
      for (let a = 0; a < 3; a += 1) {
        if (g > 0) expect(level(g, a)).toBeGreaterThanOrEqual(level(g - 1, a));
        if (a > 0) expect(level(g, a)).toBeGreaterThanOrEqual(level(g, a - 1));
      }
    }
  });

  it('has very high for G3b with A2', () => {
    expect(riskCell('G3b', 'A2')).toBe('very_high');
  });
});

describe('fiveStage', () => {
  it('merges 3a and 3b', () => {
    expect(G_CATEGORIES.map(fiveStage)).toEqual([1, 2, 3, 3, 4, 5]);
  });
});

describe('isCkd', () => {
  it('follows GFR and albuminuria', () => {
    expect(isCkd('G1', 'A1')).toBe(false);
    expect(isCkd('G2', 'A1')).toBe(false);
    expect(isCkd('G1', 'A2')).toBe(true);
    expect(isCkd('G2', 'A3')).toBe(true);
    for (const g of ['G3a', 'G3b', 'G4', 'G5'] as const) expect(isCkd(g, 'A1')).toBe(true);
  });

  it('says null when what is missing would decide', () => {
    expect(isCkd('G2', null)).toBeNull();
    expect(isCkd(null, 'A1')).toBeNull();
    expect(isCkd(null, null)).toBeNull();
    expect(isCkd('G3a', null)).toBe(true);
    expect(isCkd(null, 'A2')).toBe(true);
  });
});
