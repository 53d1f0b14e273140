import type { UciFeature, UciValue } from './columns.ts';

/** A value that was there and is not used. */
export interface ScreenedCell {
  readonly line: number;
  readonly id: string | null;
  readonly column: UciFeature;
  readonly value: number;
  readonly reason: string;
}

interface Rule {
  /** The values that give the cell away: all must be there. */
  readonly when: Partial<Record<UciFeature, number>>;
  /** The cells that become missing. */
  readonly drop: readonly UciFeature[];
  readonly reason: string;
}

/**
 * The implausible cells of the published file. Each is known by its values, so that a copy with other row numbers, or
 * with rows left out, is screened all the same.
 */
const RULES: readonly Rule[] = [
  {
    when: { bu: 180, sc: 76, sod: 4.5 },
    drop: ['bu', 'sc', 'sod'],
    reason: 'urea 180, creatinine 76 and sodium 4.5 stand one column too far right',
  },
  {
    when: { pot: 39 },
    drop: ['pot'],
    reason: 'potassium 39 is incompatible with life; the point was probably lost',
  },
  {
    when: { pot: 47 },
    drop: ['pot'],
    reason: 'potassium 47 is incompatible with life; the point was probably lost',
  },
  { when: { sc: 48.1, bu: 26 }, drop: ['sc'], reason: 'creatinine 48.1 cannot go with urea 26' },
  { when: { sc: 24, bu: 54 }, drop: ['sc'], reason: 'creatinine 24 cannot go with urea 54; probably 2.4' },
  {
    when: { bgr: 22, bu: 1.5, sc: 7.3 },
    drop: ['bgr', 'bu', 'sc'],
    reason: 'glucose 22, urea 1.5 and creatinine 7.3 look shifted and cannot go together',
  },
  { when: { rbcc: 8, hemo: 12 }, drop: ['rbcc'], reason: 'red cells 8.0 cannot go with haemoglobin 12' },
];

/**
 * The cells of one row that are known to be implausible, with the reason.
 *
 * @example
 * ```ts
 * implausibleCells({ pot: 39, sod: 163 })[0].column // => 'pot'
 * implausibleCells({ sc: 24, bu: 300 }) // => []
 * ```
 */
export function implausibleCells(
  values: Readonly<Partial<Record<UciFeature, UciValue>>>,
): Pick<ScreenedCell, 'column' | 'value' | 'reason'>[] {
  return RULES.filter(({ when }) =>
    Object.entries(when).every(([column, value]) => values[column as UciFeature] === value),
  ).flatMap(({ drop, reason }) =>
    drop.map((column) => ({ column, value: values[column] as number, reason })),
  );
}
