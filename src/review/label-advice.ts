import { MIN_DOUBLE_RATED, MIN_LABELS, MIN_QUESTIONS } from '../analyses/review/corrected-scores.ts';
import {
  requiredLabelsForProportion,
  requiredLabelsForZeroEvents,
} from '../statistics/methods/label-plan.ts';
import type { ReviewPlan, ReviewTarget } from '../store/review/review-schema.ts';
import { targetKey } from '../store/review/review-session.ts';
import type { FrameUnit, ReviewFrame } from './frame.ts';

/** Labels of one question resemble each other; without data on how much, this is the usual guess. */
const DESIGN_EFFECT = 1.5;

/** How many labels to aim at. No number is above what the run has. */
export interface LabelAdvice {
  /** For a first look, over `questions` or more questions. */
  readonly firstLook: number;
  readonly questions: number;
  /** For a score corrected for the judge's errors; null where no trait has enough items for one. */
  readonly corrected: number | null;
  /** For a share of 80 % within 5 points, from this frame. */
  readonly within5Points: number;
  /** Labels "not present" without a false positive that bound the rate of false positives below 5 %. */
  readonly noFalsePositive: number;
}

/** How many labels are advised for a run. */
export function labelAdvice({ units }: Pick<ReviewFrame, 'units'>): LabelAdvice {
  const most = (n: number) => Math.min(n, units.length);
  const nQuestions = new Set(units.map(({ recordId }) => recordId)).size;
  const share = { halfWidth: 0.05, expected: 0.8, population: units.length };
  return {
    firstLook: most(100),
    questions: Math.min(40, nQuestions),
    corrected: traitLabels(units).some(isEnough) ? most(200) : null,
    within5Points: most(requiredLabelsForProportion(share, { designEffect: DESIGN_EFFECT })!),
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

/** What a plan lacks before scores can be corrected by its labels. */
export interface CorrectionLack {
  /** Traits of which the plan drew too few items, or items of too few questions. Empty where all have enough. */
  readonly traits: readonly TraitLabels[];
  /** Whether one trait at least has enough. */
  readonly hasEnough: boolean;
  /** Whether the run has enough items of a trait that lacks them in the plan: more labels would help. */
  readonly moreWouldHelp: boolean;
  /** How many items two reviewers label, where these are too few; null where they are enough. */
  readonly nDouble: number | null;
  readonly needed: { readonly nItems: number; readonly nQuestions: number; readonly nDouble: number };
}

/** What the labels of a plan will be too few for, said before anyone has labelled; null for plans of something else than items. */
export function correctionLack(
  { units }: Pick<ReviewFrame, 'units'>,
  { targets, nDouble }: Pick<ReviewPlan, 'targets' | 'nDouble'>,
  draws: readonly ReviewTarget[],
): CorrectionLack | null {
  if (targets !== 'item') return null;
  const drawn = new Set(draws.map(targetKey));
  const counted = traitLabels(units.filter((unit) => drawn.has(targetKey(unit))));
  const lacking = traitLabels(units).flatMap((all) => {
    const own = counted.find(({ trait }) => trait === all.trait) ?? { ...all, nItems: 0, nQuestions: 0 };
    return isEnough(own) ? [] : [{ own, all }];
  });
  return {
    traits: lacking.map(({ own }) => own),
    hasEnough: counted.some(isEnough),
    moreWouldHelp: lacking.some(({ all }) => isEnough(all)),
    nDouble: nDouble < MIN_DOUBLE_RATED ? nDouble : null,
    needed: { nItems: MIN_LABELS, nQuestions: MIN_QUESTIONS, nDouble: MIN_DOUBLE_RATED },
  };
}
