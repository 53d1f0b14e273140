import { z } from 'zod';
import { count, fileKey, type Shape, snakeKeys, toFile } from '../../core/codec.ts';
import { estimateSchema, scoreSchema } from '../../core/score.ts';
import { RUN_STATUSES } from '../../core/states.ts';
import { ledgerSchema } from '../../metrics/score.ts';
import { mcnemarResultSchema } from '../../statistics/mcnemar.ts';
import { signFlipResultSchema } from '../../statistics/sign-flip.ts';
import { judgeReportSchema } from '../judging/judge-report.ts';
import { judgingFields } from '../judging/judging.ts';
import { correctedComparisonSchema } from '../review/compare-corrected.ts';
import { leftOutSchema } from './pair-records.ts';
import { recordSetSchema } from './record-sets.ts';

const comparedModelSchema = z.object({
  /** The backend's name; with the run file where two runs have the same. */
  name: z.string(),
  backendName: z.string(),
  /** The run file; null for a result in memory. */
  runFile: z.string().nullable(),
  suiteHash: z.string().nullable(),
  arm: z.string().nullable(),
  status: z.enum(RUN_STATUSES),
  /** Whether its answers are made up. */
  simulated: z.boolean(),
  /** Set for a run of another framework. */
  imported: z
    .object({ format: z.string(), source: z.string(), sha256: z.string(), hasRows: z.boolean() })
    .nullable(),
  repeats: count,
  nRecords: count,
  n: count,
  nScored: count,
  ledger: ledgerSchema,
  /** Only those of the table's columns. */
  scores: z.array(scoreSchema),
  /** What the table shows of a run of open questions; null for labels. */
  judging: judgingFields
    .pick({ metricTraits: true, otherTraits: true, itemScores: true, abstention: true })
    .extend({ judges: z.array(z.string()), judgeStatus: judgeReportSchema.shape.status })
    .nullable(),
  /** How long the run took; null where it does not say. */
  elapsedSeconds: z.number().nullable(),
  /** Tokens of all calls; null where none were reported. */
  tokens: z.number().nullable(),
  /** What the calls cost; null where no price is known. */
  costUsd: z.number().nullable(),
});
/** One run, as the table shows it. */
export type ComparedModel = Shape<typeof comparedModelSchema>;

/** An interval of a paired difference. */
const differenceIntervalSchema = z.object({
  lower: z.number(),
  upper: z.number(),
  level: z.number(),
  /**
   * `paired_score`: Tango's, for shares over the same records. `paired_score_clustered`: where records are clustered or repeated, each limit the outer one of
   * Tango's on effective counts and the score limit over clusters. `bca`, `percentile`: resampled.
   */
  method: z.enum(['paired_score', 'paired_score_clustered', 'bca', 'percentile']),
});

export const endpointSchema = z.object({
  label: z.string(),
  better: z.enum(['higher', 'lower']).nullable(),
  /** `per_record`: a mean of scores, tested record by record. `resampled`: computed on each resample; an interval, no test. */
  kind: z.enum(['per_record', 'resampled']),
  /** Records it rests on: of the paired ones those that have a score in both runs. */
  n: count,
  /** In how many clusters these n are; null where each is alone, and where no mean over records is tested. */
  nClusters: count.nullable(),
  /** Of these n, how many the two runs scored or answered differently. */
  nDiffering: count,
  /** Over these n records, so not always the value in the table. */
  baselineValue: z.number().nullable(),
  modelValue: z.number().nullable(),
  difference: z.number().nullable(),
  /** Why `difference` is null. */
  reason: z.string().nullable(),
  /** b: only the baseline scored 1; c: only the model did. */
  mcnemar: mcnemarResultSchema.nullable(),
  mcnemarReason: z.string().nullable(),
  signFlip: signFlipResultSchema.nullable(),
  signFlipReason: z.string().nullable(),
  /** The p-value that counts: McNemar's where there is one, else the sign-flip test's. */
  p: z.number().nullable(),
  /** The smallest difference that this many records would detect with the stated power. */
  minimumDetectableDifference: z.number().nullable(),
  minimumDetectableReason: z.string().nullable(),
  /** Of the difference. */
  interval: differenceIntervalSchema.nullable(),
  intervalReason: z.string().nullable(),
  /** The same, adjusted for the number of models compared by this endpoint. */
  pHolm: z.number().nullable(),
  /** `no_difference_shown` is not equality: read it with the minimum detectable difference. */
  verdict: z.enum(['better', 'worse', 'higher', 'lower', 'no_difference_shown', 'undefined']),
  inWords: z.string(),
});
const namedEndpointSchema = endpointSchema.extend({
  metric: z.string(),
  /** The trait it belongs to; null for metrics. */
  trait: z.string().nullable(),
  /** Whether it is a share of rows, so that a difference is in percentage points. */
  isShare: z.boolean(),
});
/** One score of a model beside the baseline's, with the paired difference. */
export type EndpointComparison = Shape<typeof namedEndpointSchema>;

