import type { DrawOptions } from '../../analyses/analysis.ts';
import { compareEndpoints } from '../../analyses/comparison/compare-endpoint.ts';
import { compareScore } from '../../analyses/comparison/compare-score.ts';
import { meanInterval } from '../../analyses/comparison/difference-interval.ts';
import { type Endpoint, endpointFor } from '../../analyses/comparison/endpoints.ts';
import { type LeftOut, type Pairing, pairRecords } from '../../analyses/comparison/pair-records.ts';
import type { ScoredRun } from '../../analyses/comparison/scored-run.ts';
import type { EndpointFinding } from '../../analyses/comparison/test-pairs.ts';
import type { ComparableScore } from '../../analyses/judging/comparable-score.ts';
import type { Judging } from '../../analyses/judging/judging.ts';
import { KrisisError } from '../../core/errors.ts';
import { ABSTAINED, type Columns } from '../../metrics/columns.ts';
import { answerRate } from '../../metrics/correctness/correctness-metrics.ts';
import { NO_LABEL } from '../../metrics/label-table.ts';
import type { Metric } from '../../metrics/metric.ts';
import { MIN_CLUSTERS } from '../../statistics/cluster-non-inferiority.ts';
import { type NonInferiority, nonInferiority } from '../../statistics/paired-score-interval.ts';
import type { GateVerdict } from '../conditions/verdict.ts';
import { casesForMargin, neededText } from './cases-to-decide.ts';

export interface Margin extends DrawOptions {
  /** How much worse is still tolerated, on the scale of the metric. */
  readonly margin: number;
  /** What the verdict calls the baseline. */
  readonly baselineName: string;
}

export interface NonInferiorityOptions extends Margin {
  readonly metric: Metric;
  /** The metadata key by which records are drawn together. Default: records of one call. */
  readonly cluster?: string | undefined;
}

type Range = readonly [number, number];

/** With fewer records that differ, a bootstrap of a metric that is no share decides nothing. */
const MIN_DIFFERING = 10;

/**
 * Whether a model is no worse than a baseline by more than a margin, on the records that both have scored: it passes when the whole interval of the difference lies on the right side of the
 * margin, fails when it lies on the wrong one, and is undecided otherwise. Rows that failed are tried as all bad and as all good; when that changes the answer, it is undecided. On a metric over
 * answered rows only, coverage is compared too, by the same margin: a model may not pass by answering less.
 */
export function checkNonInferiority(
  model: ScoredRun,
  baseline: ScoredRun,
  options: NonInferiorityOptions,
): GateVerdict[] {
  const { metric } = options;
  const better = checkDirection(metric.name, metric.better ?? null, options);
  const pairing = pairRecords(baseline, model, options.cluster);
  if (pairing.leftOut.truthDiffers > 0)
    throw new KrisisError(
      `non-inferiority to ${options.baselineName}: ${pairing.leftOut.truthDiffers} cases have another truth there under the same id, so the cases are not the same`,
      { value: options.baselineName, code: 'ERR_DIFFERENT_SUITES' },
    );
  const isComplete = nUnscored(pairing.leftOut, model, baseline) === 0;
  const check = (checked: Metric, direction: 'higher' | 'lower') => {
    const endpoint = endpointFor(checked);
    const extremes = () => extremeIntervals(model, baseline, endpoint, pairing, options);
    return verdictOn(compareEndpoints(pairing, options, [endpoint])[0]!, direction, options, {
      name: checked.name,
      paired: `${pairing.n} cases`,
      open: isComplete ? null : { because: 'cases failed or never ran', extremes },
    });
  };
  const verdict = check(metric, better);
  return metric.answeredOnly ? [verdict, check(answerRate(), 'higher')] : [verdict];
}

