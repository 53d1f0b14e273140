import {
  defaultBenchmarkMetrics,
  extendedMetrics,
  type Metric,
  type ScoringOptions,
} from '../metrics/index.ts';
import {
  checkBaselineSuite,
  checkGates,
  type GatePlan,
  type GateVerdict,
  type KnownMetrics,
  type RunResult,
  refuseLexicalJudge,
  scoringFor,
  traitScoreNames,
} from '../results/index.ts';
import { type AnySuite, isQuestionSuite } from '../suites/index.ts';
import { type GateFlags, planGates } from './gate-options.ts';

interface Scored {
  readonly suite: AnySuite;
  readonly scoring: ScoringOptions;
  readonly ownMetrics: readonly Metric[];
}

/** Reads the conditions of a run before the first call: a condition that cannot be understood, or asked of this suite, ends the command now. */
export async function planRunGates(
  flags: GateFlags,
  scored: Scored,
  judge: string | undefined,
): Promise<GatePlan> {
  const { suite } = scored;
  const plan = planGates(
    flags,
    isQuestionSuite(suite)
      ? {
          names: traitScoreNames(
            suite.questions.map(({ rubric }) => rubric),
            suite.questions.flatMap(({ tags }) => tags ?? []),
          ),
        }
      : namesOfMetrics({ ...scoringFor(suite.task), ...scored.scoring }, scored.ownMetrics),
  );
  if (isQuestionSuite(suite)) refuseLexicalJudge(plan, judge === undefined ? [] : judge.split(','));
  if (plan.nonInferior !== null) checkBaselineSuite(plan, (await suite.describe()).hash);
  return plan;
}

/** The metrics that conditions on answers with labels can name: those that are scored, and those that could be. */
export function namesOfMetrics(options: ScoringOptions, ownMetrics: readonly Metric[]): KnownMetrics {
  const bundle = options.bundle === 'extended' ? extendedMetrics : defaultBenchmarkMetrics;
  const names = (metrics: readonly Metric[]) => metrics.map(({ name }) => name);
  return {
    names: names([...bundle(options), ...ownMetrics]),
    extended: names(extendedMetrics(options)),
    correctable: [],
  };
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
      : verdicts.map((verdict) => ({ ...verdict, text: `${run.backendName}: ${verdict.text}` }));
  });
}
