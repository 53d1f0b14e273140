import { isBlank, isScored, sameLabel } from '../../core/index.ts';
import { pairedAurocDifference, pairedBrierDifference } from '../../statistics/confidence/index.ts';
import { createRandom, percentileInterval } from '../../statistics/index.ts';
import { isConfidence } from '../../statistics/thresholds/index.ts';
import { clusterKey } from '../compare/pair-clusters.ts';
import type { RunResult, RunRow } from '../run-result.ts';
import type { SourceComparison, SourceDifference, SourceScore } from './source-comparison.ts';
import { CONFIDENCE_SOURCES, type ConfidenceSource, repeatsProblem, votesOf } from './source-rows.ts';

type SourcedRun = Pick<
  RunResult,
  'judging' | 'repeats' | 'parameters' | 'method' | 'rows' | 'extras' | 'nRecords'
>;

interface Unit {
  readonly right: boolean;
  readonly cluster: string;
  readonly confidence: Readonly<Partial<Record<ConfidenceSource, number>>>;
}

/** Fewer rows than this, or clusters: intervals are resampled. */
const FEWEST_ROWS = 30;
const RESAMPLES = 2000;
const STREAM = 23;
const OFTEN = 0.4;

/**
 * Compares the sources of confidence of a run on the records that have all of them. The answer is held fixed: that of the first reply. Null where the run has fewer
 * than two sources.
 */
export function compareSources(result: SourcedRun): SourceComparison | null {
  if (result.judging !== null) return null;
  const { repeats, parameters } = result;
  const hasRepeats = repeatsProblem({ repeats, parameters }) === null;
  const hasTokens = parameters.logprobs === true;
  if (!hasRepeats && !hasTokens) return null;
  const cluster = clusterKey(result.method);
  const records = new Map<string, RunRow[]>();
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
  const units: Unit[] = [];
  for (const [id, rows] of records) {
    const first = rows.find(({ repeat }) => repeat === 0);
    if (first === undefined || first.state !== 'answered') continue;
    const votes = votesOf(rows.filter(({ state }) => isScored(state)));
    const share = (of: (vote: unknown) => boolean) => votes.filter(of).length / votes.length;
    const [answer] = votesOf([first]);
    if (share((vote) => vote === 'abstain') >= OFTEN) nOftenAbstained += 1;
    const mustDefer = first.metadata.should_abstain === true;
    if (isBlank(first.groundTruth) && !mustDefer) continue;
    const confidence = {
      stated: first.confidence,
      repeats: share((vote) => vote === answer),
      logprobs: first.tokenConfidence,
    };
    if (!wanted.every((source) => isConfidence(confidence[source]))) continue;
    units.push({
      right: !isBlank(first.groundTruth) && sameLabel(first.prediction!, first.groundTruth!),
      cluster: cluster === undefined ? id : String(first.metadata[cluster] ?? id),
      confidence: confidence as Unit['confidence'],
    });
  }
  if (units.length === 0) return null;
  const sources = wanted.map((source) => scoreOf(source, units, result));
  const [stated, ...others] = sources;
  return {
    n: units.length,
    nRight: units.filter(({ right }) => right).length,
    sources,
    differences: others.map((other) => differenceOf(other, stated!, units)),
    nOftenAbstained: hasRepeats ? nOftenAbstained : null,
    tokens: hasTokens
      ? { afterReasoning: parameters.reasoning === true, withSchema: parameters.structured_output === true }
      : null,
  };
}

function columns(units: readonly Unit[], a: ConfidenceSource, b: ConfidenceSource) {
  return [
    units.map(({ right }) => right),
    units.map(({ confidence }) => confidence[a]!),
    units.map(({ confidence }) => confidence[b]!),
  ] as const;
}

function scoreOf(source: ConfidenceSource, units: readonly Unit[], result: SourcedRun): SourceScore {
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
    callsPerRecord: each(calls),
    tokensPerRecord: each(tokens),
    usdPerRecord: each(usd),
  };
}

function differenceOf(own: SourceScore, stated: SourceScore, units: readonly Unit[]): SourceDifference {
  const given = columns(units, own.source, stated.source);
  const brier = pairedBrierDifference(...given)!;
  const auroc = pairedAurocDifference(...given);
  const clusters = Map.groupBy(units, ({ cluster }) => cluster);
  const isResampled = units.length < FEWEST_ROWS || clusters.size < units.length;
  const extra =
    own.callsPerRecord === null || stated.callsPerRecord === null
      ? 0
      : own.callsPerRecord - stated.callsPerRecord;
  const common = {
    source: own.source,
    baseline: stated.source,
    brierPerExtraCall: extra > 0 ? brier.difference / extra : null,
  };
  if (!isResampled) return { ...common, brier, auroc, interval: 'paired' };
  const drawn = resampled([...clusters.values()], own.source, stated.source);
  return {
    ...common,
    brier: { ...brier, se: null, ...drawn.brier },
    auroc: auroc && { ...auroc, se: null, ...drawn.auroc },
    interval: 'cluster_bootstrap',
  };
}

/** Percentile intervals over resampled clusters; each record is one where there are no others. */
function resampled(clusters: readonly (readonly Unit[])[], a: ConfidenceSource, b: ConfidenceSource) {
  const random = createRandom(RESAMPLE_SEED, STREAM);
  const briers: number[] = [];
  const aurocs: number[] = [];
  for (let draw = 0; draw < RESAMPLES; draw++) {
    const units = clusters.flatMap(() => clusters[random.integer(clusters.length)]!);
    const given = columns(units, a, b);
    briers.push(pairedBrierDifference(...given)!.difference);
    const auroc = pairedAurocDifference(...given);
    if (auroc !== null) aurocs.push(auroc.difference);
  }
  const ends = (values: number[]) => {
    const found = clusters.length < 2 ? null : percentileInterval(values);
    return { lower: found?.[0] ?? null, upper: found?.[1] ?? null };
  };
  return { brier: ends(briers), auroc: ends(aurocs) };
}

const RESAMPLE_SEED = 42;