/** The same on a score of open questions, question by question. Unscored items leave it undecided: how far they could move the difference is not known. */
export function checkTraitNonInferiority(
  score: ComparableScore,
  model: Judging,
  baseline: Judging,
  options: Margin & { readonly isComplete: boolean },
): GateVerdict {
  const better = checkDirection(score.name, score.better, options);
  const finding = compareScore(score, baseline, model, options);
  return verdictOn(finding, better, options, {
    name: score.name,
    paired: `${finding.n} questions`,
    open: options.isComplete ? null : { because: 'cases or items are unscored', extremes: () => null },
  });
}

function checkDirection(
  name: string,
  better: 'higher' | 'lower' | null,
  { margin }: Margin,
): 'higher' | 'lower' {
  if (!(margin > 0 && Number.isFinite(margin)))
    throw new KrisisError(`the margin is ${margin}; expected a number above 0, such as 0.02`, {
      value: margin,
      code: 'ERR_GATE_INVALID',
    });
  if (better !== null) return better;
  throw new KrisisError(
    `non-inferiority on ${name}: neither more nor less of it is better; choose another metric`,
    { value: name, code: 'ERR_NON_INFERIORITY_METRIC' },
  );
}

interface Evidence {
  readonly name: string;
  /** What was paired, in words. */
  readonly paired: string;
  /** What is unscored, and the intervals it could lead to (null: not known); null where everything is scored. */
  readonly open: { readonly because: string; extremes(): readonly Range[] | null } | null;
}

function verdictOn(
  finding: EndpointFinding,
  better: 'higher' | 'lower',
  { margin, baselineName }: Margin,
  { name, paired, open }: Evidence,
): GateVerdict {
  const text = `non-inferior to ${baselineName} on ${name} by ${margin}`;
  const verdict = (status: GateVerdict['status'], message: string) => ({ text, status, message });
  if (finding.difference === null || finding.interval === null) {
    return verdict('undecided', `${name} cannot be compared on ${paired} in both runs: ${why(finding)}`);
  }
  const isScore = finding.interval.method.startsWith('paired_score');
  if (!isScore && finding.nDiffering < MIN_DIFFERING)
    return verdict(
      'undecided',
      `${describe(finding)}: the runs differ on ${finding.nDiffering} cases, and ${name} takes at least ${MIN_DIFFERING} to compare`,
    );
  // Signed so that more is better.
  const judge = ([lower, upper]: Range) =>
    nonInferiority(better === 'higher' ? [lower, upper] : [-upper, -lower], margin);
  const observed = judge([finding.interval.lower, finding.interval.upper]);
  const needed =
    observed === 'undecided' && isScore && finding.n > 0
      ? casesForMargin({
          margin,
          discordant: Math.max(finding.nDiffering / finding.n, 1 / finding.n),
          difference: better === 'higher' ? finding.difference : -finding.difference,
        })
      : null;
  const found = `${describe(finding)}: ${SENTENCES[observed](margin)}${neededText(needed, 'decide it')}`;
  if (open === null) return verdict(observed, found);
  const extremes = open.extremes();
  if (extremes === null)
    return verdict('undecided', `${found}; but ${open.because}, and how far they could move it is not known`);
  const [worst, best] = extremes.map(judge);
  if (worst !== best)
    return verdict('undecided', `${found}; but ${open.because}, and what they might have been decides`);
  return verdict(best!, `${found}; ${open.because}, which cannot change it`);
}

const SENTENCES: Readonly<Record<NonInferiority, (margin: number) => string>> = {
  pass: (margin) => `not worse by more than ${margin}`,
  fail: (margin) => `worse by more than ${margin}`,
  undecided: (margin) => `the interval includes a loss of ${margin}, so it cannot be decided`,
};

function why({ reason, intervalReason, nClusters }: EndpointFinding): string {
  if (intervalReason === 'too_few_clusters' && nClusters !== null)
    return `${nClusters} clusters are too few, at least ${MIN_CLUSTERS} are needed`;
  if (intervalReason === 'interval_unbounded') return 'too many of the cases are in one or a few clusters';
  return (reason ?? intervalReason ?? 'undefined').replaceAll('_', ' ');
}