const label = z.union([z.string(), z.number(), z.boolean()]).nullable();

const flipAnswerSchema = z.object({
  state: z.enum(['answered', 'abstained', 'invalid', 'refused']),
  prediction: label,
  /** As stated, even outside 0 to 1; null when missing. */
  confidence: z.number().nullable(),
});
/** One answer to a record, as a list of flips shows it. */
export type FlipAnswer = Shape<typeof flipAnswerSchema>;

const flipSchema = z.object({
  id: z.string(),
  groundTruth: label,
  shouldAbstain: z.boolean().nullable(),
  /** One per repeat. */
  baseline: z.array(flipAnswerSchema),
  model: z.array(flipAnswerSchema),
});
/** A record that one model got right and the other did not. With repeats: right more often by more than half of them. */
export type Flip = Shape<typeof flipSchema>;

export const itemFlipSchema = z.object({
  kind: z.enum(['required', 'forbidden']),
  instruction: z.string(),
  id: z.string(),
  trait: z.string(),
  itemId: z.string(),
  /** One per repeat. */
  baseline: z.array(z.string()),
  model: z.array(z.string()),
});
/** An item that one model got right and the other did not. With repeats: right more often by more than half of them. */
export type ItemFlip = Shape<typeof itemFlipSchema>;

/** Records, or items, that only one of two models got right. */
export interface Flips<Kind = Flip> {
  /** Those that have a verdict in both runs: what the two counts are shares of. */
  readonly nCompared: number;
  readonly onlyBaselineRight: readonly Kind[];
  readonly onlyModelRight: readonly Kind[];
}

const flipsSchema = z.object({
  nCompared: count,
  onlyBaselineRight: z.array(flipSchema),
  onlyModelRight: z.array(flipSchema),
});
const itemFlipsSchema = z.object({
  nCompared: count,
  onlyBaselineRight: z.array(itemFlipSchema),
  onlyModelRight: z.array(itemFlipSchema),
});

const pairSchema = z.object({
  model: z.string(),
  baseline: z.string(),
  /** Records that both runs have scored. */
  nPaired: count,
  /** What records that were drawn together share, and how many such clusters there are; null where each was drawn alone. */
  clusters: z.object({ key: z.string(), n: count }).nullable(),
  leftOut: leftOutSchema,
  hasRepeats: fileKey('repeats_averaged', z.boolean()),
});
const fullPairSchema = pairSchema.extend({
  endpoints: z.array(namedEndpointSchema),
  /** Labels: the records that one model got right and the other did not, by the metric `by`, the primary endpoint where it is a share. */
  flips: flipsSchema.extend({ by: z.string().nullable() }),
  /** Open questions: the items that one model got right and the other did not; null for labels. */
  itemFlips: itemFlipsSchema.nullable(),
  /** Open questions: scores corrected for the judge's errors; empty where no run was reviewed. */
  corrected: z.array(correctedComparisonSchema),
});
/** One model against the baseline. Differences are model minus baseline. */
export type PairedComparison = Shape<typeof fullPairSchema>;

