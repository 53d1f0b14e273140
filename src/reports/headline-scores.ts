import type { Score } from '../core/index.ts';
import { leadingScores } from '../metrics/index.ts';

/** What stands after the scores that lead: whether replies could be used, and whether confidence means anything. Published scores may only have the second of each. */
const ALSO = [
  ['usable_answer_rate', 'answer_rate'],
  ['expected_calibration_error_strict', 'expected_calibration_error'],
  ['overconfidence_strict', 'overconfidence'],
] as const;

type Named = Pick<Score, 'name' | 'value' | 'reason' | 'details'>;

/** The scores of the first screen: those that lead, then usable answers and strict confidence. Without any of them, the first scores there are. */
export function headlineScores<S extends Named>(scores: readonly S[], primary: string | null): readonly S[] {
  const leading = leadingScores(scores, primary);
  const find = (name: string) => scores.find((score) => score.name === name);
  const also = ALSO.flatMap(([name, other]) => find(name) ?? find(other) ?? []);
  const shown = [...new Set([...leading, ...also])];
  return shown.length > 0 ? shown : scores.slice(0, 6);
}

/** The names of the scores that lead in any of several models, in order. */
export function leadingNames(models: readonly (readonly Named[])[], primary: string | null): string[] {
  const lists = models.map((scores) => leadingScores(scores, primary).map(({ name }) => name));
  // The longest list has the places of all that the others lack.
  return [...new Set(lists.toSorted((a, b) => b.length - a.length).flat())];
}
