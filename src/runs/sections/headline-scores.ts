import type { Score } from '../../core/index.ts';
import { leadingScores } from '../../metrics/index.ts';
import { shownScore } from './headline-names.ts';

/** What stands after the scores that lead: whether replies could be used, and whether confidence means anything, strict and plain. */
const ALSO = [
  'usable_answer_rate',
  'expected_calibration_error_strict',
  'expected_calibration_error',
  'overconfidence_strict',
  'overconfidence',
];

type Named = Pick<Score, 'name' | 'value' | 'reason' | 'details'>;

/** The scores of the first screen: those that lead, then usable answers and confidence. Without any of them, the first scores there are. */
export function headlineScores<S extends Named>(scores: readonly S[], primary: string | null): readonly S[] {
  const leading = leadingScores(scores, primary ?? usualEndpoint(scores));
  const also = ALSO.flatMap((name) => shownScore(scores, name) ?? []);
  const shown = [...new Set([...leading, ...also])];
  return shown.length > 0 ? shown : scores.slice(0, 6);
}

/** The names of the scores that lead in any of several models, in order. */
export function leadingNames(models: readonly (readonly Named[])[], primary: string | null): string[] {
  const lists = models.map((scores) =>
    leadingScores(scores, primary ?? usualEndpoint(scores)).map(({ name }) => name),
  );
  // The longest list has the places of all that the others lack.
  return [...new Set(lists.toSorted((a, b) => b.length - a.length).flat())];
}

/** Where no endpoint was named, decision accuracy takes its place, or accuracy without deferral labels. */
function usualEndpoint(scores: readonly Named[]): string {
  const hasDecisions = scores.some(({ name, value }) => name === 'decision_accuracy' && value !== null);
  return hasDecisions ? 'decision_accuracy' : 'accuracy';
}
