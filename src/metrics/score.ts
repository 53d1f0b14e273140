import { z } from 'zod';
import { count, type Shape } from '../core/codec.ts';
import { type ActOptions, EMERGENCY_RULES } from '../core/decision-class.ts';
import type { DeferralReasons } from '../core/deferral-reasons.ts';
import type { Label } from '../core/label.ts';
import type { Ledger } from '../core/ledger.ts';
import { scoreSchema } from '../core/score.ts';
import { KNOWN_SCALES } from '../domains/domains.ts';
import {
  checkResamples,
  DEFAULT_LEVEL,
  DEFAULT_SEED,
  defaultResamples,
  type ScoreOptions,
} from '../statistics/score-options.ts';
import { subgroupGapSchema, subgroupGaps } from './behaviour/subgroups.ts';
import { withBounds } from './bounds.ts';
import type { BundleOptions, TaskName } from './bundle-options.ts';
import { ANSWERED, type Columns, type RowTable } from './columns.ts';
import { neededKeys } from './define-metric.ts';
import type { Metric } from './metric.ts';
import { correctedScore, defaultBenchmarkMetrics, extendedMetrics, meanScore } from './registry.ts';
import { findCluster, nClusters } from './resample.ts';
import { Sample } from './sample.ts';
import { scoreMetrics } from './score-metrics.ts';

/** How rows are scored: which metrics, by which groups, with which intervals. */
export interface ScoringOptions extends ScoreOptions, BundleOptions, ActOptions {
  /** Which bundle of metrics is computed. Default: `default`. */
  readonly bundle?: 'default' | 'extended';
  /** These metrics instead of a bundle. Default: the bundle. */
  readonly metrics?: readonly Metric[];
  /** The task's reasons to defer, with which the reasons that a model gives are compared. Default: those of all domains. */
  readonly deferralReasons?: DeferralReasons | undefined;
  /** Metadata keys by which groups are compared. Default: none. */
  readonly groupBy?: readonly string[];
}

export const rowCountsSchema = z.object({
  /** All rows, of which `nScored` say something about the model. */
  n: count,
  /** Rows that are neither failed nor never run. */
  nScored: count,
  /** Answered rows without a confidence. */
  nMissingConfidence: count,
  /** Answered rows with a confidence outside 0 to 1. */
  nInvalidConfidence: count,
  /** Scored rows with neither a true label nor `should_abstain: true`, emergencies apart. Metrics that need a label leave them out. */
  nWithoutLabel: count,
});

export const ledgerSchema = z.custom<Ledger>((value) => z.record(z.string(), count).safeParse(value).success);

export const scorecardSchema = rowCountsSchema.extend({
  /** The task whose metrics were added; null for none. */
  task: z.custom<TaskName>((value) => typeof value === 'string').nullable(),
  /** How the rows ended. */
  ledger: ledgerSchema,
  /** Rows marked both to be acted upon and to be deferred: their deferral label is ignored. */
  nContradictions: count,
  /** Invalid rows whose reply held two different answers. */
  nTwoAnswers: count,
  /** Invalid rows whose reply held no answer but one quoted from the record. */
  nQuotedAnswers: count,
  /** Scored rows, or the clusters that they are in: what may be taken as independent. */
  nIndependent: count,
  /** Emergencies among all rows, scored or not. */
  nMustAct: count,
  /** What makes an emergency missed. */
  emergencyRule: z.enum(EMERGENCY_RULES),
  /** Every metric, in the order of the bundle. */
  scores: z.array(scoreSchema),
  /** Groups, one entry for each metric and key. */
  subgroups: z.array(subgroupGapSchema),
  /** How the numbers were computed. */
  method: z.object({
    level: z.number(),
    seed: z.number(),
    generator: z.literal('xoroshiro128plus'),
    resamples: z.number(),
    /** What rows that the bootstrap draws together share: a metadata key, `id` (the record), `call` (the prompt); null when it draws single rows. */
    cluster: z.string().nullable(),
    stratified: z.boolean(),
  }),
});
/** The scores of a set of rows. */
export type Scorecard = Shape<typeof scorecardSchema>;

