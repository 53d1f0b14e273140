import { existsSync } from 'node:fs';
import { basename } from 'node:path';
import { clusterKey } from '../analyses/comparison/pair-clusters.ts';
import { traitScoreNames, unjudgedScoreNames } from '../analyses/judging/trait-scores.ts';
import type { FileRun } from '../engine/index.ts';
import { extendedMetrics, type Metric, neededKeys, type ScoringOptions } from '../metrics/index.ts';
import type { Rubric } from '../rubrics/index.ts';
import type { GatePlan } from '../runs/conditions/gate-plan.ts';
import type { GateVerdict } from '../runs/conditions/verdict.ts';
import { checkBaselineSuite, checkGates, rowsOfRun } from '../runs/gates/check-gates.ts';
import { nonInferiorityPlanText } from '../runs/gates/non-inferiority-plan.ts';
import { planNonInferiority } from '../runs/gates/plan-non-inferiority.ts';
import { readRun } from '../runs/read-run.ts';
import type { RunResult } from '../runs/run-result.ts';
import { scoringFor } from '../runs/scoring-for.ts';
import { reviewPath } from '../store/review/review-file.ts';
import { type AnySuite, isQuestionSuite } from '../suites/index.ts';
import { type GateFlags, namesOfMetrics } from './gate-options.ts';
import { planGates } from './plan-gates.ts';
import { printMessage } from './print.ts';

/** Reads the conditions of a run before the first call: a condition that cannot be understood, or asked of this suite, ends the command now. */
export async function planRunGates(
  flags: GateFlags,
  suite: AnySuite,
  scoring: ScoringOptions,
  ownMetrics: readonly Metric[],
): Promise<GatePlan> {
  const plan = planGates(
    flags,
    isQuestionSuite(suite)
      ? {
          names: traitScoreNames(
            suite.questions.map(({ rubric }) => rubric),
            suite.questions.flatMap(({ tags }) => tags ?? []),
          ),
        }
      : namesOfMetrics({ ...scoringFor(suite.task), ...scoring }, ownMetrics),
  );
  if (isQuestionSuite(suite))
    noteUncalibratedJudge(
      plan,
      suite.questions.map(({ rubric }) => rubric),
    );
  if (plan.nonInferior === null) return plan;
  checkBaselineSuite(plan, (await suite.describe()).hash);
  if (!isQuestionSuite(suite)) {
    const { cluster, level } = scoring;
    notePlannedPairs(plan, [...extendedMetrics(scoringFor(suite.task)), ...ownMetrics], {
      primaryEndpoint: suite.task.primaryEndpoint.metric,
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
function noteUncalibratedJudge(plan: GatePlan, rubrics: readonly Rubric[]): void {
  const needNoJudge = new Set(unjudgedScoreNames(rubrics));
  const isJudged =
    plan.nonInferior !== null ||
    plan.gates.some(({ metric }) => !needNoJudge.has(metric) && !metric.startsWith('corrected('));
  if (plan.allowUncalibratedJudge || !isJudged) return;
  printMessage(
    "note: conditions on judged scores cannot be decided before people's labels have calibrated the judge (exit code 3); --allow-uncalibrated-judge accepts it as it is\n",
  );
}

/** A run of open questions with what people say of it: a run ends without reading its review. */
export function withReview(run: FileRun): FileRun {
  if (run.judging === null || !existsSync(reviewPath(run.path))) return run;
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