export const comparisonSchema = z.object({
  /** `labels`: paired by record. `text`: open questions, paired by question. */
  kind: z.enum(['labels', 'text']),
  suiteName: z.string(),
  /** One, unless different suites were asked for; imported runs have none. */
  suiteHashes: z.array(z.string()),
  primaryEndpoint: z.object({ metric: z.string(), arm: z.string(), why: z.string() }).nullable(),
  /** In the order given, without a ranking. */
  models: z.array(comparedModelSchema),
  /** The name of the model the others are compared with; null when no two runs can be paired. */
  baseline: z.string().nullable(),
  pairs: z.array(fullPairSchema),
  /** Models by the records that they were asked about. */
  recordSets: z.array(recordSetSchema),
  /** Runs that are in the table only, and why. */
  notPaired: z.array(z.object({ model: z.string(), reason: z.string(), message: z.string() })),
  /** What the runs say together about their records, by the id of the analysis. */
  analyses: z.record(z.string(), z.unknown()),
  warnings: z.array(z.object({ code: z.string(), message: z.string() })),
  method: z.object({
    level: z.number(),
    resamples: z.number(),
    seed: z.number(),
    generator: z.literal('xoroshiro128plus'),
    interval: z.enum(['paired_score_or_bca', 'bca']),
    /** What a bootstrap draws. */
    unit: z.enum(['record', 'question']),
    test: z.enum(['mcnemar_exact_or_sign_flip', 'sign_flip']),
    /** Over the models for each endpoint of labels; over all scores and models for open questions. */
    adjustment: z.literal('holm'),
    nTests: count,
    /** Of the minimum detectable difference. */
    power: z.number(),
  }),
});
/** Models side by side, and each of them against the baseline on the same records or questions. Plain data: `comparisonObject` gives its file form. */
export type Comparison = Shape<typeof comparisonSchema>;

const COMPARISON_SCHEMA_VERSION = '1.0';

/** A comparison in its file form: snake_case, undefined is null with a reason, all flips. */
export function comparisonObject(comparison: Comparison): Record<string, unknown> {
  const { nTests: _, ...labelMethod } = comparison.method;
  return {
    schema_version: COMPARISON_SCHEMA_VERSION,
    suite: comparison.suiteName,
    suite_hashes: comparison.suiteHashes,
    primary_endpoint: comparison.primaryEndpoint,
    models: comparison.models.map(modelObject),
    baseline: comparison.baseline,
    comparisons: comparison.pairs.map((pair) => ({
      ...toFile(pairSchema, pair),
      endpoints: Object.fromEntries(
        pair.endpoints.map((endpoint) => [endpoint.metric, toFile(endpointSchema, endpoint)]),
      ),
      flips: { by: pair.flips.by, ...flipsObject(flipSchema, pair.flips) },
    })),
    not_paired: comparison.notPaired,
    warnings: comparison.warnings,
    method: labelMethod,
  };
}

function modelObject(model: ComparedModel) {
  const { nRecords: _n, judging: _j, scores, elapsedSeconds, tokens, costUsd, ...same } = model;
  return {
    ...snakeKeys(same),
    imported: same.imported && snakeKeys(same.imported),
    metrics: Object.fromEntries(scores.map((score) => [score.name, toFile(estimateSchema, score)])),
    elapsed_seconds: elapsedSeconds,
    token_total: tokens,
    cost_usd: costUsd,
  };
}

/** Flips with their numbers, in file form. */
export function flipsObject<S extends z.ZodType>(schema: S, flips: Flips<Shape<S>>) {
  const { nCompared, onlyBaselineRight, onlyModelRight } = flips;
  return {
    n_compared: nCompared,
    n_only_baseline_right: onlyBaselineRight.length,
    n_only_model_right: onlyModelRight.length,
    only_baseline_right: onlyBaselineRight.map((flip) => toFile(schema, flip)),
    only_model_right: onlyModelRight.map((flip) => toFile(schema, flip)),
  };
}
