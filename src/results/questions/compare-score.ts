import { mean, normalQuantile, pairedBootstrap, signFlipTest } from '../../statistics/index.ts';
import { type EndpointFinding, POWER } from '../compare/compare-endpoint.ts';
import type { ComparableScore } from './question-scores.ts';
import type { QuestionReport } from './read-question-run.ts';

export interface PairOptions {
  readonly resamples: number;
  readonly seed: number;
  readonly level: number;
}

/** Compares two runs by one score, on the questions that have a value in both. */
export function compareScore(
  score: ComparableScore,
  baseline: QuestionReport,
  model: QuestionReport,
  options: PairOptions,
): EndpointFinding {
  const [ours, theirs] = [score.values(baseline, model), score.values(model, baseline)];
  const ids = [...ours.keys()].filter((id) => theirs.has(id)).sort();
  const before = Float64Array.from(ids, (id) => ours.get(id)!);
  const after = Float64Array.from(ids, (id) => theirs.get(id)!);
  const n = ids.length;
  const reason = n > 0 ? null : 'no_question_has_a_value_in_both';
  const { resamples, seed, level } = options;
  const drawn = n < 2 || resamples === 0 ? null : pairedBootstrap(after, before, { resamples, seed, level });
  const interval = drawn?.interval ?? null;
  const differences = after.map((value, i) => value - before[i]!);
  const test = signFlipTest(differences, { seed });
  return {
    metric: score.name,
    label: score.label,
    better: score.better,
    kind: 'per_record',
    isShare: score.isShare,
    n,
    baselineValue: mean(before),
    modelValue: mean(after),
    difference: mean(differences),
    reason,
    interval: interval && { lower: interval[0], upper: interval[1], level },
    intervalReason:
      interval !== null ? null : n === 0 ? 'value_undefined' : n < 2 ? 'too_few_questions' : 'resampling_off',
    mcnemar: null,
    mcnemarReason: 'not_a_score_of_0_or_1',
    signFlip: test,
    signFlipReason: test === null ? reason : null,
    p: test?.p ?? null,
    ...detectable(differences, level, reason),
  };
}

/** The normal approximation on the spread of the differences. */
function detectable(differences: Float64Array, level: number, reason: string | null) {
  const none = (minimumDetectableReason: string) => ({
    minimumDetectableDifference: null,
    minimumDetectableReason,
  });
  const n = differences.length;
  if (reason !== null) return none(reason);
  if (differences.every((difference) => difference === 0)) return none('no_discordant_records');
  if (n < 2) return none('too_few_records');
  const centre = mean(differences)!;
  const variance = differences.reduce((sum, value) => sum + (value - centre) ** 2, 0) / (n - 1);
  const z = normalQuantile((1 + level) / 2) + normalQuantile(POWER);
  return { minimumDetectableDifference: z * Math.sqrt(variance / n), minimumDetectableReason: null };
}
