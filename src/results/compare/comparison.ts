import type { MetricScore, SampleRow, Warning } from '../../metrics/index.ts';
import type { RubricItem } from '../../rubrics/index.ts';
import type { McnemarResult, ScoreOptions, SignFlipResult } from '../../statistics/index.ts';
import type { JudgeReport } from '../questions/judge-report.ts';
import type { Judging } from '../questions/judging.ts';
import type { CorrectedComparison } from '../review/compare-corrected.ts';
import type { RunResult } from '../run-result.ts';
import type { LeftOut } from './pair-records.ts';
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

/** One model against the baseline. Differences are model minus baseline. */
export interface PairedComparison {
  readonly model: string;
  readonly baseline: string;
  /** Records that both runs have scored. */
  readonly nPaired: number;
  readonly leftOut: LeftOut;
  readonly hasRepeats: boolean;
  /** What records that were drawn together share, and how many such clusters there are; null where each was drawn alone. */
  readonly clusters: { readonly key: string; readonly n: number } | null;
  readonly endpoints: readonly EndpointComparison[];
  /** Labels: the records that one model got right and the other did not, by the metric `by`, the primary endpoint where it is a share. */
  readonly flips: Flips & { readonly by: string | null };
  /** Open questions: the items that one model got right and the other did not; null for labels. */
  readonly itemFlips: ItemFlips | null;
  /** Open questions: scores corrected for the judge's errors; empty where no run was reviewed. */
  readonly corrected: readonly CorrectedComparison[];
}

/** An interval of a paired difference. */
interface DifferenceInterval {
  readonly lower: number;
  readonly upper: number;
  readonly level: number;
  /**
   * `paired_score`: Tango's, for shares over the same records. `paired_score_clustered`: where records are clustered or repeated, each limit the outer one of
   * Tango's on effective counts and the score limit over clusters. `bca`, `percentile`: resampled.
   */
  readonly method: 'paired_score' | 'paired_score_clustered' | 'bca' | 'percentile';
}

/** One score of a model beside the baseline's, with the paired difference. */
export interface EndpointComparison {
  readonly metric: string;
  readonly label: string;
  /** The trait it belongs to; null for metrics. */
  readonly trait: string | null;
  readonly better: 'higher' | 'lower' | null;
  /** `per_record`: a mean of scores, tested record by record. `resampled`: computed on each resample; an interval, no test. */
  readonly kind: 'per_record' | 'resampled';
  /** Whether it is a share of rows, so that a difference is in percentage points. */
  readonly isShare: boolean;
  /** Records it rests on: of the paired ones those that have a score in both runs. */
  readonly n: number;
  /** In how many clusters these n are; null where each is alone, and where no mean over records is tested. */
  readonly nClusters: number | null;
  /** Of these n, how many the two runs scored or answered differently. */
  readonly nDiffering: number;
  /** Over these n records, so not always the value in the table. */
  readonly baselineValue: number | null;
  readonly modelValue: number | null;
  readonly difference: number | null;
  /** Why `difference` is null. */
  readonly reason: string | null;
  /** Of the difference. */
  readonly interval: DifferenceInterval | null;
  readonly intervalReason: string | null;
  /** b: only the baseline scored 1; c: only the model did. */
  readonly mcnemar: McnemarResult | null;
  readonly mcnemarReason: string | null;
  readonly signFlip: SignFlipResult | null;
  readonly signFlipReason: string | null;
  /** The p-value that counts: McNemar's where there is one, else the sign-flip test's. */
  readonly p: number | null;
  /** The same, adjusted for the number of models compared by this endpoint. */
  readonly pHolm: number | null;
  /** The smallest difference that this many records would detect with the stated power. */
  readonly minimumDetectableDifference: number | null;
  readonly minimumDetectableReason: string | null;
  /** `no_difference_shown` is not equality: read it with the minimum detectable difference. */
  readonly verdict: 'better' | 'worse' | 'higher' | 'lower' | 'no_difference_shown' | 'undefined';
  readonly inWords: string;
}

/** One answer to a record, as a list of flips shows it. */
export interface FlipAnswer extends Pick<SampleRow, 'state' | 'prediction'> {
  /** As stated, even outside 0 to 1; null when missing. */
  readonly confidence: number | null;
}

/** A record that one model got right and the other did not. With repeats: right more often by more than half of them. */
export interface Flip extends Pick<SampleRow, 'groundTruth' | 'shouldAbstain'> {
  readonly id: string;
  /** One per repeat. */
  readonly baseline: readonly FlipAnswer[];
  readonly model: readonly FlipAnswer[];
}

export interface Flips<Kind = Flip> {
  /** Records, or items, that have a verdict in both runs: what the two counts are shares of. */
  readonly nCompared: number;
  readonly onlyBaselineRight: readonly Kind[];
  readonly onlyModelRight: readonly Kind[];
}

/** An item that one model got right and the other did not. With repeats: right more often by more than half of them. */
export interface ItemFlip extends Pick<RubricItem, 'kind' | 'instruction'> {
  readonly id: string;
  readonly trait: string;
  readonly itemId: string;
  /** One per repeat. */
  readonly baseline: readonly string[];
  readonly model: readonly string[];
}

export type ItemFlips = Flips<ItemFlip>;
