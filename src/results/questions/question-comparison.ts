import type { Warning } from '../../metrics/index.ts';
import type { EndpointComparison } from '../compare/comparison.ts';
import type { QuestionReport } from './read-question-run.ts';

/** Models side by side on open questions, and each of them against the baseline, paired by question. Plain data. */
export interface QuestionComparison {
  readonly suiteName: string;
  readonly suiteHash: string;
  /** In the order given: nobody is ranked. */
  readonly models: readonly ComparedQuestionRun[];
  /** The name of the model the others are compared with. */
  readonly baseline: string;
  readonly pairs: readonly QuestionPair[];
  readonly warnings: readonly Warning[];
  readonly method: {
    readonly level: number;
    readonly resamples: number;
    readonly seed: number;
    readonly generator: 'xoroshiro128plus';
    readonly interval: 'percentile';
    readonly unit: 'question';
    readonly test: 'sign_flip';
    /** Over all scores and all models. */
    readonly adjustment: 'holm';
    readonly nTests: number;
    /** Of the minimum detectable difference. */
    readonly power: number;
  };
}

/** One run, as it stands in the table. */
export interface ComparedQuestionRun
  extends Pick<
    QuestionReport,
    | 'backendName'
    | 'status'
    | 'repeats'
    | 'nQuestions'
    | 'ledger'
    | 'metricTraits'
    | 'otherTraits'
    | 'abstention'
  > {
  /** The backend's name; with the run file where two runs have the same. */
  readonly name: string;
  readonly runFile: string;
  readonly simulated: boolean;
  readonly judges: readonly string[];
  readonly isCalibrated: boolean;
  readonly elapsedSeconds: number | null;
  readonly tokens: number | null;
  readonly costUsd: number | null;
}

/** One model against the baseline. Differences are model minus baseline. */
export interface QuestionPair {
  readonly model: string;
  readonly baseline: string;
  readonly scores: readonly ComparedScore[];
  readonly flips: ItemFlips;
}

/** One score of a rubric in both runs: a mean over the questions that have a value in both. */
export interface ComparedScore
  extends Omit<EndpointComparison, 'kind' | 'mcnemar' | 'mcnemarReason' | 'isShare'> {
  /** Null for the abstention metrics. */
  readonly trait: string | null;
}

/** An item that one model got right and the other did not. With repeats: right in more than half of them. */
export interface ItemFlip {
  readonly id: string;
  readonly trait: string;
  readonly itemId: string;
  readonly kind: 'required' | 'forbidden';
  readonly instruction: string;
  /** One per repeat. */
  readonly baseline: readonly string[];
  readonly model: readonly string[];
}

export interface ItemFlips {
  readonly onlyBaselineRight: readonly ItemFlip[];
  readonly onlyModelRight: readonly ItemFlip[];
  /** Items that are scored in both runs. */
  readonly nCompared: number;
}
