import { pairedBootstrap } from '../../statistics/index.ts';
import { type EndpointFinding, type PairOptions, testPairs } from '../compare/test-pairs.ts';
import type { Judging } from './judging.ts';
import type { ComparableScore } from './question-scores.ts';

/** Compares two runs by one score, on the questions that have a value in both. */
export function compareScore(
  score: ComparableScore,
  baseline: Judging,
  model: Judging,
  options: PairOptions,
): EndpointFinding {
  const { name: metric, values, ...about } = score;
  const [ours, theirs] = [values(baseline, model), values(model, baseline)];
  const ids = [...ours.keys()].filter((id) => theirs.has(id)).sort();
  const before = Float64Array.from(ids, (id) => ours.get(id)!);
  const after = Float64Array.from(ids, (id) => theirs.get(id)!);
  const n = ids.length;
  const drawn = n < 2 || options.resamples === 0 ? null : pairedBootstrap(after, before, options);
  const interval = drawn?.interval ?? null;
  return {
    metric,
    ...about,
    kind: 'per_record',
    ...testPairs(before, after, {
      ...options,
      binary: false,
      hasRepeats: false,
      emptyReason: 'no_question_has_a_value_in_both',
    }),
    interval: interval && { lower: interval[0], upper: interval[1], level: options.level },
    intervalReason:
      interval !== null ? null : n === 0 ? 'value_undefined' : n < 2 ? 'too_few_questions' : 'resampling_off',
  };
}
