import { isDeepStrictEqual } from 'node:util';
import type { RunResult } from '../../runs/run-result.ts';
import { type JudgedLabel, MIN_LABELS, MIN_QUESTIONS } from '../../statistics/methods/corrected-mean.ts';
import { roganGladen } from '../../statistics/methods/judge-accuracy.ts';
import { designEffect } from '../../statistics/methods/label-plan.ts';
import { wilsonInterval } from '../../statistics/proportions.ts';
import type { JudgeReport } from '../judging/judge-report.ts';
import type { Judging } from '../judging/judging.ts';
import { scoringJudges } from '../judging/scoring-judges.ts';
import { type CorrectedScore, type CorrectionReason, MIN_DOUBLE_RATED } from './corrected-scores.ts';
import type { ItemReview } from './item-review.ts';

/** Who judged a run. */
interface JudgedBy {
  readonly judge: Pick<JudgeReport, 'names' | 'judges' | 'sameInstrument'>;
  readonly jury: Judging['jury'];
}

/** The least lower bound of sensitivity + specificity - 1 with which error rates are carried over. */
const MIN_YOUDEN = 0.3;

/**
 * The review of a run without labels of its own, by the judge's error rates in another run (Rogan and Gladen). Error rates that differ between models are the rule: what comes out is marked as transported.
 * Only recall and specificity are shares that one sensitivity and one specificity describe.
 */
export function transportedReview(
  own: ItemReview,
  judging: JudgedBy,
  from: Pick<RunResult, 'judging' | 'review'>,
  level: number,
): ItemReview {
  const theirs = from.review?.items ?? null;
  const labelled = from.judging;
  const common =
    theirs === null || labelled === null
      ? 'no_labels'
      : !isSameJudge(judging, labelled)
        ? 'labels_of_another_judge'
        : theirs.plan === null
          ? 'unknown_probabilities'
          : theirs.plan.strata.length > 1
            ? 'labels_not_drawn_alike'
            : (theirs.agreement[0]?.people?.n ?? 0) < MIN_DOUBLE_RATED
              ? 'agreement_not_measured'
              : null;
  return {
    ...own,
    isTransported: true,
    plan: theirs?.plan ?? null,
    corrected: own.corrected.map((score) => {
      const source = theirs?.corrected.find(({ name }) => name === score.name);
      return transported(score, source, common, level);
    }),
  };
}

function isSameJudge(a: JudgedBy, b: JudgedBy): boolean {
  const identity = (judging: JudgedBy) =>
    scoringJudges(judging).map(({ judge, config, promptHashes }) => ({ judge, config, promptHashes }));
  return a.judge.sameInstrument && b.judge.sameInstrument && isDeepStrictEqual(identity(a), identity(b));
}

function transported(
  score: CorrectedScore,
  source: CorrectedScore | undefined,
  common: CorrectionReason | null,
  level: number,
): CorrectedScore {
  const isMean = score.name.endsWith('.mean');
  const isShare = score.metric === 'recall' || score.metric === 'specificity';
  const labels = (source?.judged ?? []).filter(({ human, pi }) => human !== null && pi !== 1);
  const nQuestions = new Set(labels.map(({ cluster }) => cluster)).size;
  const counts = countLabels(labels);
  const reason =
    common ??
    (isMean || !isShare ? 'needs_own_labels' : null) ??
    (labels.length < MIN_LABELS ? 'too_few_labels' : null) ??
    (nQuestions < MIN_QUESTIONS ? 'too_few_labelled_questions' : null) ??
    (youdenLower(counts, level) < MIN_YOUDEN ? 'judge_too_weak' : null);
  const found = reason === null ? roganGladen({ ...judgedCounts(score.judged), ...counts }, { level }) : null;
  const value = found?.corrected ?? null;
  return {
    ...score,
    corrected:
      value === null
        ? null
        : { value, lower: found!.adjusted?.lower ?? null, upper: found!.adjusted?.upper ?? null, level },
    reason: reason ?? (value === null ? 'no_estimate' : null),
    note: found?.clipped ? 'clipped' : null,
    method: 'rogan_gladen_transported',
    lambda: null,
    humanOnly: null,
    nLabels: labels.length,
    nQuestions,
    nRaters: source?.nRaters ?? 0,
    sensitivity: source?.sensitivity ?? score.sensitivity,
    specificity: source?.specificity ?? score.specificity,
  };
}

function countLabels(labels: readonly JudgedLabel[]) {
  const positive = labels.filter(({ human }) => human === 1);
  const negative = labels.filter(({ human }) => human === 0);
  return {
    truePositive: positive.filter(({ judge }) => judge === 1).length,
    nHumanPositive: positive.length,
    trueNegative: negative.filter(({ judge }) => judge === 0).length,
    nHumanNegative: negative.length,
  };
}

/** What the judge said of this run, with n divided by the design effect: items of one question go together. */
function judgedCounts(judged: readonly JudgedLabel[]) {
  const values = judged.map(({ judge }) => judge);
  const effect =
    designEffect(
      values,
      judged.map(({ cluster }) => cluster),
    )?.designEffect ?? 1;
  const by = Math.max(1, effect);
  return { judgePositive: values.reduce((sum, value) => sum + value, 0) / by, nJudged: values.length / by };
}

function youdenLower(
  { truePositive, nHumanPositive, trueNegative, nHumanNegative }: ReturnType<typeof countLabels>,
  level: number,
): number {
  const lower = (part: number, n: number) => wilsonInterval(part, n, level)?.[0] ?? 0;
  return lower(truePositive, nHumanPositive) + lower(trueNegative, nHumanNegative) - 1;
}
