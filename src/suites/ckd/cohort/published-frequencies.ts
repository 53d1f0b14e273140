import type { UciFeature } from '../source/columns.ts';

/**
 * Rows per level of the ordinal and categorical columns, and missing cells per column, in the UCI Chronic Kidney
 * Disease data.
 *
 * Source: Rubini L, Soundarapandian P, Eswaran P. Chronic Kidney Disease [Dataset]. UCI Machine Learning Repository;
 * 2015. doi 10.24432/C5G020, CC BY 4.0. 250 rows of class ckd, 150 of class notckd.
 */
export const PUBLISHED_ROWS = { ckd: 250, notckd: 150 } as const;

/** Rows of class ckd per level, lowest level first. (Every row of the other class has 0 sugar, and 1.020 or 1.025.) */
export const PUBLISHED_LEVELS = {
  sg: { levels: [1.005, 1.01, 1.015, 1.02, 1.025], counts: [7, 84, 75, 31, 11] },
  su: { levels: [0, 1, 2, 3, 4, 5], counts: [145, 13, 18, 14, 13, 3] },
} as const;

/** The share of class ckd with the abnormal word. (In the other class nobody has it, in any column.) */
export const PUBLISHED_FREQUENCIES = {
  rbc: { abnormal: 'abnormal', normal: 'normal', share: 47 / 107 },
  pc: { abnormal: 'abnormal', normal: 'normal', share: 76 / 194 },
  pcc: { abnormal: 'present', normal: 'notpresent', share: 42 / 250 },
  ba: { abnormal: 'present', normal: 'notpresent', share: 22 / 250 },
  htn: { abnormal: 'yes', normal: 'no', share: 147 / 250 },
  dm: { abnormal: 'yes', normal: 'no', share: 137 / 250 },
  cad: { abnormal: 'yes', normal: 'no', share: 34 / 250 },
  appet: { abnormal: 'poor', normal: 'good', share: 82 / 250 },
  pe: { abnormal: 'yes', normal: 'no', share: 76 / 250 },
  ane: { abnormal: 'yes', normal: 'no', share: 60 / 250 },
} as const;

export type FrequencyColumn = keyof typeof PUBLISHED_FREQUENCIES;

/** Missing cells per column: [class ckd, class notckd]. */
export const PUBLISHED_MISSING: Readonly<Record<UciFeature, readonly [ckd: number, notckd: number]>> = {
  age: [8, 1],
  bp: [10, 2],
  sg: [42, 5],
  al: [41, 5],
  su: [44, 5],
  rbc: [143, 9],
  pc: [56, 9],
  pcc: [0, 4],
  ba: [0, 4],
  bgr: [38, 6],
  bu: [13, 6],
  sc: [12, 5],
  sod: [82, 5],
  pot: [83, 5],
  hemo: [46, 6],
  pcv: [67, 4],
  wbcc: [99, 7],
  rbcc: [124, 7],
  htn: [0, 2],
  dm: [0, 2],
  cad: [0, 2],
  appet: [0, 1],
  pe: [0, 1],
  ane: [0, 1],
};
