import { endpointFor } from '../../analyses/comparison/endpoints.ts';
import { pairRecords } from '../../analyses/comparison/pair-records.ts';
import { recordScores } from '../../analyses/comparison/record-scores.ts';
import type { ScoredRun } from '../../analyses/comparison/scored-run.ts';
import { estimateMetric, type Metric } from '../../metrics/metric.ts';
import { builtInMetric } from '../../metrics/registry.ts';
import { Sample } from '../../metrics/sample.ts';
import { whole } from '../../reports/charts/number-text.ts';
import { fewestPairs } from '../../statistics/power.ts';
import { DEFAULT_LEVEL } from '../../statistics/score-options.ts';
import { casesForMargin } from './cases-to-decide.ts';
import { chooseMetric } from './check-gates.ts';

/** The share of records on which two models of the same quality are taken to differ. */
const DISCORDANT = 0.1;

/** How many records a non-inferiority margin needs, and how many the reference has. */
export interface PlannedNonInferiority {
  readonly metric: string;
  readonly margin: number;
  /** Records of the reference, and how many of them the metric counts. */
  readonly nRecords: number;
  readonly nCounted: number;
  /** What clusters of records share, and in how many the counted ones are; null where each record is alone. */
  readonly clusters: { readonly key: string; readonly n: number } | null;
  /** The fewest counted records, or clusters, with which the margin can be shown: the two runs never differ on them. */
  readonly fewest: number;
  /** About as many records show it with a chance of 80 % if the runs differ on 10 % of them. Clusters take more. */
  readonly likely: number;
}

/**
 * What a margin needs of the records that a metric counts, before the first call: a metric over emergencies counts a few dozen of a
 * thousand. The reference is paired with itself, so it says how many records and clusters there will be. Null where the metric is no
 * share over the same records.
 */
export function planNonInferiority(
  { metric: wanted, margin }: { readonly metric: string | null; readonly margin: number },
  reference: ScoredRun,
  metrics: readonly Metric[],
  {
    cluster,
    level = DEFAULT_LEVEL,
    discordant = DISCORDANT,
  }: {
    readonly cluster?: string | undefined;
    readonly level?: number | undefined;
    /** The share of cases on which the two runs are taken to differ. Default: 0.1. */
    readonly discordant?: number | undefined;
  } = {},
): PlannedNonInferiority | null {
  const sample = Sample.from(reference.table.scored);
  const hasValue = (name: string) => {
    const metric = metrics.find((candidate) => candidate.name === name);
    return metric !== undefined && typeof estimateMetric(metric, sample) === 'number';
  };
  const metric = chooseMetric(wanted, hasValue, metrics);
  const endpoint = endpointFor(metric);
  const pairing = pairRecords(reference, reference, cluster);
  const scores = endpoint.binary ? recordScores(endpoint, pairing) : null;
  if (scores === null || margin > 1) return null;
  const counted = [...scores.model.keys()].filter((r) => !Number.isNaN(scores.model[r]!));
  const { clusters, hasRepeats } = pairing;
  return {
    metric: metric.name,
    margin,
    nRecords: pairing.n,
    nCounted: counted.length,
    clusters: clusters && {
      key: clusters.key,
      n: new Set(counted.map((r) => clusters.of[r]!)).size,
    },
    fewest: fewestPairs({ margin, level, clustered: clusters !== null || hasRepeats }),
    likely: casesForMargin({ margin, discordant, level })!,
  };
}

/**
 * What a non-inferiority margin needs, in a sentence. Null where the metric counts most records and there are as many as the margin is
 * likely to need.
 */
export function nonInferiorityPlanText(planned: PlannedNonInferiority, reference: string): string | null {
  const { metric, margin, nRecords, nCounted, clusters, fewest, likely } = planned;
  const available = clusters?.n ?? nCounted;
  const isEnough = available >= fewest;
  if (isEnough && nCounted >= likely && 2 * nCounted >= nRecords) return null;
  const cases = builtInMetric(metric)?.cases ?? `cases that ${metric} counts`;
  const unit = clusters === null ? cases : `clusters (${clusters.key}) of ${cases}`;
  const found = clusters === null ? whole(nCounted) : `${whole(nCounted)} in ${whole(clusters.n)} clusters`;
  const needs = `a margin of ${margin} on ${metric} needs at least ${whole(fewest)} ${unit}, if the two runs never differ on them, and about ${whole(likely)} cases for a chance of 80 % if they differ on 10 %`;
  return `${needs}; ${reference} has ${found}${isEnough ? '' : ', too few unless the model turns out better'}`;
}
