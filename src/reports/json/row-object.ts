import { caseKind, decisionClass, decisionFacts, ledgerClass, snakeKeys } from '../../core/index.ts';
import type { BenchmarkRow, RunResult } from '../../results/index.ts';

/** How the rows of a run are written: what each case calls for and how its decision turned out depend on the run's rule. `krisis score` reads them back. */
export function rowWriter({ card, task }: Pick<RunResult, 'card' | 'task'>) {
  const actLabels = task?.actLabels ?? undefined;
  return ({ callId: _, attempt, ...row }: BenchmarkRow) => {
    const facts = decisionFacts(row, actLabels);
    return {
      ...snakeKeys(row),
      // Only rows that were asked again have attempts.
      ...(attempt > 0 && { attempt }),
      ledger_class: ledgerClass(row),
      case_kind: caseKind(facts),
      decision_class: decisionClass(facts, card.emergencyRule),
    };
  };
}
