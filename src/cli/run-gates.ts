import { existsSync } from 'node:fs';
import { basename } from 'node:path';
import { clusterKey } from '../analyses/comparison/pair-clusters.ts';
import { isJudged as isJudgedRun } from '../analyses/judging/judged-result.ts';
import type { FileRun } from '../engine/run-options.ts';
import { neededKeys } from '../metrics/define-metric.ts';
import type { Metric } from '../metrics/metric.ts';
import type { ScoringOptions } from '../metrics/score.ts';
import type { GatePlan, GateVerdict } from '../runs/conditions/verdict.ts';
import { checkBaselineSuite, checkGates, rowsOfRun } from '../runs/gates/check-gates.ts';
import { nonInferiorityPlanText, planNonInferiority } from '../runs/gates/plan-non-inferiority.ts';
import { readRun } from '../runs/read-run.ts';
import type { RunResult } from '../runs/run-result.ts';
import { reviewPath } from '../store/review/review-file.ts';
import type { AnySuite } from '../suites/questions/question-suite.ts';
import type { GateFlags } from './gate-options.ts';
import { planGates } from './plan-gates.ts';
import { printMessage } from './print.ts';
import { suiteKind } from './suite-kinds.ts';

/** Reads the conditions of a run before the first call: a condition that cannot be understood, or asked of this suite, ends the command now. */
export async function planRunGates(
  flags: GateFlags,
  suite: AnySuite,
  scoring: ScoringOptions,
  ownMetrics: readonly Metric[],
): Promise<GatePlan> {
  const { conditionNames, unjudgedScores, metrics } = suiteKind(suite);
  const plan = planGates(flags, conditionNames(scoring, ownMetrics));
  if (unjudgedScores !== null) noteUncalibratedJudge(plan, unjudgedScores);
  if (plan.nonInferior === null) return plan;
  checkBaselineSuite(plan, (await suite.describe()).hash);
  if (metrics !== null) {
    const { cluster, level } = scoring;
    notePlannedPairs(plan, [...metrics, ...ownMetrics], {
      primaryEndpoint: suite.task.primaryEndpoint?.metric ?? null,
      cluster: clusterKey({ cluster: cluster ?? null }),
      level,
    });
  }
  return plan;
}

/** Says how many records the margin of `--non-inferior` needs, where the metric counts few of them or there are too few. */
export function notePlannedPairs(
  { nonInferior }: GatePlan,
  metrics: readonly Metric[],
  {
    primaryEndpoint,
    ...options
  }: {
    readonly primaryEndpoint: string | null;
    readonly cluster: string | undefined;
    readonly level: number | undefined;
  },
): void {
  if (nonInferior === null) return;
  const { baseline, margin } = nonInferior;
  const keep = neededKeys(metrics, options.cluster === undefined ? {} : { cluster: options.cluster });
  const wanted = { margin, metric: nonInferior.metric ?? primaryEndpoint };
  const planned = planNonInferiority(wanted, rowsOfRun(baseline, keep), metrics, options);
  const text = planned && nonInferiorityPlanText(planned, basename(baseline));
  if (text) printMessage(`--non-inferior: ${text}\n`);
}

/** A new run has no labels of people yet: without the user's consent its conditions on judged scores end undecided, which is better known before the first call. */
function noteUncalibratedJudge(plan: GatePlan, unjudgedScores: readonly string[]): void {
  const isJudged =
    plan.nonInferior !== null ||
    plan.gates.some(({ metric }) => !unjudgedScores.includes(metric) && !metric.startsWith('corrected('));
  if (plan.allowUncalibratedJudge || !isJudged) return;
  printMessage(
    "note: conditions on judged scores cannot be decided before people's labels have calibrated the judge (exit code 3); --allow-uncalibrated-judge accepts it as it is\n",
  );
}

/** A run of open questions with what people say of it: a run ends without reading its review. */
export function withReview(run: FileRun): FileRun {
  if (!isJudgedRun(run) || !existsSync(reviewPath(run.path))) return run;
  return Object.assign(readRun(run.path), { path: run.path, nothingAsked: run.nothingAsked });
}

/** Checks every run; with several, each verdict names its model. */
export function checkRuns(
  plan: GatePlan,
  runs: readonly RunResult[],
  ownMetrics: readonly Metric[] = [],
): GateVerdict[] {
  return runs.flatMap((run) => {
    const verdicts = checkGates(plan, run, ownMetrics);
    return runs.length === 1
      ? verdicts
      : verdicts.map((verdict) => ({
          ...verdict,
          model: run.backendName,
          text: `${run.backendName}: ${verdict.text}`,
        }));
  });
}
