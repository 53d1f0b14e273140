import { snakeCase } from '../../core/index.ts';
import type { RunResult } from '../../results/index.ts';

/** What a report says besides scores, in file form: the flow of records, decisions by reason and class, the decision curve, the baselines. */
export function findingObjects(report: RunResult): Record<string, unknown> {
  return {
    flow: snakeObject(report.flow),
    decisions: snakeObject(report.decisions),
    decisions_at_prevalence: report.decisionsAtPrevalence,
    detectable_difference: report.detectable,
    decision_curve: report.figures?.decisionCurve ?? null,
    baselines: report.baselines,
  };
}

/** An object with the keys of a file, at every depth. */
function snakeObject(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(snakeObject);
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([key, own]) => [snakeCase(key), snakeObject(own)]));
}
