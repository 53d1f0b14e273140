import type { UciFeature, UciValue } from './columns.ts';
import rules from './implausible-cells.json' with { type: 'json' };

/** A value of the file that is not used. */
export interface ScreenedCell {
  readonly line: number;
  readonly id: string | null;
  readonly column: UciFeature;
  readonly value: number;
  readonly reason: string;
}

interface Rule {
  /** The values that identify the cell; all must match. */
  readonly when: Partial<Record<UciFeature, number>>;
  /** The cells that become missing. */
  readonly drop: readonly UciFeature[];
  readonly reason: string;
}

/**
 * The implausible cells of the published file. Each is identified by its values, so that a copy with other row
 * numbers, or with rows left out, is screened too.
 */
const RULES = rules as readonly Rule[];

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
