import { KrisisError } from '../../core/index.ts';
import { assertLevel, holmAdjust } from '../../statistics/index.ts';
import type { RunReport } from '../run-result.ts';
import { checkSameSuite, chooseBaseline, whyNotPaired } from './choose-baseline.ts';
import { compareEndpoints, type EndpointFinding, type PairOptions, POWER } from './compare-endpoint.ts';
import type { ComparedModel, Comparison, Flips, PairedComparison } from './comparison.ts';
import { comparisonWarnings } from './comparison-warnings.ts';
import { flipsOf } from './flips.ts';
import { judgeEndpoint } from './judge-endpoint.ts';
import { modelNames } from './model-names.ts';
import { type LeftOut, pairRecords } from './pair-records.ts';
import { type ScoredRun, scoredRun } from './scored-run.ts';

/** A run that was read from its file, or a result in memory. */
export type ComparableRun = RunReport;

export interface CompareOptions {
  /** The run that the others are compared with: one of those given, the first that can be paired unless told. */
  readonly baseline?: ComparableRun | undefined;
  readonly resamples?: number | undefined;
  readonly seed?: number | undefined;
  readonly level?: number | undefined;
  /** Pair runs of different suites by the ids they share. */
  readonly allowDifferent?: boolean | undefined;
}

/** What stands in the table of models. */
const TABLE_METRICS: readonly string[] = [
  'decision_accuracy',
  'accuracy',
  'balanced_accuracy',
  'selective_accuracy',
  'unsafe_answer_rate',
  'abstention_rate',
  'answer_rate',
  'deferral_alignment',
  'expected_calibration_error',
  'brier_top_label',
  'augrc',
];

/**
 * Puts runs side by side, and compares each with the baseline on the records that both have scored: difference with a bootstrap interval,
 * exact McNemar or sign-flip test, Holm over the models, the difference that could have been detected, and the records on which they part.
 *
 * @throws KrisisError for runs of different suites, unless `allowDifferent`.
 *
 * @example
 * ```ts
 * const suite = new CkdSuite({ task: 'detection', nRecords: 40, testSize: 1 });
 * const ask = async (name: string) => new Benchmark(suite, await createBackend(name, suite, { seed: 42 })).run();
 * const { pairs } = compareRuns([await ask('baseline/guideline'), await ask('baseline/random')]);
 * const found = pairs[0]!.endpoints.find(({ metric }) => metric === 'accuracy')!;
 * [pairs[0]!.nPaired, found.verdict, found.p! < 0.05] // => [40, 'worse', true]
 * ```
 */
export function compareRuns(runs: readonly ComparableRun[], options: CompareOptions = {}): Comparison {
  const { resamples = 2000, seed = 42, level = 0.95, allowDifferent = false } = options;
  if (runs.length < 2) throw new KrisisError(`a comparison needs two runs or more; ${runs.length} given`);
  assertLevel(level);
  const reports = runs;
  const names = modelNames(reports);
  const wanted = options.baseline === undefined ? undefined : runs.indexOf(options.baseline);
  const first = chooseBaseline(reports, wanted);
  const baseline = first === null ? null : reports[first]!;
  // By place, since the same run may be given twice.
  const others = reports.flatMap(({ suiteHash }, r) => (r === first || suiteHash === null ? [] : [r]));
  const against = others.map((r) => reports[r]!);
  if (baseline !== null && !allowDifferent) checkSameSuite(baseline, against);
  const found = baseline === null ? [] : pairAll(baseline, against, { resamples, seed, level });
  const adjusted = adjust(found.map(({ findings }) => findings));
  const pairs: PairedComparison[] = found.map(({ findings, ...rest }, m) => ({
    model: names[others[m]!]!,
    baseline: names[first!]!,
    ...rest,
    endpoints: findings.map((finding, e) =>
      judgeEndpoint(finding, adjusted[e]![m]!, { level, nModels: found.length }),
    ),
  }));
  return {
    suiteName: (baseline ?? reports[0]!).suiteName,
    suiteHashes: [...new Set(reports.flatMap(({ suiteHash }) => suiteHash ?? []))],
    primaryEndpoint: baseline?.primaryEndpoint ?? null,
    models: reports.map((report, r) => comparedModel(report, names[r]!)),
    baseline: first === null ? null : names[first]!,
    pairs,
    notPaired: reports.flatMap((report, r) =>
      report.suiteHash === null ? [{ model: names[r]!, ...whyNotPaired(report) }] : [],
    ),
    warnings: comparisonWarnings(reports, names, pairs),
    method: {
      level,
      resamples,
      seed,
      generator: 'xoroshiro128plus',
      interval: 'percentile',
      unit: 'record',
      test: 'mcnemar_exact_or_sign_flip',
      adjustment: 'holm',
      power: POWER,
    },
  };
}

interface Paired {
  readonly nPaired: number;
  readonly leftOut: LeftOut;
  readonly hasRepeats: boolean;
  readonly findings: readonly EndpointFinding[];
  readonly flips: Flips;
}

/** One model at a time, so that no more than two runs are in memory. */
function pairAll(baseline: RunReport, others: readonly RunReport[], options: PairOptions): Paired[] {
  const ours: ScoredRun = scoredRun(baseline.rows());
  return others.map((report) => {
    const pairing = pairRecords(ours, scoredRun(report.rows()));
    const { n: nPaired, leftOut, hasRepeats } = pairing;
    const findings = compareEndpoints(pairing, options);
    return { nPaired, leftOut, hasRepeats, findings, flips: flipsOf(pairing) };
  });
}

/** Holm's adjustment over models, endpoint by endpoint: `adjusted[endpoint][model]`. */
function adjust(findings: readonly (readonly EndpointFinding[])[]): (number | null)[][] {
  return (findings[0] ?? []).map((_, e) => holmAdjust(findings.map((ofModel) => ofModel[e]!.p)));
}

function comparedModel(report: RunReport, name: string): ComparedModel {
  const { card, extras } = report;
  return {
    name,
    backendName: report.backendName,
    runFile: report.path,
    suiteHash: report.suiteHash,
    arm: report.arm,
    status: report.status,
    simulated: extras.simulated === true,
    imported: report.imported,
    repeats: report.repeats,
    n: card.n,
    nScored: card.nScored,
    ledger: card.ledger,
    scores: TABLE_METRICS.flatMap((metric) => card.scores.find((score) => score.name === metric) ?? []),
    elapsedSeconds: extras.elapsed_seconds ?? null,
    tokens: extras.token_total ?? null,
    costUsd: extras.cost_usd ?? null,
  };
}