/** The metadata keys that scoring with these options reads; build the table with them. */
export function keysToKeep(options: ScoringOptions): string[] {
  return [...neededKeys(options.metrics ?? [], options), ...(options.groupBy ?? [])];
}

/**
 * Scores a table of rows: every metric with its interval and n, bounds where rows failed, and groups side by side.
 *
 * @example
 * ```ts
 * const card = scoreTable(buildTable([evaluationResult({ prediction: 1, groundTruth: 1, confidence: 0.9 })]));
 * card.scores.find((score) => score.name === 'accuracy')!.value // => 1
 * ```
 */
export function scoreTable(table: RowTable, options: ScoringOptions = {}): Scorecard {
  const bundle = options.metrics ?? bundleMetrics({ ...options, labels: scaleFor(options, table.scored) });
  const metrics = [...metricsOfScores(table.scored), ...bundle];
  const sample = Sample.from(table.scored);
  const cluster = findCluster(table.scored, options.cluster);
  return {
    task: options.task ?? null,
    n: table.ledger.n,
    nScored: table.scored.n,
    ledger: table.ledger,
    ...confidenceProblems(table.scored),
    nWithoutLabel: countWithoutLabel(sample),
    nContradictions: table.nContradictions,
    nTwoAnswers: table.nTwoAnswers,
    nQuotedAnswers: table.nQuotedAnswers,
    nIndependent: cluster === null ? table.scored.n : nClusters(cluster),
    nMustAct: countEmergencies(table.scored) + countEmergencies(table.unscored),
    emergencyRule: table.scored.emergencyRule,
    scores: withBounds(scoreMetrics(sample, metrics, options), metrics, table),
    subgroups: subgroupGaps(
      sample,
      metrics.filter(({ comparesGroups }) => comparesGroups),
      options.groupBy ?? [],
      options,
    ),
    method: {
      level: options.level ?? DEFAULT_LEVEL,
      seed: options.seed ?? DEFAULT_SEED,
      generator: 'xoroshiro128plus',
      resamples: checkResamples(options.resamples ?? defaultResamples(table.scored.n)),
      cluster: cluster?.key ?? null,
      stratified: options.stratify ?? false,
    },
  };
}

/** The metrics of rows that have scores in place of answers; without columns, all that such rows can have. */
export function metricsOfScores(columns?: Pick<Columns, 'score' | 'checked'>): Metric[] {
  return [
    ...(columns?.score === null ? [] : [meanScore()]),
    ...(columns?.checked === null ? [] : [correctedScore()]),
  ];
}

/** The metrics of the bundle that the options name. */
export function bundleMetrics(options: Pick<ScoringOptions, 'bundle' | keyof BundleOptions>): Metric[] {
  return options.bundle === 'extended' ? extendedMetrics(options) : defaultBenchmarkMetrics(options);
}

/** The ordered scale of a staging task: as given, else the known scale that the truth is written in. */
export function scaleFor(options: BundleOptions, columns: Columns): readonly Label[] | undefined {
  if (options.labels !== undefined || options.task !== 'staging') return options.labels;
  const isUsed = (label: Label) => columns.truth.includes(columns.labels.findCode(label));
  return KNOWN_SCALES.findLast((scale) => scale.some(isUsed)) ?? KNOWN_SCALES[0];
}

/** An emergency without a label is not missing anything: whether to act is scored, whether to answer is not. */
function countWithoutLabel({ cells, counts }: Sample): number {
  return counts.reduce(
    (sum, n, cell) => sum + (cells.gradable[cell] === 0 && cells.mustAct[cell] !== 1 ? n : 0),
    0,
  );
}

function countEmergencies({ mustAct }: Columns): number {
  return mustAct.reduce((sum, code) => sum + Number(code === 1), 0);
}

function confidenceProblems(columns: Columns): { nMissingConfidence: number; nInvalidConfidence: number } {
  let nMissingConfidence = 0;
  let nInvalidConfidence = 0;
  for (let i = 0; i < columns.n; i++) {
    if (columns.state[i] !== ANSWERED) continue;
    const c = columns.confidence[i]!;
    if (Number.isNaN(c)) nMissingConfidence += 1;
    else if (!(c >= 0 && c <= 1)) nInvalidConfidence += 1;
  }
  return { nMissingConfidence, nInvalidConfidence };
}
