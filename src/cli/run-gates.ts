import type { FileRun } from '../engine/index.ts';
import {
  defaultBenchmarkMetrics,
  extendedMetrics,
  type Metric,
  type ScoringOptions,
} from '../metrics/index.ts';
import {
  checkBaselineSuite,
  type GatePlan,
  type GateVerdict,
  judge,
  rowsOfRun,
  scoringFor,
} from '../results/index.ts';
import type { Suite } from '../suites/index.ts';
import { type GateFlags, planGates } from './gate-options.ts';

interface Scored {
  readonly suite: Suite;
  readonly scoring: ScoringOptions;
  readonly ownMetrics: readonly Metric[];
}

/** Reads the conditions of a run before the first call: what cannot be understood, or measured against this suite, ends the command now. */
export async function planRunGates(
  flags: GateFlags,
  { suite, scoring, ownMetrics }: Scored,
): Promise<GatePlan> {
  const options = { ...scoringFor(suite.task), ...scoring };
  const bundle = scoring.bundle === 'extended' ? extendedMetrics : defaultBenchmarkMetrics;
  const names = (metrics: readonly Metric[]) => metrics.map(({ name }) => name);
  const plan = planGates(flags, {
    names: names([...bundle(options), ...ownMetrics]),
    extended: names(extendedMetrics(options)),
  });
  if (plan.nonInferior !== null) checkBaselineSuite(plan, (await suite.describe()).hash);
  return plan;
}

/** Judges every run; with several, each verdict says whose it is. */
export function judgeRuns(
  plan: GatePlan,
  runs: readonly { readonly model: string; readonly run: FileRun }[],
  { suite, scoring, ownMetrics }: Scored,
): GateVerdict[] {
  const metrics = [...extendedMetrics({ ...scoringFor(suite.task), ...scoring }), ...ownMetrics];
  return runs.flatMap(({ model, run }) => {
    const judged = {
      card: run.card,
      metrics,
      primaryEndpoint: suite.task.primaryEndpoint.metric,
      rows: (keep: readonly string[]) => rowsOfRun(run.path, keep),
    };
    const verdicts = judge(plan, judged, (keep) => rowsOfRun(plan.nonInferior!.baseline, keep));
    return runs.length === 1
      ? verdicts
      : verdicts.map((verdict) => ({ ...verdict, text: `${model}: ${verdict.text}` }));
  });
}
