import { decisionFacts, isScored, isStrictlyRight } from '../../core/index.ts';
import { pairedAurocDifference, pairedBrierDifference } from '../../statistics/confidence/index.ts';
import { DEFAULT_DELTA, DEFAULT_RISK, isConfidence } from '../../statistics/thresholds/index.ts';
import type { Row } from '../../store/index.ts';
import { clusterKey } from '../compare/pair-clusters.ts';
import type { RunResult } from '../run-result.ts';
import { augrcOf, resampledDifferences } from './resample-sources.ts';
import type { SourceComparison, SourceDifference, SourceScore } from './source-comparison.ts';
import { CONFIDENCE_SOURCES, type ConfidenceSource, repeatsProblem, votesOf } from './source-rows.ts';
import type { SourceUnit } from './source-unit.ts';
import { resampledCoverage, type SplitUnits, splitUnits, thresholdCoverage } from './threshold-coverage.ts';

type SourcedRun = Pick<
  RunResult,
  'status' | 'judging' | 'repeats' | 'parameters' | 'method' | 'rows' | 'extras' | 'nRecords'
>;

/** Fewer rows than this, or clusters: intervals are resampled. */
const FEWEST_ROWS = 30;
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
    const votes = votesOf(rows);
    const share = (of: (vote: unknown) => boolean) => votes.filter(of).length / votes.length;
    const [answer] = votesOf([first]);
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
  const sources = wanted.map((source) => scoreOf(source, units, split, result));
  const [stated, ...others] = sources;
  const differences = others.map((other) => differenceOf(other, stated!, units, split));
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

function scoreOf(
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
    augrc: augrcOf(units, source),
    ...(split === null ? { threshold: null, coverage: null } : thresholdCoverage(split, source)),
    callsPerRecord: each(calls),
    tokensPerRecord: each(tokens),
    usdPerRecord: each(usd),
  };
}

function differenceOf(
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
    units.length < FEWEST_ROWS || new Set(units.map(({ cluster }) => cluster)).size < units.length;
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
