/** Names that people know from elsewhere, in the form `canonicalMetricName` gives them. */
const ALIASES: Readonly<Record<string, string>> = {
  coverage: 'answer_rate',
  answer_rate_coverage: 'answer_rate',
  selective_accuracy_answered_only: 'selective_accuracy',
  overall_accuracy: 'accuracy',
  ece: 'expected_calibration_error',
  brier: 'brier_score',
};

/**
 * The name under which a metric is known here: lower case, words joined by underscores, and the names of the Python framework (`Answer Rate
 * (Coverage)`) or short ones (`ece`) turned into ours. A name that nobody knows comes back in that form.
 *
 * @example
 * ```ts
 * canonicalMetricName('Selective Accuracy (answered only)') // => 'selective_accuracy'
 * canonicalMetricName('coverage') // => 'answer_rate'
 * canonicalMetricName('My Own Metric') // => 'my_own_metric'
 * ```
 */
export function canonicalMetricName(name: string): string {
  const joined = name
    .trim()
    .toLowerCase()
    .replace(/[^\p{L}\p{N}]+/gu, '_')
    .replace(/^_+|_+$/g, '');
  return ALIASES[joined] ?? joined;
}
