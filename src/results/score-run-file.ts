import type { EvaluationResult } from '../core/index.ts';
import {
  keysToKeep,
  type RowTable,
  RowTableBuilder,
  type Scorecard,
  type ScoringOptions,
  scoreTable,
} from '../metrics/index.ts';
import type { RunFile } from '../store/index.ts';

export interface ScoredRun {
  readonly table: RowTable;
  readonly card: Scorecard;
  /** Abstentions on rows where staying silent is unsafe. */
  readonly nDeferralsOnMustAct: number;
  readonly promptModes: readonly string[];
}

/** The rows of a run file, scored. Rows are read one by one into columns; nothing else of them is kept. `onRow` is shown each on the way. */
export function scoreRunFile(
  file: RunFile,
  scoring: ScoringOptions,
  repeats: number,
  onRow?: (row: EvaluationResult) => void,
): ScoredRun {
  const builder = new RowTableBuilder({ keep: keysToKeep(scoring), stratum: scoring.stratum });
  const promptModes = new Set<string>();
  let nDeferralsOnMustAct = 0;
  for (const { result, promptMode } of file.results(repeats)) {
    builder.add(result);
    onRow?.(result);
    if (promptMode !== null) promptModes.add(promptMode);
    if (result.state === 'abstained' && result.metadata.must_act === true) nDeferralsOnMustAct += 1;
  }
  const table = builder.finish();
  return {
    table,
    card: scoreTable(table, scoring),
    nDeferralsOnMustAct,
    promptModes: [...promptModes].sort(),
  };
}
