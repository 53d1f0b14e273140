import { basename } from 'node:path';
import { z } from 'zod';
import { pick } from '../../core/collections.ts';
import { KrisisError } from '../../core/errors.ts';
import { isNothingOfItsKind, leadingScores } from '../../metrics/act/leading-scores.ts';
import { builtInMetric, builtInMetrics } from '../../metrics/registry.ts';
import { refuseShards } from '../../runs/refuse-shards.ts';
import type { RunResult } from '../../runs/run-result.ts';
import { runTableOptions } from '../../runs/scoring-for.ts';
import { holmAdjust } from '../../statistics/holm.ts';
import {
  checkResamples,
  DEFAULT_LEVEL,
  DEFAULT_SEED,
  MAX_RESAMPLES,
} from '../../statistics/score-options.ts';
import { assertLevel } from '../../statistics/special-functions.ts';
import type { AskedRun, DrawOptions } from '../analysis.ts';
import { analyseAsked } from '../asked-analyses.ts';
import { askedRun } from '../asked-rates.ts';
import type { ComparableScore } from '../judging/comparable-score.ts';
import { isJudged as isJudgedRun } from '../judging/judged-result.ts';
import type { Judging } from '../judging/judging.ts';
import { comparableScores } from '../judging/question-scores.ts';
import { safeName } from '../judging/trait-scores.ts';
import { named, onOff, share, whole } from '../options.ts';
import { compareCorrected } from '../review/compare-corrected.ts';
import { compareEndpoints } from './compare-endpoint.ts';
import { compareScore } from './compare-score.ts';
import type { ComparedModel, Comparison, EndpointComparison, PairedComparison } from './comparison.ts';
import { comparedHarms, comparisonWarnings, whyDifferentRecords } from './comparison-warnings.ts';
import { ENDPOINTS, type Endpoint } from './endpoints.ts';
import { findFlips } from './flips.ts';
import { findItemFlips } from './item-flips.ts';
import { judgeEndpoint } from './judge-endpoint.ts';
import { modelNames } from './model-names.ts';
import { clusterKey } from './pair-clusters.ts';
import { NOTHING_LEFT_OUT, pairRecords } from './pair-records.ts';
import { recordSets } from './record-sets.ts';
import { type ScoredRun, scoredRun } from './scored-run.ts';
import { type EndpointFinding, POWER } from './test-pairs.ts';
import { weighHarms } from './weigh-harms.ts';

export const compareOptions = z.object({
  /** Bootstrap resamples; 0 leaves intervals out. Default: 2,000. */
  resamples: whole('resamples for intervals (default: 2000)', { max: MAX_RESAMPLES, flag: 'bootstrap' }),
  /** Seed of every random draw. Default: 42. */
  seed: whole('seed of every random draw (default: 42)'),
  /** Confidence level. Default: 0.95. */
  level: share('confidence level (default: 0.95)'),
  /** Draw records with the same value of this metadata key together; labels only. Default: as the baseline was scored. Records that shared a call of either run are drawn together unless this makes fewer clusters. */
  cluster: named('draw cases together by a key, e.g. patient_id', 'key'),
  /** Pair runs of different suites by the ids they share; labels only. Default: false. */
  allowDifferentSuites: onOff('pair runs of different suites by shared ids'),
});

/** How runs are compared. */
export interface CompareOptions extends z.infer<typeof compareOptions> {
  /** The run that the others are compared with: one of those given. Default: the first that can be paired. */
  readonly baseline?: RunResult | undefined;
  /** What the runs are called, in their order. Default: as their models, with the run file where two are of one model. */
  readonly names?: readonly string[] | undefined;
  /** Only differences that need no resample, and what harms: for a first look, without the rest of the report. Default: false. */
  readonly isBrief?: boolean | undefined;
  /** Reads the scored rows of a run with these metadata keys, for a caller that may have them already. Default: from the run. */
  readonly read?: ((result: RunResult, keep: readonly string[]) => ScoredRun) | undefined;
}

/** The scores in the table of models: what models are compared by, and rates to read them with. */
const TABLE_METRICS = [
  ...ENDPOINTS.map(({ metric }) => metric.name),
  ...builtInMetrics().flatMap(({ name, compared, standsInFor }) => (compared || standsInFor ? [name] : [])),
  'invalid_rate',
];

