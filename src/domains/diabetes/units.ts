/** HbA1c in % (NGSP) is a line on mmol/mol (IFCC): the master equation. */
const NGSP_SLOPE = 0.09148;
const NGSP_OFFSET = 2.152;
/** mg/dL of glucose in 1 mmol/L. */
const GLUCOSE_MG_DL = 18.016;

/**
 * HbA1c in % from mmol/mol.
 *
 * @example
 * ```ts
 * hba1cPercent(48) // => 6.54304
 * ```
 */
export function hba1cPercent(mmolMol: number): number {
  return NGSP_SLOPE * mmolMol + NGSP_OFFSET;
}

/**
 * HbA1c in mmol/mol from %; laboratories print whole numbers.
 *
 * @example
 * ```ts
 * Math.round(hba1cMmolMol(6.5)) // => 48
 * ```
 */
export function hba1cMmolMol(percent: number): number {
  return (percent - NGSP_OFFSET) / NGSP_SLOPE;
}

/**
 * Glucose in mg/dL from mmol/L.
 *
 * @example
 * ```ts
 * glucoseMgDl(7) // => 126.112
 * ```
 */
export function glucoseMgDl(mmolL: number): number {
  return mmolL * GLUCOSE_MG_DL;
}

/**
 * Glucose in mmol/L from mg/dL.
 *
 * @example
 * ```ts
 * Math.round(glucoseMmolL(126) * 10) / 10 // => 7
 * ```
 */
export function glucoseMmolL(mgDl: number): number {
  return mgDl / GLUCOSE_MG_DL;
}
