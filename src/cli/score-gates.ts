import type { ScoredRun } from '../analyses/comparison/scored-run.ts';
import { analyseRows } from '../analyses/registry.ts';
import type { TableOptions } from '../metrics/columns.ts';
import type { Metric } from '../metrics/metric.ts';
import type { Scorecard } from '../metrics/score.ts';
import type { KnownMetrics } from '../runs/conditions/expression.ts';
import type { GatePlan, GateVerdict } from '../runs/conditions/verdict.ts';
import { checkRows } from '../runs/gates/check-gates.ts';
import { requireProof } from '../runs/unproven-file.ts';
import { fileIdentity } from '../store/file-names.ts';
import type { GateFlags } from './gate-options.ts';
import { findBaseline, isRunFile, readBaseline } from './open-result.ts';
import { planGates } from './plan-gates.ts';

/** Rows that were scored, and how they were read. */
interface Scored {
  readonly run: ScoredRun;
  readonly card: Scorecard;
  readonly metrics: readonly Metric[];
  readonly table: TableOptions;
  readonly reading: Parameters<typeof readBaseline>[2];
}

/** The conditions of `krisis score`, whose baseline may be a file of rows. */
export function planConditions(flags: GateFlags, known: KnownMetrics): GatePlan {
  return planGates(flags, known, findBaseline);
}

/** Checks the conditions of `krisis score`, which loads what they need. */
export async function checkConditions(
  plan: GatePlan,
  { run, card, metrics, table, reading }: Scored,
): Promise<GateVerdict[]> {
  // Before it is read.
  const baselineFiles = readBaselineFiles(plan);
  const baseline = plan.nonInferior && (await readBaseline(plan.nonInferior.baseline, table, reading));
  const proven = requireProof(
    checkRows(plan, {
      card,
      metrics,
      analyse: (id, options) => analyseRows(id, { table: run.table, card }, options),
      rows: () => run,
      baseline: () => baseline!,
    }),
    [{ path: null }],
    plan.publicKey,
  );
  return [
    ...proven.slice(0, plan.gates.length),
    ...requireProof(proven.slice(plan.gates.length), baselineFiles, plan.publicKey),
  ];
}

/** The baseline where it is a run file: only that can be verified. */
function readBaselineFiles({ nonInferior }: GatePlan) {
  if (nonInferior === null || !isRunFile(nonInferior.baseline)) return [];
  return [{ path: nonInferior.baseline, fileIdentity: fileIdentity(nonInferior.baseline) }];
}
