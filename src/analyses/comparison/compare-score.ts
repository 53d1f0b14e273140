import type { DrawOptions } from '../analysis.ts';
import type { ComparableScore } from '../judging/comparable-score.ts';
import type { Judging } from '../judging/judging.ts';
import { meanInterval } from './difference-interval.ts';
import { type EndpointFinding, testPairs } from './test-pairs.ts';

/** Compares two runs by one score, on the questions that have a value in both. */
export function compareScore(
  score: ComparableScore,
  baseline: Judging,
  model: Judging,
  options: DrawOptions,
): EndpointFinding {
  const { name: metric, values, isBinary: binary, ...about } = score;
  const [ours, theirs] = [values(baseline, model), values(model, baseline)];
  const ids = [...ours.keys()].filter((id) => theirs.has(id)).sort();
  const before = Float64Array.from(ids, (id) => ours.get(id)!);
  const after = Float64Array.from(ids, (id) => theirs.get(id)!);
  const found = meanInterval(
    after.map((value, q) => value - before[q]!),
    { ...options, binary, hasRepeats: [baseline, model].some(hasRepeats), clusterOf: undefined },
  );
  return {
    metric,
    ...about,
    kind: 'per_record',
    ...testPairs(before, after, {
      ...options,
      // Questions are tested by flipping signs, whatever their scores.
      binary: false,
      emptyReason: 'no_question_has_a_value_in_both',
    }),
    ...found,
    ...(found.intervalReason === 'too_few_records' && { intervalReason: 'too_few_questions' }),
  };
}

function hasRepeats({ answers }: Judging): boolean {
  return new Set(answers.map(({ id }) => id)).size < answers.length;
}
