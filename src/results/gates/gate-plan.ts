import { basename } from 'node:path';
import { KrisisError } from '../../core/index.ts';
import { extendedMetrics, type Metric, neededKeys, type Scorecard } from '../../metrics/index.ts';
import { DEFAULT_SEED } from '../../statistics/index.ts';
import { RunFile } from '../../store/index.ts';
import { type ScoredRun, scoredRun } from '../compare/scored-run.ts';
import type { RunReport } from '../run-result.ts';
import { scoringFor } from '../scoring-for.ts';
import { checkGate } from './check-gate.ts';
import type { Gate } from './expression.ts';
import { checkNonInferiority } from './non-inferiority.ts';
import type { GateVerdict } from './verdict.ts';

/** The conditions that a run has to meet. */
export interface GatePlan {
  readonly gates: readonly Gate[];
  readonly nonInferior: {
    /** The run to be measured against. */
    readonly baseline: string;
    readonly margin: number;
    /** Null: the primary endpoint, else decision accuracy where there is one, else accuracy. */
    readonly metric: string | null;
  } | null;
}

const RESAMPLES = 2000;

/** What is judged: its scores, its rows, and the metrics that can be worked out on them. */
export interface Judged {
  readonly card: Scorecard;
  readonly metrics: readonly Metric[];
  readonly primaryEndpoint: string | null;
  /** Only asked for where two runs have to be paired; `keep` names the metadata keys that are read. */
  rows(keep: readonly string[]): ScoredRun;
}

/** Judges scores and rows against a plan; `baseline` reads the other run. */
export function judge(
  plan: GatePlan,
  judged: Judged,
  baseline: (keep: readonly string[]) => ScoredRun,
): GateVerdict[] {
  const verdicts = plan.gates.map((gate) => checkGate(gate, judged.card));
  if (plan.nonInferior === null) return verdicts;
  const metric = chooseMetric(plan.nonInferior.metric, judged);
  const keep = neededKeys([metric]);
  const verdict = checkNonInferiority(judged.rows(keep), baseline(keep), {
    metric,
    margin: plan.nonInferior.margin,
    baselineName: basename(plan.nonInferior.baseline),
    resamples: RESAMPLES,
    seed: DEFAULT_SEED,
    level: judged.card.method.level,
  });
  return [...verdicts, verdict];
}

/** Judges a run against a plan. */
export function judgeRun(plan: GatePlan, report: RunReport): GateVerdict[] {
  const judged: Judged = {
    card: report.card,
    metrics: metricsOf(report),
    primaryEndpoint: report.primaryEndpoint?.metric ?? null,
    rows: (keep) => scoredRun(report.rows(), { keep }),
  };
  return judge(plan, judged, (keep) => {
    checkBaselineSuite(plan, report.suiteHash);
    return rowsOfRun(plan.nonInferior!.baseline, keep);
  });
}

/** The rows of a run file, without scoring it. */
export function rowsOfRun(path: string, keep: readonly string[]): ScoredRun {
  const file = RunFile.read(path);
  try {
    const identity = file.manifest().identity;
    return scoredRun(file.rows({ all: true, nRepeats: identity?.repeats ?? 1 }), { keep });
  } finally {
    file.close();
  }
}

/** Refuses a baseline of another suite: for whoever wants to know before the run. */
export function checkBaselineSuite({ nonInferior }: GatePlan, suiteHash: string | null): void {
  if (nonInferior === null) return;
  const file = RunFile.read(nonInferior.baseline);
  const identity = file.manifest().identity;
  file.close();
  const theirs = identity?.suite_hash ?? null;
  if (theirs !== null && theirs === suiteHash) return;
  throw new KrisisError(
    `--non-inferior ${nonInferior.baseline}: the two runs cannot be paired, for their records are not known to be the same (suite hash ${suiteHash ?? 'unknown'} here, ${theirs ?? 'unknown'} there)`,
    { value: nonInferior.baseline },
  );
}

function chooseMetric(wanted: string | null, { card, metrics, primaryEndpoint }: Judged): Metric {
  const hasValue = (name: string) => card.scores.some((score) => score.name === name && score.value !== null);
  const name =
    wanted ?? primaryEndpoint ?? (hasValue('decision_accuracy') ? 'decision_accuracy' : 'accuracy');
  const metric = metrics.find((candidate) => candidate.name === name);
  if (metric === undefined)
    throw new KrisisError(`--non-inferior: ${name} cannot be worked out anew; choose another with --on`, {
      value: name,
      code: 'ERR_USAGE',
    });
  return metric;
}

/** Every metric that can be worked out on the rows of a run. */
export function metricsOf({ task }: RunReport): readonly Metric[] {
  if (task === null) return extendedMetrics();
  const { positiveLabel, pack, ...rest } = task;
  return extendedMetrics(
    scoringFor({
      ...rest,
      ...(pack !== null && { pack: pack as 'detection' | 'staging' | 'progression' }),
      ...(positiveLabel !== null && { positiveLabel }),
    }),
  );
}