/**
 * Compares runs side by side, and each with the baseline on the records that both have scored: the difference with its interval (Tango's for shares, a BCa bootstrap for everything else),
 * an exact McNemar or sign-flip test with Holm's adjustment, the difference that could have been detected, and the records on which the two differ. Runs of open questions are compared by every score of their rubrics, question by
 * question, and by the items on which they differ.
 *
 * @throws KrisisError for runs of different suites, unless `allowDifferentSuites`, and for runs with labels beside runs of open questions.
 *
 * @example
 * ```ts
 * const suite = new CkdSuite({ task: 'detection', nRecords: 40, testSize: 1 });
 * const ask = async (name: string) => new Benchmark(suite, await createBackend(name, suite, { seed: 42 }), { batchSize: 1 }).run();
 * const { pairs } = compareRuns([await ask('baseline/guideline'), await ask('baseline/random')]);
 * const found = pairs[0]!.endpoints.find(({ metric }) => metric === 'decision_accuracy')!;
 * [pairs[0]!.nPaired, found.verdict, found.p! < 0.05] // => [40, 'worse', true]
 * ```
 */
export function compareRuns(results: readonly RunResult[], options: CompareOptions = {}): Comparison {
  const {
    seed = DEFAULT_SEED,
    level = DEFAULT_LEVEL,
    allowDifferentSuites = false,
    isBrief = false,
  } = options;
  if (results.length < 2)
    throw new KrisisError(`a comparison needs two runs or more; ${results.length} given`, {
      code: 'ERR_RUNS_NOT_COMPARABLE',
    });
  assertLevel(level);
  const resamples = checkResamples(options.resamples ?? 2000);
  refuseShards(results);
  const kind = findKind(results);
  const way = KINDS[kind];
  const names = options.names ?? modelNames(results);
  const wanted = options.baseline === undefined ? undefined : results.indexOf(options.baseline);
  const first = chooseBaseline(results, wanted);
  const baseline = first === null ? null : results[first]!;
  // By place, since the same run may be given twice.
  const others = results.flatMap(({ suiteHash }, r) => (r === first || suiteHash === null ? [] : [r]));
  const against = others.map((r) => results[r]!);
  if (baseline !== null && (way.needsSameSuite || !allowDifferentSuites)) checkSameSuite(baseline, against);
  checkSameTask(results);
  const cluster = options.cluster ?? (baseline === null ? undefined : clusterKey(baseline.method));
  const endpoints = isBrief ? BRIEF_ENDPOINTS : ENDPOINTS;
  const read = readOnce(options.read ?? readTable, cluster);
  const found =
    baseline === null
      ? []
      : way.compareAll(baseline, against, { resamples, seed, level, cluster, read, endpoints });
  const adjusted = adjust(found, way.isAdjustedOverScores);
  const nTests = adjusted.flat().filter((p) => p !== null).length;
  const pairs: PairedComparison[] = found.map(({ findings, ...rest }, m) => ({
    model: names[others[m]!]!,
    baseline: names[first!]!,
    ...rest,
    endpoints: weighHarms(
      findings
        .map((finding, e) =>
          judgeEndpoint(finding, adjusted[m]![e]!, {
            level,
            nModels: way.isAdjustedOverScores ? found.length * findings.length : found.length,
            unit: way.method.unit,
          }),
        )
        .filter(({ reason }) => !isNothingOfItsKind(reason))
        .filter(({ metric }) => metric !== 'mean_score' || baseline!.scores.mean_score !== undefined)
        .filter(isLeadingOnActing),
      { model: names[others[m]!]!, baseline: names[first!]! },
    ),
  }));
  return {
    kind,
    suiteName: (baseline ?? results[0]!).suiteName,
    suiteHashes: [...new Set(results.flatMap(({ suiteHash }) => suiteHash ?? []))],
    primaryEndpoint: baseline?.primaryEndpoint ?? null,
    models: results.map((result, r) => comparedModel(result, names[r]!)),
    baseline: first === null ? null : names[first]!,
    pairs,
    recordSets: recordSets(results),
    notPaired: results.flatMap((result, r) =>
      result.suiteHash === null ? [{ model: names[r]!, ...whyNotPaired(result) }] : [],
    ),
    analyses:
      way.hasAnalyses && !isBrief
        ? analyseAsked(askedRuns(results, names, baseline, { cluster, read }), { resamples, seed, level })
        : {},
    warnings: isBrief ? comparedHarms(results, names) : comparisonWarnings(results, names, pairs),
    method: {
      level,
      resamples,
      seed,
      generator: 'xoroshiro128plus',
      ...way.method,
      adjustment: 'holm',
      nTests,
      power: POWER,
    },
  };
}

