import { createScore, type Score } from '../../core/score.ts';
import { correctedName } from '../../runs/conditions/expression.ts';
import type { RunResult } from '../../runs/run-result.ts';
import { MIN_LABELS, MIN_QUESTIONS } from '../../statistics/methods/corrected-mean.ts';
import { summaryNames } from '../judging/summary-names.ts';
import { safeName } from '../judging/trait-scores.ts';
import {
  type CorrectedScore,
  type CorrectionReason,
  correctedBounds,
  MIN_DOUBLE_RATED,
} from './corrected-scores.ts';

/** The scores of a run that labels of people could correct. */
export function correctableScores({ judging }: Pick<RunResult, 'judging'>): string[] {
  const traits = judging?.metricTraits ?? [];
  const names = summaryNames(traits);
  return traits.flatMap(({ metrics }, i) =>
    Object.keys(metrics).flatMap((metric) => {
      const name = `${safeName(names[i]!)}.${metric}`;
      return [name, `${name}.mean`];
    }),
  );
}

/** A corrected score for conditions: without a correction it has no value, and its reason says why. */
export function correctedScore(found: CorrectedScore): Score {
  const { name, label, corrected, nLabels, nItems, nOpen } = found;
  const { lower = null, upper = null } = corrected ?? {};
  const isInterval = corrected !== null && lower !== null && upper !== null;
  return createScore({
    name: correctedName(name),
    judged: 'corrected',
    label: `${label}, corrected for the judge's errors`,
    value: corrected?.value ?? null,
    reason: corrected === null ? `not corrected: ${notCorrectedText(found)}` : null,
    interval: isInterval
      ? { lower, upper, level: corrected.level, method: 'review', resamples: null, unit: 'question' }
      : null,
    intervalReason: isInterval ? null : corrected === null ? 'value_undefined' : 'no_variation',
    bounds: correctedBounds(found),
    nEvaluated: nLabels,
    scoredOf: { n: nItems + nOpen, nScored: nItems, unscored: 'items are unscored' },
  });
}

const TEXTS: Readonly<Record<CorrectionReason, (found: CorrectedScore) => string>> = {
  no_labels: () => 'no labels of people',
  unknown_probabilities: () => 'no label was drawn by a plan',
  zero_probabilities: () => 'the plan drew nothing from one of its strata',
  too_few_labels: ({ nLabels }) => `${nLabels} of ${MIN_LABELS} labels`,
  too_few_labelled_questions: ({ nQuestions }) => `labels on ${nQuestions} of ${MIN_QUESTIONS} questions`,
  agreement_not_measured: () => `fewer than ${MIN_DOUBLE_RATED} items labelled by two people`,
  judge_prompts_differ: () => 'more than one judge, or more than one prompt',
  not_a_share_of_items: () => 'it is not a share of given items',
  counts_every_occurrence: () => 'it counts every occurrence, and labels are of items',
  needs_whole_questions: () => 'a mean of questions needs labels on whole questions',
  needs_own_labels: () => 'it needs labels on the answers of this run',
  labels_of_another_judge: () => 'the labels are on verdicts of another judge or prompt',
  labels_not_drawn_alike: () => 'labels of another run must be a simple random sample',
  judge_too_weak: () => 'the judge is not shown to be good enough to transport its error rates',
  no_estimate: () => 'the labels give no estimate',
};

/** Why a score is not corrected, in words. */
export function notCorrectedText(found: CorrectedScore): string {
  return TEXTS[found.reason ?? 'no_estimate'](found);
}
