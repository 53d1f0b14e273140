import { z } from 'zod';
import { count, fileKey, type Shape, snakeKeys, toFile } from '../../core/codec.ts';
import { estimateSchema } from '../../core/score.ts';
import type { MetricScore } from '../../metrics/metric.ts';
import type { Warning } from '../../metrics/warning.ts';
import type { AnalysisResults, RunResult } from '../../runs/run-result.ts';
import { mcnemarResultSchema } from '../../statistics/mcnemar.ts';
import type { ScoreOptions } from '../../statistics/score-options.ts';
import { signFlipResultSchema } from '../../statistics/sign-flip.ts';
import type { JudgeReport } from '../judging/judge-report.ts';
import type { Judging } from '../judging/judging.ts';
import type { CorrectedComparison } from '../review/compare-corrected.ts';
import { leftOutSchema } from './pair-records.ts';
import type { RecordSet } from './record-sets.ts';

/** Models side by side, and each of them against the baseline on the same records or questions. Plain data: `comparisonObject` gives its file form. */
export interface Comparison {
  /** `labels`: paired by record. `text`: open questions, paired by question. */
  readonly kind: 'labels' | 'text';
  readonly suiteName: string;
  /** One, unless different suites were asked for; imported runs have none. */
  readonly suiteHashes: readonly string[];
  readonly primaryEndpoint: RunResult['primaryEndpoint'];
  /** In the order given, without a ranking. */
  readonly models: readonly ComparedModel[];
  /** The name of the model the others are compared with; null when no two runs can be paired. */
  readonly baseline: string | null;
  readonly pairs: readonly PairedComparison[];
  /** Models by the records that they were asked about. */
  readonly recordSets: readonly RecordSet[];
  /** Runs that are in the table only, and why. */
  readonly notPaired: readonly {
    readonly model: string;
    readonly reason: string;
    readonly message: string;
  }[];
  /** What the runs say together about their records, by the id of the analysis. */
  readonly analyses: AnalysisResults;
  readonly warnings: readonly Warning[];
  readonly method: ComparisonMethod;
}

interface ComparisonMethod extends Required<Pick<ScoreOptions, 'level' | 'resamples' | 'seed'>> {
  readonly generator: 'xoroshiro128plus';
  readonly interval: 'paired_score_or_bca' | 'bca';
  /** What a bootstrap draws. */
  readonly unit: 'record' | 'question';
  readonly test: 'mcnemar_exact_or_sign_flip' | 'sign_flip';
  /** Over the models for each endpoint of labels; over all scores and models for open questions. */
  readonly adjustment: 'holm';
  readonly nTests: number;
  /** Of the minimum detectable difference. */
  readonly power: number;
}

/** One run, as the table shows it. */
export interface ComparedModel
  extends Pick<
      RunResult,
      'backendName' | 'suiteHash' | 'arm' | 'status' | 'imported' | 'repeats' | 'nRecords'
    >,
    Pick<RunResult, 'n' | 'nScored' | 'ledger'> {
  /** The backend's name; with the run file where two runs have the same. */
  readonly name: string;
  /** The run file; null for a result in memory. */
  readonly runFile: string | null;
  /** Whether its answers are made up. */
  readonly simulated: boolean;
  /** Only those of the table's columns. */
  readonly scores: readonly MetricScore[];
  /** Open questions only. */
  readonly judging: ComparedJudging | null;
  /** How long the run took; null where it does not say. */
  readonly elapsedSeconds: number | null;
  /** Tokens of all calls; null where none were reported. */
  readonly tokens: number | null;
  /** What the calls cost; null where no price is known. */
  readonly costUsd: number | null;
}

/** What the table shows of a run of open questions. */
interface ComparedJudging
  extends Pick<Judging, 'metricTraits' | 'otherTraits' | 'itemScores' | 'abstention'> {
  readonly judges: readonly string[];
  readonly judgeStatus: JudgeReport['status'];
}

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
/** One model against the baseline. Differences are model minus baseline. */
export interface PairedComparison extends Shape<typeof pairSchema> {
  readonly endpoints: readonly EndpointComparison[];
  /** Labels: the records that one model got right and the other did not, by the metric `by`, the primary endpoint where it is a share. */
  readonly flips: Flips & { readonly by: string | null };
  /** Open questions: the items that one model got right and the other did not; null for labels. */
  readonly itemFlips: Flips<ItemFlip> | null;
  /** Open questions: scores corrected for the judge's errors; empty where no run was reviewed. */
  readonly corrected: readonly CorrectedComparison[];
}

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
/** One score of a model beside the baseline's, with the paired difference. */
export interface EndpointComparison extends Shape<typeof endpointSchema> {
  readonly metric: string;
  /** The trait it belongs to; null for metrics. */
  readonly trait: string | null;
  /** Whether it is a share of rows, so that a difference is in percentage points. */
  readonly isShare: boolean;
}

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

export interface Flips<Kind = Flip> {
  /** Records, or items, that have a verdict in both runs: what the two counts are shares of. */
  readonly nCompared: number;
  readonly onlyBaselineRight: readonly Kind[];
  readonly onlyModelRight: readonly Kind[];
}

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