/** The runs on the records of the baseline. */
function askedRuns(
  results: readonly RunResult[],
  names: readonly string[],
  baseline: RunResult | null,
  { cluster, read }: Omit<ReadOptions, 'endpoints'>,
): AskedRun[] {
  const primaryEndpoint = baseline?.primaryEndpoint ?? null;
  return results.flatMap((result, r) => {
    const { suiteHash, repeats, task, scoredRows: rows } = result;
    if (suiteHash === null || suiteHash !== baseline?.suiteHash) return [];
    const about = { name: names[r]!, repeats, task, primaryEndpoint, cluster, rows };
    return askedRun(about, () => read(result));
  });
}

/** How runs of each kind of task are compared. */
const KINDS = {
  labels: {
    compareAll: compareRecords,
    needsSameSuite: false,
    /** Holm's adjustment is over all scores and models, not over the models of each endpoint. */
    isAdjustedOverScores: false,
    hasAnalyses: true,
    method: { interval: 'paired_score_or_bca', unit: 'record', test: 'mcnemar_exact_or_sign_flip' },
  },
  text: {
    compareAll: compareAnswers,
    needsSameSuite: true,
    isAdjustedOverScores: true,
    hasAnalyses: false,
    method: { interval: 'bca', unit: 'question', test: 'sign_flip' },
  },
} as const;

function findKind(results: readonly RunResult[]): Comparison['kind'] {
  const kinds = new Set(results.map(({ judging }) => (judging ? 'text' : 'labels')));
  const [kind, ...others] = kinds;
  if (others.length === 0) return kind!;
  const lines = results.map(
    ({ judging, path, backendName }) => `  ${judging ? 'open questions' : 'labels'}  ${path ?? backendName}`,
  );
  throw new KrisisError(
    `runs of open questions and runs with labels cannot be compared:\n${lines.join('\n')}`,
    { code: 'ERR_RUNS_NOT_COMPARABLE' },
  );
}

/** Where both models were asked whether cases are urgent, silence in emergencies says nothing more. */
function isLeadingOnActing(
  { metric }: EndpointComparison,
  _: number,
  all: readonly EndpointComparison[],
): boolean {
  const isAsked = all.some((other) => {
    const { onEmergencies, needsUrgency } = builtInMetric(other.metric) ?? {};
    return onEmergencies && needsUrgency && other.difference !== null;
  });
  return !(isAsked && builtInMetric(metric)?.leadsWhere === 'urgency_not_asked');
}

interface ReadOptions {
  /** The metadata key by which records are drawn together; undefined where each is alone. */
  readonly cluster: string | undefined;
  read(result: RunResult): ScoredRun;
  readonly endpoints: readonly Endpoint[];
}

/** Those with intervals in closed form. */
const BRIEF_ENDPOINTS = ENDPOINTS.filter(({ binary }) => binary);

interface Paired extends Omit<PairedComparison, 'model' | 'baseline' | 'endpoints'> {
  readonly findings: readonly EndpointFinding[];
}

/** Reads the rows of runs into columns, each run once. */
function readOnce(read: NonNullable<CompareOptions['read']>, cluster: string | undefined) {
  const tables = new Map<RunResult, ScoredRun>();
  return (result: RunResult): ScoredRun => {
    const table = tables.get(result) ?? read(result, cluster === undefined ? [] : [cluster]);
    tables.set(result, table);
    return table;
  };
}

