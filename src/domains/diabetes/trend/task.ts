import type { Features } from '../../../suites/task.ts';
import { TREND_REASONS } from '../reasons.ts';
import { hasContextLine } from '../shown.ts';
import { type DiabetesTask, diabetesTask, HBA1C_NOT_VALID_IN, variationRule } from '../task.ts';
import { assessTrend, TREND_LABELS, type Trend } from './assess.ts';
import { trendCase } from './features.ts';

/** Points of % over the time shown that count as change: no guideline defines a course, so every arm says it. */
const MEANINGFUL = 0.5;

const QUESTION =
  'Decide how HbA1c has developed over the visits shown, beyond what measurement alone explains: stable, worsening or improving. A change of half a percentage point (5.5 mmol/mol) or more over the time shown counts as change.';

const RULE = (deferAbove: number) =>
  [
    'Leave out visits without a value and visits with a remark that makes HbA1c unusable there.',
    `Abstain in ${HBA1C_NOT_VALID_IN}; with fewer than three values; and with less than 180 days from the first to the last.`,
    'Otherwise fit a straight line through HbA1c in % over time by least squares. The change is its slope times the time from the first to the last value; a rise of 0.5 or more is worsening, a fall of 0.5 or more improving.',
    variationRule(
      'A single HbA1c varies around the true value by a CV of 2.6 %; the standard error of the change follows from that.',
      deferAbove,
    ),
  ].join(' ');

export function trendTask(deferAbove: number): DiabetesTask {
  return diabetesTask({
    name: 'trend',
    labels: TREND_LABELS,
    ordered: false,
    pack: 'progression',
    question: QUESTION,
    rule: RULE(deferAbove),
    reasons: TREND_REASONS,
    stratum: { key: 'n_visits', label: 'visits' },
    assess: (features) => assessTrend(trendCase(features), { deferAbove }),
    acute: (features) => trendCase(features).acute,
    fallback: lastMinusFirst,
    oneLook: {
      answer: lastMinusFirst,
      shouldDefer: (features) =>
        hasContextLine(features) ||
        trendCase(features).visits.some(({ hba1cPercent, valid }) => hba1cPercent === null || !valid),
    },
  });
}

/** The last value minus the first against half a point. */
function lastMinusFirst(features: Features): Trend | null {
  const values = trendCase(features)
    .visits.toSorted((a, b) => a.day - b.day)
    .flatMap(({ hba1cPercent }) => hba1cPercent ?? []);
  if (values.length < 2) return null;
  const change = values.at(-1)! - values[0]!;
  return change >= MEANINGFUL ? 'worsening' : change <= -MEANINGFUL ? 'improving' : 'stable';
}
