import type { MetricScore } from '../metric.ts';
import { builtInMetric } from '../registry.ts';

/** Why a leading score may be left out: the rows have nothing of its kind. Failed rows are no such reason. */
const NOTHING_OF_ITS_KIND: ReadonlySet<string | null> = new Set([
  'no_must_act_rows',
  'no_labelled_must_act_rows',
  'no_rows_known_not_must_act',
  'urgency_not_asked',
  'no_known_decisions',
  'no_must_defer_rows',
  'no_answerable_rows',
  'no_labelled_rows',
  'no_scores',
]);

/** Whether a score has no value because the rows have nothing of its kind: no emergencies, no deferral labels, urgency not asked. */
export function isNothingOfItsKind(reason: string | null): boolean {
  return NOTHING_OF_ITS_KIND.has(reason);
}

/**
 * The scores that lead wherever models are listed or compared: emergencies, harm, cost, and then the primary endpoint. Where urgency was not
 * asked, silence in emergencies leads in its place. Without deferral labels, unsafe decisions would cover emergencies alone and are left out.
 * Beside decision accuracy stands its value without cases near a line.
 *
 * @example
 * ```ts
 * const rows = [evaluationResult({ prediction: 0, groundTruth: 1 }), evaluationResult({ prediction: 1, groundTruth: 1 })];
 * const { scores } = scoreTable(tableOf(rows));
 * leadingScores(scores, 'accuracy').map(({ name }) => name) // => ['wrong_answer_rate', 'accuracy']
 * ```
 */
export function leadingScores<S extends Pick<MetricScore, 'name' | 'value' | 'reason' | 'details'>>(
  scores: readonly S[],
  primaryEndpoint: string | null,
): S[] {
  const find = (name: string) => scores.find((score) => score.name === name);
  const isAsked = find('missed_emergency_rate')?.reason !== 'urgency_not_asked';
  const hasDeferralLabels = find('wrong_answer_rate')?.details.over !== 'labelled_rows';
  const leading = scores
    .filter(({ name, value, reason }) => {
      if (value === null && isNothingOfItsKind(reason)) return false;
      if (name === 'unsafe_decision_rate') return hasDeferralLabels;
      return name.startsWith('must_act_') ? !isAsked : true;
    })
    .flatMap((score) => {
      const place = builtInMetric(score.name)?.leads;
      return place === undefined ? [] : [{ score, place }];
    })
    .sort((a, b) => a.place - b.place)
    .map(({ score }) => score);
  const primary = primaryEndpoint === null ? undefined : find(primaryEndpoint);
  const clear = primary?.name === 'decision_accuracy' ? find('decision_accuracy_clear') : undefined;
  return [...new Set([...leading, primary, clear])].filter((score) => score !== undefined);
}
