import type { MetricScore } from '../metric.ts';

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
 * const { scores } = scoreTable(buildTable(rows));
 * leadingScores(scores, 'accuracy').map(({ name }) => name) // => ['wrong_answer_rate', 'accuracy']
 * ```
 */
export function leadingScores<S extends Pick<MetricScore, 'name' | 'value' | 'reason' | 'details' | 'facts'>>(
  scores: readonly S[],
  primaryEndpoint: string | null,
): S[] {
  const holds = {
    urgency_not_asked: scores.some(({ reason }) => reason === 'urgency_not_asked'),
    deferral_labels: !scores.some(({ details }) => details.over === 'labelled_rows'),
  };
  const leading = scores
    .filter(({ value, reason, facts: { leads, leadsWhere } = {} }) => {
      if (leads === undefined || (value === null && isNothingOfItsKind(reason))) return false;
      return leadsWhere === undefined || holds[leadsWhere];
    })
    .sort((a, b) => a.facts!.leads! - b.facts!.leads!);
  const primary = scores.find(({ name }) => name === primaryEndpoint);
  const qualifying = scores.filter(({ facts }) => primary && facts?.qualifies === primary.name);
  return [...new Set([...leading, ...(primary ? [primary] : []), ...qualifying])];
}

/** What models are compared by where no primary endpoint is named: accuracy counts every right deferral as a mistake, so it comes second. */
export const USUAL_ENDPOINTS = ['decision_accuracy', 'accuracy'] as const;
export type UsualEndpoint = (typeof USUAL_ENDPOINTS)[number];

/** The first of them that has a value, or the last. */
export function usualEndpoint(hasValue: (name: UsualEndpoint) => boolean): UsualEndpoint {
  return USUAL_ENDPOINTS.find(hasValue) ?? 'accuracy';
}