export function readTable(result: RunResult, keep: readonly string[] = []): ScoredRun {
  return scoredRun(result.scoredRows(), { ...runTableOptions(result), keep });
}

function compareRecords(
  baseline: RunResult,
  others: readonly RunResult[],
  { read, cluster, endpoints, ...options }: DrawOptions & ReadOptions,
): Paired[] {
  const ours = read(baseline);
  const primaryEndpoint = baseline.primaryEndpoint?.metric ?? null;
  return others.map((other) => {
    const pairing = pairRecords(ours, read(other), cluster);
    const { n: nPaired, leftOut, hasRepeats, clusters } = pairing;
    return {
      nPaired,
      leftOut,
      hasRepeats,
      clusters: clusters && { key: clusters.key, n: clusters.n },
      findings: compareEndpoints(pairing, options, endpoints),
      flips: findFlips(pairing, primaryEndpoint),
      itemFlips: null,
      corrected: [],
    };
  });
}

/** Everything the baseline has a score for, question by question. */
function compareAnswers(baseline: RunResult, others: readonly RunResult[], options: DrawOptions): Paired[] {
  const ours = baseline.judging!;
  const scores = comparableScores(ours);
  return others.map((other) => {
    const theirs = other.judging!;
    // What is better by a judge that people disagreed with is not known.
    const isRefuted = [ours, theirs].some(({ judge }) => judge.status === 'refuted');
    const isJudged = (score: ComparableScore) => baseline.scores[safeName(score.name)]?.judged !== undefined;
    return {
      nPaired: nShared(ours, theirs),
      leftOut: NOTHING_LEFT_OUT,
      hasRepeats: baseline.repeats > 1 || other.repeats > 1,
      clusters: null,
      findings: scores.map((score) =>
        compareScore(
          isRefuted && isJudged(score) ? { ...score, better: null } : score,
          ours,
          theirs,
          options,
        ),
      ),
      flips: { by: null, nCompared: 0, onlyBaselineRight: [], onlyModelRight: [] },
      itemFlips: findItemFlips(ours, theirs),
      corrected: compareCorrected(baseline, other, options.level),
    };
  });
}

function nShared(ours: Judging, theirs: Judging): number {
  const ids = new Set(theirs.answers.map(({ id }) => id));
  return new Set(ours.answers.flatMap(({ id }) => (ids.has(id) ? [id] : []))).size;
}

/** Holm's adjustment, `adjusted[model][endpoint]`: over the models for each endpoint, or over all scores and models. */
function adjust(found: readonly Paired[], together: boolean): (number | null)[][] {
  const p = found.map(({ findings }) => findings.map((finding) => finding.p));
  const nEndpoints = p[0]?.length ?? 0;
  if (together) {
    const all = holmAdjust(p.flat());
    return p.map((_, m) => all.slice(m * nEndpoints, (m + 1) * nEndpoints));
  }
  const byEndpoint = Array.from({ length: nEndpoints }, (_, e) =>
    holmAdjust(p.map((ofModel) => ofModel[e]!)),
  );
  return p.map((_, m) => byEndpoint.map((adjusted) => adjusted[m]!));
}

/** What a table of models shows of a run. */
export function comparedModel(result: RunResult, name = result.backendName): ComparedModel {
  const { execution, judging } = result;
  const leading = leadingScores(result.metricScores, result.primaryEndpoint?.metric ?? null);
  const compared = result.metricScores.flatMap((score) => (score.facts?.compared ? [score.name] : []));
  return {
    name,
    backendName: result.backendName,
    runFile: result.path,
    ...pick(result, ['suiteHash', 'arm', 'status']),
    simulated: execution.simulated,
    ...pick(result, ['imported', 'repeats', 'nRecords', 'n', 'nScored', 'ledger']),
    scores: [...new Set([...leading.map((score) => score.name), ...TABLE_METRICS, ...compared])].flatMap(
      (metric) => result.scores[metric] ?? [],
    ),
    judging: judging && {
      ...pick(judging, ['metricTraits', 'otherTraits', 'itemScores', 'abstention']),
      judges: judging.judge.names,
      judgeStatus: judging.judge.status,
    },
    elapsedSeconds: execution.elapsedSeconds,
    tokens: execution.tokenTotal,
    costUsd: execution.costUsd,
  };
}

