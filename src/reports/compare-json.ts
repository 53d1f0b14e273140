import type { Comparison } from '../benchmark/compare/comparison.ts';
import { comparisonObject } from '../benchmark/compare/comparison-object.ts';
import type { ReportOptions } from './report-options.ts';

/** A comparison as strict JSON, with every flip; conditions under `gates`. */
export function compareJson(comparison: Comparison, { verdicts = [] }: ReportOptions = {}): string {
  const gates = verdicts.length === 0 ? {} : { gates: verdicts };
  return `${JSON.stringify({ ...comparisonObject(comparison), ...gates }, null, 2)}\n`;
}