function describe({ difference, interval, n, nClusters }: EndpointFinding): string {
  const signed = (value: number) => `${value > 0 ? '+' : ''}${value.toFixed(3)}`;
  return `difference ${signed(difference!)} (${signed(interval!.lower)} to ${signed(interval!.upper)}, n ${n}${nClusters === null ? '' : ` in ${nClusters} clusters`})`;
}

/** Rows that are missing on records of both runs; a record that only one run was asked about did not fail. */
function nUnscored(leftOut: LeftOut, model: ScoredRun, baseline: ScoredRun): number {
  const whole =
    leftOut.failedInBaseline + leftOut.failedInModel + leftOut.notRunInBaseline + leftOut.notRunInModel;
  const partly = [model, baseline].some(({ unscored, table }) =>
    table.scored.record.values.some((id) => unscored.has(id)),
  );
  return whole + (partly ? 1 : 0);
}

/** The intervals, had the missing rows made the difference as small, and as large, as they could; null where that is not known. */
function extremeIntervals(
  model: ScoredRun,
  baseline: ScoredRun,
  endpoint: Endpoint,
  { ids: paired, clusters, hasRepeats }: Pairing,
  options: DrawOptions,
): readonly Range[] | null {
  const theirs = possibleScores(model, endpoint);
  const ours = possibleScores(baseline, endpoint);
  if (theirs === null || ours === null) return null;
  const ids = [...theirs.keys()].filter((id) => ours.has(id)).sort();
  const cluster = clusters && new Map(paired.map((id, r) => [id, clusters.of[r]!]));
  // A record that is missing in one run is in no known cluster: it is one of its own.
  const clusterOf = cluster ? Int32Array.from(ids, (id, r) => cluster.get(id) ?? clusters!.n + r) : undefined;
  const ranges = (['least', 'most'] as const).map((which) => {
    const other = which === 'least' ? 'most' : 'least';
    const differences = Float64Array.from(ids, (id) => theirs.get(id)![which] - ours.get(id)![other]);
    const how = { ...options, binary: endpoint.binary, clusterOf, hasRepeats };
    const { interval } = meanInterval(differences, how);
    return interval && ([interval.lower, interval.upper] as const);
  });
  return ranges.every((range) => range !== null) ? ranges : null;
}

/**
 * Every record of a run with the range its score could have: a row that failed or never ran may have scored anything from 0 to 1. Without
 * such rows both ends are the score. A record that has no score in this endpoint (no deferral label, no confidence) is not there. Null where the endpoint is no mean over rows.
 */
export function possibleScores(
  { table }: ScoredRun,
  endpoint: Endpoint,
): Map<string, { readonly least: number; readonly most: number }> | null {
  const sums = new Map<string, { sum: number; n: number; open: number }>();
  const entry = ({ record }: Columns, row: number) => {
    if (record.codes[row] === NO_LABEL) return null;
    const id = record.values[record.codes[row]!]!;
    const known = sums.get(id) ?? { sum: 0, n: 0, open: 0 };
    sums.set(id, known);
    return known;
  };
  const { scored, unscored } = table;
  const scores = endpoint.rowScores?.(scored) ?? null;
  if (scores === null) return null;
  for (const [row, score] of scores.entries()) {
    const known = Number.isNaN(score) ? null : entry(scored, row);
    if (known === null) continue;
    known.sum += score;
    known.n += 1;
  }
  // A share that leaves a row out whatever is answered leaves it out as an abstention too.
  const asAbstained = { ...unscored, state: unscored.state.map(() => ABSTAINED) };
  const counted = endpoint.binary ? endpoint.rowScores!(asAbstained) : null;
  for (let row = 0; row < unscored.n; row++) {
    const known = counted !== null && Number.isNaN(counted[row]!) ? null : entry(unscored, row);
    if (known !== null) known.open += 1;
  }
  return new Map(
    [...sums].map(([id, { sum, n, open }]) => [
      id,
      { least: sum / (n + open), most: (sum + open) / (n + open) },
    ]),
  );
}
