import { deepSnakeKeys } from '../../core/index.ts';
import type { RunResult } from '../../results/index.ts';

/** What a report says besides scores, in file form: the flow of records, decisions by reason and class, the decision curve, the baselines. */
export function findingObjects(report: RunResult): Record<string, unknown> {
  return {
    flow: report.flow && deepSnakeKeys(report.flow),
    decisions: report.decisions && deepSnakeKeys(report.decisions),
    decisions_at_prevalence: report.decisionsAtPrevalence,
    detectable_difference: report.detectable,
    decision_curve: report.figures?.decisionCurve ?? null,
    baselines: report.baselines,
  };
}
