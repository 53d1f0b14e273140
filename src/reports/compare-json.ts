import { type Comparison, comparisonObject } from '../results/index.ts';
import type { ReportOptions } from './report-options.ts';

/** A comparison as strict JSON, with every flip; conditions under `gates`. */
export function compareJson(comparison: Comparison, { verdicts = [] }: ReportOptions = {}): string {
  const gates = verdicts.length === 0 ? {} : { gates: verdicts };
  return `${JSON.stringify({ ...comparisonObject(comparison), ...gates }, null, 2)}\n`;
}
