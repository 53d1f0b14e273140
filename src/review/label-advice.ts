import { MIN_DOUBLE_RATED } from '../analyses/review/corrected-scores.ts';
import { MIN_LABELS, MIN_QUESTIONS } from '../statistics/methods/corrected-mean.ts';
import {
  requiredLabelsForProportion,
  requiredLabelsForZeroEvents,
} from '../statistics/methods/label-plan.ts';
import type { ReviewPlan, ReviewTarget } from '../store/review/review-schema.ts';
import { targetKey } from '../store/review/review-session.ts';
import type { FrameUnit, ReviewFrame } from './frame.ts';

/** Labels of one question resemble each other; without data on how much, this is the usual guess. */
const DESIGN_EFFECT = 1.5;

/** How many labels are advised for a run. */
export function labelAdvice({ units }: Pick<ReviewFrame, 'units'>) {
  const most = (n: number) => Math.min(n, units.length);
  const nQuestions = new Set(units.map(({ recordId }) => recordId)).size;
  const share = { halfWidth: 0.05, expected: 0.8, population: units.length };
  return {
    /** For a first look, over `questions` or more questions. */
    firstLook: most(100),
    questions: Math.min(40, nQuestions),
    /** For a score corrected for the judge's errors; null where no trait has enough items for one. */
    corrected: traitLabels(units).some(isEnough) ? most(200) : null,
    /** For a share of 80 % within 5 points, from this frame. */
    within5Points: most(requiredLabelsForProportion(share, { designEffect: DESIGN_EFFECT })!),
    /** Labels "not present" without a false positive that bound the rate of false positives below 5 %. */
    noFalsePositive: requiredLabelsForZeroEvents(0.05)!,
  };
}

/** How many items of a trait there are, on how many questions: no score of the trait has more labels. */
interface TraitLabels {
  readonly trait: string;
  readonly nItems: number;
  readonly nQuestions: number;
}

function traitLabels(units: readonly FrameUnit[]): TraitLabels[] {
  return [...Map.groupBy(units, ({ line }) => line?.traitName ?? '')].map(([trait, own]) => ({
    trait,
    nItems: own.length,
    nQuestions: new Set(own.map(({ recordId }) => recordId)).size,
  }));
}

function isEnough({ nItems, nQuestions }: TraitLabels): boolean {
  return nItems >= MIN_LABELS && nQuestions >= MIN_QUESTIONS;
}

/** What the labels of a plan will be too few for, said before anyone has labelled; null for plans of something else than items. */
export function correctionLack(
  { units }: Pick<ReviewFrame, 'units'>,
  { targets, nDouble }: Pick<ReviewPlan, 'targets' | 'nDouble'>,
  draws: readonly ReviewTarget[],
) {
  if (targets !== 'item') return null;
  const drawn = new Set(draws.map(targetKey));
  const counted = traitLabels(units.filter((unit) => drawn.has(targetKey(unit))));
  const lacking = traitLabels(units).flatMap((all) => {
    const own = counted.find(({ trait }) => trait === all.trait) ?? { ...all, nItems: 0, nQuestions: 0 };
    return isEnough(own) ? [] : [{ own, all }];
  });
  return {
    /** Traits of which the plan drew too few items, or items of too few questions. Empty where all have enough. */
    traits: lacking.map(({ own }) => own),
    /** Whether one trait at least has enough. */
    hasEnough: counted.some(isEnough),
    /** Whether the run has enough items of a trait that lacks them in the plan: more labels would help. */
    moreWouldHelp: lacking.some(({ all }) => isEnough(all)),
    /** How many items two reviewers label, where these are too few; null where they are enough. */
    nDouble: nDouble < MIN_DOUBLE_RATED ? nDouble : null,
    needed: { nItems: MIN_LABELS, nQuestions: MIN_QUESTIONS, nDouble: MIN_DOUBLE_RATED },
  };
}
