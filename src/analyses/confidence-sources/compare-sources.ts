import { decisionFacts, isStrictlyRight } from '../../core/decision-class.ts';
import { evaluationResult } from '../../core/evaluation-result.ts';
import { isScored } from '../../core/states.ts';
import { estimateMetric } from '../../metrics/metric.ts';
import { builtInMetric } from '../../metrics/registry.ts';
import { Sample } from '../../metrics/sample.ts';
import type { RunResult } from '../../runs/run-result.ts';
import { percentileInterval } from '../../statistics/bootstrap.ts';
import { pairedAurocDifference, pairedBrierDifference } from '../../statistics/methods/confidence.ts';
import {
  DEFAULT_DELTA,
  DEFAULT_RISK,
  deployableThreshold,
  isConfidence,
  reaches,
} from '../../statistics/methods/thresholds.ts';
import { createRandom, shuffle } from '../../statistics/random.ts';
import type { Row } from '../../store/tables.ts';
import { clusterKey } from '../comparison/pair-clusters.ts';
import { isJudged } from '../judging/judged-result.ts';
import type { SourceComparison, SourceDifference, SourceScore } from './source-comparison.ts';
import { CONFIDENCE_SOURCES, type ConfidenceSource, countVotes, repeatsProblem } from './source-rows.ts';

type SourcedRun = Pick<
  RunResult,
  'status' | 'judging' | 'repeats' | 'parameters' | 'method' | 'rows' | 'extras' | 'nRecords'
>;

/** Fewer rows than this, or clusters: intervals are resampled. */
const MIN_ROWS = 30;
const OFTEN = 0.4;

/**
 * Compares the sources of confidence of a run on the records that have all of them. The answer is held fixed: that of the first reply. Null where the run has fewer
 * than two sources.
 */
export function compareSources(result: SourcedRun): SourceComparison | null {
  if (isJudged(result)) return null;
  const { repeats, parameters } = result;
  const hasRepeats = repeatsProblem({ repeats, parameters }) === null;
  const hasTokens = parameters.logprobs === true;
  if (!hasRepeats && !hasTokens) return null;
  const cluster = clusterKey(result.method);
  const records = new Map<string, Row[]>();
  for (const row of result.rows()) {
    if (row.id === null) continue;
    const own = records.get(row.id);
    if (own === undefined) records.set(row.id, [row]);
    else own.push(row);
  }
  const wanted = CONFIDENCE_SOURCES.filter(
    (source) => source === 'stated' || (source === 'repeats' ? hasRepeats : hasTokens),
  );
  let nOftenAbstained = 0;
  const units: SourceUnit[] = [];
  for (const [id, rows] of records) {
    const first = rows.find(({ repeat }) => repeat === 0);
    if (first === undefined || first.state !== 'answered') continue;
    if (rows.length < repeats || rows.some(({ state }) => !isScored(state))) continue;
    const votes = countVotes(rows);
    const share = (of: (vote: unknown) => boolean) => votes.filter(of).length / votes.length;
    const [answer] = countVotes([first]);
    if (share((vote) => vote === 'abstain') >= OFTEN) nOftenAbstained += 1;
    const facts = decisionFacts(first);
    if (!facts.labelled && facts.shouldAbstain !== true) continue;
    const confidence = {
      stated: first.confidence,
      repeats: share((vote) => vote === answer),
      logprobs: first.tokenConfidence,
    };
    if (!wanted.every((source) => isConfidence(confidence[source]))) continue;
    units.push({
      right: facts.right,
      strictlyRight: isStrictlyRight(facts),
      cluster: cluster === undefined ? (first.call ?? id) : String(first.metadata[cluster] ?? id),
      confidence: confidence as SourceUnit['confidence'],
    });
  }
  if (units.length === 0) return null;
  const isStopped = result.status === 'stopped_early';
  // The tests behind a threshold need a number of rows that was fixed beforehand.
  const split = isStopped ? null : splitUnits(units);
  const sources = wanted.map((source) => scoreSource(source, units, split, result));
  const [stated, ...others] = sources;
  const differences = others.map((other) => computeDifference(other, stated!, units, split));
  return {
    n: units.length,
    nRight: units.filter(({ right }) => right).length,
    sources,
    differences: isStopped ? differences.map(withoutIntervals) : differences,
    promise: split && {
      risk: DEFAULT_RISK,
      confidence: 1 - DEFAULT_DELTA,
      nCalibration: split.calibration.length,
      nEvaluation: split.evaluation.flat().length,
    },
    nOftenAbstained: hasRepeats ? nOftenAbstained : null,
    tokens: hasTokens
      ? { afterReasoning: parameters.reasoning === true, withSchema: parameters.structured_output === true }
      : null,
  };
}

