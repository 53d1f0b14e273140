import type { Interval } from '../../core/score.ts';
import {
  type CorrectedMean,
  compareLabelled,
  correctedMean,
  type JudgedLabel,
  type LabelledDifference,
  MIN_LABELS,
  MIN_QUESTIONS,
} from '../../statistics/methods/corrected-mean.ts';
import { judgeAccuracy } from '../../statistics/methods/judge-accuracy.ts';
import { DEFAULT_LEVEL, type ScoreOptions } from '../../statistics/score-options.ts';
import { ANSWERED, rowScores } from '../columns.ts';
import { type DefinedMetric, defineMetric } from '../define-metric.ts';
import { NO_LABEL } from '../label-table.ts';
import { findCluster } from '../resample.ts';
import type { Sample } from '../sample.ts';

/** Below this p, the checked answers are not a random sample of all: a random one fails once in 1,000 files. */
const MIN_P_ALIKE = 0.001;

interface Correction {
  readonly items: readonly JudgedLabel[];
  readonly fit: CorrectedMean;
  readonly alike: LabelledDifference | null;
  /** Why nothing is corrected. */
  readonly reason: string | null;
}

/**
 * The mean score as people would give it: the scores of all rows, corrected by those that people gave to some of them. An abstention and an unusable answer
 * score 0 and need no check.
 *
 * Formula: lambda mean(f) + mean over checked rows of (y - lambda f), with f the score, y people's, and lambda tuned (prediction-powered inference).
 * Fewer than 50 checked answers, or 15 checked cases: null. The checked answers must be a random sample of all. Where their scores differ from the others' by more than chance
 * (p below 0.001), they are not, and there is no value.
 * Source: Angelopoulos 2023.
 *
 * @example
 * ```ts
 * const row = (i: number) => evaluationResult({
 *   prediction: 'right', groundTruth: 'right', score: 1, ...(i % 2 === 0 && { checked: i % 20 === 0 ? 0 : 1 }),
 * });
 * correctedScore().compute(Array.from({ length: 120 }, (_, i) => row(i))).value // => 0.9
 * ```
 */
export const correctedScore = (): DefinedMetric =>
  defineMetric({
    name: 'corrected_score',
    label: "Corrected Score (mean, by people's checks)",
    family: 'correctness',
    reads: "mean score, corrected by people's checks",
    formula: "lambda mean(f) + mean over checked cases of (y - lambda f); f: the score, y: people's",
    range: '0 to 1',
    misleads: 'Holds only if the checked answers are a random sample of all.',
    better: 'higher',
    leads: 9,
    restsOn: 'rows',
    metadataKeys: [],
    ignoresDeferral: true,
    isShare: true,
    estimate: (sample, options) => {
      const { reason, fit } = correct(sample, options);
      return reason ?? fit.estimate!;
    },
    interval: (sample, options) => {
      const { lower, upper } = correct(sample, options).fit;
      if (lower === null || upper === null) return 'no_variation_in_resamples';
      const unit = findCluster(sample.columns, options.cluster) === null ? 'row' : 'cluster';
      const level = options.level ?? DEFAULT_LEVEL;
      return { lower, upper, level, method: 'review', resamples: null, unit } satisfies Interval;
    },
    nEvaluated: (sample) => countChecked(sample),
    details: (sample, options) => {
      const { items, fit, alike } = correct(sample, options);
      const own = items.filter(({ human, pi }) => human !== null && pi !== null);
      const isBinary = own.every(({ judge, human }) => [judge, human].every((v) => v === 0 || v === 1));
      const pairs = own.map(({ judge, human, pi, cluster }) => ({
        judge: judge === 1,
        human: human === 1,
        pi: pi!,
        question: String(cluster),
      }));
      return {
        n_checked: countChecked(sample),
        n_checked_clusters: fit.nLabelledClusters,
        uncorrected: fit.raw,
        people_alone: fit.humanOnly,
        lambda: fit.lambda,
        note: fit.reason,
        /** Whether the checked answers look like the others, by the scores that both have. */
        checked_like_others: alike && {
          checked: alike.labelled,
          others: alike.others,
          p: alike.p,
        },
        ...(isBinary && judgeAccuracy(pairs, options.level ?? DEFAULT_LEVEL)),
      };
    },
  });

function countChecked({ columns: { checked } }: Sample): number {
  return checked?.reduce((sum, value) => sum + Number(!Number.isNaN(value)), 0) ?? 0;
}

function correct(sample: Sample, { cluster, level = DEFAULT_LEVEL }: ScoreOptions): Correction {
  return sample.once(`corrected score, ${cluster}, ${level}`, () => {
    const { answered, silent } = readItems(sample, cluster);
    const items = [...answered, ...silent];
    const fit = correctedMean(items, { level });
    const labelled = answered.filter(({ human }) => human !== null);
    const alike = compareLabelled(answered);
    const reason =
      sample.columns.score === null
        ? 'no_scores'
        : labelled.length === 0
          ? 'no_checked_answers'
          : labelled.length < MIN_LABELS || new Set(labelled.map((item) => item.cluster)).size < MIN_QUESTIONS
            ? 'too_few_checked_answers'
            : alike !== null && alike.p < MIN_P_ALIKE
              ? 'checked_answers_differ'
              : fit.estimate === null
                ? 'no_estimate'
                : null;
    return { items, fit, alike, reason };
  });
}

/** What is scored, with people's score where they gave one. Without an answer there is nothing to check: the score is 0. */
function readItems({ columns, weights }: Sample, wanted: string | undefined) {
  const scores = rowScores(columns) ?? new Float64Array(columns.n);
  const cluster = findCluster(columns, wanted);
  const answered: JudgedLabel[] = [];
  const silent: JudgedLabel[] = [];
  for (let i = 0; i < columns.n; i++) {
    const code = cluster?.codes[i] ?? NO_LABEL;
    const isAnswered = columns.state[i] === ANSWERED;
    const human = columns.checked?.[i] ?? Number.NaN;
    const item: JudgedLabel = {
      judge: scores[i]!,
      human: isAnswered ? (Number.isNaN(human) ? null : human) : 0,
      pi: 1,
      cluster: code === NO_LABEL ? `row ${i}` : code,
    };
    for (let times = weights?.[i] ?? 1; times > 0; times--) (isAnswered ? answered : silent).push(item);
  }
  const pi = answered.filter(({ human }) => human !== null).length / answered.length;
  return { answered: answered.map((item) => ({ ...item, pi: item.human === null ? null : pi })), silent };
}