/** The index of the run that the others are compared with. Default: the first that can be paired; null when no two can be paired. */
function chooseBaseline(reports: readonly RunResult[], wanted: number | undefined): number | null {
  if (wanted === undefined) {
    const pairable = reports.flatMap(({ suiteHash }, r) => (suiteHash === null ? [] : [r]));
    return pairable.length < 2 ? null : pairable[0]!;
  }
  const report = reports[wanted];
  if (report === undefined)
    throw new KrisisError('the baseline is not among the runs to compare', {
      code: 'ERR_RUNS_NOT_COMPARABLE',
    });
  if (report.suiteHash === null)
    throw new KrisisError(
      `${nameInMessage(report)} cannot be the baseline: ${whyNotPaired(report).message}`,
      { value: report.path, code: 'ERR_RUNS_NOT_COMPARABLE' },
    );
  return wanted;
}

/** Refuses runs with different suite hashes: their records are not the same, even where their ids are. */
function checkSameSuite(baseline: RunResult, others: readonly RunResult[]): void {
  const other = others.find(({ suiteHash }) => suiteHash !== baseline.suiteHash);
  if (other === undefined) return;
  if (baseline.recorded !== null && other.recorded !== null && !isJudgedRun(baseline))
    throw otherCases(baseline, other);
  throw new KrisisError(
    `${whyDifferentRecords([baseline, other], baseline.judging ? 'questions or rubrics' : 'records')}:\n  ${baseline.suiteHash}  ${nameInMessage(baseline)}\n  ${other.suiteHash}  ${nameInMessage(other)}\nRun both on the same version of the suite, with the same limits and seed`,
    { value: [baseline.suiteHash, other.suiteHash], code: 'ERR_DIFFERENT_SUITES' },
  );
}

/** Files of rows have no version of a suite: what their cases have in common says more than a hash. */
function otherCases(baseline: RunResult, other: RunResult): KrisisError {
  const collectIds = (result: RunResult) => new Set(result.evaluationResults.map(({ id }) => id));
  const [first, second] = [collectIds(baseline), collectIds(other)];
  const n = [...first].filter((id) => second.has(id)).length;
  const what =
    n === first.size && n === second.size
      ? 'all ids are in both files, and the truth, should_abstain or must_act of some differs'
      : `${n} of ${first.size} ids are in both files (${second.size} in the other)`;
  return new KrisisError(
    `${nameInMessage(baseline)} and ${nameInMessage(other)} are about different cases: ${what}. Compare answers to the same cases, under the same ids`,
    { value: [baseline.suiteHash, other.suiteHash], code: 'ERR_DIFFERENT_SUITES' },
  );
}

/** Refuses runs of different tasks, also where they are in the table only: their scores answer different questions. A run that does not say its task passes. */
function checkSameTask(results: readonly RunResult[]): void {
  const known = results.filter(({ task }) => task?.pack != null);
  if (new Set(known.map(({ task }) => task!.pack)).size < 2) return;
  const lines = known.map((result) => `  ${result.task!.pack}  ${nameInMessage(result)}`);
  throw new KrisisError(`runs of different tasks cannot be compared:\n${lines.join('\n')}`, {
    code: 'ERR_RUNS_NOT_COMPARABLE',
    value: known.map(({ task }) => task!.pack),
  });
}

function nameInMessage({ backendName, path }: RunResult): string {
  return path === null ? backendName : `${backendName} (${basename(path)})`;
}

/** Why a run without a suite hash is in the table only. */
function whyNotPaired({ imported, recorded }: RunResult): { reason: string; message: string } {
  if (imported?.hasRows === false)
    return {
      reason: 'imported_without_rows',
      message: `imported from ${imported.source}, which came without its cases: its numbers are as published`,
    };
  if (recorded !== null)
    return {
      reason: 'rows_without_ids',
      message: `not every case of ${recorded.source} has an id, so its cases cannot be found among those of the others`,
    };
  return {
    reason: 'suite_unknown',
    message: `${imported ? `imported from ${imported.source}: ` : ''}its cases are not known to be those of the others (no suite hash)`,
  };
}
