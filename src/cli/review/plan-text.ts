import { plainLine } from '../../core/plain-text.ts';
import { borderlessTable } from '../../reports/layout/borderless-table.ts';
import type { ReviewFrame } from '../../review/frame.ts';
import { correctionLack, labelAdvice } from '../../review/label-advice.ts';
import { drawPlan, nForTwo, type PlanOptions } from '../../review/plan.ts';
import type { ReviewDraw, ReviewPlan } from '../../store/review/review-schema.ts';
import { targetKey } from '../../store/review/review-session.ts';
import { columnMaker, messageWidth } from '../print.ts';

/** Names of strata, judges and people may come from anywhere. */
export const MAX_SHOWN = 80;

/** What can be drawn, and how many labels are advised. */
export function frameText(frame: ReviewFrame): string {
  const { targets, units, judge, suiteName } = frame;
  const advice = labelAdvice(frame);
  const nRecords = new Set(units.map(({ recordId }) => recordId)).size;
  const what =
    targets === 'item'
      ? `${units.length} items of answers to ${nRecords} questions${judge === null ? ', not judged' : `, judged by ${plainLine(judge, MAX_SHOWN)}`}`
      : targets === 'suite_item'
        ? `${units.length} parts of the test itself: rubric lines, or cases with their labels`
        : `${nRecords} cases, to be decided without seeing model or label`;
  const advised =
    targets === 'item'
      ? `Recommended: ${advice.firstLook} labels over ${advice.questions < nRecords ? `${advice.questions} or more` : `all ${nRecords}`} questions for a first look${advice.corrected === null ? '' : `, ${advice.corrected} for a score corrected for the judge's errors`}. To estimate a share of 80 % within 5 points: ${advice.within5Points} labels. To claim "fewer than 5 % false positives": ${advice.noFalsePositive} labels "not present" without one.`
      : `Recommended: ${advice.firstLook} for a first look. To estimate a share of 80 % within 5 points: ${advice.within5Points}.`;
  return `${plainLine(suiteName, MAX_SHOWN)}: ${what}.\n${advised}\n`;
}

/** What a plan drew, by stratum. */
export function drawnText(plan: ReviewPlan, draws: readonly ReviewDraw[]): string {
  const { kind, seed, strata, nDouble } = plan;
  const unit = kind === 'questions' ? 'questions' : targetWords(plan.targets, 2);
  const column = columnMaker(strata);
  const table = borderlessTable(
    [
      column('stratum', ({ id }) => plainLine(id, MAX_SHOWN).replaceAll('_', ' ')),
      column(unit, ({ size }) => size, true),
      column('drawn', ({ n }) => n, true),
      column('probability', ({ inclusionProbability }) => inclusionProbability.toFixed(3), true),
    ],
    messageWidth(),
  );
  const without = kind === 'cases' ? [] : strata.filter(({ n, size }) => n === 0 && size > 0);
  const warnings = without.map(
    ({ id }) =>
      `! nothing is drawn from "${plainLine(id, MAX_SHOWN).replaceAll('_', ' ')}": the labels cannot describe it; draw more\n`,
  );
  const what = targetWords(plan.targets, draws.length);
  const second = nDouble > 0 ? `, ${nDouble} of them for two reviewers` : ', each for one reviewer';
  const drawn = `${draws.length} ${what}${second}: ${draws.length + nDouble} labels`;
  return `Plan: ${kind}, seed ${seed}. ${drawn}.\n${table.join('\n')}\n${warnings.join('')}`;
}

/** What the labels of a plan will be too few for. A review has one plan, so this must be said before the first label. */
export function lackText(frame: ReviewFrame, plan: ReviewPlan, draws: readonly ReviewDraw[]): string {
  const lack = correctionLack(frame, plan, draws);
  if (lack === null || (lack.traits.length === 0 && lack.nDouble === null)) return '';
  const { traits, hasEnough, moreWouldHelp, nDouble, needed } = lack;
  const shown = traits.map(
    ({ trait, nItems, nQuestions }) => `${plainLine(trait, MAX_SHOWN)} ${nItems} on ${nQuestions}`,
  );
  const short = [
    ...(traits.length === 0
      ? []
      : [`${needed.nItems} labels on ${needed.nQuestions} questions of a trait (${shown.join(', ')})`]),
    ...(nDouble === null ? [] : [`${needed.nDouble} items for two reviewers (${nDouble})`]),
  ];
  const what = hasEnough && nDouble === null ? 'some scores' : 'scores';
  const advice = traits.length > 0 && !moreWouldHelp ? MORE_QUESTIONS : MORE_LABELS;
  return `! too few labels to correct ${what} for the judge's errors, which takes ${short.join(' and ')}; ${advice}\n`;
}

const MORE_LABELS = 'a review has one plan, so draw more before the first label';
const MORE_QUESTIONS =
  'the run has too few items for that; labels still show how far the judge agrees with people';

/** How a plan differs from what is asked for; null where it does not. What is not asked for does not matter. */
export function planProblem(
  plan: ReviewPlan,
  draws: readonly ReviewDraw[],
  frame: ReviewFrame,
  asked: PlanOptions,
): string | null {
  const { kind, n, seed, double, guideline, cases } = asked;
  const nDrawn = draws.length;
  if (kind !== undefined && kind !== plan.kind) return `the plan is ${plan.kind}, not ${kind}`;
  if (cases !== undefined && !isSame(draws, drawPlan(frame, asked).draws))
    return 'the plan has other cases than the list';
  if (n !== undefined && n !== plan.n) return `the plan draws ${plan.n} targets, not ${n}`;
  if (seed !== undefined && seed !== plan.seed) return `the seed is ${plan.seed}, not ${seed}`;
  if (double !== undefined && nForTwo(double, nDrawn) !== plan.nDouble)
    return `the plan has ${plan.nDouble} ${targetWords(plan.targets, plan.nDouble)} for two reviewers, not ${nForTwo(double, nDrawn)}`;
  if (guideline !== undefined && guideline !== plan.guidelineText) return 'the guideline differs';
  return null;
}

function isSame(a: readonly ReviewDraw[], b: readonly ReviewDraw[]): boolean {
  const keys = new Set(a.map(targetKey));
  return a.length === b.length && b.every((draw) => keys.has(targetKey(draw)));
}

/** What is labelled, in words. */
export function targetWords(targets: ReviewPlan['targets'], n: number): string {
  const word = targets === 'suite_item' ? 'part' : targets;
  return n === 1 ? word : `${word}s`;
}