function columns(units: readonly SourceUnit[], a: ConfidenceSource, b: ConfidenceSource) {
  return [
    units.map(({ right }) => right),
    units.map(({ confidence }) => confidence[a]!),
    units.map(({ confidence }) => confidence[b]!),
  ] as const;
}

function scoreSource(
  source: ConfidenceSource,
  units: readonly SourceUnit[],
  split: SplitUnits | null,
  result: SourcedRun,
): SourceScore {
  const [correct, confidences] = columns(units, source, source);
  const brier =
    correct.reduce((sum, right, i) => sum + (confidences[i]! - Number(right)) ** 2, 0) / correct.length;
  const { n_calls: calls, token_total: tokens, cost_usd: usd } = result.extras;
  const replies = source === 'repeats' ? result.repeats : 1;
  const each = (total: number | null) =>
    total === null || result.nRecords === 0 ? null : (total * replies) / (result.nRecords * result.repeats);
  return {
    source,
    brier,
    auroc: pairedAurocDifference(correct, confidences, confidences)?.aurocA ?? null,
    augrc: computeAugrc(units, source),
    ...(split === null ? { threshold: null, coverage: null } : thresholdCoverage(split, source)),
    callsPerRecord: each(calls),
    tokensPerRecord: each(tokens),
    usdPerRecord: each(usd),
  };
}

function computeDifference(
  own: SourceScore,
  stated: SourceScore,
  units: readonly SourceUnit[],
  split: SplitUnits | null,
): SourceDifference {
  const given = columns(units, own.source, stated.source);
  const brier = pairedBrierDifference(...given)!;
  const auroc = pairedAurocDifference(...given);
  const drawn = resampledDifferences(units, own.source, stated.source);
  const augrc = { difference: own.augrc - stated.augrc, se: null, ...drawn.augrc };
  const coverage =
    split === null || own.coverage === null || stated.coverage === null
      ? null
      : {
          difference: own.coverage - stated.coverage,
          se: null,
          ...resampledCoverage(split, own.source, stated.source),
        };
  const isResampled =
    units.length < MIN_ROWS || new Set(units.map(({ cluster }) => cluster)).size < units.length;
  const extra = (key: 'callsPerRecord' | 'tokensPerRecord' | 'usdPerRecord') =>
    own[key] === null || stated[key] === null ? null : own[key] - stated[key];
  const extraCalls = extra('callsPerRecord');
  const perCall = (found: { readonly difference: number } | null) =>
    found === null || extraCalls === null || extraCalls <= 0 ? null : found.difference / extraCalls;
  return {
    source: own.source,
    baseline: stated.source,
    brier: isResampled ? { ...brier, se: null, ...drawn.brier } : brier,
    auroc: isResampled && auroc !== null ? { ...auroc, se: null, ...drawn.auroc } : auroc,
    augrc,
    coverage,
    extraCalls,
    extraTokens: extra('tokensPerRecord'),
    extraUsd: extra('usdPerRecord'),
    brierPerExtraCall: perCall(brier),
    aurocPerExtraCall: perCall(auroc),
    augrcPerExtraCall: perCall(augrc),
    coveragePerExtraCall: perCall(coverage),
    interval: isResampled ? 'cluster_bootstrap' : 'paired',
  };
}

const NO_INTERVAL = { se: null, lower: null, upper: null } as const;

function withoutIntervals({ brier, auroc, augrc, ...rest }: SourceDifference): SourceDifference {
  return {
    ...rest,
    brier: { ...brier, ...NO_INTERVAL },
    auroc: auroc && { ...auroc, ...NO_INTERVAL },
    augrc: { ...augrc, ...NO_INTERVAL },
    interval: 'not_valid_after_early_stop',
  };
}

/** The seed of a threshold's split. */
const SPLIT_SEED = 1;

/** The answers in two parts: one chooses the threshold of each source, the other shows what it accepts. */
interface SplitUnits {
  /** One answer per cluster, since the exact tests need independent ones. */
  readonly calibration: readonly SourceUnit[];
  /** Clusters with all their answers. */
  readonly evaluation: readonly (readonly SourceUnit[])[];
}

/** Halves the clusters by a seed; the split depends on their names, not on the order of rows. */
function splitUnits(units: readonly SourceUnit[]): SplitUnits {
  const clusters = Map.groupBy(units, ({ cluster }) => cluster);
  const names = shuffle(createRandom(SPLIT_SEED, 'sourceSplit'), [...clusters.keys()].sort());
  const nCalibration = Math.floor(names.length / 2 + 0.5);
  const random = createRandom(SPLIT_SEED, 'sourceOneOfCluster');
  const members = names.map((name) => clusters.get(name)!);
  return {
    calibration: members.slice(0, nCalibration).map((own) => own[random.integer(own.length)]!),
    evaluation: members.slice(nCalibration),
  };
}

