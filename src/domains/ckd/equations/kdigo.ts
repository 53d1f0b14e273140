import { clinicalError } from '../../domain.ts';

/** GFR categories, mildest first. */
export const G_CATEGORIES = ['G1', 'G2', 'G3a', 'G3b', 'G4', 'G5'] as const;
export type GCategory = (typeof G_CATEGORIES)[number];

/** The stages that metadata and results use, mildest first; 3a and 3b are one. */
export const FIVE_STAGES = [1, 2, 3, 4, 5] as const;

/** Albuminuria categories, mildest first. */
export const A_CATEGORIES = ['A1', 'A2', 'A3'] as const;
export type ACategory = (typeof A_CATEGORIES)[number];

/** Risk of a bad course by G and A together, mildest first. */
export const RISK_LEVELS = ['low', 'moderate', 'high', 'very_high'] as const;
export type RiskLevel = (typeof RISK_LEVELS)[number];

/** The lowest eGFR that still belongs to a category; the next milder category begins where this one ends. */
export const G_LOWER_BOUND: Readonly<Record<GCategory, number>> = {
  G1: 90,
  G2: 60,
  G3a: 45,
  G3b: 30,
  G4: 15,
  G5: 0,
};

/**
 * The KDIGO GFR category: G1 >= 90, G2 [60, 90), G3a [45, 60), G3b [30, 45), G4 [15, 30), G5 < 15, in
 * mL/min/1.73 m2. The intervals are half-open on the unrounded value: 89.6 is G2, although a laboratory that reports
 * whole numbers would print 90. Source: KDIGO 2012, kept in 2024.
 *
 * @example
 * ```ts
 * gCategory(89.6) // => 'G2'
 * gCategory(45) // => 'G3a'
 * gCategory(14.9) // => 'G5'
 * ```
 */
export function gCategory(egfr: number): GCategory {
  mustBeMeasured(egfr, 'eGFR');
  return G_CATEGORIES.find((g) => egfr >= G_LOWER_BOUND[g])!;
}

/**
 * The albuminuria category from the albumin-creatinine ratio in mg/g: A1 < 30, A2 30 to 300 with both ends, A3 > 300.
 *
 * @example
 * ```ts
 * aCategoryFromMgPerG(30) // => 'A2'
 * aCategoryFromMgPerG(300.5) // => 'A3'
 * ```
 */
export function aCategoryFromMgPerG(acr: number): ACategory {
  return aCategory(acr, 30, 300);
}

/**
 * The albuminuria category from the albumin-creatinine ratio in mg/mmol: A1 < 3, A2 3 to 30 with both ends, A3 > 30.
 * KDIGO's two scales are rounded to each other (1 mg/mmol is 8.84 mg/g), so each has its own edges.
 *
 * @example
 * ```ts
 * aCategoryFromMgPerMmol(2.999) // => 'A1'
 * aCategoryFromMgPerMmol(30) // => 'A2'
 * ```
 */
export function aCategoryFromMgPerMmol(acr: number): ACategory {
  return aCategory(acr, 3, 30);
}

function aCategory(acr: number, a2From: number, a2To: number): ACategory {
  mustBeMeasured(acr, 'albumin-creatinine ratio');
  if (acr < a2From) return 'A1';
  return acr <= a2To ? 'A2' : 'A3';
}

/** The KDIGO heat map. G3b with A2 is very high, as in the KDIGO figure; some national summaries print "high". */
export const RISK_MAP: Readonly<Record<GCategory, Readonly<Record<ACategory, RiskLevel>>>> = {
  G1: { A1: 'low', A2: 'moderate', A3: 'high' },
  G2: { A1: 'low', A2: 'moderate', A3: 'high' },
  G3a: { A1: 'moderate', A2: 'high', A3: 'very_high' },
  G3b: { A1: 'high', A2: 'very_high', A3: 'very_high' },
  G4: { A1: 'very_high', A2: 'very_high', A3: 'very_high' },
  G5: { A1: 'very_high', A2: 'very_high', A3: 'very_high' },
};

/**
 * One cell of the heat map.
 *
 * @example
 * ```ts
 * riskCell('G3b', 'A2') // => 'very_high'
 * riskCell('G2', 'A1') // => 'low'
 * ```
 */
export function riskCell(g: GCategory, a: ACategory): RiskLevel {
  return RISK_MAP[g][a];
}

/**
 * The older five stages: 3a and 3b are one.
 *
 * @example
 * ```ts
 * fiveStage('G3b') // => 3
 * fiveStage('G5') // => 5
 * ```
 */
export function fiveStage(g: GCategory): 1 | 2 | 3 | 4 | 5 {
  return Number(g[1]) as 1 | 2 | 3 | 4 | 5;
}

/**
 * Whether the values are those of chronic kidney disease, by cause, GFR and albuminuria: GFR below 60 (G3a and worse),
 * or albuminuria (A2, A3) at any GFR. G1 and G2 without a marker of damage are not CKD. Pass null for a part that was
 * not measured: the answer is null where the other part does not settle it. That the finding has lasted three months
 * is the caller's to know: one visit cannot show it.
 *
 * @example
 * ```ts
 * isCkd('G2', 'A2') // => true
 * isCkd('G2', 'A1') // => false
 * isCkd('G4', null) // => true
 * isCkd('G1', null) // => null
 * ```
 */
export function isCkd(g: GCategory | null, a: ACategory | null): boolean | null {
  if (g !== null && G_LOWER_BOUND[g] < 60) return true;
  if (a !== null && a !== 'A1') return true;
  return g === null || a === null ? null : false;
}

function mustBeMeasured(value: number, what: string): void {
  if (Number.isFinite(value) && value >= 0) return;
  throw clinicalError(`${what} is ${value}; expected a number of 0 or more`, value);
}
