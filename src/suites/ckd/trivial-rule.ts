import type { UciFeature, UciValue } from './source/columns.ts';
import clauses from './trivial-rule.json' with { type: 'json' };

interface Clause {
  readonly column: UciFeature;
  readonly above?: number;
  readonly below?: number;
  readonly is?: string;
}

/**
 * "Anything abnormal means CKD", in eleven clauses. It is right on 400 of 400 rows of the published UCI file, whose controls all lie inside reference ranges: detection
 * there is a look-up, and `krisis describe` says so.
 */
export function anythingAbnormal(values: Readonly<Record<UciFeature, UciValue>>): boolean {
  return (clauses as readonly Clause[]).some(({ column, above = Infinity, below = -Infinity, is }) => {
    const value = values[column];
    return value !== null && (value === is || Number(value) > above || Number(value) < below);
  });
}