/** The threshold with the default promise, and the share of evaluation answers that it accepts: 0 without a threshold, null without answers. */
function thresholdCoverage({ calibration, evaluation }: SplitUnits, source: ConfidenceSource) {
  const readConfidence = ({ confidence }: SourceUnit) => confidence[source]!;
  const { threshold } = deployableThreshold(
    calibration.map(readConfidence),
    calibration.map(({ strictlyRight }) => strictlyRight),
  );
  let [n, accepted] = [0, 0];
  for (const own of evaluation)
    for (const unit of own) {
      n += 1;
      if (threshold !== null && reaches(readConfidence(unit), threshold)) accepted += 1;
    }
  return { threshold, coverage: n === 0 ? null : accepted / n };
}

/** The interval of the difference in coverage a - b. Each part is resampled by itself, and every resample chooses its thresholds again. */
function resampledCoverage(
  { calibration, evaluation }: SplitUnits,
  a: ConfidenceSource,
  b: ConfidenceSource,
): Ends {
  const random = createRandom(RESAMPLE_SEED, 'sourceCoverage');
  const redrawn = <T>(items: readonly T[]) => items.map(() => items[random.integer(items.length)]!);
  const values = Float64Array.from({ length: RESAMPLES }, () => {
    const drawn = { calibration: redrawn(calibration), evaluation: redrawn(evaluation) };
    const [ours, theirs] = [thresholdCoverage(drawn, a), thresholdCoverage(drawn, b)];
    return (ours.coverage ?? Number.NaN) - (theirs.coverage ?? Number.NaN);
  });
  return findEnds(values, Math.min(calibration.length, evaluation.length));
}

const MEASURES = { brier: 'brier_top_label', auroc: 'auroc_confidence', augrc: 'augrc' } as const;
type Measure = keyof typeof MEASURES;

/** The area under the generalised risk-coverage curve of one source. */
function computeAugrc(units: readonly SourceUnit[], source: ConfidenceSource): number {
  return estimated('augrc', makeSample(units, source));
}

/** Percentile intervals of the differences a - b over resampled clusters; a drawn record brings both confidences. */
function resampledDifferences(
  units: readonly SourceUnit[],
  a: ConfidenceSource,
  b: ConfidenceSource,
): Record<Measure, Ends> {
  const clusters = [...Map.groupBy(units.keys(), (i) => units[i]!.cluster).values()];
  const weights = new Uint32Array(units.length);
  const [ours, theirs] = [makeSample(units, a).weighted(weights), makeSample(units, b).weighted(weights)];
  const random = createRandom(RESAMPLE_SEED, 'sourceDifference');
  const drawn = {
    brier: new Float64Array(RESAMPLES),
    auroc: new Float64Array(RESAMPLES),
    augrc: new Float64Array(RESAMPLES),
  };
  for (let draw = 0; draw < RESAMPLES; draw++) {
    weights.fill(0);
    for (let k = 0; k < clusters.length; k++)
      for (const i of clusters[random.integer(clusters.length)]!) weights[i]! += 1;
    ours.refresh();
    theirs.refresh();
    for (const measure of Object.keys(drawn) as Measure[])
      drawn[measure][draw] = estimated(measure, ours) - estimated(measure, theirs);
  }
  const ends = (values: Float64Array) => findEnds(values, clusters.length);
  return { brier: ends(drawn.brier), auroc: ends(drawn.auroc), augrc: ends(drawn.augrc) };
}

/** The percentile interval of replicates; none where there is one cluster, or where they hardly vary: a width of 0 would claim certainty. */
function findEnds(values: Float64Array, nClusters: number): Ends {
  const [lower, upper] = (nClusters < 2 ? null : percentileInterval(values)) ?? [null, null];
  return lower === upper ? { lower: null, upper: null } : { lower, upper };
}

function estimated(measure: Measure, sample: Sample): number {
  const value = estimateMetric(builtInMetric(MEASURES[measure])!, sample);
  return typeof value === 'number' ? value : Number.NaN;
}

function makeSample(units: readonly SourceUnit[], source: ConfidenceSource): Sample {
  return Sample.of(
    units.map(({ right, confidence }) =>
      evaluationResult({ groundTruth: 1, prediction: right ? 1 : 0, confidence: confidence[source]! }),
    ),
  );
}

/** An answer with the confidence of every source. */
interface SourceUnit {
  readonly right: boolean;
  /** Right, and not on a case that should be deferred: what a threshold promises. */
  readonly strictlyRight: boolean;
  /** What is drawn together: the patient, the records of one call, or the record. */
  readonly cluster: string;
  readonly confidence: Readonly<Partial<Record<ConfidenceSource, number>>>;
}

/** The ends of a resampled interval; null where there is none. */
interface Ends {
  readonly lower: number | null;
  readonly upper: number | null;
}

const RESAMPLES = 2000;
const RESAMPLE_SEED = 42;
